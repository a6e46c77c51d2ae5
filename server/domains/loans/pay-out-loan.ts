import { PAYOUT_OFFICES } from '@ushirika/contract/loans';
import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { lockAccounts } from '../../ledger/balances.ts';
import type { JournalInput } from '../../ledger/ledger.types.ts';
import { post } from '../../ledger/post.ts';
import { requireProof } from '../identity/prove-password.ts';
import { activateGuarantee } from '../pools/guarantee-life.ts';
import { ownLoans } from './apply-for-loan.ts';
import { insertInstalments } from './insert-instalments.ts';
import { coverFor, refuseClosedPool } from './loan-cover.ts';
import { borrowerFacts, refuseAboveLimit, refuseUnfit } from './loan-limits.ts';
import {
  interestedIn,
  lockLoanOfSacco,
  officialsWith,
  refuseInactiveSacco,
  refuseInterested,
  refuseOffice,
} from './loan-officials.ts';
import {
  addLoanEvents,
  type GuaranteeRow,
  type LoanRow,
  lockGuarantees,
  principalOf,
  settlementOf,
  walletOf,
} from './loan-rows.ts';
import { costOf, guaranteeTermsHash, loanTermsHash, termsOfLoan } from './loan-terms.ts';
import { refuseSecondRefusal } from './one-no.ts';
import { expiryFrom, lockOwnLoan, refuseState } from './own-loan.ts';
import { pledgeJournal, postAll, refuseHeldPerson } from './pledges.ts';
import { type Refinanced, refinancedBy } from './refinance-loan.ts';
import { accountsOfPayoff, repayLoans } from './repay-loans.ts';
import { reviewersOf } from './review-loan.ts';
import { type ScheduledInstalment, scheduleOf, termsOf } from './schedule.rules.ts';
import { independentOf, refuseSecondAccount } from './second-account.ts';
import { tellOfLoans } from './tell-of-loans.ts';

type Actor = { readonly userId: string; readonly sessionId: string };

function refuseOtherTerms(loan: LoanRow, shown: string): void {
  const isSame = loan.terms_hash === shown && loanTermsHash(loan) === loan.terms_hash;
  if (!isSame && isGuarded('loans.signed_terms')) throw new Refusal('loan_terms_changed');
}

/**
 * The borrower accepts the key facts of an approved loan, by the hash that was shown.
 * @throws Refusal `proof_required`, `payout_held`, `phone_unconfirmed`, `loan_terms_changed`, `loan_conflict`
 */
export async function acceptLoan(
  tx: Tx,
  actor: Actor,
  input: { readonly loanId: string; readonly termsHash: string; readonly payTo: 'wallet' | 'mpesa' },
): Promise<void> {
  const loan = await lockOwnLoan(tx, actor, input.loanId);
  refuseState(loan, 'approved');
  await requireProof(tx, actor);
  await refuseHeldPerson(tx, actor.userId);
  if (input.payTo === 'mpesa') {
    const [user] = await tx.sql`select from users where id = ${actor.userId} and phone_confirmed_at is not null`;
    if (!user) throw new Refusal('phone_unconfirmed');
  }
  refuseOtherTerms(loan, input.termsHash);
  await tx.sql`
    update loans set state = 'accepted', state_at = ${tx.now}, accepted_at = ${tx.now}, accepted_hash = ${input.termsHash},
      pay_to = ${input.payTo}, expires_at = ${expiryFrom(tx.now)}
    where id = ${loan.id}`;
  await addLoanEvents(tx, [{ loanId: loan.id, kind: 'accepted', byId: actor.userId }]);
  await tellOfLoans(tx, actor.userId, [{ loan, event: 'accepted' }]);
}

/**
 * An official orders that an accepted loan be paid out. Nothing moves before another one has checked it.
 * @throws Refusal `not_allowed`, `proof_required`, `sacco_inactive`, `second_official_required`, `loan_terms_changed`, `loan_conflict`
 */
