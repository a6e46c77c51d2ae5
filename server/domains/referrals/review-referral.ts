import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';

/** An operator releases a held referral, so that its reward can be paid, or denies it. Once. */
export async function reviewReferral(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly referralId: string; readonly decision: 'release' | 'deny'; readonly reason: string },
): Promise<void> {
  const [referral] = await tx.sql<{ review: string; referrer_id: string; referred_id: string; reward_state: string }[]>`
    select review, referrer_id, referred_id, reward_state from referrals where id = ${input.referralId} for update`;
  if (!referral || referral.review === 'none') throw new Refusal('not_found');
  if (referral.referrer_id === actor.userId || referral.referred_id === actor.userId) {
    throw new Refusal('not_allowed', { message: sentence('Another operator must review your own referral.') });
  }
  if (referral.review !== 'held') throw new Refusal('exception_already_resolved');
  // A reward that is due is taken back by a denial; one that is not due yet will be none when its day comes.
  const takesBack = input.decision === 'deny' && referral.reward_state === 'waiting';
  await tx.sql`
    update referrals set
      review = ${input.decision === 'deny' ? 'denied' : 'released'},
      reviewed_at = ${tx.now}, reviewed_by = ${actor.userId}, review_reason = ${input.reason},
      reward_state = ${takesBack ? 'none' : referral.reward_state},
      no_reward_because = case when ${takesBack} then 'denied' else no_reward_because end
    where id = ${input.referralId}`;
}
