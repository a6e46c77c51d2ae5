import * as contract from '@ushirika/contract/complaints';
import { API_BASE } from '@ushirika/contract/constants';
import type { QueryOf, ReplyOf, Route } from '@ushirika/contract/route';
import type { Fragment } from 'postgres';
import { isGuarded } from '#faults';
import type { Counted } from '../../db/counted.ts';
import { countUpTo, linker, readCursor, toPage } from '../../db/page.ts';
import type { Database } from '../../db/tx.ts';
import { type ComplaintRow, noSuchComplaint } from './complaint-rows.ts';
import { type ComplaintSide, clockOf, mayOf } from './complaints.rules.ts';

export interface Deps {
  readonly database: Database;
  readonly publicUrl: string;
}

interface ShownRow extends ComplaintRow {
  readonly sacco_name: string;
  readonly complainer_name: string;
  readonly complainer_id_number: string | null;
  readonly about_name: string | null;
  readonly has_picture: boolean;
}

/** As whom somebody asks; the sacco is that of an official. */
export interface Asker {
  readonly userId: string;
  readonly side: ComplaintSide;
  readonly saccoId?: string;
}

/** What a side may see, by name; the rows' policies say the same. */
function seenBy({ sql }: Database, { userId, side, saccoId }: Asker): Fragment {
  if (side === 'member') return sql`c.complainer_id = ${userId}`;
  const isOthers = sql`c.complainer_id <> ${userId} and c.about_id is distinct from ${userId}`;
  if (side === 'sacco') return sql`c.sacco_id = ${saccoId ?? null} and ${isOthers}`;
  return sql`c.escalated_at is not null and ${isOthers}`;
}

/** One's own complaints, newest first. */
export function myComplaints(deps: Deps, userId: string, query: QueryOf<typeof contract.listMyComplaints>) {
  const { sql } = deps.database;
  const which = query.sacco ? sql`c.sacco_id = ${query.sacco}` : sql`true`;
  return pageOf(deps, { userId, side: 'member' }, { route: contract.listMyComplaints, query, which, isUp: false });
}

/** What waits for the officials of a sacco, the oldest first; or all, the newest first. */
export function saccoComplaints(
  deps: Deps,
  asker: { readonly userId: string; readonly saccoId: string },
  query: QueryOf<typeof contract.listSaccoComplaints>,
) {
  const { sql, now } = deps.database;
  const waits = sql`c.state in ('open', 'in_hand')`;
  const which = {
    waiting: waits,
    // Missed by the sacco, though an operator may have it by now.
    overdue: sql`(c.escalated_because in ('unanswered', 'unresolved')
      or c.state = 'open' and c.answer_due_at <= ${now()} or c.state = 'in_hand' and c.resolve_due_at <= ${now()})
      and c.ended_at is null`,
    all: sql`true`,
  }[query.status];
  const isUp = query.status !== 'all';
  return pageOf(deps, { ...asker, side: 'sacco' }, { route: contract.listSaccoComplaints, query, which, isUp });
}

/** What came to the operators: what waits, the oldest first; what is over, the newest first. */
export function operatorComplaints(deps: Deps, userId: string, query: QueryOf<typeof contract.listOperatorComplaints>) {
  const { sql } = deps.database;
  const isUp = query.status === 'waiting';
  const which = isUp ? sql`c.state = 'with_operator'` : sql`c.ended_at is not null`;
  return pageOf(deps, { userId, side: 'operator' }, { route: contract.listOperatorComplaints, query, which, isUp });
}

async function pageOf(
  { database, publicUrl }: Deps,
  asker: Asker,
  list: {
    readonly route: Route;
    readonly query: { readonly cursor?: string | undefined; readonly limit: number };
    readonly which: Fragment;
    readonly isUp: boolean;
  },
): Promise<ReplyOf<typeof contract.listMyComplaints>> {
  const { sql } = database;
  const { query, which } = list;
  const cursor = readCursor(query.cursor, ['uuid']);
  const isUp = list.isUp !== (cursor?.isBack ?? false);
  const order = isUp ? sql`asc` : sql`desc`;
  const matching = sql`from complaints c where ${seenBy(database, asker)} and ${which}`;
  const after = cursor ? sql`and c.id ${isUp ? sql`>` : sql`<`} ${cursor.keys[0] as string}` : sql``;
  const [rows, count] = await Promise.all([
    readShown(database, sql`select c.id ${matching} ${after} order by c.id ${order} limit ${query.limit + 1}`, order),
    countUpTo(sql, matching),
  ]);
  const linkTo = linker(`${publicUrl}${API_BASE}${list.route.path}`, query);
  const page = toPage(rows, { limit: query.limit, cursor, keysOf: (row) => [row.id], linkTo });
  return { ...page, count, results: page.results.map((row) => shown(row, asker, database.now())) };
}

