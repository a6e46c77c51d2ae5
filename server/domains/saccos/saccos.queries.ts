import { API_BASE } from '@ushirika/contract/constants';
import { Refusal } from '@ushirika/contract/refusal';
import type { QueryOf, ReplyOf } from '@ushirika/contract/route';
import type { listSaccos } from '@ushirika/contract/saccos';
import { sentence } from '@ushirika/contract/sentence';
import type { Counted } from '../../db/counted.ts';
import { type Cursor, linker, readCursor, toPage } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { type SaccoReader, type SaccoRow, saccoColumns, toSacco } from './sacco-rows.ts';
import { namePatterns } from './saccos.rules.ts';

type ListQuery = QueryOf<typeof listSaccos>;

/** How each sort reads: the columns of its index, the direction, and the sort keys of a row. */
const SORTS = {
  name: {
    columns: ['s.name_folded', 's.id'],
    types: ['text', 'uuid'],
    isDescending: false,
    shape: ['text', 'uuid'],
    keysOf: (row: SaccoRow) => [row.name_folded, row.id],
  },
  newest: {
    columns: ['s.id'],
    types: ['uuid'],
    isDescending: true,
    shape: ['uuid'],
    keysOf: (row: SaccoRow) => [row.id],
  },
  members: {
    columns: ['f.members', 'f.sacco_id'],
    types: ['integer', 'uuid'],
    isDescending: true,
    shape: ['int4', 'uuid'],
    keysOf: (row: SaccoRow) => [row.members, row.id],
  },
} as const;

/**
 * A page of the public list. Its cost hardly grows with the number of saccos: without a search, every order walks its
 * index from the cursor on. A search first collects what it finds, by the trigram index, and orders that; where it finds
 * more than `FOUND_MAX`, a page is soon full, so that it walks the index of the order instead.
 */
export async function listOfSaccos(
  database: Database,
  publicUrl: string,
  reader: SaccoReader | null,
  query: ListQuery,
): Promise<ReplyOf<typeof listSaccos>> {
  const callerId = reader?.userId ?? null;
  if (query.member !== undefined && query.member !== callerId) {
    throw new Refusal('not_allowed', { message: sentence('You can list your own saccos only.') });
  }
  const sort = SORTS[query.sort];
  const cursor = readCursor(query.cursor, sort.shape);
  // The public list is the same for everybody but for the caller's own membership, by the session's own id. PostgreSQL
  // must not use the index of names where a policy stands before it.
  const asReader = query.member === undefined ? asSystem : <T>(read: () => T) => read();
  const isNarrowed = query.member !== undefined || namePatterns(query.name ?? '').length > 0;
  const { rows, count } = await asReader(() =>
    isNarrowed ? search(database, query, cursor, callerId) : walk(database, query, cursor, callerId),
  );
  const page = toPage(rows, {
    limit: query.limit,
    cursor,
    keysOf: sort.keysOf,
    linkTo: linker(`${publicUrl}${API_BASE}/sacco/list`, query),
  });
  return { count, ...page, results: page.results.map((row) => toSacco(row, reader)) };
}

interface Found {
  readonly rows: readonly SaccoRow[];
  readonly count: number;
}

async function walk(
  database: Database,
  query: ListQuery,
  cursor: Cursor | null,
  callerId: string | null,
): Promise<Found> {
  const { text, values } = walkStatement(query, cursor, callerId);
  const [rows, count] = await Promise.all([
    database.sql.unsafe<SaccoRow[]>(text, values as never[], { prepare: true }),
    countByStatus(database, query.status),
  ]);
  return { rows, count };
}

/** A search that finds more than this many says this many. */
const FOUND_MAX = 10_000;

async function search(
  database: Database,
  query: ListQuery,
  cursor: Cursor | null,
  callerId: string | null,
): Promise<Found> {
  // Not prepared: the plan depends on how rare the name is, so each search is planned with its own words.
  const run = <Row>({ text, values }: Statement) =>
    database.sql.unsafe(text, values as never[], { prepare: false }) as unknown as Promise<Row[]>;
  const rows = await run<Partial<SaccoRow> & { found: number }>(searchStatement(query, cursor, callerId));
  const found = rows[0]?.found ?? 0;
  if (found <= FOUND_MAX) {
    return { rows: rows.filter((row): row is SaccoRow & { found: number } => row.id != null), count: found };
  }
  return { rows: await run<SaccoRow>(walkStatement(query, cursor, callerId)), count: FOUND_MAX };
}

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

