import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';

/** Ends a member's standing order in a sacco. */
export async function cancelStandingOrder(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string },
): Promise<void> {
  const ended = await tx.sql`
    update standing_orders set state = 'cancelled', cancelled_at = ${tx.now}
    where sacco_id = ${input.saccoId} and user_id = ${actor.userId} and state = 'active'`;
  if (ended.count === 0) throw new Refusal('not_found', { message: sentence('You have no standing order here.') });
}
