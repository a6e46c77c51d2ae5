import type { IdentityDocument } from '@ushirika/contract/identity';
import { CARD_OFFICES } from '@ushirika/contract/membership';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { recordIdentityCheck } from '../identity/record-identity-check.ts';
import type { RelatedPairs } from '../identity/related-pairs.types.ts';
import { type Notice, notify, notifyAll } from '../notifications/notify.ts';
import { officeSaid } from '../saccos/offices.ts';

interface Seen {
  readonly saccoId: string;
  readonly membershipId: string;
  readonly document: IdentityDocument;
  readonly number: string;
}

/**
 * An official records that they saw the ID card of a member of their sacco. The member is told who says so. Those who
 * supervise the officials are told once a day for each official, and each time that the two accounts may belong together:
 * nobody makes a second account of their own a verified one in silence. Runs as the platform.
 * @throws Refusal `not_allowed`, `sacco_inactive`, `not_found`, and those of `recordIdentityCheck`
 */
export async function recordCard(
  tx: Tx,
  actor: { readonly userId: string },
  input: Seen,
  relatedPairs: RelatedPairs,
): Promise<string> {
  const official = await officialNow(tx, actor.userId, input.saccoId);
  const userId = await memberOf(tx, input);
  const { document, number, saccoId } = input;
  const as = { saccoId, office: official.office };
  const { id, personName } = await recordIdentityCheck(tx, actor, { userId, document, number, as });
  const names = { name: official.name, office: officeSaid(official.office), sacco: official.sacco };
  await notify(tx, {
    userId,
    template: 'identity_card_recorded',
    causedBy: actor.userId,
    text: sentence(
      '{name}, {office} of {sacco}, recorded that they saw your ID card. If that is not true, write a complaint about {sacco}.',
      names,
    ),
  });
  const related = await relatedPairs(tx, [{ one: userId, other: actor.userId }]);
  const told = {
    topic: 'saccos' as const,
    template: 'identity_cards_supervised',
    causedBy: actor.userId,
    text:
      related.size > 0
        ? sentence(
            '{name}, {office} of {sacco}, recorded the ID card of {person}. The two accounts may belong together: look at it under Members.',
            { ...names, person: personName },
          )
        : sentence('{name}, {office} of {sacco}, recorded ID cards today. Look at them under Members.', names),
  };
  const isTold = related.size > 0 || (await isFirstOfDay(tx, actor.userId, saccoId));
  if (isTold && isGuarded('identity.supervised')) {
    const people = await supervisorsOf(tx, saccoId, [actor.userId, userId]);
    await notifyAll(
      tx,
      people.map((each): Notice => ({ userId: each, ...told })),
    );
  }
  return id;
}

/** The platform writes, so PostgreSQL does not ask whose office it is at that moment: we do. */
async function officialNow(tx: Tx, userId: string, saccoId: string) {
  const [held] = await tx.sql<{ office: Office; name: string; sacco: string; state: string }[]>`
    select o.office, u.first_name || ' ' || u.last_name as name, s.name as sacco, s.state
    from offices o join users u on u.id = o.user_id join saccos s on s.id = o.sacco_id
    where o.sacco_id = ${saccoId} and o.user_id = ${userId} and o.ended_at is null and o.until > ${tx.now}
      and o.office = any (${texts(CARD_OFFICES)}::text[])
    order by array_position(${texts(CARD_OFFICES)}::text[], o.office) limit 1`;
  if (!held) throw new Refusal('not_allowed');
  if (held.state !== 'active') throw new Refusal('sacco_inactive');
  return held;
}

async function memberOf(tx: Tx, { membershipId, saccoId }: Seen): Promise<string> {
  const [member] = await tx.sql<{ user_id: string }[]>`
    select user_id from memberships where id = ${membershipId} and sacco_id = ${saccoId} and state <> 'exited'`;
  if (!member) throw new Refusal('not_found', { message: sentence('There is no such member.') });
  return member.user_id;
}

/** Whether the record that was just written is the official's only one of this Nairobi day. */
async function isFirstOfDay(tx: Tx, seenBy: string, saccoId: string): Promise<boolean> {
  const [row] = await tx.sql<{ count: number }[]>`
    select count(*)::int as count from identity_checks
    where seen_by = ${seenBy} and sacco_id = ${saccoId}
      and seen_at >= ${`${nairobiDay(tx.now)}T00:00:00+03:00`}::timestamptz`;
  return row?.count === 1;
}

/** The supervisory committee; where nobody else sits on it, the sacco's other officials. */
export async function supervisorsOf(tx: Tx, saccoId: string, without: readonly string[]): Promise<string[]> {
  const rows = await tx.sql<{ user_id: string; supervises: boolean }[]>`
    select user_id, bool_or(office = 'supervisory_committee') as supervises from offices
    where sacco_id = ${saccoId} and ended_at is null and until > ${tx.now} and user_id <> all (${texts(without)}::uuid[])
    group by user_id order by user_id`;
  const committee = rows.filter(({ supervises }) => supervises);
  return (committee.length > 0 ? committee : rows).map(({ user_id }) => user_id);
}
