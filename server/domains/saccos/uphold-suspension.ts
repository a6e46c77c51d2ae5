import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { officialsAndSuspended, tellPeople } from './change-officials.ts';
import { lockSacco } from './lock-sacco.ts';
import { refuseOwnSacco } from './refuse-own-sacco.ts';

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
  const [open] = await tx.sql<{ suspended_by: string; lapses_at: Date | null; upheld_by: string | null }[]>`
    select suspended_by, lapses_at, upheld_by from sacco_suspensions where sacco_id = ${sacco.id} and ended_at is null`;
  if (!open || (open.lapses_at !== null && open.upheld_by === null && open.lapses_at <= tx.now)) {
    throw conflict(sentence('This sacco is not suspended.'));
  }
  if (open.upheld_by !== null || open.lapses_at === null) throw conflict(sentence('It has been upheld already.'));
  if (open.suspended_by === actor.userId) throw new Refusal('second_operator_required');
  await tx.sql`
    update sacco_suspensions set upheld_by = ${actor.userId}, upheld_at = ${tx.now}, upheld_reason = ${input.reason}
    where sacco_id = ${sacco.id} and ended_at is null`;
  const people = await officialsAndSuspended(tx, sacco);
  const text = sentence(
    '{name}: a second operator has upheld the suspension: {reason} It stands until two operators end it.',
    { name: sacco.name, reason: input.reason },
  );
  await tellPeople(tx, people, 'sacco_suspension_upheld', text);
}

const conflict = (message: Sentence) => new Refusal('sacco_state_conflict', { message });
