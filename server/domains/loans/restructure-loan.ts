import {
  RESTRUCTURE_ANSWER_DAYS,
  RESTRUCTURE_ENDINGS_MAX,
  RESTRUCTURE_OFFERS_DAYS,
  RESTRUCTURE_OFFICES,
} from '@ushirika/contract/loan-recovery';
import { Refusal } from '@ushirika/contract/refusal';
import { longDate, type Sentence, sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { requireProof } from '../identity/prove-password.ts';
import { dayValues } from '../notifications/sms-values.ts';
import { lockContracts, releaseGuarantees } from '../pools/guarantee-life.ts';
import { KEPT_CLASS_DAYS } from './arrears.rules.ts';
import type { RecoveringActor } from './decide-default.ts';
import { useCode } from './guarantee-codes.ts';
import { insertInstalments } from './insert-instalments.ts';
import { borrowerOf, type LoanNotice, loansToTell, said, sendNotices, smsValues } from './loan-notices.ts';
import { lockLoanOfSacco, refuseInactiveSacco, refuseInterested, refuseOffice } from './loan-officials.ts';
import { loanRecoverySms } from './loan-recovery.sms.ts';
import { addLoanEvents, type LoanRow, lockLoan, noSuchLoan, type Reader } from './loan-rows.ts';
import {
  areDatesMoved,
  datesOf,
  isDated,
  newScheduleHash,
  type RestructureRow,
  scheduleOfOffer,
} from './new-schedule.ts';
import { payFirst } from './new-schedule-cost.ts';
import { postAll, refuseHeldPerson, voidGuarantees } from './pledges.ts';
import type { LateLoan } from './recovery-facts.ts';
import {
  answerUntil,
  hasEndedMany,
  refuseManyOffers,
  refuseTooLong,
  refuseWithoutDeciders,
  whyNoSchedule,
} from './restructure-limits.ts';
import { dayAfter } from './schedule.rules.ts';
import { refuseSecondAccount } from './second-account.ts';
import { tellOfLoans } from './tell-of-loans.ts';
import { tellOfAnswers } from './tell-of-restructures.ts';
import { tellOfSchedule } from './tell-of-votes.ts';
import { refreshDue } from './write-recovery.ts';

const DAY_MS = 86_400_000;

/** In SQL: whether the sides of a loan (`l`) are asked about a new schedule now. */
export const hasOffer = ({ sql, now }: Reader) => (sql as Tx['sql'])`exists (
  select from loan_restructures r where r.loan_id = l.id and r.state = 'proposed' and r.answer_by > ${now})`;

/**
 * An official proposes a new schedule for the principal of a late loan. Interest, penalty, the rate and the pledges stay as they are.
 * Borrower and guarantors are asked once another official has confirmed it.
 * @throws Refusal `not_found`, `not_allowed`, `proof_required`, `sacco_inactive`, `loan_terms_not_met`, `loan_conflict`
 */
export async function proposeRestructure(
  tx: Tx,
  actor: RecoveringActor,
  input: { readonly saccoId: string; readonly loanId: string; readonly months: number; readonly reason: string },
): Promise<void> {
  const loan = (await lockLoanOfSacco(tx, input.saccoId, input.loanId)) as LateLoan;
  await refuseOffice(tx, { ...actor, saccoId: input.saccoId }, RESTRUCTURE_OFFICES);
  await refuseInterested(tx, actor, loan);
  await requireProof(tx, actor);
  await refuseInactiveSacco(tx, input.saccoId);
  await refuseUnfitLoan(tx, loan, input.months);
  await refuseManyOffers(tx, loan.id, actor.userId);
  const added = await tx.sql`
    insert into loan_restructures (id, loan_id, months, principal_cents, reason, proposed_by, proposed_at, answer_by, state, state_at)
    values (${tx.newId()}, ${loan.id}, ${input.months}, ${loan.principal_cents}, ${input.reason}, ${actor.userId}, ${tx.now},
            ${answerBy(tx)}, 'unconfirmed', ${tx.now})
    on conflict do nothing`;
  if (added.count === 0) throw new Refusal('loan_conflict');
  await tellOfSchedule(tx, loan, { byId: actor.userId, asked: RESTRUCTURE_OFFICES });
}

/**
 * A second official confirms what another one has proposed: then borrower and guarantors are asked.
 * @param input `months` are those that were shown
 * @throws Refusal `not_found`, `not_allowed`, `proof_required`, `sacco_inactive`, `loan_terms_not_met`, `loan_conflict`
 */
export async function confirmRestructure(
  tx: Tx,
  actor: RecoveringActor,
  input: { readonly saccoId: string; readonly loanId: string; readonly months: number },
): Promise<void> {
  const loan = (await lockLoanOfSacco(tx, input.saccoId, input.loanId)) as LateLoan;
  await refuseOffice(tx, { ...actor, saccoId: input.saccoId }, RESTRUCTURE_OFFICES);
  await refuseInterested(tx, actor, loan);
  await requireProof(tx, actor);
  await refuseInactiveSacco(tx, input.saccoId);
  const offer = await openOffer(tx, loan.id, 'unconfirmed');
  if (offer.proposed_by === actor.userId) {
    throw new Refusal('not_allowed', { message: sentence('You proposed it. Another official confirms it.') });
  }
  await refuseSecondAccount(tx, actor.userId, [offer.proposed_by], SECOND_ACCOUNT_CONFIRMS);
  await refuseWithoutDeciders(tx, loan, [offer.proposed_by, actor.userId]);
  await refuseUnfitLoan(tx, loan, offer.months);
  if (offer.months !== input.months || offer.principal_cents !== loan.principal_cents) {
    throw new Refusal('loan_conflict', {
      message: sentence('The loan or the offer has changed since it was proposed. Take it back, and propose it anew.'),
    });
  }
  const day = await answerUntil(tx, loan);
  const asked = { principal: loan.principal_cents, months: offer.months };
  const dates = datesOf(scheduleOfOffer(loan, asked, nairobiDay(tx.now)));
  await tx.sql`
    update loan_restructures set state = 'proposed', state_at = ${tx.now}, confirmed_by = ${actor.userId},
      confirmed_at = ${tx.now}, answer_by = ${day}, starts_on = ${dates.starts_on}, first_due_on = ${dates.first_due_on},
      last_due_on = ${dates.last_due_on}
    where id = ${offer.id}`;
  await tellOfOffer(tx, actor.userId, loan.id, { months: offer.months, answerBy: day });
}

const SECOND_ACCOUNT_CONFIRMS = sentence(
  'Your account and that of the official who proposed it look like one person’s. Another official must confirm it.',
);

const answerBy = (tx: Tx) => new Date(tx.now.getTime() + RESTRUCTURE_ANSWER_DAYS * DAY_MS);

/** A late loan that may have a new schedule, and no more months than `longestMonths`. */
async function refuseUnfitLoan(tx: Tx, loan: LateLoan, months: number): Promise<void> {
  if (loan.state !== 'in_arrears' && loan.state !== 'defaulted') throw new Refusal('loan_conflict');
  const barred = await whyNoSchedule(tx, loan);
  if (barred !== null) throw new Refusal('loan_conflict', { message: barred });
  await refuseTooLong(tx, loan, months);
}

async function tellOfOffer(
  tx: Tx,
  causedBy: string,
  loanId: string,
  { months, answerBy }: { readonly months: number; readonly answerBy: Date },
): Promise<void> {
  const { loans, guarantorsOf } = await loansToTell(tx, [loanId]);
  await sendNotices(
    tx,
    causedBy,
    loans.flatMap((loan): LoanNotice[] => {
      const amount = loan.principal_cents;
      const values = {
        sacco: loan.sacco_name,
        number: loan.number,
        amount: said(amount),
        months: sentence('{n, plural, one {# month} other {# months}}', { n: months }),
        day: longDate(answerBy),
      };
      const common = {
        loan,
        kind: 'restructure',
        amount,
        sms: loanRecoverySms.restructure({ ...smsValues(loan, amount), day: dayValues(nairobiDay(answerBy)) }),
      } as const;
      return [
        {
          ...common,
          to: loan.borrower_id,
          text: sentence(
            '{sacco} offers a new schedule for your loan {number}: {amount} in {months}. Say yes or no by {day}. Until everybody has agreed the old one holds.',
            values,
          ),
        },
        ...guarantorsOf(loan.id).map((each) => ({
          ...common,
          to: each.guarantor_id,
          guaranteeId: each.id,
          text: sentence(
            '{sacco} offers a new schedule for the loan {number} of {borrower}, which you guarantee: {amount} in {months}. Your pledge stays {pledge} at most. Say yes or no by {day}. Without your yes the old one holds.',
            { ...values, borrower: borrowerOf(loan), pledge: said(each.pledged_cents) },
          ),
        })),
      ];
    }),
  );
}

/**
 * The proposer takes an offer back, or another official ends it, a few in 30 days; once it is confirmed, whoever proposed or confirmed it.
 * Whoever was not asked yet is not told.
 * @throws Refusal `not_found`, `not_allowed`, `loan_conflict`
 */
export async function withdrawRestructure(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly loanId: string },
): Promise<void> {
  const loan = await lockLoanOfSacco(tx, input.saccoId, input.loanId);
  await refuseOffice(tx, { userId: actor.userId, saccoId: input.saccoId }, RESTRUCTURE_OFFICES);
  await refuseInterested(tx, actor, loan);
  const offer = await openOffer(tx, loan.id, 'unconfirmed', 'proposed');
  const message = await whyNotTakenBack(tx, loan, { offer, userId: actor.userId });
  if (message !== null) throw new Refusal('loan_conflict', { message });
  await tx.sql`
    update loan_restructures set state = 'withdrawn', state_at = ${tx.now}, withdrawn_by = ${actor.userId}
    where id = ${offer.id}`;
  if (offer.state === 'proposed') await tellOfAnswers(tx, actor.userId, [loan.id], 'withdrawn');
}

