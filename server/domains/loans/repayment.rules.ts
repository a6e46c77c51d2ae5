import type { Cents } from '@ushirika/contract/money';
import { daysBetween, restOfSchedule, type ScheduledInstalment, type Terms } from './schedule.rules.ts';

/*
 * What a payment of a loan pays (domain.md 4.1): penalty, then the interest and then the principal of what is due, the oldest first,
 * then interest and principal of the instalment under way. What is more prepays principal, and the rest of the schedule is made
 * anew. Interest that is not due comes behind principal that is: who pays an instalment a day late has paid it.
 */

/** An instalment that is kept of a loan that was paid out. */
export interface OwedInstalment extends ScheduledInstalment {
  readonly paidPrincipal: Cents;
  readonly paidInterest: Cents;
}

export interface OwedLoan extends Terms {
  /** Principal owed. */
  readonly principal: Cents;
  readonly penalty: Cents;
  /** Interest that the books have of it as owed: accrued by the day and not paid. */
  readonly interest: Cents;
  /** After a default: how much more interest may be charged (in duplum). */
  readonly room?: Cents;
  /** All instalments that are not paid in full, and the one whose period it is, the oldest first. */
  readonly instalments: readonly OwedInstalment[];
}

export interface InstalmentPayment {
  readonly number: number;
  readonly principal: Cents;
  readonly interest: Cents;
  readonly isPaid: boolean;
}

/** How one payment is shared out. `amount` = penalty + interest + principal + prepaid. */
export interface Allocation {
  /** What is taken; never more than pays the loan off. */
  readonly amount: Cents;
  readonly penalty: Cents;
  readonly interest: Cents;
  /** Interest of the current instalment that is paid before it has accrued, and that accrues at this moment. */
  readonly accruedNow: Cents;
  readonly principal: Cents;
  /** Principal that was not due yet and is paid now. */
  readonly prepaid: Cents;
  readonly payments: readonly InstalmentPayment[];
  readonly isPaidOff: boolean;
  /** Where principal was prepaid: the instalments that take the place of those after the current one. Null: they stay. */
  readonly rest: readonly ScheduledInstalment[] | null;
}

export interface Payoff {
  readonly amount: Cents;
  readonly principal: Cents;
  readonly interest: Cents;
  readonly penalty: Cents;
  /** Interest of the schedule that is saved. */
  readonly saved: Cents;
}

const unpaidInterest = ({ interest, paidInterest }: OwedInstalment) => interest - paidInterest;
const unpaidPrincipal = ({ principal, paidPrincipal }: OwedInstalment) => principal - paidPrincipal;
export const unpaidOf = (instalment: OwedInstalment): Cents => unpaidInterest(instalment) + unpaidPrincipal(instalment);

const sum = (values: readonly Cents[]) => values.reduce((total, value) => total + value, 0);

/** Interest of an instalment that has accrued by the end of a day: floor(interest x days gone / days of the period). */
export function accruedOf({ interest, startsOn, dueOn }: ScheduledInstalment, day: string): Cents {
  if (day >= dueOn) return interest;
  if (day <= startsOn) return 0;
  return Number((BigInt(interest) * BigInt(daysBetween(startsOn, day))) / BigInt(daysBetween(startsOn, dueOn)));
}

/** What pays a loan off today: interest to this day only, as the books have it. */
export function payoffOf({ principal, interest, penalty, instalments }: OwedLoan): Payoff {
  const scheduled = sum(instalments.map(unpaidInterest));
  return { amount: principal + interest + penalty, principal, interest, penalty, saved: scheduled - interest };
}

/**
 * Shares a payment out. It takes what pays the loan off at most. `loan.interest` is what has accrued by `day`, so the accrual is
 * brought up to that day before (`accrueTo`).
 */
export function allocatePayment(
  loan: OwedLoan,
  payment: { readonly amount: Cents; readonly day: string; readonly surplus: 'shorten' | 'lower_instalment' },
): Allocation {
  const payoff = payoffOf(loan);
  if (payment.amount >= payoff.amount) return payAllOff(loan, payoff, payment.day);
  return payPart(loan, payment);
}

/** The instalments that are due, and the one whose period it is. */
export function reachedOf({ instalments }: OwedLoan, day: string): readonly OwedInstalment[] {
  const current = instalments.find(({ dueOn }) => dueOn >= day);
  return instalments.filter(({ dueOn }) => dueOn < day || dueOn === current?.dueOn);
}

/** What may be paid without prepaying principal: penalty, what is due, and the instalment under way. */
export function payableNow(loan: OwedLoan, day: string): Cents {
  const reached = reachedOf(loan, day);
  const chargeable = loan.interest + (loan.room ?? Number.MAX_SAFE_INTEGER / 2);
  return loan.penalty + Math.min(chargeable, sum(reached.map(unpaidInterest))) + sum(reached.map(unpaidPrincipal));
}

