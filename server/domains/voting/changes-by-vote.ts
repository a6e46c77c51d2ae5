import { isDeepStrictEqual } from 'node:util';
import type { ChangedValues, ChangeKind } from '@ushirika/contract/change-kinds';
import { Refusal } from '@ushirika/contract/refusal';
import { CLOSED_AGAIN_DAYS, CLOSED_DAYS } from '@ushirika/contract/sacco-changes';
import { sentence } from '@ushirika/contract/sentence';
import type { ChangeAsked } from '@ushirika/contract/voting';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { dividendToKeep } from '../dividends/declare-dividend.ts';
import { productToKeep } from '../loans/change-loan-product.ts';
import { authorityToKeep } from '../loans/lending-authority.ts';
import type { Reader } from '../loans/loan-rows.ts';
import { termsToKeep } from '../market/change-market-terms.ts';
import { saccoTermsToKeep } from '../market/change-sacco-terms.ts';
import { poolLimitsToKeep, poolTermsToKeep } from '../pools/change-pool-parameters.ts';
import { referralTermsToKeep } from '../referrals/change-referral-terms.ts';
import type { ChangeExecutor, ChangeExecutors } from '../saccos/changes.types.ts';
import { couldVote, votesOf } from './saccos-that-vote.ts';
import { votesToKeepClosed } from './settle-closing.ts';

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
  if (asked.kind === 'dividend') return dividendToKeep(asked.values);
  if (asked.kind === 'pool_terms') return poolTermsToKeep(asked.values);
  if (asked.kind === 'pool_limits') return poolLimitsToKeep(asked.values);
  return { ...asked.values };
}

/** What two officials decide themselves, and what members alone decide. */
const BY_OFFICIALS: readonly ChangeKind[] = ['official_name', 'loan_waiver', 'year_closing'];
const BY_MEMBERS: readonly ChangeKind[] = [
  'sacco_terms',
  'dividend',
  'official_removal',
  'expulsion',
  'admission',
  'vote_rules',
  'bylaws',
  'pool_terms',
  'pool_limits',
  'pool_steward',
  'pool_steward_end',
  'pool_write_off',
];

/**
 * The changes by two officials, as far as members leave them to officials (docs/decisions/191). Where members can vote, terms are
 * changed by vote alone; two officials close a market or a loan product, and open again what they have closed. Where too few can vote
 * yet, two officials change terms; what is not in force once members can vote ends.
 */
export function givingWayToVotes(executors: ChangeExecutors): ChangeExecutors {
  const wrapped = Object.entries(executors).map(([kind, executor]) => [
    kind,
    BY_OFFICIALS.includes(kind as ChangeKind) ? executor : givingWay(kind as ChangeKind, executor as ChangeExecutor),
  ]);
  return Object.fromEntries(wrapped) as Record<ChangeKind, ChangeExecutor>;
}

const givingWay = (kind: ChangeKind, executor: ChangeExecutor): ChangeExecutor => ({
  ...executor,
  refusalOf: async (tx, about, payload) =>
    (await refusalToOfficials(tx, { kind, saccoId: about.saccoId ?? '', payload }, () =>
      executor.closes?.(tx, about, payload),
    )) ?? executor.refusalOf(tx, about, payload),
  voteOnClosing: async ({ sql, now }, closing) => {
    const [vote] = await votesToKeepClosed({ sql, now: now() }, closing);
    return vote ? { id: vote.id, title: vote.title } : null;
  },
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
  if (BY_MEMBERS.includes(proposed.kind)) return new Refusal('change_conflict', { message: BY_VOTE });
  if (!(await isChangedByVote(tx, proposed.saccoId))) return null;
  if (await opensAgain(tx, proposed)) return null;
  if (!(await closes())) return new Refusal('change_conflict', { message: BY_VOTE });
  return (await wasClosedLately(tx, proposed)) ? new Refusal('change_conflict', { message: CLOSED_LATELY }) : null;
}

const BY_VOTE = sentence('Members change this by a vote. Draft one under Voting Proposals.');
const CLOSED_LATELY = sentence('Officials have closed this lately. Now members decide on it, by a vote.');

/** Whether members can vote: enough of them would be on a roll now, or could vote once. */
export async function isChangedByVote(reader: Reader, saccoId: string): Promise<boolean> {
  const [found] = await votesOf(reader, [saccoId]);
  return found !== undefined && (found.has_voted || couldVote(found));
}

/** Whether a change puts back what two officials have closed, and no vote about it has been published since: that one decides. */
async function opensAgain(tx: Tx, { saccoId, kind, payload }: Proposed): Promise<boolean> {
  const [found] = await tx.sql`
    select from sacco_changes c
    where sacco_id = ${saccoId}::uuid and kind = ${kind} and undo_payload = ${JSON.stringify(payload)}::text::jsonb
      and settled_at is null and not exists (
        select from proposals p
        where p.sacco_id = c.sacco_id and p.change_kind = c.kind and p.published_at >= c.effective_at and p.cancelled_at is null
          and p.payload->>'product' is not distinct from c.payload->>'product')`;
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

/** What officials have closed, on which neither a vote nor time has decided yet. */
export interface OpenClosing {
  readonly payload: ChangedValues;
  /** What holds without it. */
  readonly undo_payload: ChangedValues;
  readonly effective_at: Date;
}

/** Of what a change is about. */
export async function openClosing(tx: Tx, { saccoId, kind, payload }: Proposed): Promise<OpenClosing | null> {
  const [found] = await tx.sql<OpenClosing[]>`
    select payload, undo_payload, effective_at from sacco_changes
    where sacco_id = ${saccoId}::uuid and kind = ${kind} and undo_at is not null and settled_at is null
      and payload->>'product' is not distinct from ${payload.product ?? null}::text
    limit 1`;
  return found ?? null;
}

/** What holds now, but for what officials have closed meanwhile: members vote on the terms as they are without that. */
export const withoutClosing = (now: ChangedValues, closing: OpenClosing | null): ChangedValues =>
  closing !== null && isDeepStrictEqual(now, closing.payload) ? closing.undo_payload : now;
