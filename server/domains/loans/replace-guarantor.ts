import { Refusal } from '@ushirika/contract/refusal';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { insertAsked, personOfMember, refuseGuarantor } from './ask-guarantors.ts';
import type { RelatedPairs } from './loan-facts.ts';
import { refuseInterested, refuseOffice } from './loan-officials.ts';
import {
  addLoanEvents,
  type LoanRow,
  loanOfGuarantee,
  lockGuarantees,
  lockLoan,
  noSuchGuarantee,
} from './loan-rows.ts';
import { postAll, releaseJournal } from './pledges.ts';
import { tellOfLoans } from './tell-of-loans.ts';

/**
 * The borrower of a loan that is owed names another member in a guarantor's place, for what is still pledged. Both change at one
 * moment once that member has signed and the committee has confirmed.
 * @throws Refusal `guarantor_not_accepted`, `guarantee_conflict`
 */
export async function replaceGuarantor(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly guaranteeId: string; readonly member: string },
  relatedPairs: RelatedPairs,
): Promise<string> {
  const about = await loanOfGuarantee(tx, input.guaranteeId);
  if (about.borrowerId !== actor.userId) throw noSuchGuarantee();
  await lockSacco(tx, about.saccoId);
  const loan = await lockLoan(tx, about.loanId);
  const guarantees = await lockGuarantees(tx, [loan.id]);
  const old = guarantees.find(({ id }) => id === input.guaranteeId);
  const isAsked = guarantees.some(
    (row) => row.replaces_id === old?.id && (row.state === 'asked' || row.state === 'accepted'),
  );
  if (old?.state !== 'live' || old.pledged_cents === 0 || isAsked) throw new Refusal('guarantee_conflict');
  const guarantorId = await personOfMember(tx, loan.sacco_id, { member: input.member, amount: old.pledged_cents });
  await refuseGuarantor(tx, loan, guarantorId, relatedPairs);
  if (guarantees.some((row) => row.guarantor_id === guarantorId && (row.state === 'live' || row.state === 'asked'))) {
    throw new Refusal('guarantor_not_accepted');
  }
  await insertAsked(tx, loan, { guarantorId, amount: old.pledged_cents, replacesId: old.id });
  return loan.id;
}

/**
 * The credit committee confirms that a guarantor who has signed stands in for another, or refuses. What the new one pledged beyond
 * what the old one still stood for, as the loan was repaid meanwhile, is free again at once.
 * @throws Refusal `not_allowed`, `guarantee_conflict`
 */
export async function decideSubstitution(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly guaranteeId: string; readonly decision: 'confirm' | 'refuse' },
): Promise<string> {
  const about = await loanOfGuarantee(tx, input.guaranteeId);
  if (about.saccoId !== input.saccoId) throw noSuchGuarantee();
  await lockSacco(tx, about.saccoId);
  const loan = await lockLoan(tx, about.loanId);
  await refuseOffice(tx, { ...actor, saccoId: loan.sacco_id }, ['credit_committee']);
  await refuseInterested(tx, actor, loan);
  const guarantees = await lockGuarantees(tx, [loan.id]);
  const next = guarantees.find(({ id }) => id === input.guaranteeId);
  const old = guarantees.find(({ id }) => id === next?.replaces_id);
  if (next?.state !== 'accepted' || !old) throw new Refusal('guarantee_conflict');
  if (input.decision === 'refuse' || old.state !== 'live') {
    await free(tx, loan, next, 'voided');
    await tellOfLoans(tx, [{ loan, event: 'pledge_free', guarantee: next }]);
    return loan.id;
  }
  if (!isGuarded('loans.substitution')) return loan.id;
  const kept = Math.min(next.pledged_cents, old.pledged_cents);
  const surplus = { ...next, pledged_cents: next.pledged_cents - kept };
  await tx.sql`
    update loan_guarantees set state = 'live', state_at = ${tx.now}, pledged_cents = ${kept}, start_cents = ${old.start_cents}
    where id = ${next.id}`;
  if (surplus.pledged_cents > 0) await postAll(tx, [releaseJournal(loan, surplus, 'surplus')]);
  await free(tx, loan, old, 'released');
  await addLoanEvents(tx, [
    { loanId: loan.id, kind: 'guarantor_replaced', byId: actor.userId, guaranteeId: next.id, amountCents: kept },
  ]);
  await tellOfLoans(tx, [
    { loan, event: 'guarantor_replaced', guarantee: next },
    { loan, event: 'pledge_free', guarantee: old },
  ]);
  return loan.id;
}

async function free(
  tx: Tx,
  loan: LoanRow,
  guarantee: Parameters<typeof releaseJournal>[1],
  state: 'voided' | 'released',
): Promise<void> {
  await tx.sql`
    update loan_guarantees set state = ${state}, state_at = ${tx.now}, pledged_cents = 0 where id = ${guarantee.id}`;
  if (guarantee.pledged_cents > 0) await postAll(tx, [releaseJournal(loan, guarantee)]);
}
