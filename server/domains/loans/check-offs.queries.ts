import type * as shapes from '@ushirika/contract/check-offs';
import {
  CHECK_OFF_OFFICES,
  listCheckOffLines,
  listCheckOffs,
  listMyCheckOffLines,
  listMyCheckOffs,
  NOTABLE_LINES,
} from '@ushirika/contract/check-offs';
import { API_BASE } from '@ushirika/contract/constants';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import type { Office, QueryOf, Route } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import type { Fragment } from 'postgres';
import { countUpTo, linker, readCursor, toPage } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { otherAccountsAmong } from '../identity/second-account.ts';
import { expiresAt, shortName } from './check-off.rules.ts';
import { type CheckOffRow, noSuchList } from './check-off-rows.ts';
import { SECOND_ACCOUNT_CHECKS_LIST } from './decide-check-off.ts';

export interface Deps {
  readonly database: Database;
  readonly publicUrl: string;
}

export interface OfficialReader {
  readonly userId: string;
  readonly saccoId: string;
  readonly offices: readonly Office[];
}

interface ShownRow extends CheckOffRow {
  readonly listed_at: Date;
  readonly checked_at: Date | null;
  readonly received_at: Date | null;
  readonly finished_at: Date | null;
  readonly ended_at: Date | null;
  readonly ended_by: string | null;
  readonly ended_by_name: string | null;
  readonly reason: string | null;
  readonly listed_by_name: string;
  readonly checked_by_name: string | null;
  readonly payer_name: string;
}

/** A database, or a transaction that has just written. */
type Reading = Pick<Database, 'sql'> | Pick<Tx, 'sql'>;

const shown = shillingsFromCents;
const iso = (at: Date | null) => at?.toISOString() ?? null;

/** The check-offs of a sacco: what waits, the oldest first; all, the newest first. */
export function saccosCheckOffs(deps: Deps, official: OfficialReader, query: QueryOf<typeof listCheckOffs>) {
  const { sql } = deps.database;
  // Words of the statement, not parameters: PostgreSQL takes the index of open lists only where it sees that they are open.
  const inState = {
    to_check: sql`and c.state = 'listed'`,
    to_pay: sql`and c.state = 'checked'`,
    all: sql``,
  }[query.status];
  const which = sql`c.sacco_id = ${official.saccoId} ${inState}`;
  const isUp = query.status !== 'all';
  return pageOf(deps, { route: listCheckOffs, query, which, isUp }, (rows) => forSacco(deps.database, rows, official));
}

/** What one pays, of all saccos, once a second official has checked it. */
export function myCheckOffs(deps: Deps, userId: string, query: QueryOf<typeof listMyCheckOffs>) {
  const { sql } = deps.database;
  const isUp = query.status === 'to_pay';
  const which = sql`${ofPayer(sql, userId)} ${isUp ? sql`and c.state = 'checked'` : sql``}`;
  return pageOf(deps, { route: listMyCheckOffs, query, which, isUp }, async (rows) => rows.map(forPayer));
}

const ofPayer = (sql: Reading['sql'], userId: string): Fragment =>
  sql`c.payer_id = ${userId} and c.checked_by is not null and c.state <> 'refused'`;

interface Listed {
  readonly route: Route;
  readonly query: { readonly cursor?: string | undefined; readonly limit: number };
  readonly which: Fragment;
  readonly isUp: boolean;
}

/** Which ones are there for the person, their policies say; the names in them are read as the platform. */
async function pageOf<Shown>(
  { database, publicUrl }: Deps,
  { route, query, which, isUp: isOldest }: Listed,
  shownOf: (rows: readonly ShownRow[]) => Promise<Shown[]>,
) {
  const { sql } = database;
  const cursor = readCursor(query.cursor, ['uuid']);
  const isUp = isOldest !== (cursor?.isBack ?? false);
  const after = cursor ? sql`and c.id ${isUp ? sql`>` : sql`<`} ${cursor.keys[0] as string}` : sql``;
  const matching = sql`from check_offs c where ${which}`;
  const [ids, count] = await Promise.all([
    sql<{ id: string }[]>`
      select c.id ${matching} ${after} order by c.id ${isUp ? sql`asc` : sql`desc`} limit ${query.limit + 1}`,
    countUpTo(sql, matching),
  ]);
  const linkTo = linker(`${publicUrl}${API_BASE}${route.path}`, query);
  const page = toPage(ids, { limit: query.limit, cursor, keysOf: ({ id }) => [id], linkTo });
  const rows = await readShown(
    database,
    page.results.map(({ id }) => id),
  );
  return { ...page, count, results: await shownOf(page.results.flatMap(({ id }) => rows.get(id) ?? [])) };
}

