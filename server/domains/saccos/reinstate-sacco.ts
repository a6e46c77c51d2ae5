import { Refusal } from '@ushirika/contract/refusal';
import { sentence, stateSaid } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { changeState } from './change-state.ts';
import { lockSacco } from './lock-sacco.ts';

/** A suspended sacco becomes active again: two operators have agreed (operator/proposals.ts). `actor` is the second. */
export async function reinstateSacco(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly reason: string },
): Promise<void> {
  const sacco = await lockSacco(tx, input.saccoId);
  if (sacco.state !== 'suspended') {
    throw new Refusal('sacco_state_conflict', {
      message: sentence('The sacco is {state}: only one that is suspended can become active.', {
        state: stateSaid(sacco.state),
      }),
    });
  }
  await tx.sql`
    update sacco_suspensions set ended_at = ${tx.now}, ended_because = 'reinstated'
    where sacco_id = ${sacco.id} and ended_at is null`;
  await changeState(tx, actor, { sacco, to: 'active', reason: input.reason });
}