export async function orderDisbursement(
  tx: Tx,
  actor: Actor,
  input: { readonly saccoId: string; readonly loanId: string; readonly termsHash: string },
): Promise<void> {
  const loan = await lockLoanOfSacco(tx, input.saccoId, input.loanId);
  await refuseOffice(tx, { ...actor, saccoId: loan.sacco_id }, PAYOUT_OFFICES);
  await refuseInterested(tx, actor, loan);
  await requireProof(tx, actor);
  await refuseInactiveSacco(tx, loan.sacco_id);
  refuseState(loan, 'accepted');
  refuseOtherTerms(loan, input.termsHash);
  const [reviewers, approvers] = [await reviewersOf(tx, loan), await reviewersOf(tx, loan, 'approve')];
  const without = [...(await interestedIn(tx, loan)), ...reviewers, actor.userId];
  const free = await officialsWith(tx, loan.sacco_id, PAYOUT_OFFICES, without);
  const others = await independentOf(tx, free, [...approvers, actor.userId]);
  if (others.length === 0) throw new Refusal('second_official_required');
  await tx.sql`
    insert into loan_disbursements (id, loan_id, terms_hash, ordered_by, ordered_at, state)
    values (${tx.newId()}, ${loan.id}, ${loan.terms_hash}, ${actor.userId}, ${tx.now}, 'ordered')`;
  await tx.sql`update loans set state = 'disbursing', state_at = ${tx.now} where id = ${loan.id}`;
  await addLoanEvents(tx, [{ loanId: loan.id, kind: 'disbursement_ordered', byId: actor.userId }]);
  await tellOfLoans(tx, actor.userId, [{ loan, event: 'to_check', officials: others }]);
}

/**
 * Another official pays the loan out, or refuses. All rules are asked once more under the sacco's lock, so that of two checks at
 * once one finds the loan paid out.
 * @throws Refusal `not_allowed`, `proof_required`, `sacco_inactive`, `loan_terms_changed`, `loan_not_covered`,
 *   `loan_limit_exceeded`, `sacco_funds_insufficient`, `loan_conflict`
 */
export async function decideDisbursement(
  tx: Tx,
  actor: Actor,
  input: {
    readonly saccoId: string;
    readonly loanId: string;
    readonly termsHash: string;
    readonly decision: 'pay' | 'refuse';
    readonly reason: string | null;
  },
): Promise<void> {
  const loan = await lockLoanOfSacco(tx, input.saccoId, input.loanId);
  await refuseOffice(tx, { ...actor, saccoId: loan.sacco_id }, PAYOUT_OFFICES);
  await refuseInterested(tx, actor, loan);
  await requireProof(tx, actor);
  refuseState(loan, 'disbursing');
  const [order] = await tx.sql<{ id: string; ordered_by: string; terms_hash: string }[]>`
    select id, ordered_by, terms_hash from loan_disbursements where loan_id = ${loan.id} and state = 'ordered' for update`;
  if (!order) throw new Refusal('loan_conflict');
  if (order.ordered_by === actor.userId && isGuarded('loans.two_officials')) {
    throw new Refusal('not_allowed', { message: sentence('You ordered this payment, so another official checks it.') });
  }
  const reviewers = await reviewersOf(tx, loan);
  if (reviewers.includes(actor.userId) && isGuarded('loans.two_officials')) {
    throw new Refusal('not_allowed', {
      message: sentence('You decided about this application, so another official checks its payout.'),
    });
  }
  // Either account may stop it. Another account of whoever voted no may pay it out: only those who agreed have had their vote for it.
  if (input.decision === 'pay') {
    const agreed = [...(await reviewersOf(tx, loan, 'approve')), order.ordered_by];
    await refuseSecondAccount(tx, actor.userId, agreed, SECOND_ACCOUNT_CHECKS);
  }
  if (input.decision === 'refuse') await refuseSecondRefusal(tx, loan.id, actor.userId);
  refuseOtherTerms(loan, input.termsHash);
  await tx.sql`
    update loan_disbursements set state = ${input.decision === 'pay' ? 'paid' : 'refused'}, decided_by = ${actor.userId},
      decided_at = ${tx.now}, reason = ${input.reason}
    where id = ${order.id}`;
  if (input.decision === 'refuse') return refusePayment(tx, actor, loan, input.reason);
  await payOut(tx, actor, loan);
}

