import type { Cents } from '@ushirika/contract/money';
import { penaltyOfDays } from './arrears.rules.ts';
import {
  type Allocation,
  accruedOf,
  allocatePayment,
  type InstalmentPayment,
  type OwedInstalment,
  type OwedLoan,
  type Payment,
  payoffOf,
  unpaidOf,
} from './repayment.rules.ts';
import { daysBetween } from './schedule.rules.ts';

/*
 * A payment counts on the day it was made (docs/decisions/210). Charges of the days since then on the paid instalments are taken back: the
 * penalty, and the interest too where the loan is paid off. An employer's payment within the legal days costs no penalty.
 */

/** How one payment counts. */
export interface Counted {
  /** The day on which it was made; today's where it was not held up. */
  readonly on: string;
  /** The last day of which the penalty is charged. */
  readonly chargedTo: string;
  /** Hundredths of a percent a month. */
  readonly penaltyRate: number;
  /** Days after the due day in which an employer remits by law; null for other payments. */
  readonly employerDays: number | null;
  /** Penalty that was paid since the day on which it was made. */
  readonly penaltyPaid: Cents;
}

/** The earlier charges that are taken back. */
export interface TakenBack {
  /** Parts of the penalty that is owed, and of the penalty that was paid meanwhile. */
  readonly penalty: Cents;
  readonly penaltyPaid: Cents;
  readonly interest: Cents;
}

export const NOTHING_BACK: TakenBack = { penalty: 0, penaltyPaid: 0, interest: 0 };
export const sumBack = ({ penalty, penaltyPaid, interest }: TakenBack): Cents => penalty + penaltyPaid + interest;

/** The penalty charged since the payment was made. It would not exist if the payment had been booked that day. */
function penaltySince({ dueOn }: OwedInstalment, unpaid: Cents, { on, chargedTo, penaltyRate, employerDays }: Counted) {
  const isInTime = employerDays !== null && daysBetween(dueOn, on) <= employerDays;
  const from = isInTime ? dueOn : on;
  return from < chargedTo ? penaltyOfDays({ dueOn, unpaid }, penaltyRate, { from, to: chargedTo }) : 0;
}

/** The debt as it would be if the penalty since then had not been charged. */
export function owedWhenMade(owed: OwedLoan, counted: Counted | null): OwedLoan {
  if (counted === null) return owed;
  const since = owed.instalments.reduce((sum, each) => sum + penaltySince(each, unpaidOf(each), counted), 0);
  return { ...owed, penalty: Math.max(0, owed.penalty - since) };
}

/** The sum that pays a loan off with a payment that counts on the day it was made. */
export function payoffWhenMade(owed: OwedLoan, counted: Counted | null, day: string): Cents {
  const then = payoffOf(owedWhenMade(owed, counted)).amount;
  return counted === null ? then : then - Math.min(owed.interest, interestSince(owed, counted.on, day));
}

/** Shares a payment out as on the day it was made, and says what is taken back of what the days since have charged. */
export function allocateCounted(
  owed: OwedLoan,
  payment: Payment,
  counted: Counted | null,
): { readonly allocation: Allocation; readonly back: TakenBack } {
  if (counted === null) return { allocation: allocatePayment(owed, payment), back: NOTHING_BACK };
  const then = owedWhenMade(owed, counted);
  const interest = Math.min(owed.interest, interestSince(owed, counted.on, payment.day));
  const whole = { ...then, interest: owed.interest - interest };
  const isWhole = payment.amount >= payoffOf(whole).amount;
  const allocation = allocatePayment(isWhole ? whole : then, payment);
  const back = penaltyBack(owed, allocation.payments, counted);
  return { allocation, back: { ...back, interest: isWhole ? interest : 0 } };
}

function penaltyBack(owed: OwedLoan, payments: readonly InstalmentPayment[], counted: Counted) {
  const paidOf = new Map(payments.map((each) => [each.number, each.principal + each.interest]));
  const back = owed.instalments.reduce((sum, each) => {
    const unpaid = unpaidOf(each);
    const left = unpaid - Math.min(unpaid, paidOf.get(each.number) ?? 0);
    return sum + penaltySince(each, unpaid, counted) - penaltySince(each, left, counted);
  }, 0);
  const penalty = Math.min(back, owed.penalty);
  return { penalty, penaltyPaid: Math.min(back - penalty, counted.penaltyPaid) };
}

/** Interest that the days after `from` have charged; in the period under way only since the last payment in advance. */
function interestSince({ accrual, instalments }: OwedLoan, from: string, to: string): Cents {
  if (from >= to) return 0;
  const before = instalments.filter(({ number }) => number < accrual.period.number);
  return [...before, accrual.period].reduce((sum, each) => sum + accruedOf(each, to) - accruedOf(each, from), 0);
}