/**
 * Why an official does not take an offer back or end it. One official alone does not stop what two have offered, nor every offer of another one.
 * Any of them ends one to which nobody can agree any more. Asked of the platform.
 */
export async function whyNotTakenBack(
  reader: Reader,
  loan: LoanRow,
  { offer, userId }: { readonly offer: RestructureRow; readonly userId: string },
): Promise<Sentence | null> {
  if (offer.proposed_by === userId || areDatesMoved(loan, offer) || offer.principal_cents !== loan.principal_cents) {
    return null;
  }
  if (offer.confirmed_by !== null && offer.confirmed_by !== userId) return THEY_ARE_ASKED;
  return (await hasEndedMany(reader, loan.id, userId)) ? ENDED_MANY : null;
}

const THEY_ARE_ASKED = sentence(
  'The borrower and the guarantors have been asked. Only those who proposed or confirmed it take it back.',
);
const ENDED_MANY = sentence(
  'You have ended {n} offers of others for this loan in {days} days. Another official may end this one.',
  { n: RESTRUCTURE_ENDINGS_MAX, days: RESTRUCTURE_OFFERS_DAYS },
);

async function openOffer(tx: Tx, loanId: string, ...states: RestructureRow['state'][]): Promise<RestructureRow> {
  const [offer] = await tx.sql<RestructureRow[]>`
    select * from loan_restructures where loan_id = ${loanId} and state = any (${texts(states)}::text[]) for update`;
  if (!offer || offer.answer_by <= tx.now) throw new Refusal('loan_conflict');
  return offer;
}

