import { API_BASE, CARDS_COUNTED } from '@ushirika/contract/constants';
import type { FormerName } from '@ushirika/contract/former-name';
import { CARD_OFFICES, type listMembers as listMembersRoute, type Member } from '@ushirika/contract/membership';
import { shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office, QueryOf, ReplyOf } from '@ushirika/contract/route';
import type { MembershipState } from '@ushirika/contract/saccos';
import { nairobiDay } from '@ushirika/contract/time';
import { linker, readCursor, toPage } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { balances } from '../../ledger/balances.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { type IdentityEvidence, identityEvidence, isCounted } from '../identity/identity-checks.ts';

interface MemberRow {
  readonly id: string;
  readonly user_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly former_name: FormerName | null;
  readonly handle: string | null;
  readonly id_number: string;
  readonly phone: string;
  readonly email: string;
  readonly state: MembershipState;
  readonly joined_at: Date;
  readonly offices: Office[];
}

/**
 * The members of a sacco in the order in which they first joined. Members see names and the month of joining; officials see particulars too, and
 * each such reading is kept, with who read whose.
 */
export async function listMembers(
  database: Database,
  publicUrl: string,
  reader: { readonly userId: string; readonly offices: readonly Office[] },
  saccoId: string,
  query: QueryOf<typeof listMembersRoute>,
): Promise<ReplyOf<typeof listMembersRoute>> {
  const cursor = readCursor(query.cursor, ['uuid']);
  const isOfficial = reader.offices.length > 0;
  const isUnseen = query.card === 'unseen';
  if (isUnseen && !isOfficial) throw new Refusal('not_allowed');
  const sought = { name: query.name, byNumber: isOfficial, isUnseen };
  const wanted = { saccoId, ...sought, isBack: cursor?.isBack ?? false, after: cursor?.keys[0] as string };
  const find = () => memberRows(database, wanted, query.limit + 1);
  // Officials do not read the records of operators, which count as well.
  const rows = await (isUnseen ? asSystem(find) : find());
  const { results, next, previous } = toPage(rows, {
    limit: query.limit,
    cursor,
    keysOf: ({ id }) => [id],
    linkTo: linker(`${publicUrl}${API_BASE}/sacco/members`, query),
  });
  const members = isOfficial
    ? await withParticulars(database, saccoId, reader, results)
    : results.map((row) => named(row, reader.userId));
  const counted = () => foundCount(database, wanted);
  const count = isUnseen
    ? await asSystem(counted)
    : query.name
      ? await counted()
      : await memberCount(database, saccoId);
  return { count, next, previous, results: members };
}

function named(row: MemberRow, readBy: string): Member {
  const { id, first_name, last_name, offices } = row;
  const joined_month = nairobiDay(row.joined_at).slice(0, 7);
  return {
    id,
    first_name,
    last_name,
    former_name: row.former_name,
    joined_month,
    offices,
    ...(row.user_id === readBy ? { is_me: true as const } : {}),
  };
}

async function withParticulars(
  database: Database,
  saccoId: string,
  reader: { readonly userId: string; readonly offices: readonly Office[] },
  rows: readonly MemberRow[],
): Promise<Member[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ user_id }) => user_id);
  const [found, evidenceOf] = await Promise.all([
    balances(
      database,
      ids.flatMap((owner) => [
        { book: saccoId, kind: 'holding', owner } as const,
        { book: saccoId, kind: 'holding_hold', owner } as const,
        { book: saccoId, kind: 'deposits', owner } as const,
        { book: saccoId, kind: 'deposits_hold', owner } as const,
      ]),
    ),
    // Of many people, and of records of other saccos too: the officials learn only that there is one.
    asSystem(() => identityEvidence(database, ids, saccoId)),
    database.sql`
      insert into member_record_readings (id, sacco_id, read_by, read_at, members)
      values (${database.newId()}, ${saccoId}, ${reader.userId}, ${database.now()}, ${texts(ids)}::uuid[])`,
  ]);
  return rows.map((row, index) => ({
    ...named(row, reader.userId),
    handle: row.handle ?? undefined,
    id_number: row.id_number,
    phone_number: row.phone,
    email: row.email,
    state: row.state,
    joined_at: row.joined_at.toISOString(),
    shares: (found[4 * index] ?? 0) + (found[4 * index + 1] ?? 0),
    savings: shillingsFromCents((found[4 * index + 2] ?? 0) + (found[4 * index + 3] ?? 0)),
    identity: identityOf(evidenceOf(row.user_id), seesCards(reader.offices) && row.user_id !== reader.userId),
  }));
}

