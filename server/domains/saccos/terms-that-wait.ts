import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { longDate, type Sentence, sentence } from '@ushirika/contract/sentence';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { isNotOver } from './votes-not-over.ts';

/** From when terms hold at the earliest, with their share value. */
export interface NextValue {
  readonly cents: Cents;
  readonly from: Date;
}

/**
 * Saccos that sell no shares now: from the publication of a vote on another share value until it is carried out or over. Else everybody would
 * buy at the lower of two values meanwhile.
 */
export async function saccosWithoutSales(
  { sql }: Pick<Tx, 'sql'> | Pick<Database, 'sql'>,
  now: Date,
  saccoIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await (sql as Tx['sql'])<{ sacco_id: string }[]>`
    select distinct p.sacco_id from proposals p
    where p.sacco_id = any (${texts(saccoIds)}::uuid[]) and p.change_kind = 'sacco_terms' and ${isNotOver(sql, now)}
      and p.payload->>'share_value' is distinct from p.expected->>'share_value'`;
  return new Set(rows.map(({ sacco_id }) => sacco_id));
}

/** Why a sacco sells no shares now. */
export const salesWait = (name: string): Sentence =>
  sentence(
    'Members of {name} vote on the value of a share. The sacco sells shares again once that is decided and carried out.',
    { name },
  );

/** Terms that members have voted and that do not hold yet. */
export interface NextTerms extends NextValue {
  readonly feeCents: Cents;
  readonly shares: number;
}

/**
 * The fee, share value and minimum that members have voted and that do not hold yet: whoever joins before then knows of them. For everybody,
 * and so asked as the platform, since votes are their members' to read. Null where nothing waits.
 */
export async function nextTerms(database: Database, saccoId: string): Promise<NextTerms | null> {
  const [next] = await asSystem(
    async () =>
      await database.sql<{ fee: number; value: number; shares: number; from: Date }[]>`
      select ((p.payload->>'reg_fee')::numeric * 100)::bigint as fee, ((p.payload->>'share_value')::numeric * 100)::bigint as value,
        (p.payload->>'min_shares')::int as shares, p.eta as from
      from proposals p
      where p.sacco_id = ${saccoId} and p.change_kind = 'sacco_terms' and p.outcome = 'passed' and ${isNotOver(database.sql, database.now())}
      order by p.eta desc limit 1`,
  );
  if (!next) return null;
  return { cents: Number(next.value), from: next.from, feeCents: Number(next.fee), shares: next.shares };
}

/** The terms that wait, in words. */
export function termsSaid({ cents, from, feeCents, shares }: NextTerms, at: Date): Sentence {
  const terms = {
    fee: formatShillings(shillingsFromCents(feeCents)),
    value: formatShillings(shillingsFromCents(cents)),
    shares: String(shares),
  };
  // It could not be carried out on its day, and is tried again.
  if (from <= at) {
    return sentence(
      'Members have voted for other terms, which are to hold soon. Registration fee: {fee}. Share value: {value}. Minimum shares: {shares}.',
      terms,
    );
  }
  return sentence(
    'Members have voted for other terms, from {day} on at the earliest. Registration fee: {fee}. Share value: {value}. Minimum shares: {shares}.',
    { ...terms, day: longDate(from) },
  );
}
