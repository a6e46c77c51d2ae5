import { Refusal } from '@ushirika/contract/refusal';
import { sentence, stateSaid } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { changeState } from './change-state.ts';
import { lockSacco } from './lock-sacco.ts';
import { refuseOwnSacco } from './refuse-own-sacco.ts';

/** An operator turns a registered sacco down, with the reason that its founder reads; it may be submitted again. */
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
  await changeState(tx, actor, { sacco, to: 'rejected', reason: input.reason });
}
