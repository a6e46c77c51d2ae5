import type { DividendDesk, DividendSimulation, simulateDividend } from '@ushirika/contract/dividends';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { QueryOf } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import { nairobiDay } from '@ushirika/contract/time';
import type { Database } from '../../db/tx.ts';
import { balances } from '../../ledger/balances.ts';
import { capitalAfter } from './capital.ts';
import { lastYear, taxesOn, whyNotPaid, whyNoYear } from './declare-dividend.ts';
import { amountsOf, type OfYear, ratesOf, sumsOf } from './dividend-sums.ts';
import { type DeclaredRow, declaredJson, shownDeclared, stateOf } from './dividends.queries.ts';
import { figuresOf, nextYear, ownAccount, type Reader, type YearFigures } from './year-figures.ts';

const shown = shillingsFromCents;
const YEARS_MAX = 20;

const shownFigures = ({ surplus, reserve, distributable }: YearFigures) => ({
  surplus: shown(surplus),
  reserve: shown(reserve),
  distributable: shown(distributable),
});

/** What officials close and propose. Asked as the platform: it adds up all members and the books. */
export async function deskOf(database: Database, saccoId: string): Promise<Unsaid<DividendDesk>> {
  const reader: Reader = { sql: database.sql as unknown as Reader['sql'], now: database.now() };
  const { year, whyNot } = await nextYear(reader, saccoId);
  const [figures, [distributable = 0, cash = 0], taxes, years] = await Promise.all([
    whyNot === null ? figuresOf(reader, saccoId, year) : null,
    balances(database, [ownAccount(saccoId, 'retained_surplus'), ownAccount(saccoId, 'cash')]),
    taxesOn(reader, nairobiDay(reader.now)),
    closedYears(reader, saccoId),
  ]);
  return {
    next: { year, figures: figures && shownFigures(figures), why_not: whyNot },
    distributable: shown(distributable),
    cash: shown(cash),
    ...taxes,
    years,
  };
}

interface ClosedRow {
  readonly year: number;
  readonly closed_at: Date;
  readonly surplus: Cents;
  readonly reserve: Cents;
  readonly distributable: Cents;
  readonly is_reckoned: boolean;
  readonly declared: DeclaredRow | null;
  readonly members: number;
  readonly gross_cents: Cents | null;
  readonly tax_cents: Cents | null;
}

async function closedYears({ sql }: Reader, saccoId: string): Promise<DividendDesk['years']> {
  const rows = await sql<ClosedRow[]>`
    select c.year, c.closed_at, c.surplus_cents as surplus, c.reserve_cents as reserve, c.distributable_cents as distributable,
      c.reckoned_at is not null as is_reckoned, c.members, ${declaredJson({ sql: sql as never })} as declared, d.gross_cents, d.tax_cents
    from closed_years c left join dividends d on d.sacco_id = c.sacco_id and d.year = c.year
    where c.sacco_id = ${saccoId} order by c.year desc limit ${YEARS_MAX}`;
  return rows.map((row) => ({
    year: row.year,
    state: stateOf(row.declared),
    is_reckoned: row.is_reckoned,
    closed_at: row.closed_at.toISOString(),
    figures: shownFigures(row),
    declared: row.declared && shownDeclared(row.declared),
    members: row.members,
    gross: row.gross_cents === null ? null : shown(row.gross_cents),
    tax: row.tax_cents === null ? null : shown(row.tax_cents),
  }));
}

/** What rates would cost and bring. Asked as the platform. @throws Refusal `dividend_conflict` */
export async function simulationOf(
  database: Database,
  asker: { readonly userId: string; readonly saccoId: string },
  query: QueryOf<typeof simulateDividend>,
): Promise<Unsaid<DividendSimulation>> {
  const { saccoId } = asker;
  const reader: Reader = { sql: database.sql as unknown as Reader['sql'], now: database.now() };
  const why = whyNoYear(await lastYear(reader, saccoId), query.year);
  if (why) throw new Refusal('dividend_conflict', { message: why });
  const of = { saccoId, year: query.year, at: reader.now };
  const rates = ratesOf({ ...query, ...(await taxesOn(reader, nairobiDay(reader.now))) });
  const sums = await sumsOf(reader, of, rates);
  const [capital, members, [distributable = 0], whyNot] = await Promise.all([
    capitalAfter(reader, saccoId, sums.gross),
    spreadOf(reader, of, rates, asker.userId),
    balances(database, [ownAccount(saccoId, 'retained_surplus')]),
    whyNotPaid(reader, saccoId, sums),
  ]);
  const { before, after, minimum, below, isBinding } = capital;
  return {
    share_dividend: shown(sums.shares),
    savings_interest: shown(sums.savings),
    gross: shown(sums.gross),
    tax: shown(sums.tax),
    net: shown(sums.gross - sums.tax),
    distributable: shown(distributable),
    stays: shown(distributable - sums.gross),
    ratios: { before, after, minimum, below: [...below], is_refused: isBinding && below.length > 0 },
    ...members,
    why_not: whyNot,
  };
}

/** What a member would get after tax: the least, the middle and the most of all, and one's own. */
async function spreadOf(reader: Reader, of: OfYear, rates: ReturnType<typeof ratesOf>, userId: string) {
  const [row] = await reader.sql<{ count: number; least: Cents; median: Cents; most: Cents; mine: Cents | null }[]>`
    select count(*)::int as count, min(net)::bigint as least, max(net)::bigint as most,
      (percentile_disc(0.5) within group (order by net))::bigint as median,
      (max(net) filter (where member_id = ${userId}))::bigint as mine
    from (select member_id, shares + savings - shares_tax - savings_tax as net from (${amountsOf(reader, of, rates)}) a) nets`;
  if (!row || row.count === 0) return { members: null, mine: 0 };
  const { count, least, median, most, mine } = row;
  return {
    members: { count, least: shown(least), median: shown(median), most: shown(most) },
    mine: shown(mine ?? 0),
  };
}