export const SECOND_ACCOUNT_CHECKS = sentence(
  'Your account and that of an official who approved this loan or ordered its payout look like one person’s. Another official must check the payout.',
);

async function refusePayment(tx: Tx, actor: Actor, loan: LoanRow, reason: string | null): Promise<void> {
  await tx.sql`
    update loans set state = 'accepted', state_at = ${tx.now}, state_reason = ${reason}, expires_at = ${expiryFrom(tx.now)}
    where id = ${loan.id}`;
  await addLoanEvents(tx, [{ loanId: loan.id, kind: 'disbursement_refused', byId: actor.userId, text: reason }]);
  await tellOfLoans(tx, actor.userId, [{ loan, event: 'disbursement_refused' }]);
}

/** Asks all rules that were asked when it was applied for, submitted and signed. */
async function refuseUnfitNow(tx: Tx, loan: LoanRow, guarantees: readonly GuaranteeRow[]): Promise<void> {
  const terms = await termsOfLoan(tx, loan);
  const facts = await borrowerFacts(tx, { saccoId: loan.sacco_id, userId: loan.borrower_id }, ownLoans(loan));
  try {
    refuseUnfit(facts, { terms, amount: null });
  } catch (refusal) {
    if (refusal instanceof Refusal && refusal.code !== 'sacco_inactive') {
      throw new Refusal('loan_limit_exceeded', { message: sentence('The borrower may not borrow now.') });
    }
    throw refusal;
  }
  if (facts.standing.isSuspended) {
    throw new Refusal('loan_limit_exceeded', { message: sentence('The borrower may not borrow now.') });
  }
  refuseAboveLimit(facts, { terms, offer: loan, netIncome: loan.net_income_cents }, loan.amount_cents);
  await refuseClosedPool(tx, loan);
  const cover = await coverFor(tx, loan, guarantees, 0);
  const areSigned = guarantees.every(
    (row) =>
      row.state !== 'accepted' || row.terms_hash === guaranteeTermsHash(loan, row) || !isGuarded('loans.signed_terms'),
  );
  if (!cover.isCovered || !areSigned) throw new Refusal('loan_not_covered');
}

async function payOut(tx: Tx, actor: Actor, loan: LoanRow): Promise<void> {
  const refinanced = await refinancedBy(tx, loan);
  const guarantees = await lockGuarantees(tx, [loan.id]);
  await refuseUnfitNow(tx, loan, guarantees);
  const { fee, paidOut } = costOf(loan);
  const from = nairobiDay(tx.now);
  const { amount_cents: amount, months } = loan;
  const { instalments } = scheduleOf({ ...termsOf(loan), amount, months, from });
  const poolFee = await activateGuarantee(tx, { loanId: loan.id, saccoId: loan.sacco_id, principal: amount });
  const journals = [disbursementJournal(loan, { fee, paidOut, causedBy: actor.userId }), ...(poolFee ? [poolFee] : [])];
  const accounts = await lockAccounts(tx, [
    ...journals.flatMap(({ transfers }) => transfers).flatMap(({ debit, credit }) => [debit, credit]),
    ...(refinanced ? await accountsOfPayoff(tx, refinanced.old) : []),
  ]);
  if (accounts.balanceOf(cashOf(loan)) < paidOut) throw new Refusal('sacco_funds_insufficient');
  await postAll(tx, journals, accounts);
  // What of the loan is in the wallet once the pool and the old loan are paid goes on to the phone.
  const left = paidOut - (poolFee?.transfers[0]?.amount ?? 0) - (refinanced?.payoff ?? 0);
  await keepPaidOut(tx, loan, instalments, { from, left });
  if (refinanced) await payOffOld(tx, loan, refinanced);
  await holdAll(tx, loan, guarantees);
  await addLoanEvents(tx, [{ loanId: loan.id, kind: 'disbursed', byId: actor.userId, amountCents: paidOut }]);
  await tellOfLoans(tx, actor.userId, [
    { loan, event: 'disbursed' },
    ...guarantees
      .filter(({ kind, state }) => kind === 'member' && state === 'accepted')
      .map((guarantee) => ({ loan, event: 'pledge_live' as const, guarantee })),
  ]);
}

