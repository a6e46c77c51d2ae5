import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { lockShownSacco } from '../saccos/lock-sacco.ts';
import { sharesForRightsNow } from '../saccos/sacco-terms.ts';
import { sharesOf } from './exit.queries.ts';

/**
 * Takes the notice back, as long as nothing has been refunded: the membership is again what it was, or provisional where
 * the member, who might sell everything while leaving, owns less than the minimum shares by now. Answers how many shares
 * are missing. It is not refused: who is leaving may not buy, so that there would be no way back (docs/decisions/063).
 */
export async function cancelExit(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string },
): Promise<{ readonly missingShares: number }> {
  const sacco = await lockShownSacco(tx, input.saccoId);
  await refuseExpelled(tx, sacco.id, actor.userId);
  const [exit] = await tx.sql<{ id: string; state_before: string }[]>`
    update exit_requests set state = 'cancelled', cancelled_at = ${tx.now}, overdue_since = null
    where sacco_id = ${sacco.id} and user_id = ${actor.userId} and state = 'requested'
    returning id, state_before`;
  if (!exit)
    throw new Refusal('exit_conflict', { message: sentence('There is no exit request that can be cancelled.') });
  // Shares move under the sacco's lock, which is ours.
  const missingShares =
    exit.state_before === 'active'
      ? Math.max(
          0,
          (await sharesForRightsNow(tx, sacco.id)) - (await sharesOf(tx, { userId: actor.userId, saccoId: sacco.id })),
        )
      : 0;
  const isShort = missingShares > 0;
  await tx.sql`
    update memberships
    set state = ${isShort ? 'provisional' : exit.state_before}, state_at = ${tx.now},
      paid_up_at = case when ${isShort} then null else paid_up_at end
    where sacco_id = ${sacco.id} and user_id = ${actor.userId} and state = 'leaving'`;
  return { missingShares };
}

async function refuseExpelled(tx: Tx, saccoId: string, userId: string): Promise<void> {
  const [expelled] = await tx.sql`
    select from expulsions where sacco_id = ${saccoId} and user_id = ${userId} and admitted_at is null`;
  if (!expelled) return;
  throw new Refusal('exit_conflict', {
    message: sentence('Members have voted that you leave: nobody takes that back.'),
  });
}
