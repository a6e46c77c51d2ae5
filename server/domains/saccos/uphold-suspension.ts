import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { hasLapsed } from '../identity/suspension.rules.ts';
import { officialsAndSuspended, tellPeople } from './change-officials.ts';
import { lockSacco } from './lock-sacco.ts';
import { refuseOwnSacco } from './refuse-own-sacco.ts';

interface OpenRow {
  readonly suspended_by: string;
  readonly lapses_at: Date | null;
  readonly upheld_by: string | null;
  readonly is_by_operator: boolean;
}

/** The word of somebody who is no operator any more does not count as one of two. */
const FORMER = sentence(
  'Who suspended it is no operator any more. It ends by itself; then two operators may suspend it again.',
);

/**
 * Another operator agrees that a sacco stays suspended: from then on it lapses no more, and two operators reinstate it.
 * @throws Refusal `not_found`, `not_allowed` for one's own, `sacco_state_conflict`, `second_operator_required`
 */
export async function upholdSuspension(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly reason: string },
): Promise<void> {
  const sacco = await lockSacco(tx, input.saccoId);
  await refuseOwnSacco(tx, actor, sacco);
  const [open] = await tx.sql<OpenRow[]>`
    select a.suspended_by, a.lapses_at, a.upheld_by,
      exists (select from operators o where o.user_id = a.suspended_by and o.revoked_at is null) as is_by_operator
    from sacco_suspensions a where a.sacco_id = ${sacco.id} and a.ended_at is null`;
  if (!open || (open.lapses_at && hasLapsed({ upheldBy: open.upheld_by, lapsesAt: open.lapses_at }, tx.now))) {
    throw conflict(sentence('This sacco is not suspended.'));
  }
  if (open.upheld_by !== null) throw conflict(sentence('It has been upheld already.'));
  if (open.lapses_at === null)
    throw conflict(sentence('This suspension does not lapse: it began before they had an end.'));
  if (!open.is_by_operator) throw conflict(FORMER);
  if (open.suspended_by === actor.userId) throw new Refusal('second_operator_required');
  await tx.sql`
    update sacco_suspensions set upheld_by = ${actor.userId}, upheld_at = ${tx.now}, upheld_reason = ${input.reason}
    where sacco_id = ${sacco.id} and ended_at is null`;
  const people = await officialsAndSuspended(tx, { sacco, but: null });
  const text = sentence('{name}: a second operator has upheld the suspension. It stands until two operators end it.', {
    name: sacco.name,
  });
  await tellPeople(tx, actor.userId, people, { template: 'sacco_suspension_upheld', text });
}

const conflict = (message: Sentence) => new Refusal('sacco_state_conflict', { message });
