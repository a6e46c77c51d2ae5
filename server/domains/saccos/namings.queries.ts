import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import type { FirstNo, NamingByOperator, OfficeNaming } from '@ushirika/contract/saccos';
import type { Unsaid } from '@ushirika/contract/said';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { otherAccountsAmong } from '../identity/second-account.ts';
import { SECOND_ACCOUNT } from './decide-naming.ts';

type Reader = Pick<Database, 'sql' | 'now'>;

/** So many of the last are shown, those that wait first. */
const SHOWN_MAX = 20;

interface NamingRow {
  readonly id: string;
  readonly office: Office;
  readonly id_number: string;
  readonly member: string | null;
  readonly is_asker: boolean;
  readonly state: 'waiting' | 'asked' | 'refused' | 'withdrawn';
  readonly named_as: 'chair' | 'operator' | 'founder';
  readonly invited_by: string;
  readonly inviter: string | null;
  readonly created_at: Date;
  readonly first_no_by: string | null;
  readonly first_no_at: Date | null;
  readonly first_no_reason: string | null;
  readonly refuser: string | null;
  readonly ended_by: string | null;
  readonly ended_at: Date | null;
  readonly end_reason: string | null;
  readonly ender: string | null;
  readonly confirmed_by: string | null;
  readonly confirmer: string | null;
  readonly expires_at: Date;
  readonly accepted_at: Date | null;
}

interface Asker {
  readonly userId: string;
  readonly saccoId: string;
}

/**
 * The namings of a sacco: the chair’s invitations, the namings of operators, and for the founder their own. Open ones come first, then the
 * newest.
 */
export async function namingsOf(database: Reader, asker: Asker): Promise<Unsaid<OfficeNaming>[]> {
  return shownTo(database, asker, await readNamings(database, asker, null));
}

/** One that the asker has just decided. */
export async function namingById(database: Reader, asker: Asker, id: string): Promise<Unsaid<OfficeNaming>> {
  const [naming] = await shownTo(database, asker, await readNamings(database, asker, id));
  if (!naming) throw new Refusal('not_found');
  return naming;
}

async function shownTo(
  database: Reader,
  { userId }: Asker,
  rows: readonly NamingRow[],
): Promise<Unsaid<OfficeNaming>[]> {
  const waiting = rows.filter((row) => row.state === 'waiting' && row.invited_by !== userId);
  // Phones and registrations are nobody's to read.
  const accounts = await asSystem(() =>
    otherAccountsAmong(
      database,
      userId,
      waiting.map(({ invited_by }) => invited_by),
    ),
  );
  return rows.map((row) => shown(row, { userId, accounts }, database.now()));
}

interface Official {
  readonly userId: string;
  /** Those who invited and whose account looks like the asker's. */
  readonly accounts: ReadonlySet<string>;
}

/**
 * Names are those of members, whom officials see in their list anyhow. The name behind the number of a non-member is never shown, nor are
 * the names of operators.
 */
function readNamings({ sql, now }: Reader, { userId, saccoId }: Asker, id: string | null): Promise<NamingRow[]> {
  return sql<NamingRow[]>`
    select i.id, i.office, i.id_number, m.name as member, coalesce(m.user_id = ${userId}, false) as is_asker, i.state,
      i.named_as, i.invited_by, b.first_name || ' ' || b.last_name as inviter, i.created_at, i.first_no_by, i.first_no_at, i.first_no_reason,
      n.first_name || ' ' || n.last_name as refuser, i.ended_by, i.ended_at, i.end_reason,
      e.first_name || ' ' || e.last_name as ender, i.confirmed_by, c.first_name || ' ' || c.last_name as confirmer, i.expires_at, i.accepted_at
    from office_invitations i join saccos s on s.id = i.sacco_id
    left join people b on b.id = i.invited_by left join people c on c.id = i.confirmed_by
    left join people n on n.id = i.first_no_by left join people e on e.id = i.ended_by
    left join lateral (
      select p.id as user_id, p.first_name || ' ' || p.last_name as name
      from memberships m join people p on p.id = m.user_id
      where m.sacco_id = i.sacco_id and m.state <> 'exited' and p.id_number = i.id_number
    ) m on true
    where i.sacco_id = ${saccoId} and (i.named_as = 'chair'
        or i.named_as = 'operator' and i.state <> 'waiting' and s.state = 'active'
        or i.named_as = 'founder' and i.invited_by = ${userId})
      and (${id}::uuid is null or i.id = ${id}::uuid)
    order by i.state = 'waiting' and i.expires_at > ${now()} desc, i.created_at desc, i.id desc limit ${SHOWN_MAX}`;
}