async function endOffer(tx: Tx, { id }: RestructureRow, state: RestructureRow['state']): Promise<void> {
  await tx.sql`update loan_restructures set state = ${state}, state_at = ${tx.now} where id = ${id}`;
}

export interface Signed {
  readonly termsHash: string;
  readonly codeId: string | null;
}

/** A guarantor agrees as they signed: with a code that came by SMS, over the hash of the exact terms. */
async function refuseUnsigned(
  tx: Tx,
  { loan, offer, userId }: { readonly loan: LoanRow; readonly offer: RestructureRow; readonly userId: string },
  signed: Signed | undefined,
): Promise<void> {
  if (!isGuarded('loans.guarantee_code')) return;
  if (!signed) throw new Refusal('otp_not_accepted');
  if (!isDated(offer) || newScheduleHash(loan, offer, userId) !== signed.termsHash) {
    throw new Refusal('loan_terms_changed');
  }
  await useCode(tx, signed.codeId, signed.termsHash);
}

/**
 * The borrower or a guarantor answers: a guarantor says yes with a code, the borrower with the password. One no, and the old schedule stays. The borrower answers last, with overdue interest and penalty
 * paid: then the new one holds.
 * @returns what became of the offer
 * @throws Refusal `not_found`, `proof_required`, `payout_held`, `otp_not_accepted`, `loan_terms_changed`, `loan_conflict`
 */
export async function answerRestructure(
  tx: Tx,
  actor: RecoveringActor,
  input: {
    readonly saccoId: string;
    readonly loanId: string;
    readonly agree: boolean;
    /** Of a guarantor: the terms that they read, and which code of theirs was right. */
    readonly signed?: Signed;
  },
): Promise<'in_force' | 'refused' | 'waits'> {
  // Pools are locked before loans.
  if (input.agree) await lockContracts(tx, [input.loanId]);
  const loan = await lockLoan(tx, input.loanId);
  const guarantors = await tx.sql<{ guarantor_id: string }[]>`
    select guarantor_id from loan_guarantees
    where loan_id = ${loan.id} and kind = 'member' and state = 'live' and pledged_cents > 0`;
  const isBorrower = loan.borrower_id === actor.userId;
  const isGuarantor = guarantors.some(({ guarantor_id }) => guarantor_id === actor.userId);
  if (loan.sacco_id !== input.saccoId || !(isBorrower || isGuarantor)) throw noSuchLoan();
  const offer = await openOffer(tx, loan.id, 'proposed');
  if (input.agree) {
    if (isBorrower) await requireProof(tx, actor);
    await refuseHeldPerson(tx, actor.userId);
    if (areDatesMoved(loan, offer)) throw new Refusal('loan_terms_changed', { message: DATES_MOVED });
    if (!isBorrower) await refuseUnsigned(tx, { loan, offer, userId: actor.userId }, input.signed);
  }
  if (isBorrower && input.agree) await refuseBorrowersYes(tx, loan, offer, guarantors.length);
  await tx.sql`
    insert into loan_restructure_answers (restructure_id, user_id, agrees, at)
    values (${offer.id}, ${actor.userId}, ${input.agree}, ${tx.now}) on conflict do nothing`;
  if (!input.agree) {
    await endOffer(tx, offer, 'refused');
    await tellOfAnswers(tx, actor.userId, [loan.id], 'refused');
    return 'refused';
  }
  if (!isBorrower) return 'waits';
  await putInForce(tx, loan, offer);
  return 'in_force';
}

