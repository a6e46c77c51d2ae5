import type { Surplus } from '@ushirika/contract/loans';
import type { Cents } from '@ushirika/contract/money';
import {
  daysBetween,
  INSTALMENT_LEAST,
  instalmentOf,
  instalmentSum,
  interestFrom,
  type ScheduledInstalment,
  type Terms,
} from './schedule.rules.ts';

/*
 * A payment of a loan pays (domain.md 4.1, docs/decisions/220): penalty, then the interest and the principal of what is due, the
 * oldest first. What is more is paid in advance: the interest up to its day, then principal, and the interest of the days to come is that
 * of the lower balance. It counts for the instalment under way; what that one does not need shortens the loan or lowers its instalments.
 * Instalments keep their sums: interest that one has no room for is due with the next.
 */

/** An instalment that is kept of a loan that was paid out. */
export interface OwedInstalment extends ScheduledInstalment {
  /** Interest of this period that is due with a later instalment. Negative: interest of earlier periods that is due with this one. */
  readonly moved: Cents;
  readonly paidPrincipal: Cents;
  readonly paidInterest: Cents;
}

/** How far the interest of a loan that was paid out has accrued: all before `period`, and `accrued` of that one. */
export interface Accrual {
  /** After a payment in advance it begins on the day of that. */
  readonly period: Pick<ScheduledInstalment, 'number' | 'startsOn' | 'dueOn' | 'interest'>;
  readonly accrued: Cents;
}

export interface OwedLoan extends Terms {
  /** Principal owed. */
  readonly principal: Cents;
  readonly penalty: Cents;
  /** Interest that the books have of it as owed: accrued by the day and not paid. */
  readonly interest: Cents;
  readonly accrual: Accrual;
  /** All instalments that are not paid in full, and from the one whose period it is all others, the oldest first. */
  readonly instalments: readonly OwedInstalment[];
}

export interface InstalmentPayment {
  readonly number: number;
  readonly principal: Cents;
  readonly interest: Cents;
  readonly isPaid: boolean;
}

/** The payer's part of a payment. `amount` = penalty + interest + principal + prepaid. */
export interface Allocation {
  /** What is taken; never more than pays the loan off. */
  readonly amount: Cents;
  readonly penalty: Cents;
  readonly interest: Cents;
  readonly principal: Cents;
  /** Principal that no instalment counts. */
  readonly prepaid: Cents;
  readonly payments: readonly InstalmentPayment[];
  readonly isPaidOff: boolean;
  /** Where something was paid in advance: the instalments that are not due yet, as they are now. Null: they stay. */
  readonly rest: readonly OwedInstalment[] | null;
  /** Where it is another one from now on. */
  readonly accrual: Accrual | null;
}

/** The parts of a loan that a payment settles. They may hold principal that was forgiven, so they are no sum of the payer's money. */
export type Settled = Omit<Allocation, 'amount'>;

export interface Payoff {
  readonly amount: Cents;
  readonly principal: Cents;
  readonly interest: Cents;
  readonly penalty: Cents;
  /** Interest of the schedule that is saved. */
  readonly saved: Cents;
}

export interface Payment {
  readonly amount: Cents;
  readonly day: string;
  readonly surplus: Surplus;
}

/** Interest that is due with an instalment, paid or not. */
export const dueInterest = ({ interest, moved }: Pick<OwedInstalment, 'interest' | 'moved'>): Cents => interest - moved;
export const unpaidInterest = (each: OwedInstalment): Cents => dueInterest(each) - each.paidInterest;
const unpaidPrincipal = ({ principal, paidPrincipal }: OwedInstalment) => principal - paidPrincipal;
export const unpaidOf = (instalment: OwedInstalment): Cents => unpaidInterest(instalment) + unpaidPrincipal(instalment);

const sum = (values: readonly Cents[]) => values.reduce((total, value) => total + value, 0);

/** Principal and interest that are due with an instalment, paid or not. */
const sumOf = (each: OwedInstalment): Cents => each.principal + dueInterest(each);
const paidOf = ({ paidPrincipal, paidInterest }: OwedInstalment): Cents => paidPrincipal + paidInterest;
/** The interest of an instalment of a loan that is paid off: what of it was paid, and nothing is due with another one. */
export const endedInterest = (paidInterest: Cents) => ({ interest: paidInterest, moved: 0 });

