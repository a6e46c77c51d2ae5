import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { hasIdentitySeen } from '../identity/identity-checks.ts';
import { requireProof } from '../identity/prove-password.ts';
import type { RelatedPairs } from '../identity/related-pairs.types.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { insertAsked, nameOf, personOfMember, refuseGuarantor, refuseManyAsks } from './ask-guarantors.ts';
import { guarantorFacts } from './loan-facts.ts';
import { lockLoanOfSacco, refuseInactiveSacco, refuseInterested, refuseOffice } from './loan-officials.ts';
import {
  addLoanEvents,
  type GuaranteeRow,
  type LoanRow,
  loanOfGuarantee,
  lockGuarantees,
  lockLoan,
  noSuchGuarantee,
} from './loan-rows.ts';
import { reasonAgainstGuarantor } from './loans.rules.ts';
import { refuseSecondSubstitute } from './one-no.ts';
import { postAll, releaseJournal } from './pledges.ts';
import { refuseReplacingInDefault } from './sign-guarantee.ts';
import { tellOfLoans } from './tell-of-loans.ts';

/**
 * The borrower of a loan that is owed names another member in a guarantor's place, for what is still pledged. Both change at one
 * moment once that member has signed and the committee has confirmed.
 * @throws Refusal `guarantor_not_accepted`, `guarantee_conflict`, also in a default, `loan_conflict` for too many requests
 */
export async function replaceGuarantor(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly guaranteeId: string; readonly member: string },
  relatedPairs: RelatedPairs,
): Promise<string> {
  const about = await loanOfGuarantee(tx, input.guaranteeId);
  if (about.borrowerId !== actor.userId || about.saccoId !== input.saccoId) throw noSuchGuarantee();
  await lockSacco(tx, about.saccoId);
  const loan = await lockLoan(tx, about.loanId);
  refuseReplacingInDefault(loan);
  await refuseUnseen(tx, loan);
  const guarantees = await lockGuarantees(tx, [loan.id]);
  const old = guarantees.find(({ id }) => id === input.guaranteeId);
  const isAsked = guarantees.some(
    (row) => row.replaces_id === old?.id && (row.state === 'asked' || row.state === 'accepted'),
  );
  if (old?.state !== 'live' || old.pledged_cents === 0 || isAsked) throw new Refusal('guarantee_conflict');
  const guarantorId = await personOfMember(tx, loan.sacco_id, { member: input.member, amount: old.pledged_cents });
  const isOpen = ({ state }: GuaranteeRow) => state === 'live' || state === 'asked' || state === 'accepted';
  if (guarantees.some((row) => row.guarantor_id === guarantorId && isOpen(row))) {
    throw new Refusal('guarantee_conflict', {
      message: sentence('{name} stands behind this loan already, or is asked to. Choose somebody else.', {
        name: await nameOf(tx, guarantorId),
      }),
    });
  }
  await refuseManyAsks(tx, loan, [guarantorId]);
  await refuseGuarantor(tx, loan, guarantorId, relatedPairs);
  await insertAsked(tx, loan, { guarantorId, amount: old.pledged_cents, replacesId: old.id });
  return loan.id;
}

/** @throws Refusal `guarantee_conflict` under a name whose ID card nobody of the sacco has seen */
async function refuseUnseen(tx: Tx, { borrower_id: userId, sacco_id }: LoanRow): Promise<void> {
  const seen = await hasIdentitySeen(tx, [userId], sacco_id);
  if (seen.has(userId) || !isGuarded('loans.seen_cards')) return;
  throw new Refusal('guarantee_conflict', {
    message: sentence(
      'Show your ID card to an official of your sacco first: nobody asks for a guarantee under a name whose card was not seen.',
    ),
  });
}

/**
 * The credit committee confirms that a guarantor who has signed stands in for another, or refuses. What the new one pledged beyond
 * what the old one still stood for, as the loan was repaid meanwhile, is free again at once. Whoever stands in meets the rules for
 * guarantors at this moment too. Where repayments have freed all that the old one pledged, there is nothing to stand in for: it ends.
 * While the sacco is suspended nobody is bound anew; a refusal still frees whoever was to stand in.
 * Each of the committee refuses once in a loan (docs/decisions/233).
 * @returns the loan, and what became of it
 * @throws Refusal `not_allowed`, also for somebody related, `proof_required`, `sacco_inactive`, `guarantee_conflict`, `guarantor_not_accepted`
 */