function readShown({ sql }: Reading, ids: readonly string[]): Promise<ReadonlyMap<string, ShownRow>> {
  return asSystem(async () => {
    const rows = await sql<(ShownRow & { first_name: string; last_name: string })[]>`
      select c.*, s.name as sacco_name, s.state as sacco_state, l.first_name || ' ' || l.last_name as listed_by_name,
        k.first_name || ' ' || k.last_name as checked_by_name, e.first_name || ' ' || e.last_name as ended_by_name,
        p.first_name, p.last_name
      from check_offs c join saccos s on s.id = c.sacco_id join users l on l.id = c.listed_by join users p on p.id = c.payer_id
      left join users k on k.id = c.checked_by left join users e on e.id = c.ended_by
      where c.id = any (${texts(ids)}::uuid[])`;
    return new Map(rows.map((row) => [row.id, { ...row, payer_name: shortName(row) }]));
  });
}

const isMadeBy = ({ listed_by, checked_by }: ShownRow, userId: string) => listed_by === userId || checked_by === userId;
const isOpen = ({ state }: ShownRow) => state === 'listed' || state === 'checked';

function common(row: ShownRow) {
  return {
    id: row.id,
    employer: row.employer,
    amount: shown(row.amount_cents),
    lines: row.lines,
    state: row.state,
    listed_by: { id: row.listed_by, name: row.listed_by_name },
    listed_at: row.listed_at.toISOString(),
    checked_by: row.checked_by === null ? null : { id: row.checked_by, name: row.checked_by_name ?? '' },
    checked_at: iso(row.checked_at),
    expires_at: isOpen(row) ? expiresAt(row).toISOString() : null,
    paid_at: iso(row.received_at),
    finished_at: iso(row.finished_at),
    ended_at: iso(row.ended_at),
    reason: row.reason,
  };
}

async function forSacco(
  reading: Reading,
  rows: readonly ShownRow[],
  official: OfficialReader,
): Promise<Unsaid<shapes.SaccoCheckOff>[]> {
  const listed = rows.filter(({ state }) => state === 'listed').map(({ listed_by }) => listed_by);
  // Phones and registrations are nobody's to read.
  const accounts = await asSystem(() => otherAccountsAmong(reading, official.userId, listed));
  return rows.map((row) => oneForSacco(row, official, accounts));
}

/** @param accounts those who made a list and whose account looks like the official's */
function oneForSacco(
  row: ShownRow,
  official: OfficialReader,
  accounts: ReadonlySet<string>,
): Unsaid<shapes.SaccoCheckOff> {
  const decides = official.offices.some((office) => (CHECK_OFF_OFFICES as readonly Office[]).includes(office));
  const mayDecide = decides && row.state === 'listed' && ![row.listed_by, row.payer_id].includes(official.userId);
  const isOther = accounts.has(row.listed_by);
  return {
    ...common(row),
    payer: row.payer_name,
    taken_back_by:
      row.state === 'withdrawn' && row.ended_by !== null ? { id: row.ended_by, name: row.ended_by_name ?? '' } : null,
    may: [
      ...(mayDecide && !isOther ? (['approve'] as const) : []),
      ...(mayDecide ? (['refuse'] as const) : []),
      ...(isOpen(row) && isMadeBy(row, official.userId) ? (['withdraw'] as const) : []),
    ],
    second_account: mayDecide && isOther ? SECOND_ACCOUNT_CHECKS_LIST : null,
  };
}

function forPayer(row: ShownRow): shapes.MyCheckOff {
  return {
    ...common(row),
    sacco: { id: row.sacco_id, name: row.sacco_name },
    may: row.state === 'checked' ? ['pay', 'decline'] : [],
  };
}

/** One check-off of the official's sacco. That its lines are read is kept. @throws Refusal `not_found` */
export async function saccosCheckOff(
  database: Database,
  official: OfficialReader,
  id: string,
): Promise<Unsaid<shapes.SaccoCheckOffDetail>> {
  const row = await seen(database, id, database.sql`c.sacco_id = ${official.saccoId}`);
  const { sql } = database;
  const [notable, [shared]] = await Promise.all([
    linesIn(
      database,
      row,
      // Two selects, each by its own index: with `or` PostgreSQL would read all lines of the list.
      sql`l.line = any (array(
        (select line from check_off_lines where check_off_id = ${id} order by amount_cents desc, line limit ${NOTABLE_LINES})
        union
        select line from check_off_lines
        where check_off_id = ${id} and member_id = any (${texts(involvedIn(row, official.userId))}::uuid[])))`,
      sql`l.amount_cents desc, l.line`,
    ),
    sql<{ lines: number | null; to_loans: Cents; to_wallet: Cents }[]>`
      select sum(last_line - first_line + 1) filter (where state <> 'waiting')::int as lines,
        coalesce(sum(repaid_cents), 0)::bigint as to_loans, coalesce(sum(returned_cents), 0)::bigint as to_wallet
      from check_off_chunks where check_off_id = ${id}`,
  ]);
  await noteReading(database, official, notable);
  const { to_loans = 0, to_wallet = 0 } = shared ?? {};
  const [checkOff] = await forSacco(database, [row], official);
  if (!checkOff) throw noSuchList();
  return {
    ...checkOff,
    shared:
      row.received_at === null
        ? null
        : { lines: shared?.lines ?? 0, to_loans: shown(to_loans), to_wallet: shown(to_wallet) },
    notable: notable.map((line) => lineForSacco(line, row, official.userId)),
  };
}