/** Interest of a period that has accrued by the end of a day: floor(interest x days gone / days of the period). */
export function accruedOf({ interest, startsOn, dueOn }: Accrual['period'], day: string): Cents {
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
export function allocatePayment(loan: OwedLoan, payment: Payment): Allocation {
  const payoff = payoffOf(loan);
  if (payment.amount >= payoff.amount) return payAllOff(loan, payoff, payment.day);
  return payPart(loan, payment);
}

/** The instalments that are due, and the one whose period it is. */
export function reachedOf({ instalments }: OwedLoan, day: string): readonly OwedInstalment[] {
  const current = instalments.find(({ dueOn }) => dueOn >= day);
  return instalments.filter(({ dueOn }) => dueOn < day || dueOn === current?.dueOn);
}

/** The sum that is late or due today: penalty, interest and principal. */
export function dueNow({ penalty, interest, instalments }: OwedLoan, day: string): Cents {
  const due = instalments.filter(({ dueOn }) => dueOn <= day);
  return penalty + Math.min(interest, sum(due.map(unpaidInterest))) + sum(due.map(unpaidPrincipal));
}

/** The sum that instalments count today: those that are due, and the one under way. A payment above it is in advance. */
export function payableNow(loan: OwedLoan, day: string): Cents {
  const current = reachedOf(loan, day).at(-1);
  const isUnderWay = current !== undefined && current.dueOn > day;
  return Math.min(payoffOf(loan).amount, dueNow(loan, day) + (isUnderWay ? unpaidOf(current) : 0));
}

function payAllOff(loan: OwedLoan, payoff: Payoff, day: string): Allocation {
  let interestLeft = payoff.interest;
  const reached = reachedOf(loan, day);
  const payments = reached.map((each) => {
    const interest = Math.min(interestLeft, unpaidInterest(each));
    interestLeft -= interest;
    return { number: each.number, principal: unpaidPrincipal(each), interest, isPaid: true };
  });
  const principal = sum(payments.map((each) => each.principal));
  const paidBefore = loan.instalments.slice(reached.length).filter((each) => paidOf(each) > 0);
  return {
    amount: payoff.amount,
    penalty: payoff.penalty,
    interest: payoff.interest,
    principal,
    prepaid: payoff.principal - principal,
    payments,
    isPaidOff: true,
    // Instalments that were partly paid in advance keep what was paid. All other coming instalments are deleted.
    rest: paidBefore.map((each) => ({
      ...each,
      principal: each.paidPrincipal,
      ...endedInterest(each.paidInterest),
    })),
    accrual: null,
  };
}

function payPart(loan: OwedLoan, payment: Payment): Allocation {
  let left = payment.amount;
  const take = (most: Cents) => {
    const taken = Math.min(left, most);
    left -= taken;
    return taken;
  };
  const penalty = take(loan.penalty);
  const due = loan.instalments.filter(({ dueOn }) => dueOn <= payment.day);
  let chargeable = loan.interest;
  const interestOf = due.map((each) => {
    const taken = take(Math.min(unpaidInterest(each), chargeable));
    chargeable -= taken;
    return taken;
  });
  const payments = due.flatMap((each, index) => {
    const [interest, principal] = [interestOf[index] ?? 0, take(unpaidPrincipal(each))];
    const isPaid = interest + principal === unpaidOf(each);
    return interest + principal === 0 ? [] : [{ number: each.number, principal, interest, isPaid }];
  });
  const paid = { amount: payment.amount, penalty, isPaidOff: false };
  const interest = sum(interestOf);
  const principal = sum(payments.map((each) => each.principal));
  if (left === 0) return { ...paid, interest, principal, prepaid: 0, payments, rest: null, accrual: null };
  const ahead = payAhead(
    { ...loan, interest: loan.interest - interest, principal: loan.principal - principal },
    { ...payment, amount: left },
  );
  return {
    ...paid,
    interest: interest + ahead.interest,
    principal: principal + ahead.principal,
    prepaid: ahead.prepaid,
    payments: [...payments, ...ahead.payments],
    rest: ahead.rest,
    accrual: ahead.accrual,
  };
}

/** The payment once nothing is due: the interest up to the day, then principal. Paid in parts on one day it comes to the same. */
function payAhead(loan: OwedLoan, { amount, day, surplus }: Payment) {
  const coming = loan.instalments.filter(({ dueOn }) => dueOn > day);
  const interest = Math.min(amount, loan.interest);
  let [left, interestLeft] = [amount, interest];
  const payments: InstalmentPayment[] = [];
  const paid = coming.map((each) => {
    const cents = isCounting(loan, each, surplus) ? Math.min(left, unpaidOf(each)) : 0;
    if (cents === 0) return each;
    const ofInterest = Math.min(interestLeft, cents);
    const ofPrincipal = cents - ofInterest;
    left -= cents;
    interestLeft -= ofInterest;
    payments.push({
      number: each.number,
      principal: ofPrincipal,
      interest: ofInterest,
      isPaid: cents === unpaidOf(each),
    });
    return {
      ...each,
      paidInterest: each.paidInterest + ofInterest,
      paidPrincipal: each.paidPrincipal + ofPrincipal,
    };
  });
  const prepaid = left - interestLeft;
  const after = { ...loan, interest: loan.interest - interest, principal: loan.principal - (amount - interest) };
  const accrual = accrualFrom(after, coming[0], day);
  const isLowered = prepaid > 0 && surplus === 'lower_instalment';
  const rest = anew({
    loan: { ...after, accrual },
    coming: paid,
    sums: coming.map(sumOf),
    carried: after.interest,
    leftBefore: loan.accrual.period.interest - loan.accrual.accrued,
    isLowered,
  });
  return { interest, principal: sum(payments.map((each) => each.principal)), prepaid, payments, rest, accrual };
}

/** Whether an instalment to come counts what is paid in advance: the one whose period is under way; where they are excused, each. */
const isCounting = ({ accrual }: OwedLoan, { number }: OwedInstalment, surplus: Surplus) =>
  surplus === 'excuse' || number === accrual.period.number;

/** The rest of the period under way begins on the day of a payment in advance. A flat loan costs the same each month, whatever was paid. */
function accrualFrom(loan: OwedLoan, next: OwedInstalment | undefined, day: string): Accrual {
  const { accrual, method, principal } = loan;
  if (!next || next.number !== accrual.period.number || method === 'flat') return accrual;
  // Earlier rules took the interest of the whole period at once.
  const ahead = Math.max(0, accrual.accrued - accruedOf(accrual.period, day));
  const interest = Math.max(0, interestFrom(loan, principal, next, day) - ahead);
  return { period: { ...accrual.period, startsOn: day, interest }, accrued: 0 };
}

/** The schedule to come, and what of the loan its instalments are to pay. */
interface ToPlan {
  readonly loan: OwedLoan;
  readonly coming: readonly OwedInstalment[];
  /** The sum that is due with each, before the payment. */
  readonly sums: readonly Cents[];
  /** Interest that is owed and due with none of them yet. */
  readonly carried: Cents;
  /** Interest of the period under way that had not accrued, before the payment. */
  readonly leftBefore: Cents;
}

/** The instalments to come after a payment in advance: each keeps its sum, or the sums of those that are not paid fall. */
const anew = (plan: ToPlan & { readonly isLowered: boolean }): readonly OwedInstalment[] =>
  plan.isLowered ? withLowerSums(plan) : withSums(plan, (_, sumBefore) => sumBefore);

/** The sum of an instalment with so much interest, which was another sum before. */
type SumOf = (interest: Cents, sumBefore: Cents, each: OwedInstalment) => Cents;

/**
 * Instalments with their sums: the interest of each period is that of the balance then, and what an instalment has no room for is due
 * with the next one. The last takes what is left, also less than a shilling. Those behind it fall away, but for what was paid of them.
 */
function withSums({ loan, coming, sums, carried: carriedInto, leftBefore }: ToPlan, sumOfEach: SumOf) {
  const rest: OwedInstalment[] = [];
  let [balance, carried] = [loan.principal, carriedInto];
  for (const [index, each] of coming.entries()) {
    if (balance === 0) {
      if (paidOf(each) > 0)
        rest.push({ ...each, principal: each.paidPrincipal, interest: 0, moved: -each.paidInterest });
      continue;
    }
    const toAccrue = interestToCome(loan, each, balance);
    const wanted = sumOfEach(toAccrue, sums[index] ?? 0, each);
    const [asked, all] = [Math.max(0, wanted - paidOf(each)), balance + carried + toAccrue];
    const room = index === coming.length - 1 || all - asked < INSTALMENT_LEAST ? all : asked;
    const interestDue = Math.min(room, carried + toAccrue);
    const principal = Math.min(balance, room - interestDue);
    const interest = isUnderWay(loan, each) ? each.interest - leftBefore + toAccrue : toAccrue;
    carried += toAccrue - interestDue;
    balance -= principal;
    const moved = interest - each.paidInterest - interestDue;
    rest.push({ ...each, principal: each.paidPrincipal + principal, interest, moved });
  }
  return rest;
}

const isUnderWay = ({ accrual }: OwedLoan, { number }: OwedInstalment) => number === accrual.period.number;

/** The interest that the time of an instalment still brings, with so much principal owed in it. */
function interestToCome(loan: OwedLoan, each: OwedInstalment, balance: Cents): Cents {
  if (isUnderWay(loan, each)) return loan.accrual.period.interest - loan.accrual.accrued;
  return loan.method === 'flat' ? each.interest : interestFrom(loan, balance, each, each.startsOn);
}

/** Instalments with lower sums: those that are not paid fall to one sum, and none falls away. */
function withLowerSums(plan: ToPlan): readonly OwedInstalment[] {
  const { loan, coming, sums } = plan;
  const isMet = (each: OwedInstalment, sumBefore: Cents) => paidOf(each) >= sumBefore;
  const met = coming.filter((each, index) => isMet(each, sums[index] ?? 0));
  const unpaid = coming.filter((each) => !met.includes(each));
  const ofMet = sum(met.map((each) => interestToCome(loan, each, loan.principal)));
  const most = equalSum(loan, unpaid, loan.principal + plan.carried + ofMet);
  return withSums(plan, (interest, sumBefore, each) => {
    if (isMet(each, sumBefore)) return sumBefore;
    const sum = loan.method === 'equal_principal' ? most + interest : most;
    return Math.min(sumBefore, instalmentSum(loan, sum));
  });
}

/**
 * The equal sum with which instalments pay so much principal and carried interest; of equal principals without the interest of their
 * time. A part that is paid of the first counts for its sum; where it is more than that, the others pay the whole.
 */
function equalSum(loan: OwedLoan, unpaid: readonly OwedInstalment[], owed: Cents): Cents {
  const [first, ...others] = unpaid;
  if (!first) return 0;
  const paid = paidOf(first);
  const each = equalPartOf(loan, unpaid, owed + paid);
  if (paid <= each || others.length === 0) return each;
  return equalSum(loan, others, owed + interestToCome(loan, first, loan.principal));
}

function equalPartOf(loan: OwedLoan, unpaid: readonly OwedInstalment[], owed: Cents): Cents {
  const count = unpaid.length;
  if (loan.method === 'annuity') return instalmentOf(loan, owed, count);
  const interest = loan.method === 'flat' ? sum(unpaid.map((each) => each.interest)) : 0;
  return Math.ceil((owed + interest) / count);
}

/** The rest of the schedule once principal was taken that was not due: the instalments behind those that are reached are lower. */
export function restAfter(
  loan: OwedLoan,
  reached: readonly OwedInstalment[],
  principalPaid: Cents,
): readonly OwedInstalment[] {
  const coming = loan.instalments.slice(reached.length);
  if (coming.length === 0) throw new Error('A payment prepaid principal of a loan that has no instalment to come.');
  const carried = sum(coming.map((each) => unpaidInterest(each) - each.interest));
  const after = { ...loan, principal: loan.principal - principalPaid };
  return anew({ loan: after, coming, sums: coming.map(sumOf), carried, leftBefore: 0, isLowered: true });
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
