import type { Cents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';

/**
 * Puts in force what the sacco pays for people who sign up from now on; 0 turns rewards off. The end of a change that two
 * officials made (change-referral-terms.ts). Who has signed up already
 * is worth what was said then (advance-referrals.ts).
 */
export async function setReferralTerms(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly rewardCents: Cents; readonly monthlyRewardsMax: number },
): Promise<void> {
  // The sacco's lock: of two changes at once the second holds from a millisecond later.
  await tx.sql`select from sacco_figures where sacco_id = ${input.saccoId} for update`;
  await tx.sql`
    insert into referral_terms (sacco_id, valid_from, reward_cents, monthly_rewards_max, changed_by)
    select ${input.saccoId}, greatest(${tx.now}::timestamptz, max(valid_from) + interval '1 millisecond'),
      ${input.rewardCents}, ${input.monthlyRewardsMax}, ${actor.userId}
    from referral_terms where sacco_id = ${input.saccoId}`;
}
