import { API_BASE } from '@ushirika/contract/constants';
import { CARD_OFFICES, type listMembers as listMembersRoute, type Member } from '@ushirika/contract/membership';
import { shillingsFromCents } from '@ushirika/contract/money';
import type { Office, QueryOf, ReplyOf } from '@ushirika/contract/route';
import type { MembershipState } from '@ushirika/contract/saccos';
import { linker, readCursor, toPage } from '../../db/page.ts';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { balances } from '../../ledger/balances.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { type IdentityEvidence, identityEvidence } from '../identity/identity-checks.ts';

interface MemberRow {
  readonly id: string;
  readonly user_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly handle: string | null;
  readonly id_number: string;
  readonly phone: string;
  readonly email: string;
  readonly state: MembershipState;
  readonly joined_at: Date;
  readonly offices: Office[];
  readonly members: number;
}

/**
 * The members of a sacco in the order in which they first joined. Members see names; officials see particulars too, and
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
  const rows = await memberRows(database, saccoId, cursor?.isBack ?? false, cursor?.keys[0] as string, query.limit + 1);
  const { results, next, previous } = toPage(rows, {
    limit: query.limit,
    cursor,
    keysOf: ({ id }) => [id],
    linkTo: linker(`${publicUrl}${API_BASE}/sacco/members`, query),
  });
  const isOfficial = reader.offices.length > 0;
  const members = isOfficial ? await withParticulars(database, saccoId, reader, results) : results.map(named);
  const count = rows[0]?.members ?? (await memberCount(database, saccoId));
  return { count, next, previous, results: members };
}

function named(row: MemberRow): Member {
  return { id: row.id, first_name: row.first_name, last_name: row.last_name, offices: row.offices };
}

async function withParticulars(
  database: Database,
  saccoId: string,
  reader: { readonly userId: string; readonly offices: readonly Office[] },
  rows: readonly MemberRow[],
): Promise<Member[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ user_id }) => user_id);
  const seesCards = reader.offices.some((office) => (CARD_OFFICES as readonly Office[]).includes(office));
  const [found, evidenceOf] = await Promise.all([
    balances(
      database,
      ids.flatMap((owner) => [
        { book: saccoId, kind: 'holding', owner } as const,
        { book: saccoId, kind: 'holding_hold', owner } as const,
        { book: saccoId, kind: 'deposits', owner } as const,
      ]),
    ),
    // Of many people, and of records of other saccos too: the officials learn only that there is one.
    asSystem(() => identityEvidence(database, ids, saccoId)),
    database.sql`
      insert into member_record_readings (id, sacco_id, read_by, read_at, members)
      values (${database.newId()}, ${saccoId}, ${reader.userId}, ${database.now()}, ${texts(ids)}::uuid[])`,
  ]);
  return rows.map((row, index) => ({
    ...named(row),
    handle: row.handle ?? undefined,
    id_number: row.id_number,
    phone_number: row.phone,
    email: row.email,
    state: row.state,
    joined_at: row.joined_at.toISOString(),
    shares: (found[3 * index] ?? 0) + (found[3 * index + 1] ?? 0),
    savings: shillingsFromCents(found[3 * index + 2] ?? 0),
    identity: identityOf(evidenceOf(row.user_id), seesCards && row.user_id !== reader.userId),
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

function memberRows(
  database: Database,
  saccoId: string,
  isBack: boolean,
  after: string | undefined,
  limit: number,
): Promise<MemberRow[]> {
  const order = isBack ? 'desc' : 'asc';
  const condition = after === undefined ? '' : `and m.id ${isBack ? '<' : '>'} $3::uuid`;
  return database.sql.unsafe<MemberRow[]>(
    `with page as materialized (
       select m.id, m.user_id, m.state, m.joined_at from memberships m
       where m.sacco_id = $1 and m.state <> 'exited' ${condition} order by m.id ${order} limit ${limit}
     )
     select page.*, h.handle, u.first_name, u.last_name, u.id_number, u.phone, u.email, f.members,
       array(
         select o.office from offices o
         where o.sacco_id = $1 and o.user_id = page.user_id and o.ended_at is null and o.until > $2 order by o.office
       ) as offices
     from page join people u on u.id = page.user_id join sacco_figures f on f.sacco_id = $1
     -- Theirs to read are all of them to officials, and their own to members.
     left join member_handles h on h.sacco_id = $1 and h.user_id = page.user_id
     order by page.id ${order}`,
    [saccoId, database.now(), ...(after === undefined ? [] : [after])],
    { prepare: true },
  ) as unknown as Promise<MemberRow[]>;
}

async function memberCount(database: Database, saccoId: string): Promise<number> {
  const [row] = await database.sql<{ members: number }[]>`
    select members from sacco_figures where sacco_id = ${saccoId}`;
  return row?.members ?? 0;
}
