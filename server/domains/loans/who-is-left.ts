import { COMMITTEE_APPROVALS } from '@ushirika/contract/loans';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import type { MayDecide } from '../pools/request-guarantee.ts';
import { authorityOf } from './lending-authority.ts';
import { interestedIn } from './loan-officials.ts';
import type { LoanRow } from './loan-rows.ts';
import { isForManager, type Judged, needsSecondTier, REVIEW_OFFICES } from './review.rules.ts';

/*
 * Whose money is in a pool decides about no loan that it backs. Where nobody would be left to decide, the borrower is told before anything
 * waits for them (docs/decisions/187).
 */

interface Deciding {
  readonly user_id: string;
  readonly office: Office;
}

/** Whether those without an interest can decide a round: the manager alone, or two of the committee with a second tier where it is needed. */
export function isAnybodyLeft(loan: Judged, officials: readonly Deciding[], interested: ReadonlySet<string>): boolean {
  const holders = (...offices: Office[]) =>
    new Set(
      officials
        .filter(({ user_id, office }) => offices.includes(office) && !interested.has(user_id))
        .map(({ user_id }) => user_id),
    );
  if (isForManager(loan, { committeeRejections: 0 }) && holders('manager').size > 0) return true;
  const committee = holders('credit_committee');
  if (committee.size < COMMITTEE_APPROVALS) return false;
  // Whoever sits on the committee too speaks there.
  return !needsSecondTier(loan) || [...holders('treasurer', 'chair')].some((each) => !committee.has(each));
}

async function deciding(tx: Pick<Tx, 'sql' | 'now'>, saccoId: string): Promise<Deciding[]> {
  return tx.sql<Deciding[]>`
    select user_id, office from offices
    where sacco_id = ${saccoId} and ended_at is null and until > ${tx.now} and office = any (${texts(REVIEW_OFFICES)}::text[])`;
}

/**
 * An application that nobody could decide because of the pool behind it is not handed in. A sacco that has too few officials anyhow is
 * another matter.
 * @throws Refusal `loan_conflict`
 */
export async function refuseUndecidable(
  tx: Tx,
  loan: Pick<LoanRow, 'id' | 'sacco_id' | 'borrower_id'> & Judged,
): Promise<void> {
  const [officials, interested] = [await deciding(tx, loan.sacco_id), await interestedIn(tx, loan)];
  if (!isAnybodyLeft(loan, officials, new Set([loan.borrower_id]))) return;
  if (isAnybodyLeft(loan, officials, new Set([loan.borrower_id, ...interested]))) return;
  throw new Refusal('loan_conflict', {
    message: sentence(
      'Nobody could decide about this loan: too many of those who decide have money in the pool that backs it. Ask another pool, or members.',
    ),
  });
}

/** For pools, before they take on a loan of a sacco: whether anybody without money in the pool could decide about it. */
export const mayBeDecided: MayDecide = async (tx, { saccoId, poolId, userId, principal }) => {
  const [officials, members, authority] = await Promise.all([
    deciding(tx, saccoId),
    tx.sql<{ user_id: string }[]>`
      select distinct m.user_id from pool_members m join offices o on o.user_id = m.user_id and o.sacco_id = ${saccoId}
      where m.pool_id = ${poolId} and m.position_cents > 0`,
    authorityOf(tx, saccoId),
  ]);
  const loan = {
    amount_cents: principal,
    judged_cents: principal,
    committee_alone_cents: authority.committeeCents,
    manager_alone_cents: authority.managerCents,
  };
  if (!isAnybodyLeft(loan, officials, new Set([userId]))) return true;
  return isAnybodyLeft(loan, officials, new Set([userId, ...members.map(({ user_id }) => user_id)]));
};