/** The person's own policies are asked first. */
async function seen(database: Reading, id: string, which: Fragment): Promise<ShownRow> {
  const [found] = await database.sql`select from check_offs c where c.id = ${id} and ${which}`;
  const row = found && (await readShown(database, [id])).get(id);
  if (!row) throw noSuchList();
  return row;
}

const involvedIn = (row: ShownRow, userId: string) =>
  [userId, row.listed_by, row.payer_id, row.checked_by].filter((each) => each !== null);

interface LineRow {
  readonly line: number;
  readonly member_id: string;
  readonly member: string;
  readonly amount_cents: Cents;
  readonly repaid_cents: Cents | null;
  readonly returned_cents: Cents | null;
}

/** As the platform: a payer need not be a member of the sacco, and somebody of the list may have left it meanwhile. */
function linesIn({ sql }: Database, { id }: ShownRow, which: Fragment, order: Fragment): Promise<LineRow[]> {
  return asSystem(
    () => sql<LineRow[]>`
      select l.line, l.member_id, u.first_name || ' ' || u.last_name as member, l.amount_cents, o.repaid_cents, o.returned_cents
      from check_off_lines l join users u on u.id = l.member_id
      left join check_off_outcomes o on o.check_off_id = l.check_off_id and o.line = l.line
      where l.check_off_id = ${id} and (${which}) order by ${order}`,
  );
}

function lineForSacco(line: LineRow, row: ShownRow, userId: string): shapes.SaccoCheckOffLine {
  const { repaid_cents: repaid, returned_cents: returned } = line;
  const involved = [
    [userId, 'you'],
    [row.listed_by, 'maker'],
    [row.checked_by, 'checker'],
    [row.payer_id, 'payer'],
  ] as const;
  return {
    line: line.line,
    member: line.member,
    amount: shown(line.amount_cents),
    marks: involved.flatMap(([id, mark]) => (id === line.member_id ? [mark] : [])),
    outcome: repaid === null || returned === null ? null : { to_loans: shown(repaid), to_wallet: shown(returned) },
  };
}

async function noteReading(
  { sql, newId, now }: Database,
  official: OfficialReader,
  lines: readonly LineRow[],
): Promise<void> {
  if (lines.length === 0) return;
  await sql`
    insert into member_record_readings (id, sacco_id, read_by, read_at, members)
    values (${newId()}, ${official.saccoId}, ${official.userId}, ${now()}, ${texts(lines.map(({ member_id }) => member_id))}::uuid[])`;
}

/** Its lines in their order. @throws Refusal `not_found` */
export async function saccosCheckOffLines(
  deps: Deps,
  official: OfficialReader,
  { id, query }: { readonly id: string; readonly query: QueryOf<typeof listCheckOffLines> },
) {
  const row = await seen(deps.database, id, deps.database.sql`c.sacco_id = ${official.saccoId}`);
  const page = await linePage(deps, row, { path: listCheckOffLines.path, query });
  await noteReading(deps.database, official, page.results);
  return { ...page, results: page.results.map((line) => lineForSacco(line, row, official.userId)) };
}

/** One that one pays oneself. @throws Refusal `not_found` */
export async function myCheckOff(database: Reading, userId: string, id: string): Promise<shapes.MyCheckOff> {
  return forPayer(await seen(database, id, ofPayer(database.sql, userId)));
}

/** For whom one pays how much, and nothing of what becomes of it. @throws Refusal `not_found` */
export async function myCheckOffLines(
  deps: Deps,
  userId: string,
  { id, query }: { readonly id: string; readonly query: QueryOf<typeof listMyCheckOffLines> },
) {
  const row = await seen(deps.database, id, ofPayer(deps.database.sql, userId));
  const page = await linePage(deps, row, { path: listMyCheckOffLines.path, query });
  const results = page.results.map(({ line, member, amount_cents }) => ({ line, member, amount: shown(amount_cents) }));
  return { ...page, results };
}

async function linePage(
  { database, publicUrl }: Deps,
  row: ShownRow,
  { path, query }: { readonly path: string; readonly query: QueryOf<typeof listCheckOffLines> },
) {
  const { sql } = database;
  const cursor = readCursor(query.cursor, ['int4']);
  const isUp = !(cursor?.isBack ?? false);
  const which = cursor ? sql`l.line ${isUp ? sql`>` : sql`<`} ${cursor.keys[0] as number}` : sql`true`;
  const order = sql`l.line ${isUp ? sql`asc` : sql`desc`} limit ${query.limit + 1}`;
  const lines = await linesIn(database, row, which, order);
  const linkTo = linker(`${publicUrl}${API_BASE}${path.replace('{id}', row.id)}`, query);
  return {
    ...toPage(lines, { limit: query.limit, cursor, keysOf: ({ line }) => [line], linkTo }),
    count: row.lines,
  };
}
