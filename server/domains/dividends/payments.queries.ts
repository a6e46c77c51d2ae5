import { API_BASE } from '@ushirika/contract/constants';
import {
  type DividendPayments,
  type MemberPayment,
  PAID_PARTS,
  readDividendPayments,
} from '@ushirika/contract/dividends';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { QueryOf } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import { linker, readCursor, toPage } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { amountsOf } from './dividend-sums.ts';
import { type DeclaredRow, declaredJson, shownDeclared } from './dividends.queries.ts';

interface Deps {
  readonly database: Database;
  readonly publicUrl: string;
}

interface Of {
  /** The official who reads. */
  readonly userId: string;
  readonly saccoId: string;
  readonly year: number;
}

type Parts = Readonly<Record<(typeof PAID_PARTS)[number], Cents>>;

interface PaymentRow extends Parts {
  readonly id: string;
  readonly name: string;
  readonly handle: string | null;
  readonly share_days: number;
  readonly savings_months: number;
  readonly shares_bought: number;
  readonly is_abroad: boolean;
  readonly paid_at: Date | null;
}

interface Declared {
  readonly id: string;
  readonly members: number;
  readonly share_value_cents: Cents;
  readonly declared: DeclaredRow;
}

/**
 * What each member got of a declared dividend, in the order in which they registered, with the sums of all on the first page. Members read
 * their own part alone, so the platform reads it for the official, and it is kept who read whose.
 * @throws Refusal `not_found`
 */
export async function paymentsOf(
  deps: Deps,
  of: Of,
  query: QueryOf<typeof readDividendPayments>,
): Promise<DividendPayments> {
  const cursor = readCursor(query.cursor, ['uuid']);
  const { dividend, rows, totals } = await asSystem(async () => {
    const dividend = await declaredOf(deps.database, of);
    const [rows, totals] = await Promise.all([
      pageOf(deps.database, of, dividend, { isBack: cursor?.isBack ?? false, after: cursor?.keys[0], ...query }),
      cursor === null ? totalsOf(deps.database, of, dividend) : null,
    ]);
    return { dividend, rows, totals };
  });
  const address = `${deps.publicUrl}${API_BASE}${readDividendPayments.path.replace('{year}', String(of.year))}`;
  const linkTo = linker(address, query);
  const page = toPage(rows, { limit: query.limit, cursor, keysOf: ({ id }) => [id], linkTo });
  await noteReading(deps.database, of, page.results);
  return {
    ...page,
    count: dividend.members,
    declared: shownDeclared(dividend.declared),
    share_tax_abroad: dividend.declared.share_tax_abroad / 100,
    savings_tax_abroad: dividend.declared.savings_tax_abroad / 100,
    share_value: shillingsFromCents(dividend.share_value_cents),
    totals,
    results: page.results.map(shownPayment),
  };
}

async function declaredOf(database: Database, { saccoId, year }: Of): Promise<Declared> {
  const [row] = await database.sql<Declared[]>`
    select d.id, d.members, c.share_value_cents, ${declaredJson(database)} as declared
    from dividends d join closed_years c on c.sacco_id = d.sacco_id and c.year = d.year
    where d.sacco_id = ${saccoId} and d.year = ${year}`;
  if (!row) throw new Refusal('not_found', { message: sentence('No dividend is declared of that year.') });
  return row;
}

/** In SQL: each member with a part of it, what it is reckoned from, and where it went. */
const partsOf = ({ sql }: Database, { saccoId, year }: Of, { id, declared }: Declared) => sql`
  select p.*, case when paid_at is null then p.net else 0 end as waits
  from (
    select a.member_id as id, a.is_abroad, y.share_days, y.${sql(declared.savings_method)} as savings_months,
      a.shares as share_dividend, a.savings as savings_interest, a.shares_tax as tax_on_shares, a.savings_tax as tax_on_savings,
      a.shares + a.savings - a.shares_tax - a.savings_tax as net,
      coalesce(r.arrears_cents, 0) as to_loans, coalesce(r.refunded_cents, 0) as to_guarantors,
      coalesce(m.amount_cents, 0) as into_shares, coalesce(r.shares, 0) as shares_bought,
      coalesce(r.net_cents - r.arrears_cents - r.refunded_cents, 0) - coalesce(m.amount_cents, 0) as into_wallet, r.paid_at
    from (${amountsOf({ sql } as never, { saccoId, year, at: new Date(declared.residence_at) }, declared)}) a
    join year_members y on y.sacco_id = ${saccoId} and y.year = ${year} and y.member_id = a.member_id
    left join dividend_receipts r on r.dividend_id = ${id} and r.member_id = a.member_id
    -- Shares are bought right after a member is paid, and before a later dividend buys any.
    left join lateral (
      select amount_cents from share_movements
      where sacco_id = ${saccoId} and user_id = a.member_id and reason = 'dividend' and moved_at >= r.paid_at
      order by place limit 1
    ) m on r.shares > 0
  ) p`;

interface Wanted {
  readonly isBack: boolean;
  readonly after: string | number | undefined;
  readonly limit: number;
}

function pageOf(database: Database, of: Of, dividend: Declared, { isBack, after, limit }: Wanted) {
  const { sql } = database;
  const from = after === undefined ? sql`` : sql`where l.id ${isBack ? sql`<` : sql`>`} ${after}::uuid`;
  return sql<PaymentRow[]>`
    select l.*, u.first_name || ' ' || u.last_name as name, h.handle
    from (${partsOf(database, of, dividend)}) l join users u on u.id = l.id
    left join member_handles h on h.sacco_id = ${of.saccoId} and h.user_id = l.id
    ${from} order by l.id ${isBack ? sql`desc` : sql`asc`} limit ${limit + 1}`;
}

async function totalsOf(database: Database, of: Of, dividend: Declared): Promise<DividendPayments['totals']> {
  const { sql } = database;
  const sums = PAID_PARTS.map(
    (part, place) => sql`${place > 0 ? sql`,` : sql``} coalesce(sum(${sql(part)}), 0)::bigint as ${sql(part)}`,
  );
  const [row] = await sql<Parts[]>`select ${sums} from (${partsOf(database, of, dividend)}) l`;
  return row ? shownParts(row) : null;
}

const shownParts = (row: Parts) =>
  Object.fromEntries(PAID_PARTS.map((part) => [part, shillingsFromCents(row[part])])) as Record<
    (typeof PAID_PARTS)[number],
    number
  >;

function shownPayment(row: PaymentRow): MemberPayment {
  const { id, name, handle, share_days, savings_months, shares_bought, is_abroad, paid_at } = row;
  return {
    ...shownParts(row),
    ...{ id, name, handle, share_days, shares_bought, lives: is_abroad ? ('abroad' as const) : ('kenya' as const) },
    savings_months: shillingsFromCents(savings_months),
    paid_at: paid_at?.toISOString() ?? null,
  };
}

async function noteReading(
  { sql, newId, now }: Database,
  { userId, saccoId }: Of,
  rows: readonly PaymentRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into member_record_readings (id, sacco_id, read_by, read_at, members)
    values (${newId()}, ${saccoId}, ${userId}, ${now()}, ${texts(rows.map(({ id }) => id))}::uuid[])`;
}
