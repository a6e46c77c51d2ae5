import { EXIT_DAYS, NOTICES_MAX } from '@ushirika/contract/membership';
import { Refusal } from '@ushirika/contract/refusal';
import type { MembershipState } from '@ushirika/contract/saccos';
import { longDate, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { notify } from '../notifications/notify.ts';
import { lockShownSacco } from '../saccos/lock-sacco.ts';
import { refusalOfNotice } from './membership.rules.ts';

/**
 * What domains below do when somebody leaves a sacco, in the same transaction and under the sacco's lock: on their notice,
 * and once more as they are gone. The market takes their orders to buy out of its book.
 */
export type OnLeaving = (tx: Tx, member: { readonly userId: string; readonly saccoId: string }) => Promise<void>;

const DAY_MS = 86_400_000;

/**
 * Gives notice of leaving. From now on the member saves and buys nothing more here; when the 60 days are over, a job
 * pays the savings back (settle-exits.ts). Shares stay the member's until another member buys them. Offices in the sacco and open
 * invitations to some end at once, and do not come back where the notice is taken back (docs/decisions/181).
 */
export async function requestExit(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly reason: string | null },
  onLeaving: OnLeaving = async () => {},
): Promise<void> {
  const sacco = await lockShownSacco(tx, input.saccoId);
  const [membership] = await tx.sql<{ state: MembershipState }[]>`
    select state from memberships where sacco_id = ${sacco.id} and user_id = ${actor.userId} for update`;
  if (!membership || membership.state === 'exited') throw new Refusal('not_a_member');
  if (membership.state === 'leaving') throw new Refusal('exit_conflict');
  const earlier = await tx.sql<{ requested_at: Date }[]>`
    select requested_at from exit_requests where sacco_id = ${sacco.id} and user_id = ${actor.userId}
    order by id desc limit ${NOTICES_MAX}`;
  const refusal = refusalOfNotice(
    earlier.map((exit) => exit.requested_at),
    tx.now,
  );
  if (refusal) throw refusal;
  const dueAt = new Date(tx.now.getTime() + EXIT_DAYS * DAY_MS);
  await tx.sql`
    insert into exit_requests (id, sacco_id, user_id, state, state_before, reason, requested_at, due_at)
    values (${tx.newId()}, ${sacco.id}, ${actor.userId}, 'requested', ${membership.state}, ${input.reason}, ${tx.now},
            ${dueAt})`;
  // With this a trigger ends the offices, and the open invitations to some.
  await tx.sql`
    update memberships set state = 'leaving', state_at = ${tx.now}
    where sacco_id = ${sacco.id} and user_id = ${actor.userId}`;
  await onLeaving(tx, { userId: actor.userId, saccoId: sacco.id });
  // A job: a person tells nobody else anything.
  await enqueue(tx, 'tell_of_ended_offices', { user: actor.userId, sacco: sacco.id });
  await notify(tx, {
    userId: actor.userId,
    topic: 'saccos',
    template: 'exit_requested',
    causedBy: actor.userId,
    text: sentence('You have given notice to {name}. Your savings are paid back by {at}.', {
      name: sacco.name,
      at: longDate(dueAt),
    }),
  });
}
