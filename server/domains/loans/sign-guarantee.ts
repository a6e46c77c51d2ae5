import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import type { RelatedPairs } from '../identity/related-pairs.types.ts';
import { accountValue, amountValue, personValue, type SmsValue } from '../notifications/sms-values.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { askScheduleCode } from './ask-schedule-code.ts';
import { sendGuaranteeCode, tryCode, useCode } from './guarantee-codes.ts';
import { guarantorFacts } from './loan-facts.ts';
import {
  addLoanEvents,
  type GuaranteeRow,
  type LoanRow,
  loanOfGuarantee,
  lockLoan,
  noSuchGuarantee,
} from './loan-rows.ts';
import { guaranteeTerms, guaranteeTermsHash } from './loan-terms.ts';
import { isReplaceable, reasonAgainstGuarantor } from './loans.rules.ts';
import { loansSms } from './loans.sms.ts';
import { expiryFrom } from './own-loan.ts';
import { heldForRefinanced, pledgeJournal, postAll, refuseHeldPerson, releaseJournal } from './pledges.ts';
import { tellOfLoans } from './tell-of-loans.ts';

interface Locked {
  readonly loan: LoanRow;
  readonly guarantee: GuaranteeRow;
}

type Actor = { readonly userId: string };

/** Locks the sacco, the loan and a guarantee that is asked of somebody. @throws Refusal `not_found` */
export async function lockOwnGuarantee(tx: Tx, { userId }: Actor, id: string): Promise<Locked> {
  const about = await loanOfGuarantee(tx, id);
  if (about.guarantorId !== userId) throw noSuchGuarantee();
  await lockSacco(tx, about.saccoId);
  const loan = await lockLoan(tx, about.loanId);
  const [guarantee] = await tx.sql<GuaranteeRow[]>`select * from loan_guarantees where id = ${id} for update`;
  if (!guarantee) throw noSuchGuarantee();
  return { loan, guarantee };
}

/**
 * No guarantor is replaced once a default is decided: whoever stands in would have notices of their own, and every step of the recovery
 * would wait for them, as often as the borrower names another.
 * @throws Refusal `guarantee_conflict`
 */
export function refuseReplacingInDefault(loan: Pick<LoanRow, 'state'>): void {
  if (loan.state !== 'defaulted' && loan.state !== 'recovering') return;
  throw new Refusal('guarantee_conflict', {
    message: sentence('This loan is in default. Its guarantors are not replaced any more.'),
  });
}

/** Whether a request can be answered: in an application, or in the place of a guarantor of a loan that is owed. */
export function isAnswerable(
  { loan, guarantee }: { loan: Pick<LoanRow, 'state'>; guarantee: GuaranteeRow },
  now: Date,
): boolean {
  if (guarantee.state !== 'asked' || guarantee.answer_by === null || guarantee.answer_by <= now) return false;
  if (guarantee.replaces_id !== null) return isReplaceable(loan);
  return loan.state === 'guarantors_pending' || loan.state === 'returned';
}

function refuseUnanswerable(locked: Locked, now: Date): void {
  if (locked.guarantee.replaces_id !== null) refuseReplacingInDefault(locked.loan);
  if (!isAnswerable(locked, now)) throw new Refusal('guarantee_conflict');
}

function refuseOtherTerms({ loan, guarantee }: Locked, shown: string): void {
  if (guaranteeTermsHash(loan, guarantee) !== shown && isGuarded('loans.signed_terms'))
    throw new Refusal('loan_terms_changed');
}

/**
 * Sends the code that signs to the guarantor's own confirmed phone. The SMS says what is signed and what can be lost. Of a guarantee in
 * force the code agrees to the new schedule that is offered.
 * @throws Refusal `guarantee_conflict`, `loan_terms_changed`, `phone_unconfirmed`, `too_many_requests`
 */
export async function askGuaranteeCode(
  tx: Tx,
  actor: Actor,
  input: { readonly guaranteeId: string; readonly termsHash: string },
): Promise<Date> {
  const locked = await lockOwnGuarantee(tx, actor, input.guaranteeId);
  if (locked.guarantee.state === 'live') return askScheduleCode(tx, actor, { ...locked, termsHash: input.termsHash });
  refuseUnanswerable(locked, tx.now);
  refuseOtherTerms(locked, input.termsHash);
  const { loan, guarantee } = locked;
  const [borrower] = await tx.sql<{ first_name: string; last_name: string; account_number: string }[]>`
    select first_name, last_name, account_number from users where id = ${loan.borrower_id}`;
  const words = (code: SmsValue) =>
    loansSms.guaranteeCode(
      code,
      borrower ? personValue(borrower) : null,
      accountValue(borrower?.account_number ?? ''),
      amountValue(loan.amount_cents),
      amountValue(guarantee.amount_cents),
    );
  return sendGuaranteeCode(tx, actor, { ...input, words });
}

/**
 * A guarantor signs with the code. A wrong code is counted in a transaction of its own, so that a refusal cannot take it back. Then
 * all rules are asked under the sacco's lock, and the pledge is held at once: of two signatures for the last free savings one
 * comes first.
 * @throws Refusal `guarantee_conflict`, `payout_held`, `loan_terms_changed`, `otp_not_accepted`, `guarantor_not_accepted`
 */
