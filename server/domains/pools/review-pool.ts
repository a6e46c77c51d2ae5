import { Refusal } from '@ushirika/contract/refusals';
import type { Tx } from '../../db/tx.ts';
import { notify } from '../notifications/notify.ts';

export type PoolDecision = 'approve' | 'refuse';

/**
 * An operator looks at a pool and approves it, so that everybody sees it, or refuses it, so that it stays with whoever made
 * it and its members. Once. The creator is told, with the reason of a refusal.
 * @throws Refusal `not_found`, `not_allowed` (one's own), `pool_already_reviewed`
 */
export async function reviewPool(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly poolId: string; readonly decision: PoolDecision; readonly reason: string },
): Promise<void> {
  const { poolId, decision, reason } = input;
  const [pool] = await tx.sql<{ name: string; review: string; created_by: string }[]>`
    select name, review, created_by from pools where id = ${poolId} for no key update`;
  if (!pool) throw new Refusal('not_found');
  if (pool.created_by === actor.userId) {
    throw new Refusal('not_allowed', { message: 'Another operator must decide about a pool of yours.' });
  }
  if (pool.review !== 'waiting') throw new Refusal('pool_already_reviewed');
  const isApproved = decision === 'approve';
  await tx.sql`
    update pools set review = ${isApproved ? 'approved' : 'refused'}, reviewed_by = ${actor.userId},
      reviewed_at = ${tx.now}, review_reason = ${reason}
    where id = ${poolId}`;
  const text = isApproved
    ? {
        en: `Everybody can see your pool ${pool.name} now.`,
        sw: `Kila mtu sasa anaweza kuona kikundi chako cha udhamini, ${pool.name}.`,
      }
    : {
        en: `Your pool ${pool.name} is not shown to others: ${reason}`,
        sw: `Kikundi chako cha udhamini, ${pool.name}, hakionyeshwi kwa wengine: ${reason}`,
      };
  await notify(tx, {
    userId: pool.created_by,
    topic: 'pools',
    template: `pool_${isApproved ? 'approved' : 'refused'}`,
    text,
  });
}
