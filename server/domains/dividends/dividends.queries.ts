import { savingsInterest, shareDividend, withheldOf } from '@ushirika/contract/dividend-rules';
import type { DividendYear, MyDividend, OwnDividend, PaidInto } from '@ushirika/contract/dividends';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import type { Rates } from './dividend-sums.ts';
import { savedIn } from './reckon-years.ts';
import { startOfYear } from './year-figures.ts';

type Reading = Pick<Database, 'sql'>;
export interface Member {
  readonly userId: string;
  readonly saccoId: string;
}

export interface DeclaredRow extends Rates {
  readonly record_on: string;
  /** Where members lived before then counts. */
  readonly residence_at: Date;
  readonly declared_at: Date;
  readonly state: 'declared' | 'running' | 'done';
}

interface YearRow {
  readonly year: number;
  readonly share_value_cents: Cents;
  readonly declared: DeclaredRow | null;
  readonly share_days: number | null;
  readonly month_after: number;
  readonly month_of: number;
  readonly lowest_balance: number;
  readonly paid_at: Date | null;
  readonly arrears_cents: Cents | null;
  readonly refunded_cents: Cents | null;
  readonly shares: number | null;
}

/** A year of any sacco in which the person had a part, also where they have left. */
interface OwnRow extends YearRow {
  readonly sacco_id: string;
  readonly sacco: string;
  readonly reg_no: string;
  readonly is_member: boolean;
}

/** Closed years that are shown. */
const YEARS_MAX = 20;
/** Dividends of all saccos that are shown. */
const OWN_MAX = 100;

/** In SQL, in a query with `d` for dividends: the columns of `DeclaredRow` as an object, or null. */
export const declaredJson = ({ sql }: Reading) => sql`
  case when d.year is not null then json_build_object('share_rate', d.share_rate, 'savings_rate', d.savings_rate,
    'savings_method', d.savings_method, 'share_tax', d.share_tax, 'savings_tax', d.savings_tax,
    'share_tax_abroad', to_jsonb(d)->'share_tax_abroad', 'savings_tax_abroad', to_jsonb(d)->'savings_tax_abroad',
    'record_on', d.record_on, 'residence_at', to_jsonb(d)->'residence_at', 'declared_at', d.declared_at, 'state', d.state) end`;

/** The years of one's sacco, newest first, with one's own part. */
export async function yearsOf(database: Reading, member: Member): Promise<{ choice: PaidInto; years: DividendYear[] }> {
  const [rows, [choice]] = await Promise.all([
    yearRows(database, member, null),
    database.sql<{ into_what: PaidInto }[]>`
      select into_what from dividend_choices where sacco_id = ${member.saccoId} and user_id = ${member.userId}`,
  ]);
  return { choice: choice?.into_what ?? 'wallet', years: rows.map(shownYear) };
}

async function yearRows({ sql }: Reading, { userId, saccoId }: Member, year: number | null): Promise<YearRow[]> {
  const rows = await sql<(YearRow & { readonly is_abroad: boolean })[]>`
    select c.year, c.share_value_cents, ${declaredJson({ sql })} as declared,
      d.year is not null and lived_abroad(c.sacco_id, ${userId}, d.residence_at) as is_abroad,
      y.share_days, y.month_after, y.month_of, y.lowest_balance, r.paid_at, r.arrears_cents, r.refunded_cents, r.shares
    from closed_years c left join dividends d on d.sacco_id = c.sacco_id and d.year = c.year
    left join year_members y on y.sacco_id = c.sacco_id and y.year = c.year and y.member_id = ${userId}
    left join dividend_receipts r on r.dividend_id = d.id and r.member_id = ${userId}
    where c.sacco_id = ${saccoId} and (${year}::int is null or c.year = ${year}::int)
    order by c.year desc limit ${YEARS_MAX}`;
  return rows.map(({ is_abroad, ...row }) => ({ ...row, declared: row.declared && taxedAs(row.declared, is_abroad) }));
}

/** As it is for somebody: the taxes are those of where they lived when members were asked. */
const taxedAs = (declared: DeclaredRow, isAbroad: boolean): DeclaredRow =>
  isAbroad ? { ...declared, share_tax: declared.share_tax_abroad, savings_tax: declared.savings_tax_abroad } : declared;

export function shownDeclared(row: DeclaredRow) {
  return {
    share_rate: row.share_rate / 100,
    savings_rate: row.savings_rate / 100,
    savings_method: row.savings_method,
    share_tax: row.share_tax / 100,
    savings_tax: row.savings_tax / 100,
    record_date: row.record_on,
    declared_at: new Date(row.declared_at).toISOString(),
  };
}

export const stateOf = (row: DeclaredRow | null) =>
  row === null ? 'closed' : row.state === 'done' ? 'paid' : 'declared';

function shownYear(row: YearRow): DividendYear {
  return {
    year: row.year,
    state: stateOf(row.declared),
    declared: row.declared && shownDeclared(row.declared),
    mine: mineOf(row),
  };
}

