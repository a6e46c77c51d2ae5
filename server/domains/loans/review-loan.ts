import { COMMITTEE_APPROVALS, SECOND_TIER_ABOVE_CENTS } from '@ushirika/contract/loans';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { requireProof } from '../identity/prove-password.ts';
import { lockLoanOfSacco, refuseInterested, refuseOffice } from './loan-officials.ts';
import { addLoanEvents, type LoanRow, type Reader } from './loan-rows.ts';
import { expiryFrom, refuseState } from './own-loan.ts';
import { endApplications, voidGuarantees } from './pledges.ts';
import { tellOfLoans } from './tell-of-loans.ts';

type Decision = 'approve' | 'reject' | 'return';

export interface Voices {
  readonly committeeApprovals: number;
  readonly committeeRejections: number;
  readonly secondTierApprovals: number;
  readonly secondTierRejections: number;
}

export const needsSecondTier = ({ amount_cents }: Pick<LoanRow, 'amount_cents'>): boolean =>
  amount_cents > SECOND_TIER_ABOVE_CENTS;

/** Whether the voices decide: two of the committee; above a million treasurer or chair too. */
export function outcomeOf(loan: Pick<LoanRow, 'amount_cents'>, voices: Voices): 'approved' | 'rejected' | null {
  if (voices.committeeRejections >= COMMITTEE_APPROVALS || voices.secondTierRejections > 0) return 'rejected';
  const isSecondTierMet = !needsSecondTier(loan) || voices.secondTierApprovals > 0;
  return voices.committeeApprovals >= COMMITTEE_APPROVALS && isSecondTierMet ? 'approved' : null;
}

/** The voices of the round that is under way. */
export async function voicesOf(reader: Reader, { id, round }: Pick<LoanRow, 'id' | 'round'>): Promise<Voices> {
  const [row] = await (reader.sql as Tx['sql'])<Voices[]>`
    select
      (count(*) filter (where office = 'credit_committee' and decision = 'approve'))::int as "committeeApprovals",
      (count(*) filter (where office = 'credit_committee' and decision = 'reject'))::int as "committeeRejections",
      (count(*) filter (where office <> 'credit_committee' and decision = 'approve'))::int as "secondTierApprovals",
      (count(*) filter (where office <> 'credit_committee' and decision = 'reject'))::int as "secondTierRejections"
    from loan_reviews where loan_id = ${id} and round = ${round}`;
  return row as Voices;
}

/** The offices whose voice a loan needs. */
export const reviewOffices = (loan: Pick<LoanRow, 'amount_cents'>): readonly Office[] =>
  needsSecondTier(loan) ? ALL_OFFICES : ['credit_committee'];
const ALL_OFFICES = ['credit_committee', 'treasurer', 'chair'] as const satisfies Office[];

/**
 * One voice about an application. To return it one voice is enough; otherwise two of the credit committee decide.
 * @throws Refusal `not_allowed`, `proof_required`, `loan_terms_changed`, `loan_conflict`
 */
export async function reviewLoan(
  tx: Tx,
  actor: { readonly userId: string; readonly sessionId: string },
  input: {
    readonly saccoId: string;
    readonly loanId: string;
    readonly decision: Decision;
    readonly reason: string;
    readonly termsHash: string;
  },
): Promise<void> {
  const loan = await lockLoanOfSacco(tx, input.saccoId, input.loanId);
  const office = await refuseOffice(tx, { ...actor, saccoId: loan.sacco_id }, ALL_OFFICES);
  await refuseInterested(tx, actor, loan);
  await requireProof(tx, actor);
  refuseState(loan, 'submitted');
  if (!reviewOffices(loan).includes(office)) {
    throw new Refusal('loan_conflict', {
      message: sentence('Up to Ksh. 1,000,000 the credit committee alone decides.'),
    });
  }
  if (loan.terms_hash !== input.termsHash && isGuarded('loans.signed_terms')) throw new Refusal('loan_terms_changed');
  const added = await tx.sql`
    insert into loan_reviews (id, loan_id, round, reviewer_id, office, decision, reason, terms_hash, at)
    values (${tx.newId()}, ${loan.id}, ${loan.round}, ${actor.userId}, ${office}, ${input.decision}, ${input.reason},
      ${input.termsHash}, ${tx.now})
    on conflict do nothing`;
  if (added.count === 0) {
    throw new Refusal('loan_conflict', { message: sentence('You have given your voice about this application.') });
  }
  await addLoanEvents(tx, [{ loanId: loan.id, kind: 'reviewed', byId: actor.userId }]);
  if (input.decision === 'return') return giveBack(tx, actor, loan, input.reason);
  const outcome = outcomeOf(loan, await voicesOf(tx, loan));
  if (outcome === 'approved') await approve(tx, actor, loan);
  if (outcome === 'rejected') await reject(tx, actor, loan, input.reason);
}

/** The borrower changes it and submits it again. Their own savings are free meanwhile; guarantors stay bound as they signed. */
async function giveBack(tx: Tx, actor: { readonly userId: string }, loan: LoanRow, reason: string): Promise<void> {
  await voidGuarantees(tx, [loan], ({ kind }) => kind === 'self');
  await tx.sql`
    update loans set state = 'returned', state_at = ${tx.now}, state_reason = ${reason}, expires_at = ${expiryFrom(tx.now)}
    where id = ${loan.id}`;
  await addLoanEvents(tx, [{ loanId: loan.id, kind: 'returned', byId: actor.userId, text: reason }]);
  await tellOfLoans(tx, [{ loan, event: 'returned' }]);
}

async function approve(tx: Tx, actor: { readonly userId: string }, loan: LoanRow): Promise<void> {
  await tx.sql`
    update loans set state = 'approved', state_at = ${tx.now}, decided_at = ${tx.now}, expires_at = ${expiryFrom(tx.now)}
    where id = ${loan.id}`;
  await addLoanEvents(tx, [{ loanId: loan.id, kind: 'approved', byId: actor.userId }]);
  await tellOfLoans(tx, [{ loan, event: 'approved' }]);
}

async function reject(tx: Tx, actor: { readonly userId: string }, loan: LoanRow, reason: string): Promise<void> {
  const ended = await endApplications(tx, [loan], { state: 'rejected', byId: actor.userId, reason });
  await tellOfLoans(tx, [
    { loan, event: 'rejected' },
    ...ended
      .filter(({ kind }) => kind === 'member')
      .map((guarantee) => ({ loan, event: 'pledge_free' as const, guarantee })),
  ]);
}
