import type { IdentityDocument } from '@ushirika/contract/identity';
import type { Office } from '@ushirika/contract/route';
import type { Fragment } from 'postgres';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';

type Reader = Pick<Database, 'sql'>;

/**
 * Of which of these people the ID card counts as seen in a sacco: an official of that sacco, or an operator, saw it. What rolls, loans and
 * pools ask for (docs/decisions/180). Of what belongs to no sacco (null) an operator saw it. Asked of the platform for anybody; a person's own
 * role learns it of that person alone.
 */
export async function hasIdentitySeen(
  tx: Pick<Tx, 'sql'>,
  userIds: readonly string[],
  saccoId: string | null,
): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await tx.sql<{ user_id: string }[]>`
    select distinct c.user_id from identity_checks c
    where c.user_id = any (${texts(userIds)}::uuid[]) and ${isCounted(tx.sql, saccoId)}`;
  return new Set(rows.map(({ user_id }) => user_id));
}

/** In SQL, of records `c` of ID cards: whether it counts in a sacco. One of another sacco’s officials does not: they might be friends. */
export const isCounted = (sql: Reader['sql'] | Tx['sql'], saccoId: string | null): Fragment =>
  isGuarded('identity.own_sacco')
    ? sql`(c.ended_at is null and (c.sacco_id is null or c.sacco_id = ${saccoId}::uuid))`
    : sql`(c.ended_at is null)`;

export interface IdentityEvidence {
  /** When an official of the sacco that was asked about last recorded it. */
  readonly seenHereAt: Date | null;
  /** When anybody last did. */
  readonly seenAt: Date | null;
  readonly mpesaName: 'agrees' | 'differs' | null;
}

const NOTHING: IdentityEvidence = { seenHereAt: null, seenAt: null, mpesaName: null };

/** What is known of who some people are, for officials of a sacco or (null) for operators. Asked of the platform. */
export async function identityEvidence(
  reader: Reader,
  userIds: readonly string[],
  saccoId: string | null,
): Promise<(userId: string) => IdentityEvidence> {
  const rows = await reader.sql<
    { id: string; seen_here_at: Date | null; seen_at: Date | null; mpesa_name: IdentityEvidence['mpesaName'] }[]
  >`
    select u.id, n.state as mpesa_name,
      (select max(seen_at) from identity_checks c
       where c.user_id = u.id and c.ended_at is null and c.sacco_id = ${saccoId}::uuid) as seen_here_at,
      (select max(seen_at) from identity_checks c where c.user_id = u.id and c.ended_at is null) as seen_at
    from users u
    left join mpesa_names n on n.user_id = u.id and n.phone = u.phone and u.phone_confirmed_at is not null
    where u.id = any (${texts(userIds)}::uuid[])`;
  const found = new Map(
    rows.map((row) => [row.id, { seenHereAt: row.seen_here_at, seenAt: row.seen_at, mpesaName: row.mpesa_name }]),
  );
  return (userId) => found.get(userId) ?? NOTHING;
}

interface OwnRow {
  document: IdentityDocument;
  seen_at: Date;
  office: Office | null;
  by: string | null;
  sacco_id: string | null;
  sacco: string | null;
}

/** What the profile shows of it: who last recorded the person's card, and what M-Pesa says of the name. */
export async function ownIdentity({ sql }: Reader, userId: string) {
  const [[card], [name]] = await Promise.all([
    sql<OwnRow[]>`
      select c.document, c.seen_at, c.office, c.sacco_id, s.name as sacco,
        case when c.sacco_id is not null then p.first_name || ' ' || p.last_name end as by
      from identity_checks c left join saccos s on s.id = c.sacco_id left join people p on p.id = c.seen_by
      where c.user_id = ${userId} and c.ended_at is null
      order by c.seen_at desc, c.id desc limit 1`,
    sql<{ state: 'agrees' | 'differs' }[]>`
      select n.state from mpesa_names n join users u on u.id = n.user_id
      where n.user_id = ${userId} and n.phone = u.phone and u.phone_confirmed_at is not null`,
  ]);
  return {
    card: card
      ? {
          document: card.document,
          seen_at: card.seen_at.toISOString(),
          by: card.by,
          office: card.office,
          sacco: card.sacco_id === null ? null : { id: card.sacco_id, name: card.sacco ?? '' },
        }
      : null,
    mpesa_name: name?.state ?? null,
  };
}