function shown(row: NamingRow, official: Official, now: Date): Unsaid<OfficeNaming> {
  const isOpen = (row.state === 'waiting' || row.state === 'asked') && row.accepted_at === null && row.expires_at > now;
  return {
    id: row.id,
    office: row.office,
    id_number: row.id_number,
    member: row.member,
    state: stateOf(row, isOpen),
    invited_by: row.named_as === 'operator' ? null : { id: row.invited_by, name: row.inviter ?? '' },
    created_at: row.created_at.toISOString(),
    confirmed_by:
      row.confirmed_by === null || row.named_as === 'operator'
        ? null
        : { id: row.confirmed_by, name: row.confirmer ?? '' },
    expires_at: isOpen ? row.expires_at.toISOString() : null,
    first_no: firstNoOf(row),
    refused: row.state === 'refused' ? noOf(row.ended_by, row.ended_at, row.end_reason, row.ender) : null,
    ...(isOpen ? mayOf(row, official) : { may: [], second_account: null }),
  };
}

function stateOf(row: NamingRow, isOpen: boolean): OfficeNaming['state'] {
  if (row.accepted_at !== null) return 'accepted';
  if (row.state === 'refused' || row.state === 'withdrawn' || isOpen) return row.state;
  return 'lapsed';
}

const firstNoOf = (row: Pick<NamingRow, 'first_no_by' | 'first_no_at' | 'first_no_reason' | 'refuser'>): FirstNo =>
  noOf(row.first_no_by, row.first_no_at, row.first_no_reason, row.refuser);

function noOf(id: string | null, at: Date | null, reason: string | null, name: string | null): FirstNo {
  if (id === null || at === null || reason === null) return null;
  return { by: { id, name: name ?? '' }, at: at.toISOString(), reason };
}

/** Whom operators name for offices of some saccos, while they may take them up, by the sacco's id. `userId` is an operator. */
export async function namingsByOperators(
  { sql, now }: Reader,
  saccoIds: readonly string[],
  userId: string,
): Promise<ReadonlyMap<string, readonly NamingByOperator[]>> {
  if (saccoIds.length === 0) return new Map();
  const rows = await sql<(NamingRow & { sacco_id: string })[]>`
    select i.sacco_id, i.id, i.office, i.id_number, i.invited_by, i.created_at, i.expires_at, i.first_no_by, i.first_no_at,
      i.first_no_reason, n.first_name || ' ' || n.last_name as refuser
    from office_invitations i left join people n on n.id = i.first_no_by
    where i.sacco_id = any (${texts(saccoIds)}::uuid[]) and i.named_as = 'operator' and i.state = 'asked'
      and i.accepted_at is null and i.expires_at > ${now()}
    order by i.created_at desc, i.id desc`;
  const shownRows = rows.map((row) => ({
    saccoId: row.sacco_id,
    naming: {
      ...{ id: row.id, office: row.office, id_number: row.id_number },
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      first_no: firstNoOf(row),
      is_mine: row.invited_by === userId,
    },
  }));
  return new Map(
    [...Map.groupBy(shownRows, ({ saccoId }) => saccoId)].map(([id, of]) => [id, of.map(({ naming }) => naming)]),
  );
}

/** By the rules of `confirmNaming`, `refuseNaming` and `withdrawNaming`. */
function mayOf(row: NamingRow, { userId, accounts }: Official): Pick<Unsaid<OfficeNaming>, 'may' | 'second_account'> {
  const second_account = null;
  if (row.invited_by === userId) return { may: ['withdraw'], second_account };
  const refuse = row.first_no_by === userId ? [] : (['refuse'] as const);
  if (row.state !== 'waiting' || row.is_asker) return { may: [...refuse], second_account };
  return accounts.has(row.invited_by)
    ? { may: [...refuse], second_account: SECOND_ACCOUNT }
    : { may: ['confirm', ...refuse], second_account };
}
