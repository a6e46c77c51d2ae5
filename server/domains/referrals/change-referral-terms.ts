import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { shillingsFromCents } from '@ushirika/contract/money';
import { changeReferralTerms as route } from '@ushirika/contract/referrals';
import type { BodyIn } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import type { About, ChangeExecutor } from '../saccos/changes.types.ts';
import { DEFAULT_MONTHLY_REWARDS_MAX, DEFAULT_REWARD_CENTS } from './referrals.rules.ts';
import { setReferralTerms } from './set-referral-terms.ts';

export interface ReferralTerms {
  readonly rewardCents: number;
  readonly monthlyRewardsMax: number;
}

/** Terms as a change keeps them: as the request that proposes them words them. */
export function referralTermsToKeep({
  rewardCents,
  monthlyRewardsMax,
}: ReferralTerms): ChangedValues & BodyIn<typeof route> {
  return { reward: shillingsFromCents(rewardCents), monthly_rewards_max: monthlyRewardsMax };
}

/** How new terms of referrals come into force. Members are not told: what they have earned is not touched (decision 143). */
export const referralTermsChange: ChangeExecutor = {
  offices: route.offices ?? [],
  isDelayed: true,
  words: sentence('what your sacco pays for referrals'),
  current: async (tx, about) => referralTermsToKeep(await termsNow(tx, saccoOf(about))),
  refusalOf: async () => null,
  announce: async () => {},
  recall: async () => {},
  async apply(tx, about, payload) {
    const { reward: rewardCents, monthly_rewards_max: monthlyRewardsMax } = route.body.parse(payload);
    const input = { saccoId: saccoOf(about), rewardCents, monthlyRewardsMax };
    await setReferralTerms(tx, { userId: about.proposedBy }, input);
  },
};

async function termsNow(tx: Tx, saccoId: string): Promise<ReferralTerms> {
  const [row] = await tx.sql<{ reward_cents: number; monthly_rewards_max: number }[]>`
    select reward_cents, monthly_rewards_max from referral_terms
    where sacco_id = ${saccoId} and valid_from <= ${tx.now} order by valid_from desc limit 1`;
  return {
    rewardCents: row?.reward_cents ?? DEFAULT_REWARD_CENTS,
    monthlyRewardsMax: row?.monthly_rewards_max ?? DEFAULT_MONTHLY_REWARDS_MAX,
  };
}

function saccoOf({ saccoId }: About): string {
  if (saccoId === null) throw new Error('Terms of referrals are of a sacco.');
  return saccoId;
}
