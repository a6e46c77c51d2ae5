import type { ChangedValues, ChangeKind } from '@ushirika/contract/change-kinds';
import { Refusal } from '@ushirika/contract/refusal';
import { CLOSED_AGAIN_DAYS, CLOSED_DAYS, VOTING_ROLL_LEAST } from '@ushirika/contract/sacco-changes';
import { sentence } from '@ushirika/contract/sentence';
import type { ChangeAsked } from '@ushirika/contract/voting';
import { RETRY_DAYS, ROLL_MEMBER_DAYS } from '@ushirika/contract/voting-rules';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { productToKeep } from '../loans/change-loan-product.ts';
import { authorityToKeep } from '../loans/lending-authority.ts';
import type { Reader } from '../loans/loan-rows.ts';
import { termsToKeep } from '../market/change-market-terms.ts';
import { saccoTermsToKeep } from '../market/change-sacco-terms.ts';
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
  if (asked.kind === 'sacco_terms') return saccoTermsToKeep(asked.values);
  return asked.values;
}

/**
 * The changes by two officials, as far as members leave them to officials (docs/decisions/191). Where members can vote, terms are
 * changed by vote alone; two officials close a market or a loan product, and open again what they have closed. Where too few can vote
 * yet, two officials change terms, and give way to a vote of the same kind: they could defeat it by changing what it is about.
 */
export function givingWayToVotes(executors: ChangeExecutors): ChangeExecutors {
  const wrapped = Object.entries(executors).map(([kind, executor]) => [
    kind,
    kind === 'official_name' ? executor : givingWay(kind as ChangeKind, executor as ChangeExecutor),
  ]);
  return Object.fromEntries(wrapped) as Record<ChangeKind, ChangeExecutor>;
}

const givingWay = (kind: ChangeKind, executor: ChangeExecutor): ChangeExecutor => ({
  ...executor,
  refusalOf: async (tx, about, payload) =>
    (await refusalToOfficials(tx, { kind, saccoId: about.saccoId ?? '', payload }, () =>
      executor.closes?.(tx, about, payload),
    )) ?? executor.refusalOf(tx, about, payload),
  closes: async (tx, about, payload) =>
    (await isChangedByVote(tx, about.saccoId ?? '')) ? ((await executor.closes?.(tx, about, payload)) ?? null) : null,
});

interface Proposed {
  readonly kind: ChangeKind;
  readonly saccoId: string;
  readonly payload: ChangedValues;
}

async function refusalToOfficials(
  tx: Tx,
  proposed: Proposed,
  closes: () => Promise<ChangedValues | null> | undefined,
): Promise<Refusal | null> {
  if (!isGuarded('voting.terms_by_vote')) return null;
  if (proposed.kind === 'sacco_terms') return new Refusal('change_conflict', { message: BY_VOTE });
  if (!(await isChangedByVote(tx, proposed.saccoId))) {
    return (await isVotedOn(tx, proposed)) ? new Refusal('change_conflict', { message: VOTED_ON }) : null;
  }
  if (await opensAgain(tx, proposed)) return null;
  if (!(await closes())) return new Refusal('change_conflict', { message: BY_VOTE });
  return (await wasClosedLately(tx, proposed)) ? new Refusal('change_conflict', { message: CLOSED_LATELY }) : null;
}

const BY_VOTE = sentence('Members change this by a vote. Draft one under Voting Proposals.');
const VOTED_ON = sentence('Members vote on this, or have decided it. Officials change it again once the vote is over.');
const CLOSED_LATELY = sentence('Officials have closed this lately. Now members decide on it, by a vote.');

/** Whether members can vote: enough of them would be on a roll now, or have been on one. */
export async function isChangedByVote(reader: Reader, saccoId: string): Promise<boolean> {
  const since = new Date(reader.now.getTime() - ROLL_MEMBER_DAYS * DAY_MS);
  const [found] = await (reader.sql as Tx['sql'])<{ can_vote: boolean }[]>`
    select exists (select from proposals where sacco_id = ${saccoId}::uuid and roll_size >= ${VOTING_ROLL_LEAST})
      or ${VOTING_ROLL_LEAST} <= (select count(*) from roll_of(${saccoId}::uuid, ${since})) as can_vote`;
  return found?.can_vote ?? false;
}

async function isVotedOn(tx: Tx, { saccoId, kind }: Proposed): Promise<boolean> {
  const [found] = await tx.sql`
    select from proposals
    where sacco_id = ${saccoId}::uuid and change_kind = ${kind} and published_at is not null and cancelled_at is null
      and voided_at is null and executed_at is null
      and (counted_at is null or outcome = 'passed' and eta > ${retriedFrom(tx)})
    limit 1`;
  return found !== undefined;
}

/** Votes that passed are tried again if their time came after this. */
export const retriedFrom = ({ now }: Pick<Tx, 'now'>): Date => new Date(now.getTime() - RETRY_DAYS * DAY_MS);

/** Whether a change puts back what two officials have closed, on which nothing is decided yet. */
async function opensAgain(tx: Tx, { saccoId, kind, payload }: Proposed): Promise<boolean> {
  const [found] = await tx.sql`
    select from sacco_changes
    where sacco_id = ${saccoId}::uuid and kind = ${kind} and undo_payload = ${JSON.stringify(payload)}::text::jsonb
      and settled_at is null`;
  return found !== undefined;
}

async function wasClosedLately(tx: Tx, { saccoId, kind, payload }: Proposed): Promise<boolean> {
  const since = new Date(tx.now.getTime() - (CLOSED_DAYS + CLOSED_AGAIN_DAYS) * DAY_MS);
  const [found] = await tx.sql`
    select from sacco_changes
    where sacco_id = ${saccoId}::uuid and kind = ${kind} and undo_at is not null and effective_at > ${since}
      and payload->>'product' is not distinct from ${payload.product ?? null}::text
    limit 1`;
  return found !== undefined;
}

/** Whether officials have closed what a vote is about, so that members may decide that it stays as it is. */
export async function isClosedByOfficials(tx: Tx, { saccoId, kind, payload }: Proposed): Promise<boolean> {
  const [found] = await tx.sql`
    select from sacco_changes
    where sacco_id = ${saccoId}::uuid and kind = ${kind} and undo_at is not null and settled_at is null
      and payload = ${JSON.stringify(payload)}::text::jsonb`;
  return found !== undefined;
}
