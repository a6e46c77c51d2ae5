import { Refusal } from '@ushirika/contract/refusal';
import { sentence, stateSaid } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { changeState } from './change-state.ts';
import { lockSacco } from './lock-sacco.ts';
import { refuseOwnSacco } from './refuse-own-sacco.ts';

/**
 * An operator turns a registered sacco down, with the reason that its founder reads; it may be submitted again. Each operator does so once
 * (docs/decisions/233).
 * @throws Refusal `sacco_state_conflict`, `second_operator_required`, `not_allowed` for one's own
 */
export async function rejectSacco(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly reason: string },
): Promise<void> {
  const sacco = await lockSacco(tx, input.saccoId);
  await refuseOwnSacco(tx, actor, sacco);
  if (sacco.state !== 'pending') {
    throw new Refusal('sacco_state_conflict', {
      message: sentence('The sacco is {state}: only one that is pending can become rejected.', {
        state: stateSaid(sacco.state),
      }),
    });
  }
  const before = await tx.sql`
    select from sacco_state_changes where sacco_id = ${sacco.id} and to_state = 'rejected' and changed_by = ${actor.userId}`;
  if (before.length > 0) throw new Refusal('second_operator_required', { message: ONCE });
  await changeState(tx, actor, { sacco, to: 'rejected', reason: input.reason });
}

const ONCE = sentence('You have rejected this sacco once. Another operator must decide about it now.');
