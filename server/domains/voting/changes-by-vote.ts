import type { ChangedValues, ChangeKind } from '@ushirika/contract/change-kinds';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { ChangeAsked } from '@ushirika/contract/voting';
import { RETRY_DAYS } from '@ushirika/contract/voting-rules';
import type { Tx } from '../../db/tx.ts';
import { dividendToKeep } from '../dividends/declare-dividend.ts';
import { productToKeep } from '../loans/change-loan-product.ts';
import { authorityToKeep } from '../loans/lending-authority.ts';
import { termsToKeep } from '../market/change-market-terms.ts';
import { referralTermsToKeep } from '../referrals/change-referral-terms.ts';
import type { ChangeExecutor, ChangeExecutors } from '../saccos/changes.types.ts';

const DAY_MS = 86_400_000;

/** A change in the form in which it is kept: that of a change by two officials. */
export function changeToKeep(asked: ChangeAsked): ChangedValues {
  if (asked.kind === 'market_terms') {
    const { fee_min: fee_min_cents, tick: tick_cents, ...terms } = asked.values;
    return termsToKeep({ ...terms, tick_cents, fee_min_cents });
  }
  if (asked.kind === 'referral_terms') {
    const { reward: rewardCents, monthly_rewards_max: monthlyRewardsMax } = asked.values;
    return referralTermsToKeep({ rewardCents, monthlyRewardsMax });
  }
  if (asked.kind === 'loan_product') return productToKeep(asked.values);
  if (asked.kind === 'lending_authority') return authorityToKeep(asked.values);
  if (asked.kind === 'dividend') return dividendToKeep(asked.values);
  return asked.values;
}

/**
 * The changes by two officials, which give way to the members: while a vote of the same kind is under way, two officials change
 * nothing of that kind, or they could defeat the vote by changing what it was about.
 */
export function givingWayToVotes(executors: ChangeExecutors): ChangeExecutors {
  const wrapped = Object.entries(executors).map(([kind, executor]) => [
    kind,
    givingWay(kind as ChangeKind, executor as ChangeExecutor),
  ]);
  return Object.fromEntries(wrapped) as Record<ChangeKind, ChangeExecutor>;
}

const givingWay = (kind: ChangeKind, executor: ChangeExecutor): ChangeExecutor => ({
  ...executor,
  refusalOf: async (tx, about, payload) =>
    (await isVotedOn(tx, about.saccoId, kind))
      ? new Refusal('change_conflict', {
          message: sentence(
            'Members vote on this, or have decided it. Officials change it again once the vote is over.',
          ),
        })
      : executor.refusalOf(tx, about, payload),
});

async function isVotedOn(tx: Tx, saccoId: string | null, kind: ChangeKind): Promise<boolean> {
  const [found] = await tx.sql`
    select from proposals
    where sacco_id = ${saccoId}::uuid and change_kind = ${kind} and published_at is not null and cancelled_at is null
      and voided_at is null and executed_at is null
      and (counted_at is null or outcome = 'passed' and eta > ${new Date(tx.now.getTime() - RETRY_DAYS * DAY_MS)})
    limit 1`;
  return found !== undefined;
}
