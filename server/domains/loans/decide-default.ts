import { FINAL_NOTICE_OFFICES } from '@ushirika/contract/loan-recovery';
import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { Office } from '@ushirika/contract/route';
import { longDate, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { requireProof } from '../identity/prove-password.ts';
import {
  borrowerOf,
  type LoanNotice,
  loansToTell,
  said,
  sendNotices,
  smsValues,
  type ToldLoan,
} from './loan-notices.ts';
import {
  defaultOffices,
  defaultVoters,
  lockLoanOfSacco,
  refuseInactiveSacco,
  refuseInterested,
  refuseOffice,
  VOTED,
} from './loan-officials.ts';
import { loanRecoverySms } from './loan-recovery.sms.ts';
import { addLoanEvents } from './loan-rows.ts';
import { interestToday } from './payable-loans.ts';
import { voidGuarantees } from './pledges.ts';
import { DEFAULT_VOTES, FINAL_NOTICE_DAYS } from './recovery.rules.ts';
import { type LateLoan, noteStep, recoveryOf, refuseOutOfOrder } from './recovery-facts.ts';
import { refuseSecondAccount } from './second-account.ts';
import { tellOfLoans } from './tell-of-loans.ts';
import { tellOfAnswers } from './tell-of-restructures.ts';
import { tellOfDefault } from './tell-of-votes.ts';

export interface RecoveringActor {
  readonly userId: string;
  readonly sessionId: string;
}

const DAY_MS = 86_400_000;

/**
 * One official's vote that a loan is in default; the second one decides. The official is of the credit committee, or a deputy where the
 * committee is too few. Interest and penalty from then on reach the principal of this moment at most (in duplum).
 * @returns whether the loan is in default now
 * @throws Refusal `not_found`, `not_allowed`, `proof_required`, `sacco_inactive`, `recovery_too_early`, `loan_conflict`
 */
export async function decideDefault(
  tx: Tx,
  actor: RecoveringActor,
  input: { readonly saccoId: string; readonly loanId: string; readonly reason: string },
): Promise<boolean> {
  const loan = (await lockLoanOfSacco(tx, input.saccoId, input.loanId)) as LateLoan;
  const deciding = await defaultOffices(tx, input.saccoId, [loan.id]);
  const offices = deciding.get(loan.id) ?? [];
  const office = await refuseOffice(tx, { ...actor, saccoId: input.saccoId }, offices);
  await refuseInterested(tx, actor, loan);
  await requireProof(tx, actor);
  await refuseInactiveSacco(tx, input.saccoId);
  await refuseOutOfOrder(tx, loan, 'default');
  const voters = (await defaultVoters(tx, input.saccoId, deciding)).get(loan.id) ?? [];
  await refuseSecondAccount(tx, actor.userId, voters);
  const votes = new Set([...voters, actor.userId]).size;
  // Two who voted may both count by an office that one of them took up later. Nothing happens then by itself: one of them votes again.
  if (!voters.includes(actor.userId) || votes < DEFAULT_VOTES) {
    await addRecoveryVote(tx, actor, { loan, kind: 'default', office, reason: input.reason });
  }
  if (votes < DEFAULT_VOTES) {
    await tellOfDefault(tx, loan, actor.userId, offices);
    return false;
  }
  await noteStep(tx, loan, { kind: 'default', byId: actor.userId, amount: loan.principal_cents });
  await tx.sql`
    update loans set state = 'defaulted', state_at = ${tx.now}, defaulted_at = ${tx.now},
      last_default_at = ${tx.now}, duplum_cents = principal_cents, charged_since_default_cents = 0
    where id = ${loan.id}`;
  await addLoanEvents(tx, [
    { loanId: loan.id, kind: 'defaulted', byId: actor.userId, amountCents: loan.principal_cents },
  ]);
  await endReplacements(tx, actor.userId, loan);
  await endOffers(tx, actor.userId, loan);
  await tellSides(tx, actor.userId, loan.id, { kind: 'defaulted', amount: loan.principal_cents });
  return true;
}

/** Nobody stands in for a guarantor any more. Who has signed for it is free. */
async function endReplacements(tx: Tx, causedBy: string, loan: LateLoan): Promise<void> {
  const ended = await voidGuarantees(tx, [loan], ({ replaces_id }) => replaces_id !== null);
  const signed = ended.filter(({ state }) => state === 'accepted');
  await tellOfLoans(
    tx,
    causedBy,
    signed.map((guarantee) => ({ loan, event: 'pledge_free' as const, guarantee })),
  );
}

/** A default is decided: a new schedule that was offered before does not end it. Whoever was asked is told. */
async function endOffers(tx: Tx, causedBy: string, loan: LateLoan): Promise<void> {
  const ended = await tx.sql<{ is_confirmed: boolean }[]>`
    update loan_restructures set state = 'withdrawn', state_at = ${tx.now}
    where loan_id = ${loan.id} and state in ('unconfirmed', 'proposed')
    returning confirmed_by is not null as is_confirmed`;
  if (ended.some(({ is_confirmed }) => is_confirmed)) await tellOfAnswers(tx, causedBy, [loan.id], 'defaulted');
}

/**
 * Keeps an official's vote for a step of these arrears. Once each.
 * @throws Refusal `loan_conflict`
 */
export async function addRecoveryVote(
  tx: Tx,
  { userId }: { readonly userId: string },
  vote: {
    readonly loan: LateLoan;
    readonly kind: 'default' | 'write_off';
    readonly office: Office;
    readonly reason: string;
  },
): Promise<void> {
  const { loan, kind, office, reason } = vote;
  const added = await tx.sql`
    insert into loan_recovery_voices (loan_id, kind, arrears_since, by_id, office, reason, at)
    values (${loan.id}, ${kind}, ${loan.arrears_since}, ${userId}, ${office}, ${reason}, ${tx.now})
    on conflict do nothing`;
  if (added.count === 0) {
    throw new Refusal('loan_conflict', {
      message: VOTED,
    });
  }
}

/**
 * The final notice: in 14 days savings may be taken. Whoever has not been told of these arrears is told; a second time it goes to
 * guarantors alone who have signed since.
 * @throws Refusal `not_found`, `not_allowed`, `proof_required`, `recovery_too_early`, `loan_conflict`
 */
export async function sendFinalNotice(
  tx: Tx,
  actor: RecoveringActor,
  input: { readonly saccoId: string; readonly loanId: string },
): Promise<void> {
  const loan = (await lockLoanOfSacco(tx, input.saccoId, input.loanId)) as LateLoan;
  await refuseOffice(tx, { userId: actor.userId, saccoId: input.saccoId }, FINAL_NOTICE_OFFICES);
  await refuseInterested(tx, actor, loan);
  await requireProof(tx, actor);
  const { facts } = await recoveryOf(tx, loan);
  const interest = (await interestToday(tx, [loan])).get(loan.id) ?? loan.interest_cents;
  const owed = loan.principal_cents + interest + loan.penalty_cents;
  if (facts.done.final_notice === undefined) {
    await refuseOutOfOrder(tx, loan, 'final_notice');
    await noteStep(tx, loan, { kind: 'final_notice', byId: actor.userId, amount: owed });
    await addLoanEvents(tx, [{ loanId: loan.id, kind: 'final_notice', byId: actor.userId, amountCents: owed }]);
  } else if (facts.finalNoticeAt !== null || facts.done.guarantors) {
    throw new Refusal('loan_conflict');
  }
  await tellSides(tx, actor.userId, loan.id, { kind: 'final', amount: owed });
}

/** Tells the borrower and every guarantor who was not told of it during these arrears. */
async function tellSides(
  tx: Tx,
  causedBy: string,
  loanId: string,
  { kind, amount }: { readonly kind: 'defaulted' | 'final'; readonly amount: Cents },
): Promise<void> {
  const { loans, guarantorsOf } = await loansToTell(tx, [loanId]);
  const [loan] = loans;
  if (!loan) return;
  const told = await tx.sql<{ user_id: string }[]>`
    select user_id from loan_notices where loan_id = ${loanId} and kind = ${kind} and arrears_since = ${loan.arrears_since}`;
  const isTold = new Set(told.map(({ user_id }) => user_id));
  const sms = kind === 'final' ? loanRecoverySms.final : loanRecoverySms.defaulted;
  const notices: LoanNotice[] = [
    {
      loan,
      kind,
      to: loan.borrower_id,
      amount,
      text: borrowersText(tx, loan, kind, amount),
      sms: sms(smsValues(loan, amount)),
    },
    ...guarantorsOf(loanId).map((each): LoanNotice => {
      const values = smsValues(loan, each.pledged_cents);
      return {
        loan,
        kind,
        to: each.guarantor_id,
        guaranteeId: each.id,
        amount: each.pledged_cents,
        text: guarantorsText(tx, loan, kind, each.pledged_cents),
        sms: kind === 'final' ? loanRecoverySms.finalToGuarantor(values) : loanRecoverySms.secondToGuarantor(values),
      };
    }),
  ];
  await sendNotices(
    tx,
    causedBy,
    notices.filter(({ to }) => !isTold.has(to)),
  );
}

const takenFrom = (tx: Tx) => longDate(new Date(tx.now.getTime() + FINAL_NOTICE_DAYS * DAY_MS));

function borrowersText(tx: Tx, loan: ToldLoan, kind: 'defaulted' | 'final', amount: Cents) {
  const values = { sacco: loan.sacco_name, number: loan.number, amount: said(amount) };
  return kind === 'defaulted'
    ? sentence(
        '{sacco}: the credit committee has decided that your loan {number} is in default. {amount} of principal is owed.',
        values,
      )
    : sentence(
        'Final notice of {sacco}: from {day} on your savings may be taken for the {amount} that you owe of loan {number}. Pay before that day to keep them.',
        { ...values, day: takenFrom(tx) },
      );
}

function guarantorsText(tx: Tx, loan: ToldLoan, kind: 'defaulted' | 'final', pledged: Cents) {
  const values = {
    sacco: loan.sacco_name,
    number: loan.number,
    borrower: borrowerOf(loan),
    pledge: said(pledged),
  };
  return kind === 'defaulted'
    ? sentence(
        '{sacco}: the credit committee has decided that the loan {number} of {borrower}, which you guarantee with {pledge}, is in default.',
        values,
      )
    : sentence(
        'Final notice of {sacco}: from {day} on up to {pledge} of your savings may be taken for the loan {number} of {borrower}. The savings of {borrower} are taken first.',
        { ...values, day: takenFrom(tx) },
      );
}