const DATES_MOVED = sentence(
  'A month of the loan has ended since this was offered, and the dates have moved. Ask your sacco for another offer.',
);

/** The borrower's yes puts the schedule in force: every guarantor has agreed, and what was due besides principal is paid. */
async function refuseBorrowersYes(tx: Tx, loan: LoanRow, offer: RestructureRow, guarantors: number): Promise<void> {
  const [agreed] = await tx.sql<{ guarantors: number }[]>`
    select count(*)::int as guarantors from loan_restructure_answers a
    join loan_guarantees g on g.loan_id = ${loan.id} and g.guarantor_id = a.user_id and g.kind = 'member' and g.state = 'live'
      and g.pledged_cents > 0
    where a.restructure_id = ${offer.id} and a.agrees`;
  if ((agreed?.guarantors ?? 0) < guarantors) {
    throw new Refusal('loan_conflict', {
      message: sentence('Your guarantors answer first. You will see here once all of them have agreed.'),
    });
  }
  if (loan.principal_cents !== offer.principal_cents || (loan.state !== 'in_arrears' && loan.state !== 'defaulted')) {
    throw new Refusal('loan_conflict', {
      message: sentence('The loan has changed since this was offered. Ask for another offer.'),
    });
  }
  const unpaid = await payFirst(tx, loan);
  if (unpaid > 0) {
    throw new Refusal('loan_conflict', {
      message: sentence('Pay the overdue interest and penalty first: {amount}. Then agree.', { amount: said(unpaid) }),
    });
  }
}

/**
 * Principal that is not paid moves to the new instalments; the period under way keeps its interest. Who was to stand in for a guarantor
 * has not agreed to it: they are free, and the borrower asks anew. A pool's demand is over with the arrears. The class gets no better by
 * it for a time: a bad loan is not a good one because its dates have moved.
 */
async function putInForce(tx: Tx, loan: LoanRow, offer: RestructureRow): Promise<void> {
  const agreed = { principal: loan.principal_cents, months: offer.months };
  const schedule = scheduleOfOffer(loan, agreed, offer.starts_on ?? nairobiDay(tx.now));
  await tx.sql`delete from loan_instalments where loan_id = ${loan.id} and number > ${loan.period_number}`;
  await tx.sql`
    update loan_instalments set principal_cents = paid_principal_cents where loan_id = ${loan.id} and paid_on is null`;
  await insertInstalments(tx, [{ loanId: loan.id, instalments: schedule }]);
  await refreshDue(tx, loan.id);
  await tx.sql`
    update loans set restructured_cents = ${loan.principal_cents}, restructured_months = ${offer.months},
      state = 'active', state_at = ${tx.now}, arrears_since = null, notices_given = 0, defaulted_at = null,
      duplum_cents = null, charged_since_default_cents = 0, kept_class = nullif(class, 'performing'),
      kept_class_until = case when class <> 'performing' then ${dayAfter(nairobiDay(tx.now), KEPT_CLASS_DAYS)}::date end
    where id = ${loan.id}`;
  await endOffer(tx, offer, 'in_force');
  await addLoanEvents(tx, [
    { loanId: loan.id, kind: 'restructured', amountCents: loan.principal_cents, number: offer.months },
  ]);
  const repaid = { loanId: loan.id, principalOut: loan.principal_cents, principalAtStart: loan.amount_cents };
  await postAll(tx, await releaseGuarantees(tx, [{ ...repaid, isCured: true }]));
  const ended = await voidGuarantees(tx, [loan], ({ replaces_id }) => replaces_id !== null);
  await tellOfAnswers(tx, loan.borrower_id, [loan.id], 'in_force');
  await tellOfLoans(
    tx,
    loan.borrower_id,
    ended.map((guarantee) => ({ loan, event: 'pledge_free' as const, guarantee })),
  );
}
