import { PAYOUT_OFFICES } from '@ushirika/contract/loans';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import type { Office } from '@ushirika/contract/route';
import type { SaccoState } from '@ushirika/contract/saccos';
import { longDate, type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { type Notice, notifyAll } from '../notifications/notify.ts';
import { amountValue, dayValues, type SmsValue, saccoValue } from '../notifications/sms-values.ts';
import type { Sms } from '../notifications/sms-words.ts';
import { sumBack } from './counted-day.rules.ts';
import { interestedIn, officialsWith } from './loan-officials.ts';
import type { GuaranteeRow, LoanRow } from './loan-rows.ts';
import { loansSms } from './loans.sms.ts';
import type { Applied } from './write-repayments.ts';

type ToldLoan = Pick<LoanRow, 'id' | 'number' | 'sacco_id' | 'borrower_id' | 'amount_cents'>;
type ToldGuarantee = Pick<GuaranteeRow, 'id' | 'guarantor_id' | 'amount_cents'>;

type OfBorrower =
  | 'returned'
  | 'approved'
  | 'rejected'
  | 'expired'
  | 'disbursed'
  | 'disbursement_refused'
  | 'closed'
  | 'standing_waiting'
  | 'standing_skipped';
type OfGuarantee =
  | 'guarantor_asked'
  | 'guarantor_accepted'
  | 'guarantor_refused'
  | 'guarantor_lapsed'
  | 'signature_ended'
  | 'guarantor_replaced'
  | 'guarantor_needless'
  | 'release_asked'
  | 'pledge_live'
  | 'pledge_free';

export type LoanTold =
  | { readonly loan: ToldLoan; readonly event: OfBorrower }
  | { readonly loan: ToldLoan; readonly event: OfGuarantee; readonly guarantee: ToldGuarantee }
  | { readonly loan: ToldLoan; readonly event: 'accepted' }
  /** With the offices whose voice it needs or may have. */
  | { readonly loan: ToldLoan; readonly event: 'submitted'; readonly deciders: readonly Office[] }
  | { readonly loan: ToldLoan; readonly event: 'to_check'; readonly officials: readonly string[] };

interface Named {
  readonly name: string;
  readonly value: SmsValue | null;
}

interface Filled {
  readonly sacco: string;
  readonly amount: string;
}

const borrowerWords: Readonly<Record<OfBorrower, (values: Filled) => Sentence>> = {
  returned: (v) =>
    sentence(
      '{sacco}: your application for a loan of {amount} comes back to you. Read why, change it and submit it again.',
      v,
    ),
  approved: (v) =>
    sentence('{sacco}: your loan of {amount} is approved. Read its key facts and accept them within 30 days.', v),
  rejected: (v) => sentence('{sacco}: your application for a loan of {amount} is rejected. Read why under Loans.', v),
  expired: (v) =>
    sentence('{sacco}: your application for a loan of {amount} has expired. What was pledged for it is free again.', v),
  disbursed: (v) =>
    sentence('{sacco}: your loan of {amount} is paid out. What is left after its fee is in your wallet.', v),
  disbursement_refused: (v) => sentence('{sacco}: your loan of {amount} was not paid out. Read why under Loans.', v),
  closed: (v) => sentence('{sacco}: nothing is owed any more of your loan of {amount}. It is closed.', v),
  standing_waiting: (v) =>
    sentence('{sacco}: your wallet holds too little for the instalment of your loan. We try again tomorrow.', v),
  standing_skipped: (v) =>
    sentence('{sacco}: your wallet held too little for the instalment of your loan on three days. Pay it by hand.', v),
};

const guaranteeWords: Readonly<
  Record<OfGuarantee, { readonly to: 'borrower' | 'guarantor'; readonly text: (values: Filled) => Sentence }>
> = {
  guarantor_asked: {
    to: 'guarantor',
    text: (v) =>
      sentence(
        '{sacco}: a member asks you to pledge {amount} for their loan. Read what you can lose before you answer, within 7 days.',
        v,
      ),
  },
  guarantor_accepted: {
    to: 'borrower',
    text: (v) => sentence('{sacco}: a member has signed to guarantee {amount} of your loan.', v),
  },
  guarantor_refused: {
    to: 'borrower',
    text: (v) =>
      sentence('{sacco}: a member does not guarantee the {amount} that you asked for. Ask somebody else.', v),
  },
  guarantor_lapsed: {
    to: 'borrower',
    text: (v) => sentence('{sacco}: a member has not answered for 7 days about {amount}. Ask somebody else.', v),
  },
  signature_ended: {
    to: 'borrower',
    text: (v) =>
      sentence(
        '{sacco}: a member’s signature for {amount} of your loan is 30 days old and has ended. Ask them again.',
        v,
      ),
  },
  guarantor_replaced: {
    to: 'guarantor',
    text: (v) => sentence('{sacco}: you now stand for a loan in another member’s place, with up to {amount}.', v),
  },
  guarantor_needless: {
    to: 'guarantor',
    text: (v) =>
      sentence('{sacco}: you need not answer about {amount} any more. Nobody has to stand in for that guarantor.', v),
  },
  release_asked: {
    to: 'borrower',
    text: (v) => sentence('{sacco}: a guarantor of {amount} asks you to name somebody else in their place.', v),
  },
  pledge_live: {
    to: 'guarantor',
    text: (v) =>
      sentence('{sacco}: the loan for which you pledged {amount} is paid out. Your pledge shrinks as it is repaid.', v),
  },
  pledge_free: {
    to: 'guarantor',
    text: (v) => sentence('{sacco}: your pledge for another member’s loan is over. Those savings are free again.', v),
  },
};

const officialWords = {
  submitted: (v: Filled) => sentence('{sacco}: an application for a loan of {amount} waits for a decision.', v),
  accepted: (v: Filled) => sentence('{sacco}: a loan of {amount} was accepted and waits to be paid out.', v),
  to_check: (v: Filled) => sentence('{sacco}: the treasurer has ordered to pay out a loan of {amount}. Check it.', v),
} as const;

/** What costs money if it is missed, or has been waited for, goes out by SMS as well. */
const smsOf: Partial<Record<LoanTold['event'], (sacco: SmsValue | null, amount: SmsValue) => Sms>> = {
  guarantor_asked: loansSms.guarantorAsked,
  approved: loansSms.approved,
  disbursed: loansSms.disbursed,
  standing_skipped: loansSms.standingSkipped,
};

/**
 * Tells people of what happened to loans, in a constant number of statements for each sacco.
 * @param causedBy the account whose act it was; null for the clock
 */
export async function tellOfLoans(tx: Tx, causedBy: string | null, told: readonly LoanTold[]): Promise<void> {
  if (told.length === 0) return;
  const names = await saccosOf(tx, [...new Set(told.map(({ loan }) => loan.sacco_id))]);
  const officials = await officialsOf(tx, told);
  const notices = told.flatMap((one): Notice[] => {
    const sacco = names.get(one.loan.sacco_id) ?? { name: '', value: null };
    const cents = 'guarantee' in one ? one.guarantee.amount_cents : one.loan.amount_cents;
    const values = { sacco: sacco.name, amount: formatShillings(shillingsFromCents(cents)) };
    const sms = smsOf[one.event]?.(sacco.value, amountValue(cents));
    const template = `loan_${one.event}`;
    const notice = (userId: string, text: Sentence): Notice => ({
      userId,
      topic: 'loans',
      template,
      text,
      causedBy,
      ...(sms ? { sms } : {}),
    });
    if ('guarantee' in one) {
      const { to, text } = guaranteeWords[one.event];
      return [notice(to === 'borrower' ? one.loan.borrower_id : one.guarantee.guarantor_id, text(values))];
    }
    if (one.event === 'submitted' || one.event === 'accepted' || one.event === 'to_check') {
      const text = officialWords[one.event](values);
      return (officials.get(one) ?? []).map((userId) => notice(userId, text));
    }
    return [notice(one.loan.borrower_id, borrowerWords[one.event](values))];
  });
  await notifyAll(tx, notices);
}

async function officialsOf(tx: Tx, told: readonly LoanTold[]): Promise<Map<LoanTold, readonly string[]>> {
  const found = new Map<LoanTold, readonly string[]>();
  for (const one of told) {
    if (one.event === 'to_check') found.set(one, one.officials);
    if (one.event === 'submitted') {
      found.set(one, await officialsWith(tx, one.loan.sacco_id, one.deciders, await interestedIn(tx, one.loan)));
    }
    if (one.event === 'accepted') {
      found.set(one, await officialsWith(tx, one.loan.sacco_id, PAYOUT_OFFICES, await interestedIn(tx, one.loan)));
    }
  }
  return found;
}

async function saccosOf(tx: Tx, ids: readonly string[]): Promise<Map<string, Named>> {
  const rows = await tx.sql<{ id: string; name: string; state: SaccoState }[]>`
    select id, name, state from saccos where id = any (${texts(ids)}::uuid[])`;
  return new Map(rows.map((row) => [row.id, { name: row.name, value: saccoValue(row) }]));
}

/** Borrowers of what was paid without their asking, and guarantors whose pledges are over, in a constant number of statements. */
export async function tellOfRepayments(tx: Tx, applied: readonly Applied[]): Promise<void> {
  const names = await saccosOf(tx, [...new Set(applied.map(({ payable }) => payable.loan.sacco_id))]);
  const amount = (cents: Cents) => formatShillings(shillingsFromCents(cents));
  const notices = applied.flatMap(({ payable, repayment, allocation, owedAfter, excusedUntil }): Notice[] => {
    const { loan, guarantees } = payable;
    const values = { sacco: names.get(loan.sacco_id)?.name ?? '', amount: amount(allocation.amount) };
    const text = allocation.isPaidOff
      ? sentence('{sacco}: your loan is paid off with {amount}. What was pledged for it is free again.', values)
      : excusedUntil === null
        ? sentence('{sacco}: {amount} of your loan is repaid.', values)
        : sentence('{sacco}: {amount} of your loan is repaid in advance. Nothing is due until {day}.', {
            ...values,
            day: longDate(new Date(`${excusedUntil}T09:00:00Z`)),
          });
    const causedBy = payerOf(repayment);
    const notice = { topic: 'loans' as const, template: allocation.isPaidOff ? 'loan_paid_off' : 'loan_repaid' };
    const isByHand = repayment.channel === 'wallet' && !allocation.isPaidOff;
    const sms = smsOfRepayment({ repayment, allocation, owedAfter, excusedUntil });
    const free = sentence(
      '{sacco}: your pledge for another member’s loan is over. Those savings are free again.',
      values,
    );
    return [
      ...(isByHand ? [] : [{ ...notice, userId: loan.borrower_id, text, causedBy, ...(sms ? { sms } : {}) }]),
      ...(allocation.isPaidOff
        ? guarantees
            .filter(({ kind, state }) => kind === 'member' && state !== 'asked')
            .map((row) => ({
              topic: 'loans' as const,
              template: 'loan_pledge_free',
              userId: row.guarantor_id,
              text: free,
              causedBy,
            }))
        : []),
    ];
  });
  await notifyAll(tx, notices);
}

/** Borrowers of whose loans charges are taken back, because a payment counts on the day it was made. */
export async function tellOfTakenBack(tx: Tx, applied: readonly Applied[]): Promise<void> {
  const some = applied.filter(({ back }) => sumBack(back) > 0);
  if (some.length === 0) return;
  const names = await saccosOf(tx, [...new Set(some.map(({ payable }) => payable.loan.sacco_id))]);
  await notifyAll(
    tx,
    some.map(({ payable: { loan }, repayment, allocation, back, countsOn }): Notice => {
      const values = {
        sacco: names.get(loan.sacco_id)?.name ?? '',
        amount: formatShillings(shillingsFromCents(allocation.amount)),
        back: formatShillings(shillingsFromCents(sumBack(back))),
      };
      const text =
        countsOn === null
          ? sentence(
              '{sacco}: your employer paid {amount} of your loan within the days of the law. {back} of penalty is taken back.',
              values,
            )
          : sentence(
              '{sacco}: {amount} for your loan counts on {day}, when it was paid. {back} of penalty and interest is taken back.',
              { ...values, day: longDate(new Date(`${countsOn}T09:00:00Z`)) },
            );
      const causedBy = payerOf(repayment);
      return { userId: loan.borrower_id, topic: 'loans', template: 'loan_charges_taken_back', text, causedBy };
    }),
  );
}

/** The account that paid by its own act; null for payments of the clock, of M-Pesa and of lists. */
export function payerOf({ channel, payerId }: Pick<Applied['repayment'], 'channel' | 'payerId'>): string | null {
  return channel === 'wallet' || channel === 'payoff' || channel === 'refinance' ? payerId : null;
}

/** Who pays by M-Pesa has an SMS that it is in the wallet: another one says that it went on to the loan, and what is left to pay. */
function smsOfRepayment({
  repayment: { channel },
  allocation,
  owedAfter,
  excusedUntil,
}: Pick<Applied, 'repayment' | 'allocation' | 'owedAfter' | 'excusedUntil'>): Sms | null {
  if (channel !== 'mpesa' && channel !== 'paybill') return null;
  const amount = amountValue(allocation.amount);
  if (allocation.isPaidOff) return loansSms.paidOff(amount);
  if (excusedUntil === null) return loansSms.repaid(amount, amountValue(owedAfter));
  return loansSms.repaidAhead(amount, amountValue(owedAfter), dayValues(excusedUntil));
}
