import { Refusal } from '@ushirika/contract/refusals';
import type { Tx } from '../../db/tx.ts';
import { lockShownSacco } from '../saccos/lock-sacco.ts';

/** Takes the notice back, as long as nothing has been refunded: the membership is again what it was. */
export async function cancelExit(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string },
): Promise<void> {
  const sacco = await lockShownSacco(tx, input.saccoId);
  const [exit] = await tx.sql<{ id: string; state_before: string }[]>`
    update exit_requests set state = 'cancelled', cancelled_at = ${tx.now}, overdue_since = null
    where sacco_id = ${sacco.id} and user_id = ${actor.userId} and state = 'requested'
    returning id, state_before`;
  if (!exit) throw new Refusal('exit_conflict', { message: 'There is no exit request that can be cancelled.' });
  await tx.sql`
    update memberships set state = ${exit.state_before}, state_at = ${tx.now}
    where sacco_id = ${sacco.id} and user_id = ${actor.userId} and state = 'leaving'`;
}
