import type { RecoveryStep } from '@ushirika/contract/loan-recovery';
import type { LoanState } from '@ushirika/contract/loans';
import type { Cents } from '@ushirika/contract/money';
import { allocate } from '../pools/pools.rules.ts';
import { DEFAULT_FROM_DAYS } from './arrears.rules.ts';
import { type Allocation, type OwedLoan, reachedOf, restAfter, unpaidInterest, unpaidOf } from './repayment.rules.ts';

/*
 * Who pays for a loan in default, in which order, and what guarantors get back (domain.md 4.1, waterfall).
 */

/** Days after the final notice before anything is taken. */
export const FINAL_NOTICE_DAYS = 14;
/** Votes that decide that a loan is in default. */
export const DEFAULT_VOTES = 2;
/** Days from the formal notice to the guarantors in which they or the borrower may pay before a default is decided. */
export const CURE_DAYS = 30;

interface Parts {
  readonly principal: Cents;
  readonly interest: Cents;
  readonly penalty: Cents;
}

/** What so much pays of what is owed: principal first, since guarantors and pools stand for it, then interest, then the penalty. */
export function principalFirst(owed: Parts, cents: Cents): Parts {
  const principal = Math.min(owed.principal, cents);
  const interest = Math.min(owed.interest, cents - principal);
  return { principal, interest, penalty: Math.min(owed.penalty, cents - principal - interest) };
}

/** What is taken of the borrower's own savings: the pledged ones first, then the others; at most what is owed, and at most `most`. */
export function ownSavingsTaken(
  owed: Parts,
  savings: { readonly held: Cents; readonly free: Cents },
  most = Number.POSITIVE_INFINITY,
): Parts & { fromHeld: Cents; fromFree: Cents } {
  const parts = principalFirst(owed, Math.min(savings.held + savings.free, most));
  const taken = parts.principal + parts.interest + parts.penalty;
  const fromHeld = Math.min(taken, savings.held);
  return { ...parts, fromHeld, fromFree: taken - fromHeld };
}

/**
 * How what was taken for a loan in default is shared out over its instalments: principal and interest each to the oldest first. What is
 * more principal than was due lowers the rest of the schedule.
 */
export function allocateRecovery(
  loan: OwedLoan,
  taken: { readonly principal: Cents; readonly interest: Cents; readonly penalty: Cents },
  day: string,
): Allocation {
  const reached = reachedOf(loan, day);
  let [principalLeft, interestLeft] = [taken.principal, taken.interest];
  const payments = reached.flatMap((each) => {
    const principal = Math.min(principalLeft, each.principal - each.paidPrincipal);
    const interest = Math.min(interestLeft, unpaidInterest(each));
    principalLeft -= principal;
    interestLeft -= interest;
    const isPaid = principal + interest === unpaidOf(each);
    return principal + interest === 0 ? [] : [{ number: each.number, principal, interest, isPaid }];
  });
  const { principal, interest, penalty } = taken;
  return {
    amount: principal + interest + penalty,
    penalty,
    interest,
    principal: principal - principalLeft,
    prepaid: principalLeft,
    payments,
    isPaidOff: principal === loan.principal && interest === loan.interest && penalty === loan.penalty,
    rest: principalLeft === 0 ? null : restAfter(loan, reached, principal),
    accrual: null,
  };
}

/** What each guarantor pays of a shortfall: in proportion to the live pledges, none more than the pledge. */
export function guarantorsPay(shortfall: Cents, pledges: readonly Cents[]): Cents[] {
  const pledged = pledges.reduce((sum, pledge) => sum + pledge, 0);
  return allocate(Math.min(shortfall, pledged), pledges);
}

/** What each guarantor gets of a payment: in proportion to what is still owed to each, none more than that. */
export function guarantorsRefund(paid: Cents, claims: readonly Cents[]): Cents[] {
  const claimed = claims.reduce((sum, claim) => sum + claim, 0);
  return allocate(Math.min(paid, claimed), claims);
}

/** What the order of a recovery asks about. */
export interface RecoveryFacts {
  readonly state: LoanState;
  readonly daysPastDue: number;
  readonly secondNoticeAt: Date | null;
  readonly guarantorsNoticeAt: Date | null;
  readonly hasGuarantors: boolean;
  readonly isPoolBacked: boolean;
  readonly finalNoticeAt: Date | null;
  /** Until when borrower and guarantors answer a new schedule; null where none is offered. Nothing is taken before. */
  readonly offeredUntil: Date | null;
  /** When each step was done; missing where it was not. */
  readonly done: Partial<Readonly<Record<RecoveryStep, Date>>>;
  readonly principal: Cents;
}

export interface StepNow {
  readonly kind: RecoveryStep;
  readonly state: 'done' | 'now' | 'later' | 'not_needed';
  /** From when on it may be done, where that is known. */
  readonly from: Date | null;
}

const DAY_MS = 86_400_000;
const after = (at: Date | null, days: number) => (at === null ? null : new Date(at.getTime() + days * DAY_MS));

const later = (one: Date, other: Date | null) => (other !== null && other > one ? other : one);

/** Every step of a recovery and how it stands. `now` is at most one: what is not `now` is refused. */
export function recoverySteps(facts: RecoveryFacts, now: Date): StepNow[] {
  const { done, principal } = facts;
  let isOpen = true;
  const step = (kind: RecoveryStep, isNeeded: boolean, from: Date | null, mayBe: boolean): StepNow => {
    if (done[kind]) return { kind, state: 'done', from: done[kind] };
    if (!isNeeded) return { kind, state: 'not_needed', from: null };
    const isNow = isOpen && mayBe && from !== null && from <= now;
    isOpen = false;
    return { kind, state: isNow ? 'now' : 'later', from };
  };
  const noticed = facts.hasGuarantors ? after(facts.guarantorsNoticeAt, CURE_DAYS) : facts.secondNoticeAt;
  const noticeOver = after(facts.finalNoticeAt, FINAL_NOTICE_DAYS);
  const finalOver = noticeOver && later(noticeOver, facts.offeredUntil);
  return [
    step(
      'default',
      true,
      facts.secondNoticeAt === null ? null : noticed,
      facts.state === 'in_arrears' && facts.daysPastDue >= DEFAULT_FROM_DAYS,
    ),
    step('final_notice', true, done.default ?? null, facts.state === 'defaulted'),
    step('own_deposits', true, finalOver, true),
    step('pool', facts.isPoolBacked && (principal > 0 || !done.own_deposits), finalOver, true),
    step('guarantors', facts.hasGuarantors && (principal > 0 || !done.own_deposits), finalOver, true),
    step('write_off', true, finalOver, true),
  ];
}