/** What is late or due today: penalty, interest and principal. */
export function dueNow(loan: OwedLoan, day: string): Cents {
  return payableNow({ ...loan, instalments: loan.instalments.filter(({ dueOn }) => dueOn <= day) }, day);
}

function payAllOff(loan: OwedLoan, payoff: Payoff, day: string): Allocation {
  let interestLeft = payoff.interest;
  const payments = reachedOf(loan, day).map((each) => {
    const interest = Math.min(interestLeft, unpaidInterest(each));
    interestLeft -= interest;
    return { number: each.number, principal: unpaidPrincipal(each), interest, isPaid: true };
  });
  const principal = sum(payments.map((each) => each.principal));
  return {
    amount: payoff.amount,
    penalty: payoff.penalty,
    interest: payoff.interest,
    accruedNow: 0,
    principal,
    prepaid: payoff.principal - principal,
    payments,
    isPaidOff: true,
    rest: [],
  };
}

function payPart(
  loan: OwedLoan,
  payment: { readonly amount: Cents; readonly day: string; readonly surplus: 'shorten' | 'lower_instalment' },
): Allocation {
  let left = payment.amount;
  const take = (most: Cents) => {
    const taken = Math.min(left, most);
    left -= taken;
    return taken;
  };
  const reached = reachedOf(loan, payment.day);
  const penalty = take(loan.penalty);
  let chargeable = loan.interest + (loan.room ?? Number.MAX_SAFE_INTEGER / 2);
  const interestOf = new Map<number, Cents>();
  const principalOf = new Map<number, Cents>();
  // What is due first, interest before principal; only then what is not due yet of the instalment under way.
  const due = reached.filter(({ dueOn }) => dueOn <= payment.day);
  for (const some of [due, reached.slice(due.length)]) {
    for (const each of some) {
      const taken = take(Math.min(unpaidInterest(each), chargeable));
      chargeable -= taken;
      interestOf.set(each.number, taken);
    }
    for (const each of some) principalOf.set(each.number, take(unpaidPrincipal(each)));
  }
  const prepaid = left;
  const interest = sum([...interestOf.values()]);
  const principal = sum([...principalOf.values()]);
  const payments = reached.flatMap((each) => {
    const [paidInterest = 0, paidPrincipal = 0] = [interestOf.get(each.number), principalOf.get(each.number)];
    if (paidInterest + paidPrincipal === 0) return [];
    const isPaid = paidInterest + paidPrincipal === unpaidOf(each);
    return [{ number: each.number, principal: paidPrincipal, interest: paidInterest, isPaid }];
  });
  return {
    amount: payment.amount,
    penalty,
    interest,
    accruedNow: Math.max(0, interest - loan.interest),
    principal,
    prepaid,
    payments,
    isPaidOff: false,
    rest: prepaid === 0 ? null : restAfter(loan, reached, principal + prepaid, payment.surplus),
  };
}

/** The rest of the schedule once so much principal is paid, of which a part was not due yet. */
export function restAfter(
  loan: OwedLoan,
  reached: readonly OwedInstalment[],
  principalPaid: Cents,
  surplus: 'shorten' | 'lower_instalment',
): readonly ScheduledInstalment[] {
  const coming = loan.instalments.slice(reached.length);
  const next = coming[0];
  if (!next) throw new Error('A payment prepaid principal of a loan that has no instalment to come.');
  return restOfSchedule(
    {
      method: loan.method,
      rate: loan.rate,
      balance: loan.principal - principalPaid,
      from: next.startsOn,
      firstNumber: next.number,
      remaining: coming.length,
      next,
    },
    surplus,
  );
}

/** How far the interest of a loan that was paid out has accrued: all before `period`, and `accrued` of that one. */
export interface Accrual {
  readonly period: ScheduledInstalment;
  readonly accrued: Cents;
}

/**
 * Accrues interest up to the end of a day. @param following the instalments after the period under way, the next first
 * @param room after a default, how much more may be charged @returns what accrues, and how far it is then
 */
export function accrueTo(
  { period, accrued }: Accrual,
  following: readonly ScheduledInstalment[],
  day: string,
  room: Cents = Number.MAX_SAFE_INTEGER,
): { added: Cents; accrual: Accrual } {
  let [current, done, added] = [period, accrued, 0];
  for (const next of following) {
    if (day <= current.dueOn) break;
    added += current.interest - done;
    [current, done] = [next, 0];
  }
  const more = Math.max(0, accruedOf(current, day) - done);
  return { added: Math.min(room, added + more), accrual: { period: current, accrued: done + more } };
}
