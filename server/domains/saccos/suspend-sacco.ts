import { Refusal } from '@ushirika/contract/refusal';
import { sentence, stateSaid } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { changeState } from './change-state.ts';
import { lockSacco } from './lock-sacco.ts';
import { refuseOwnSacco } from './refuse-own-sacco.ts';

/** An operator suspends an active sacco: joining, buying and saving stop; what members are owed goes on. */
export async function suspendSacco(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly reason: string },
): Promise<void> {
  const sacco = await lockSacco(tx, input.saccoId);
  await refuseOwnSacco(tx, actor, sacco);
  if (sacco.state !== 'active') {
    throw new Refusal('sacco_state_conflict', {
      message: sentence('The sacco is {state}: only one that is active can become suspended.', {
        state: stateSaid(sacco.state),
      }),
    });
  }
  await changeState(tx, actor, { sacco, to: 'suspended', reason: input.reason });
}