export async function acceptGuarantee(
  database: Database,
  actor: Actor,
  input: { readonly guaranteeId: string; readonly termsHash: string; readonly code: string },
  relatedPairs: RelatedPairs,
): Promise<void> {
  const codeId = await asSystem(() => tryCode(database, input));
  await asSystem(() =>
    database.transaction(async (tx) => {
      const locked = await lockOwnGuarantee(tx, actor, input.guaranteeId);
      refuseUnanswerable(locked, tx.now);
      await refuseHeldPerson(tx, actor.userId);
      refuseOtherTerms(locked, input.termsHash);
      await useCode(tx, codeId, input.termsHash);
      await refuseUnable(tx, locked, relatedPairs);
      await sign(tx, locked);
    }),
  );
}

/** The guarantor may know why. */
async function refuseUnable(tx: Tx, { loan, guarantee }: Locked, relatedPairs: RelatedPairs): Promise<void> {
  const about = {
    saccoId: loan.sacco_id,
    borrowerId: loan.borrower_id,
    guarantorId: guarantee.guarantor_id,
    guaranteeId: guarantee.id,
    refinancesId: loan.refinances_id,
  };
  const facts = await guarantorFacts(tx, about, relatedPairs);
  const pledge = guarantee.amount_cents - (await heldForRefinanced(tx, loan, guarantee.guarantor_id));
  const reason = reasonAgainstGuarantor(facts, Math.max(0, pledge), tx.now);
  if (reason === null || !isGuarded('loans.guarantors')) return;
  const messages = {
    savings: sentence('Your free savings do not reach for this pledge.'),
    too_many: sentence('You stand behind as many loans as one member may.'),
    in_arrears: sentence('An instalment of yours is overdue, or your guarantors are not paid back. Pay first.'),
    too_new: sentence('You have not been a member for long enough to guarantee a loan.'),
  };
  const message =
    reason in messages ? messages[reason as keyof typeof messages] : sentence('You cannot guarantee this loan.');
  throw new Refusal('guarantor_not_accepted', { message });
}

async function sign(tx: Tx, { loan, guarantee }: Locked): Promise<void> {
  const held = Math.max(0, guarantee.amount_cents - (await heldForRefinanced(tx, loan, guarantee.guarantor_id)));
  if (held > 0) await postAll(tx, [pledgeJournal(loan, guarantee, { cents: held, moment: 'signed' })]);
  await tx.sql`
    update loan_guarantees set state = 'accepted', state_at = ${tx.now}, signed_at = ${tx.now},
      pledged_cents = ${held}, terms = ${JSON.stringify(guaranteeTerms(loan, guarantee))}::text::jsonb,
      terms_hash = ${guaranteeTermsHash(loan, guarantee)}
    where id = ${guarantee.id}`;
  await addLoanEvents(tx, [
    {
      loanId: loan.id,
      kind: 'guarantor_accepted',
      byId: guarantee.guarantor_id,
      guaranteeId: guarantee.id,
      amountCents: guarantee.amount_cents,
    },
  ]);
  await tellOfLoans(tx, guarantee.guarantor_id, [{ loan, event: 'guarantor_accepted', guarantee }]);
}

/** A signature for an application holds for so long, whatever the borrower does; null before it, and once a loan was paid out. */
export function signatureEnds({ state, signed_at }: Pick<GuaranteeRow, 'state' | 'signed_at'>): Date | null {
  return state === 'accepted' && signed_at !== null ? expiryFrom(signed_at) : null;
}

/** Whether a signature can be taken back: until the application is handed in, or until the committee has confirmed whoever stands in. */
export function isRevocable({ loan, guarantee }: { loan: Pick<LoanRow, 'state'>; guarantee: GuaranteeRow }): boolean {
  if (guarantee.state !== 'accepted' || !isGuarded('loans.taken_back')) return false;
  return guarantee.replaces_id !== null || loan.state === 'guarantors_pending' || loan.state === 'returned';
}

/**
 * A guarantor says no, or takes a signature back: the savings are free again. The borrower learns that, and never why.
 * @throws Refusal `guarantee_conflict`
 */
export async function refuseGuarantee(
  tx: Tx,
  actor: Actor,
  { guaranteeId }: { readonly guaranteeId: string },
): Promise<void> {
  const { loan, guarantee } = await lockOwnGuarantee(tx, actor, guaranteeId);
  if (guarantee.state !== 'asked' && !isRevocable({ loan, guarantee })) throw new Refusal('guarantee_conflict');
  await tx.sql`
    update loan_guarantees set state = 'refused', state_at = ${tx.now}, pledged_cents = 0 where id = ${guarantee.id}`;
  if (guarantee.pledged_cents > 0) await postAll(tx, [releaseJournal(loan, guarantee)]);
  await addLoanEvents(tx, [
    { loanId: loan.id, kind: 'guarantor_refused', byId: actor.userId, guaranteeId: guarantee.id },
  ]);
  await tellOfLoans(tx, actor.userId, [{ loan, event: 'guarantor_refused', guarantee }]);
}

/**
 * A guarantor asks the borrower to find somebody else. They stay bound.
 * @throws Refusal `guarantee_conflict`
 */
export async function askToBeReplaced(
  tx: Tx,
  actor: Actor,
  { guaranteeId }: { readonly guaranteeId: string },
): Promise<void> {
  const { loan, guarantee } = await lockOwnGuarantee(tx, actor, guaranteeId);
  refuseReplacingInDefault(loan);
  if ((guarantee.state !== 'live' && guarantee.state !== 'accepted') || guarantee.release_asked_at !== null) {
    throw new Refusal('guarantee_conflict');
  }
  await tx.sql`update loan_guarantees set release_asked_at = ${tx.now} where id = ${guarantee.id}`;
  await tellOfLoans(tx, actor.userId, [{ loan, event: 'release_asked', guarantee }]);
}
