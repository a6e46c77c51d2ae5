import type { Cents } from '@ushirika/contract/money';
import { allocateCounted, type Counted, payoffWhenMade, type TakenBack } from './counted-day.rules.ts';
import type { Allocation, allocatePayment, InstalmentPayment, OwedLoan, Settled } from './repayment.rules.ts';

/*
 * Once the last instalment is due, a payment that leaves no more than the tolerance closes the loan (docs/decisions/221). The rest is
 * forgiven: interest first, then penalty, and principal last.
 */

/** The parts of a loan that are forgiven as it is closed. */
export interface Forgiven {
  readonly interest: Cents;
  readonly penalty: Cents;
  readonly principal: Cents;
}

export const NOTHING_FORGIVEN: Forgiven = { interest: 0, penalty: 0, principal: 0 };
export const sumForgiven = ({ interest, penalty, principal }: Forgiven): Cents => interest + penalty + principal;

/** How a payment is shared out. */
export interface Shared {
  /** The parts that the payer's money pays. */
  readonly allocation: Allocation;
  /** The parts of the loan that are settled with it: the forgiven principal too. */
  readonly settled: Settled;
  readonly back: TakenBack;
  readonly forgiven: Forgiven;
}

/**
 * Shares a payment out as on the day it was made. Once the last instalment is due, a payment that leaves no more than the tolerance pays the
 * loan off. Before that day nothing is forgiven: each loan could otherwise be paid with Ksh. 10 less on its first day.
 */
export function allocateOrClose(
  owed: OwedLoan,
  payment: Parameters<typeof allocatePayment>[1],
  counted: Counted | null,
  tolerance: Cents,
): Shared {
  const whole = payoffWhenMade(owed, counted, payment.day);
  const isClosing = isAllDue(owed, payment.day) && payment.amount < whole && payment.amount + tolerance >= whole;
  const shared = allocateCounted(owed, isClosing ? { ...payment, amount: whole } : payment, counted);
  if (!isClosing) return { ...shared, settled: shared.allocation, forgiven: NOTHING_FORGIVEN };
  const { allocation, back } = shared;
  const rest = allocation.amount - payment.amount;
  const interest = Math.min(rest, allocation.interest);
  const penalty = Math.min(rest - interest, allocation.penalty);
  const principal = rest - interest - penalty;
  const settled: Allocation = {
    ...allocation,
    amount: allocation.amount - rest,
    interest: allocation.interest - interest,
    penalty: allocation.penalty - penalty,
    payments: withoutInterest(allocation.payments, interest),
  };
  const ofPrepaid = Math.min(principal, settled.prepaid);
  const money = {
    ...settled,
    prepaid: settled.prepaid - ofPrepaid,
    principal: settled.principal - (principal - ofPrepaid),
  };
  return { allocation: money, settled, back, forgiven: { interest, penalty, principal } };
}

/** Whether the day of all principal has come. The instalments to come may be missing from `instalments`. */
function isAllDue({ principal, instalments }: OwedLoan, day: string): boolean {
  const due = instalments.filter(({ dueOn }) => dueOn <= day);
  return due.reduce((sum, each) => sum + each.principal - each.paidPrincipal, 0) === principal;
}

/** The payments without the forgiven interest, which was not paid: it is taken off the newest instalments. */
function withoutInterest(payments: readonly InstalmentPayment[], forgiven: Cents): readonly InstalmentPayment[] {
  let left = forgiven;
  return payments
    .toReversed()
    .map((each) => {
      const less = Math.min(left, each.interest);
      left -= less;
      return { ...each, interest: each.interest - less };
    })
    .toReversed();
}