export async function decideSubstitution(
  tx: Tx,
  actor: { readonly userId: string; readonly sessionId: string },
  input: { readonly saccoId: string; readonly guaranteeId: string; readonly decision: 'confirm' | 'refuse' },
  relatedPairs: RelatedPairs,
): Promise<{ readonly loanId: string; readonly end: 'replaced' | 'refused' | 'needless' }> {
  const about = await loanOfGuarantee(tx, input.guaranteeId);
  if (about.saccoId !== input.saccoId) throw noSuchGuarantee();
  const loan = await lockLoanOfSacco(tx, about.saccoId, about.loanId);
  await refuseOffice(tx, { ...actor, saccoId: loan.sacco_id }, ['credit_committee']);
  await refuseInterested(tx, actor, loan);
  await requireProof(tx, actor);
  const guarantees = await lockGuarantees(tx, [loan.id]);
  const next = guarantees.find(({ id }) => id === input.guaranteeId);
  const old = guarantees.find(({ id }) => id === next?.replaces_id);
  if (next?.state !== 'accepted' || !old) throw new Refusal('guarantee_conflict');
  await refuseRelated(tx, actor, [loan.borrower_id, old.guarantor_id, next.guarantor_id], relatedPairs);
  const isNeedless = old.state !== 'live' || old.pledged_cents === 0;
  if (input.decision === 'refuse' || isNeedless) {
    if (!isNeedless) await refuseSecondSubstitute(tx, loan.id, actor.userId);
    await free(tx, loan, next, { state: 'voided', decidedBy: isNeedless ? null : actor.userId });
    if (isNeedless) {
      await addLoanEvents(tx, [{ loanId: loan.id, kind: 'guarantor_needless', guaranteeId: next.id }]);
    }
    await tellOfLoans(tx, actor.userId, [{ loan, event: 'pledge_free', guarantee: next }]);
    return { loanId: loan.id, end: isNeedless ? 'needless' : 'refused' };
  }
  await refuseInactiveSacco(tx, loan.sacco_id);
  refuseReplacingInDefault(loan);
  await refuseUnfit(tx, loan, next, relatedPairs);
  if (!isGuarded('loans.substitution')) return { loanId: loan.id, end: 'replaced' };
  const kept = Math.min(next.pledged_cents, old.pledged_cents);
  const surplus = { ...next, pledged_cents: next.pledged_cents - kept };
  await tx.sql`
    update loan_guarantees set state = 'live', state_at = ${tx.now}, pledged_cents = ${kept}, start_cents = ${old.start_cents},
      decided_by = ${actor.userId}
    where id = ${next.id}`;
  if (surplus.pledged_cents > 0) await postAll(tx, [releaseJournal(loan, surplus, 'surplus')]);
  await free(tx, loan, old, { state: 'released', decidedBy: old.decided_by });
  await addLoanEvents(tx, [
    { loanId: loan.id, kind: 'guarantor_replaced', byId: actor.userId, guaranteeId: next.id, amountCents: kept },
  ]);
  await tellOfLoans(tx, actor.userId, [
    { loan, event: 'guarantor_replaced', guarantee: next },
    { loan, event: 'pledge_free', guarantee: old },
  ]);
  return { loanId: loan.id, end: 'replaced' };
}

/** One of the committee decides alone, so it is nobody whose account looks like that of one of the three. @throws Refusal `not_allowed` */
async function refuseRelated(
  tx: Tx,
  { userId }: { readonly userId: string },
  others: readonly string[],
  relatedPairs: RelatedPairs,
): Promise<void> {
  const related = await relatedPairs(
    tx,
    others.map((other) => ({ one: userId, other })),
  );
  if (related.size === 0) return;
  throw new Refusal('not_allowed', {
    message: sentence(
      'Your account looks related to the borrower’s or to a guarantor’s. Another member of the credit committee must decide.',
    ),
  });
}

/** What was true when they signed may have changed since. Their pledge is held already. */
async function refuseUnfit(tx: Tx, loan: LoanRow, next: GuaranteeRow, relatedPairs: RelatedPairs): Promise<void> {
  const about = {
    saccoId: loan.sacco_id,
    borrowerId: loan.borrower_id,
    guarantorId: next.guarantor_id,
    guaranteeId: next.id,
    refinancesId: loan.refinances_id,
  };
  const reason = reasonAgainstGuarantor(await guarantorFacts(tx, about, relatedPairs), 0, tx.now);
  if (reason === null || !isGuarded('loans.guarantors')) return;
  throw new Refusal('guarantor_not_accepted', {
    message: sentence('That member may not guarantee a loan any more. Refuse, then the borrower can name another.'),
  });
}

async function free(
  tx: Tx,
  loan: LoanRow,
  guarantee: Parameters<typeof releaseJournal>[1],
  { state, decidedBy }: { readonly state: 'voided' | 'released'; readonly decidedBy: string | null },
): Promise<void> {
  await tx.sql`
    update loan_guarantees set state = ${state}, state_at = ${tx.now}, pledged_cents = 0, decided_by = ${decidedBy}
    where id = ${guarantee.id}`;
  if (guarantee.pledged_cents > 0) await postAll(tx, [releaseJournal(loan, guarantee)]);
}