const cashOf = ({ sacco_id }: LoanRow) => ({ book: sacco_id, kind: 'cash', owner: null }) as const;

function disbursementJournal(
  loan: LoanRow,
  { fee, paidOut, causedBy }: { readonly fee: Cents; readonly paidOut: Cents; readonly causedBy: string },
): JournalInput {
  const book = loan.sacco_id;
  const owed = principalOf(loan);
  return {
    kind: 'loan_disbursed',
    idempotencyKey: `loan_disbursed:${loan.id}`,
    causedBy,
    about: { type: 'loan', id: loan.id },
    transfers: [
      { debit: owed, credit: cashOf(loan), amount: paidOut },
      ...(fee > 0
        ? [{ debit: owed, credit: { book, kind: 'loan_fee_income' as const, owner: null }, amount: fee }]
        : []),
      { debit: settlementOf(book), credit: walletOf(loan.borrower_id), amount: paidOut },
    ],
  };
}

/** The loan's running figures, and its instalments. */
async function keepPaidOut(
  tx: Tx,
  loan: LoanRow,
  instalments: readonly ScheduledInstalment[],
  { from, left }: { readonly from: string; readonly left: Cents },
): Promise<void> {
  const first = instalments[0];
  if (!first) throw new Error('A loan has instalments.');
  await insertInstalments(tx, [{ loanId: loan.id, instalments }]);
  await tx.sql`
    update loans set state = 'active', state_at = ${tx.now}, expires_at = null, disbursed_at = ${tx.now}, disbursed_on = ${from},
      state_reason = null, principal_cents = amount_cents, accrued_through = ${from}, period_number = 1,
      period_starts_on = ${first.startsOn}, period_ends_on = ${first.dueOn}, period_interest_cents = ${first.interest},
      period_accrued_cents = 0, due_number = 1, due_on = ${first.dueOn}, due_cents = ${first.principal + first.interest},
      class = 'performing', to_phone = case when pay_to = 'mpesa' then 'waiting' end,
      to_phone_cents = case when pay_to = 'mpesa' then ${left}::bigint end
    where id = ${loan.id}`;
}

/**
 * The guarantees are in force. What stood for the loan that was paid off is free by now, and is held for this one.
 * @throws Refusal `loan_not_covered`
 */
async function holdAll(tx: Tx, loan: LoanRow, guarantees: readonly GuaranteeRow[]): Promise<void> {
  const missing = guarantees
    .filter(({ state }) => state === 'accepted')
    .map((row) => ({ row, cents: row.amount_cents - row.pledged_cents }))
    .filter(({ cents }) => cents > 0);
  const results = await post(
    tx,
    missing.map(({ row, cents }) => pledgeJournal(loan, row, { cents, moment: 'paid_out' })),
  );
  if (results.some(({ status }) => status !== 'posted')) throw new Refusal('loan_not_covered');
  await tx.sql`
    update loan_guarantees set state = 'live', state_at = ${tx.now}, pledged_cents = amount_cents, start_cents = amount_cents
    where loan_id = ${loan.id} and state = 'accepted'`;
}

/** The old loan is paid off from the new one, in the same transaction. */
async function payOffOld(tx: Tx, loan: LoanRow, { old, payoff }: Refinanced): Promise<void> {
  const [repaid] = await repayLoans(tx, [
    {
      loanId: old.id,
      payerId: loan.borrower_id,
      amountCents: payoff,
      channel: 'refinance',
      key: `loan_refinanced:${loan.id}`,
    },
  ]);
  if (repaid instanceof Refusal) throw repaid;
}