/** Complaints with the names that belong to them. The ids come from a query of their own, so that an index finds them. */
function readShown({ sql }: Database, ids: Fragment, order: Fragment): Promise<ShownRow[]> {
  return sql<ShownRow[]>`
    with page as materialized (${ids})
    select c.*, s.name as sacco_name, coalesce(p.first_name || ' ' || p.last_name, '') as complainer_name,
      p.id_number as complainer_id_number, a.first_name || ' ' || a.last_name as about_name,
      exists (select from complaint_pictures b where b.complaint_id = c.id) as has_picture
    from page join complaints c on c.id = page.id
    join saccos s on s.id = c.sacco_id
    left join people p on p.id = c.complainer_id
    left join people a on a.id = c.about_id
    order by c.id ${order}`;
}

function shown(row: ShownRow, { side }: Asker, now: Date): contract.Complaint {
  return {
    id: row.id,
    sacco: { id: row.sacco_id, name: row.sacco_name },
    kind: row.kind,
    state: row.state,
    made_at: row.made_at.toISOString(),
    clock: clockOf(row, now),
    escalated_because: row.escalated_because,
    outcome: row.outcome,
    ended_at: row.ended_at?.toISOString() ?? null,
    complainer: side === 'member' ? null : { name: row.complainer_name },
    about: row.about_name === null ? null : { name: row.about_name },
    may: mayOf(side, row, now),
  };
}

/**
 * One complaint and what has happened to it, for a side that may see it. It holds the ID number of whoever complained: that an
 * official opens it is kept, like every reading of a member's record.
 * @throws Refusal `not_found`
 */
export async function complaintOf(database: Database, asker: Asker, id: string): Promise<contract.ComplaintDetail> {
  const { sql } = database;
  const [row] = await readShown(
    database,
    sql`select c.id from complaints c where c.id = ${id} and ${seenBy(database, asker)}`,
    sql`asc`,
  );
  if (!row) throw noSuchComplaint();
  const { userId, side } = asker;
  const [steps] = await Promise.all([
    stepsOf(database, row),
    side === 'sacco' &&
      sql`
        insert into member_record_readings (id, sacco_id, read_by, read_at, members)
        values (${database.newId()}, ${row.sacco_id}, ${userId}, ${database.now()}, array[${row.complainer_id}]::uuid[])`,
  ]);
  const complainer = side === 'member' ? null : { name: row.complainer_name, id_number: row.complainer_id_number };
  return { ...shown(row, asker, database.now()), text: row.text, has_picture: row.has_picture, complainer, steps };
}

/**
 * Whether somebody may see a complaint at all.
 * @throws Refusal `not_found`
 */
export async function refuseUnseen(database: Database, asker: Asker, id: string): Promise<void> {
  if (!isGuarded('complaints.sides')) return;
  const [seen] = await database.sql`select from complaints c where c.id = ${id} and ${seenBy(database, asker)}`;
  if (!seen) throw noSuchComplaint();
}

async function stepsOf({ sql }: Database, { id }: ComplaintRow): Promise<contract.ComplaintStep[]> {
  const rows = await sql<
    { kind: contract.ComplaintStepKind; side: contract.ComplaintStep['side']; at: Date; name: string; text: string }[]
  >`
    select s.kind, s.side, s.at, s.text, case when s.side <> 'operator' then p.first_name || ' ' || p.last_name end as name
    from complaint_steps s left join people p on p.id = s.by_id
    where s.complaint_id = ${id} order by s.number`;
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/**
 * The picture of a complaint, for a side that may see it.
 * @throws Refusal `not_found`
 */
export async function pictureOf(database: Database, asker: Asker, id: string): Promise<Buffer> {
  const [row] = await database.sql<{ webp: Buffer }[]>`
    select p.webp from complaint_pictures p join complaints c on c.id = p.complaint_id
    where c.id = ${id} and ${seenBy(database, asker)}`;
  if (!row) throw noSuchComplaint();
  return row.webp;
}

export const complaintsToDecide: Counted = (sql) =>
  sql`select count(*)::int from complaints where state = 'with_operator'`;
