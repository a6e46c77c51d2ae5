import { basisPointsOf, daysOfYear, type SavingsMethod } from '@ushirika/contract/dividend-rules';
import type { Cents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';

/** Rates and taxes in hundredths of a percent. */
export interface Rates {
  readonly share_rate: number;
  readonly savings_rate: number;
  readonly savings_method: SavingsMethod;
  readonly share_tax: number;
  readonly savings_tax: number;
  /** The taxes of members who live abroad. */
  readonly share_tax_abroad: number;
  readonly savings_tax_abroad: number;
}

/** Percentages as they are asked for, in hundredths of a percent. */
export function ratesOf(asked: Rates): Rates {
  const points = (percentage: number) => basisPointsOf(percentage) ?? 0;
  return {
    share_rate: points(asked.share_rate),
    savings_rate: points(asked.savings_rate),
    savings_method: asked.savings_method,
    share_tax: points(asked.share_tax),
    savings_tax: points(asked.savings_tax),
    share_tax_abroad: points(asked.share_tax_abroad),
    savings_tax_abroad: points(asked.savings_tax_abroad),
  };
}

export interface OfYear {
  readonly saccoId: string;
  readonly year: number;
  /** Where members live is as it was recorded before then: before the vote on the dividend was published. */
  readonly at: Date;
}

/** In SQL: what each member with a part of it gets of a closed year, as contract/src/dividend-rules.ts has it. */
export const amountsOf = ({ sql }: Pick<Tx, 'sql'>, { saccoId, year, at }: OfYear, rates: Rates) => sql`
  select g.member_id, g.shares, g.savings, coalesce(r.lives = 'abroad', false) as is_abroad,
    div(g.shares::numeric * case when r.lives = 'abroad' then ${rates.share_tax_abroad}::int else ${rates.share_tax}::int end + 5000,
      10000)::bigint as shares_tax,
    div(g.savings::numeric * case when r.lives = 'abroad' then ${rates.savings_tax_abroad}::int else ${rates.savings_tax}::int end + 5000,
      10000)::bigint as savings_tax
  from (
    select y.member_id,
      div(y.share_days::numeric * c.share_value_cents * ${rates.share_rate}, ${daysOfYear(year) * 10_000})::bigint as shares,
      div((case ${rates.savings_method} when 'month_after' then y.month_after when 'month_of' then y.month_of
        else y.lowest_balance end)::numeric * ${rates.savings_rate}, 120000)::bigint as savings
    from year_members y join closed_years c on c.sacco_id = y.sacco_id and c.year = y.year
    where y.sacco_id = ${saccoId} and y.year = ${year}
  ) g left join (
    select distinct on (user_id) user_id, lives from member_residences
    where sacco_id = ${saccoId} and recorded_at < ${at} order by user_id, recorded_at desc
  ) r on r.user_id = g.member_id
  where g.shares + g.savings > 0`;

export interface Sums {
  readonly shares: Cents;
  readonly savings: Cents;
  readonly gross: Cents;
  readonly tax: Cents;
  readonly members: number;
}

/** What it comes to for all: the sum of what each gets, so nothing is left over. */
export async function sumsOf(reader: Pick<Tx, 'sql'>, of: OfYear, rates: Rates): Promise<Sums> {
  const [sums] = await reader.sql<Sums[]>`
    select coalesce(sum(shares), 0)::bigint as shares, coalesce(sum(savings), 0)::bigint as savings,
      coalesce(sum(shares + savings), 0)::bigint as gross, coalesce(sum(shares_tax + savings_tax), 0)::bigint as tax,
      count(*)::int as members
    from (${amountsOf(reader, of, rates)}) a`;
  return sums ?? { shares: 0, savings: 0, gross: 0, tax: 0, members: 0 };
}
