import type { RecoveryStep } from '@ushirika/contract/loan-recovery';
import type { LoanDetail } from '@ushirika/contract/loans';
import { shillingsFromCents } from '@ushirika/contract/money';
import type { Unsaid } from '@ushirika/contract/said';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { DEFAULT_FROM_DAYS } from './arrears.rules.ts';
import type { StepNow } from './recovery.rules.ts';
import type { LateLoan, Recovery } from './recovery-facts.ts';
import { dayAfter } from './schedule.rules.ts';

const STEPS: Readonly<Record<RecoveryStep, Sentence>> = {
  default: sentence('Decide that the loan is in default'),
  final_notice: sentence('Send the final notice'),
  own_deposits: sentence('Take the borrower’s own savings'),
  pool: sentence('Call the guarantor pool'),
  guarantors: sentence('Take the guarantors’ pledges'),
  write_off: sentence('Write the loan off'),
};

/** What a step of a recovery is, in words. */
export const stepSaid = (step: RecoveryStep): Sentence => STEPS[step];

/** Whether a loan is behind, so that a recovery is about it. */
export const isLate = ({ arrears_since, state }: LateLoan): boolean =>
  arrears_since !== null && (state === 'in_arrears' || state === 'defaulted' || state === 'recovering');

/** The steps of a recovery as the borrower and the desk read them. */
export function shownSteps(loan: LateLoan, { steps, taken }: Recovery): Unsaid<LoanDetail['steps']> {
  const last = taken.at(-1)?.at ?? null;
  const amounts = new Map(taken.map(({ step, amount_cents }) => [step, amount_cents]));
  return steps.map((step) => ({
    kind: step.kind,
    state: step.state,
    text: stepSaid(step.kind),
    from: sinceOf(step, fromOf(loan, step), last)?.toISOString() ?? null,
    amount: amounts.has(step.kind) ? shillingsFromCents(amounts.get(step.kind) ?? 0) : null,
  }));
}

/** A step that may be taken now may be so since its notice has run out, and no longer than since the one above it was done. */
const sinceOf = ({ state }: StepNow, from: Date | null, last: Date | null): Date | null =>
  state === 'now' && last !== null && (from === null || last > from) ? last : from;

/** When a step was done, or from when on it may be, where that is known. A default is decided from day 90 on, whatever notices have run out before. */
export function fromOf({ due_on }: LateLoan, { kind, state, from }: StepNow): Date | null {
  if (kind !== 'default' || state === 'done' || due_on === null) return from;
  const day90 = new Date(`${dayAfter(due_on, DEFAULT_FROM_DAYS)}T00:00:00+03:00`);
  return from !== null && from > day90 ? from : day90;
}