function identityOf({ seenAt, seenHereAt, mpesaName }: IdentityEvidence, mayRecord: boolean): Member['identity'] {
  return {
    seen_at: seenHereAt?.toISOString() ?? null,
    seen_elsewhere: seenHereAt === null && seenAt !== null,
    mpesa_name: mpesaName,
    may_record: mayRecord && seenHereAt === null,
  };
}

/** Fewer digits would find too many. */
const NUMBER_LEAST = 4;

interface Wanted {
  readonly saccoId: string;
  /** A part of first and last name, in any case; all members without. */
  readonly name: string | undefined;
  /** Whether it may be a part of an ID number or of a phone, too: officials read those. */
  readonly byNumber: boolean;
  /** Whether it is of members alone whose ID card does not count as seen here. */
  readonly isUnseen: boolean;
  readonly isBack: boolean;
  readonly after: string | undefined;
}

type Sought = Pick<Wanted, 'saccoId' | 'name' | 'byNumber' | 'isUnseen'>;

function memberRows(database: Database, wanted: Wanted, limit: number): Promise<MemberRow[]> {
  const { sql } = database;
  const order = wanted.isBack ? sql`desc` : sql`asc`;
  const after = afterOf(sql, wanted);
  return sql<MemberRow[]>`
    with page as materialized (
      select m.id, m.user_id, m.state, m.joined_at from memberships m
      where m.sacco_id = ${wanted.saccoId} and m.state <> 'exited' ${after} ${soughtIn(sql, wanted)}
      order by m.id ${order} limit ${limit}
    )
    select page.*, h.handle, u.first_name, u.last_name, former_name(u.id, ${database.now()}) as former_name, u.id_number, u.phone, u.email,
      array(
        select o.office from offices o
        where o.sacco_id = ${wanted.saccoId} and o.user_id = page.user_id and o.ended_at is null
          and o.until > ${database.now()}
        order by o.office
      ) as offices
    from page join people u on u.id = page.user_id
    -- Theirs to read are all of them to officials, and their own to members.
    left join member_handles h on h.sacco_id = ${wanted.saccoId} and h.user_id = page.user_id
    order by page.id ${order}`;
}

function afterOf(sql: Database['sql'], { after, isBack }: Wanted) {
  if (after === undefined) return sql``;
  return isBack ? sql`and m.id < ${after}` : sql`and m.id > ${after}`;
}

function soughtIn(sql: Database['sql'], wanted: Sought) {
  return sql`${namedIn(sql, wanted)} ${wanted.isUnseen ? sql`and ${isUnseenIn(sql, wanted.saccoId)}` : sql``}`;
}

/** In SQL, of memberships `m`: whether the ID card of the member does not count as seen in the sacco. */
const isUnseenIn = (sql: Database['sql'], saccoId: string) =>
  sql`not exists (select from identity_checks c where c.user_id = m.user_id and ${isCounted(sql, saccoId)})`;

/**
 * The number of other members whose ID card an official is to see, up to `CARDS_COUNTED`; 0 in a sacco that is not active,
 * where nothing is recorded. Asked of the platform: officials do not read the records of operators.
 */
export async function unseenCards(
  { sql }: Pick<Database, 'sql'>,
  official: { readonly userId: string; readonly offices: readonly Office[] },
  saccoId: string,
): Promise<number> {
  if (!seesCards(official.offices)) return 0;
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from memberships m join saccos s on s.id = m.sacco_id and s.state = 'active'
      where m.sacco_id = ${saccoId} and m.state <> 'exited' and m.user_id <> ${official.userId}
        and ${isUnseenIn(sql, saccoId)}
      limit ${CARDS_COUNTED}) as waiting`;
  return row?.count ?? 0;
}

const seesCards = (offices: readonly Office[]): boolean =>
  offices.some((office) => (CARD_OFFICES as readonly Office[]).includes(office));

function namedIn(sql: Database['sql'], { name, byNumber }: Sought) {
  if (!name) return sql``;
  // A phone is kept with its country and without the zero before it.
  const digits = name.replaceAll(/\D/g, '').replace(/^0/, '');
  const number =
    byNumber && digits.length >= NUMBER_LEAST
      ? sql`or p.id_number like ${`%${digits}%`} or p.phone like ${`%${digits}%`}`
      : sql``;
  const pattern = `%${name.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql`and exists (
    select from people p where p.id = m.user_id and (p.first_name || ' ' || p.last_name ilike ${pattern} ${number}))`;
}

async function foundCount({ sql }: Database, wanted: Wanted): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from memberships m
    where m.sacco_id = ${wanted.saccoId} and m.state <> 'exited' ${soughtIn(sql, wanted)}`;
  return row?.count ?? 0;
}

async function memberCount(database: Database, saccoId: string): Promise<number> {
  const [row] = await database.sql<{ members: number }[]>`
    select members from sacco_figures where sacco_id = ${saccoId}`;
  return row?.members ?? 0;
}
