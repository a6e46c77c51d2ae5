import { type LoanClass, PENALTY_GRACE_DAYS } from '@ushirika/contract/loans';
import type { Cents } from '@ushirika/contract/money';
import { dayAfter, daysBetween } from './schedule.rules.ts';

/*
 * What a day does to a loan (domain.md 3.8 and 4.1; docs/decisions/182). Days are calendar days in Nairobi, `2026-11-20`. Rates are
 * hundredths of a percent a month: `100` is 1 %. The day's run reckons the same in PostgreSQL, for all loans at once
 * (`pass_loans`); the tests hold both against each other.
 */

/** floor(a × b / c), exactly: the products pass what a number holds. */
function part(a: number, b: number, c: number): number {
  return Number((BigInt(a) * BigInt(b)) / BigInt(c));
}

/** An instalment whose day has passed, and what of its principal and interest is not paid. */
export interface Overdue {
  readonly dueOn: string;
  readonly unpaid: Cents;
}

/**
 * The penalty that one day adds for an overdue instalment: none in the first five days, then the rate by the day
 * (twelve months a year, 365 days) on what is overdue, never on a penalty. The days' cents add up to the floor of the whole.
 */
export const penaltyOfDay = (overdue: Overdue, monthlyRate: number, day: string): Cents =>
  penaltyOfDays(overdue, monthlyRate, { from: dayAfter(day, -1), to: day });

/** The penalty that the days after `from` add up to the end of `to`, where nothing of the instalment is paid in them. */
export function penaltyOfDays(
  { dueOn, unpaid }: Overdue,
  monthlyRate: number,
  { from, to }: { readonly from: string; readonly to: string },
): Cents {
  const upTo = (day: string) => {
    const days = Math.max(0, daysBetween(dueOn, day) - PENALTY_GRACE_DAYS);
    return part(unpaid, monthlyRate * 12 * days, 10_000 * 365);
  };
  return upTo(to) - upTo(from);
}

/**
 * The unpaid parts of a loan's instalments, from the oldest on. `tolerance` is the sum that may be late without consequence. A penalty is
 * no part of it: it would make a payment that covers only the penalty move the day since which the loan is late.
 */
export interface Unpaid {
  readonly tolerance: Cents;
  readonly instalments: readonly Overdue[];
}

/**
 * The index of the instalment with which more than the tolerance is asked for, and its unpaid sum with the rests before it. The loan is
 * late from the day after its due day on. Null where the tolerance covers all that is unpaid. `asked_of_loan` in the database is the same.
 */
export function askedOf({ tolerance, instalments }: Unpaid): { readonly index: number; readonly cents: Cents } | null {
  let cents = 0;
  for (const [index, { unpaid }] of instalments.entries()) {
    cents += unpaid;
    if (unpaid > 0 && cents > tolerance) return { index, cents };
  }
  return null;
}

/** The sum that is overdue on a day; nothing while that is no more than the tolerance. */
export function overdueOf({ tolerance, instalments }: Unpaid, day: string): Cents {
  const overdue = instalments.reduce((sum, { dueOn, unpaid }) => sum + (dueOn < day ? unpaid : 0), 0);
  return overdue > tolerance ? overdue : 0;
}

/** Once a loan is in default, interest and penalty since then are at most the principal at the default (in duplum). */
export interface InDuplum {
  readonly principalAtDefault: Cents;
  readonly accruedSince: Cents;
}

/** What may still accrue of a day's interest and penalty: interest first. Without a default all of it. */
export function withinDuplum(
  wanted: { readonly interest: Cents; readonly penalty: Cents },
  duplum: InDuplum | null,
): { interest: Cents; penalty: Cents } {
  if (duplum === null) return { ...wanted };
  const left = Math.max(0, duplum.principalAtDefault - duplum.accruedSince);
  const interest = Math.min(wanted.interest, left);
  return { interest, penalty: Math.min(wanted.penalty, left - interest) };
}

/** The classes by the days past due from which on they hold, and what is set aside: hundredths of a percent of principal. */
export const LOAN_BANDS = [
  { class: 'performing', from: 0, rate: 100 },
  { class: 'watch', from: 1, rate: 500 },
  { class: 'substandard', from: 31, rate: 2_500 },
  { class: 'doubtful', from: 181, rate: 5_000 },
  { class: 'loss', from: 361, rate: 10_000 },
] as const satisfies readonly { readonly class: LoanClass; readonly from: number; readonly rate: number }[];

/** Days for which the class of a loan gets no better by a new schedule. */
export const KEPT_CLASS_DAYS = 90;

/** @param kept the class that a new schedule left the loan in, while that holds */
export function classOf(daysPastDue: number, kept: LoanClass = 'performing'): LoanClass {
  return (LOAN_BANDS.findLast((band) => daysPastDue >= band.from || band.class === kept) ?? LOAN_BANDS[0]).class;
}

/** What is set aside for a loan: its class's part of the principal, rounded up. */
export function provisionOf(principal: Cents, loanClass: LoanClass): Cents {
  const rate = LOAN_BANDS.find((band) => band.class === loanClass)?.rate ?? 0;
  return Number((BigInt(principal) * BigInt(rate) + 9_999n) / 10_000n);
}

/** Days before an instalment on which its borrower is reminded. */
export const REMINDER_DAYS = 3;

/** Days past due from which on the committee may decide that a loan is in default. */
export const DEFAULT_FROM_DAYS = 90;
/** Days late from which on guarantors are told that their savings stand for it. */
export const FORMAL_FROM_DAYS = 30;

/**
 * What is told of a loan in arrears, and from how many days past due on; each once while the arrears last, and in this order.
 * `formal` and `second` go to each guarantor as well; `default_due` to the credit committee.
 */
export const ARREARS_NOTICES = [
  { kind: 'missed', from: 1 },
  { kind: 'first', from: 7 },
  { kind: 'formal', from: FORMAL_FROM_DAYS },
  { kind: 'second', from: 60 },
  { kind: 'default_due', from: DEFAULT_FROM_DAYS },
] as const;
export type ArrearsNotice = (typeof ARREARS_NOTICES)[number]['kind'];

/** The next notice that is due, after so many were given; null where none is. */
export function noticeDue(daysPastDue: number, given: number): ArrearsNotice | null {
  const next = ARREARS_NOTICES[given];
  return next && daysPastDue >= next.from ? next.kind : null;
}