function walkStatement(query: ListQuery, cursor: Cursor | null, callerId: string | null): Statement {
  const { conditions, values, bind } = conditionsOf(query);
  const { order, condition } = orderOf(query, cursor, bind);
  const text = `
    with page as materialized (
      select s.id from saccos s join sacco_figures f on f.sacco_id = s.id
      where ${[...conditions, ...condition].join(' and ')} order by ${order} limit ${query.limit + 1}
    )
    ${rowsOf(bind(callerId))} order by ${order}`;
  return { text, values };
}

function searchStatement(query: ListQuery, cursor: Cursor | null, callerId: string | null): Statement {
  const { conditions, values, bind } = conditionsOf(query);
  const { order, condition } = orderOf(query, cursor, bind);
  const from = query.member === undefined ? 'saccos s' : 'memberships own join saccos s on s.id = own.sacco_id';
  // What is found is counted first; where it is too much, nothing of it is ordered.
  const text = `
    with matching as materialized (
      select s.id, s.name_folded from ${from} where ${conditions.join(' and ')} limit ${FOUND_MAX + 1}
    ), page as materialized (
      select s.id from matching s ${query.sort === 'members' ? 'join sacco_figures f on f.sacco_id = s.id' : ''}
      where (select count(*) from matching) <= ${FOUND_MAX} ${condition.map((one) => `and ${one}`).join('')}
      order by ${order} limit ${query.limit + 1}
    )
    select counted.found, listed.* from (select count(*)::int as found from matching) as counted
    left join (${rowsOf(bind(callerId))}) as listed on true
    order by ${order.replaceAll(/\b[sf]\./g, 'listed.').replaceAll('sacco_id', 'id')}`;
  return { text, values };
}

/** The rows of a page, in no order. */
function rowsOf(callerId: string): string {
  return `
    select ${saccoColumns(callerId)} from page
    join saccos s on s.id = page.id
    join sacco_figures f on f.sacco_id = s.id
    left join memberships m on m.sacco_id = s.id and m.user_id = ${callerId}::uuid`;
}

function orderOf(query: ListQuery, cursor: Cursor | null, bind: (value: unknown) => string) {
  const sort = SORTS[query.sort];
  const isDescending = sort.isDescending !== (cursor?.isBack ?? false);
  const order = sort.columns.map((column) => `${column} ${isDescending ? 'desc' : 'asc'}`).join(', ');
  const keys = cursor?.keys.map((key, index) => `${bind(key)}::${sort.types[index]}`);
  const condition = keys ? [`(${sort.columns.join(', ')}) ${isDescending ? '<' : '>'} (${keys.join(', ')})`] : [];
  return { order, condition };
}

function conditionsOf(query: ListQuery) {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = [`s.state <> 'rejected'`];
  if (query.member !== undefined) conditions.push(`own.user_id = ${bind(query.member)} and own.state <> 'exited'`);
  if (query.status !== undefined) conditions.push(`s.status = ${bind(query.status)}`);
  for (const patterns of namePatterns(query.name ?? '')) {
    conditions.push(`(${patterns.map((pattern) => `s.name_folded like lower(${bind(pattern)})`).join(' or ')})`);
  }
  return { conditions, values, bind };
}

async function countByStatus(database: Database, status: 'active' | 'inactive' | undefined): Promise<number> {
  const names = {
    active: ['saccos:active'],
    inactive: ['saccos:pending', 'saccos:suspended'],
    all: ['saccos:active', 'saccos:pending', 'saccos:suspended'],
  }[status ?? 'all'];
  const [row] = await database.sql<{ count: number }[]>`
    select coalesce(sum(value), 0)::int as count from platform_counts where name = any (${names}::text[])`;
  return row?.count ?? 0;
}

export const saccosToActivate: Counted = (sql) => sql`select count(*)::int from saccos where state = 'pending'`;