/** By the rules of the contract, of what was reckoned when the year was closed. */
function mineOf(row: YearRow): DividendYear['mine'] {
  const { declared } = row;
  if (declared === null || row.share_days === null) return null;
  const shares = shareDividend(row.share_days, {
    year: row.year,
    rate: declared.share_rate,
    shareValueCents: row.share_value_cents,
  });
  const savings = savingsInterest(row[declared.savings_method], declared.savings_rate);
  const tax = withheldOf(shares, declared.share_tax) + withheldOf(savings, declared.savings_tax);
  return {
    share_dividend: shillingsFromCents(shares),
    savings_interest: shillingsFromCents(savings),
    tax: shillingsFromCents(tax),
    net: shillingsFromCents(shares + savings - tax),
    paid_arrears: shillingsFromCents(row.arrears_cents ?? 0),
    paid_back: shillingsFromCents(row.refunded_cents ?? 0),
    shares_bought: row.shares ?? 0,
    paid_at: row.paid_at?.toISOString() ?? null,
  };
}

/** One year with what it is reckoned from. @throws Refusal `not_found` */
export async function yearOf(database: Reading, member: Member, year: number): Promise<MyDividend> {
  const [[row], sacco] = await Promise.all([yearRows(database, member, year), saccoOf(database, member)]);
  if (!row || !sacco) throw new Refusal('not_found', { message: sentence('There is no such closed year.') });
  return reckoned(database, member, row, sacco);
}

async function reckoned(
  database: Reading,
  member: Member,
  row: YearRow,
  sacco: MyDividend['sacco'],
): Promise<MyDividend> {
  const [name, moves, savings] = await Promise.all([
    nameOf(database, member),
    movesOf(database, member, row.year),
    // The books are read as the platform, for this member alone: entries with other members on their other side count too.
    asSystem(() => savingsOf(database, member, row.year)),
  ]);
  const shareValue = shillingsFromCents(row.share_value_cents);
  return { ...shownYear(row), sacco, member: { name }, share_value: shareValue, moves, savings };
}

/** What somebody gets of the declared dividends of any sacco, newest first; also where they have left. */
export async function ownDividends(database: Reading, userId: string): Promise<OwnDividend[]> {
  const rows = await ownRows(database, { userId, saccoId: null }, null);
  return rows
    .map((row) => ({
      ...shownYear(row),
      sacco: { id: row.sacco_id, name: row.sacco },
      is_member: row.is_member,
    }))
    .filter(({ mine }) => mine !== null && mine.share_dividend + mine.savings_interest > 0);
}

/** One of these with what it is reckoned from. @throws Refusal `not_found` */
export async function ownDividend(database: Reading, member: Member, year: number): Promise<MyDividend> {
  const [row] = await ownRows(database, member, year);
  if (!row) throw new Refusal('not_found', { message: sentence('You have no part in such a dividend.') });
  return reckoned(database, member, row, { id: row.sacco_id, name: row.sacco, reg_no: row.reg_no });
}

/** Whoever has left reads no row of `closed_years` or `dividends`: `dividends_of` has of them what their own part is reckoned from. */
async function ownRows(
  { sql }: Reading,
  { userId, saccoId }: { readonly userId: string; readonly saccoId: string | null },
  year: number | null,
): Promise<OwnRow[]> {
  return sql<OwnRow[]>`
    select d.*, ${declaredJson({ sql })} as declared, r.paid_at, r.arrears_cents, r.refunded_cents, r.shares
    from dividends_of(${userId}) d left join dividend_receipts r on r.dividend_id = d.dividend_id and r.member_id = ${userId}
    where (${saccoId}::uuid is null or d.sacco_id = ${saccoId}::uuid) and (${year}::int is null or d.year = ${year}::int)
    order by d.year desc, d.sacco, d.sacco_id limit ${OWN_MAX}`;
}

async function saccoOf({ sql }: Reading, { saccoId }: Member): Promise<MyDividend['sacco'] | undefined> {
  const [row] = await sql<MyDividend['sacco'][]>`select id, name, reg_no from saccos where id = ${saccoId}`;
  return row;
}

async function nameOf({ sql }: Reading, { userId }: Member): Promise<string> {
  const [row] = await sql<{ name: string }[]>`
    select first_name || ' ' || last_name as name from users where id = ${userId}`;
  return row?.name ?? '';
}

async function movesOf({ sql }: Reading, { userId, saccoId }: Member, year: number) {
  return sql<{ day: string; shares: number }[]>`
    select day::text, sum(shares)::int as shares from (
      select greatest((moved_at at time zone 'Africa/Nairobi')::date, make_date(${year}, 1, 1)) as day, shares
      from share_register where sacco_id = ${saccoId} and user_id = ${userId} and moved_at < ${startOfYear(year + 1)}) moves
    group by day order by day`;
}

async function savingsOf(database: Reading, { userId, saccoId }: Member, year: number) {
  const rows = await database.sql<{ month: number; net: Cents; lowest: Cents }[]>`
    with asked as (select ${userId}::uuid as user_id), ${savedIn(database as never, { saccoId, year })}
    select month, net::bigint as net, lowest::bigint as lowest from by_month order by month`;
  const of = (month: number) => rows.find((row) => row.month === month);
  return {
    opening: shillingsFromCents(of(0)?.net ?? 0),
    months: Array.from({ length: 12 }, (_, index) => ({
      net: shillingsFromCents(of(index + 1)?.net ?? 0),
      lowest: shillingsFromCents(of(index + 1)?.lowest ?? 0),
    })),
  };
}
