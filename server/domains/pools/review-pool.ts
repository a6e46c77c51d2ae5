import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { notify } from '../notifications/notify.ts';

export type PoolDecision = 'approve' | 'refuse';

/**
 * An operator looks at a pool and approves it, so that everybody sees it, or refuses it, so that it stays with whoever made
 * it and its members. What one operator has refused another one still approves. The creator is told, with the reason of a refusal.
 * @throws Refusal `not_found`, `not_allowed` (one's own), `pool_already_reviewed`
 */
export async function reviewPool(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly poolId: string; readonly decision: PoolDecision; readonly reason: string },
): Promise<void> {
  const { poolId, decision, reason } = input;
  const [pool] = await tx.sql<{ name: string; created_by: string }[]>`
    select name, created_by from pools where id = ${poolId}`;
  if (!pool) throw new Refusal('not_found');
  if (pool.created_by === actor.userId) {
    throw new Refusal('not_allowed', { message: sentence('Another operator must decide about a pool of yours.') });
  }
  const isApproved = decision === 'approve';
  // Of two operators at once the second waits for the first, and then finds nothing that waits.
  const reviewed = await tx.sql`
    update pools set review = ${isApproved ? 'approved' : 'refused'}, reviewed_by = ${actor.userId},
      reviewed_at = ${tx.now}, review_reason = ${reason}
    where id = ${poolId} and (review = 'waiting' or review = 'refused' and ${isApproved} and reviewed_by <> ${actor.userId})`.catch(
    (error: unknown) => {
      // A pool that was refused has left its name to others.
      throw (error as { code?: unknown }).code === '23505'
        ? new Refusal('pool_already_reviewed', { message: TAKEN })
        : error;
    },
  );
  if (reviewed.count === 0) throw new Refusal('pool_already_reviewed');
  const text = isApproved
    ? sentence('Everybody can see your pool {name} now.', { name: pool.name })
    : sentence('Your pool {name} is not shown to others: {reason}', { name: pool.name, reason });
  await notify(tx, {
    userId: pool.created_by,
    topic: 'pools',
    template: `pool_${isApproved ? 'approved' : 'refused'}`,
    causedBy: actor.userId,
    text,
  });
}

const TAKEN = sentence('Another pool has this name by now.');
