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
export function shownSteps(loan: LateLoan, recovery: Recovery): Unsaid<LoanDetail['steps']> {
  const { steps, taken } = recovery;
  const amounts = new Map(taken.map(({ step, amount_cents }) => [step, amount_cents]));
  return steps.map((step) => ({
    kind: step.kind,
    state: step.state,
    text: stepSaid(step.kind),
    from: dateOfStep(loan, recovery, step)?.toISOString() ?? null,
    amount: amounts.has(step.kind) ? shillingsFromCents(amounts.get(step.kind) ?? 0) : null,
  }));
}

/**
 * When a step was done, or from when on it can be taken, where that is known. A step can be taken from the later of two moments: the end of
 * its notice, and the step before it.
 */
export function dateOfStep(loan: LateLoan, { taken }: Recovery, step: StepNow): Date | null {
  const noticeEnds = endOfNotice(loan, step);
  const last = taken.at(-1)?.at ?? null;
  return step.state === 'now' && last !== null && (noticeEnds === null || last > noticeEnds) ? last : noticeEnds;
}

/** Of a step that is done, when it was. A default is decided from day 90 on, whatever notices have run out before. */
function endOfNotice({ due_on }: LateLoan, { kind, state, from }: StepNow): Date | null {
  if (kind !== 'default' || state === 'done' || due_on === null) return from;
  const day90 = new Date(`${dayAfter(due_on, DEFAULT_FROM_DAYS)}T00:00:00+03:00`);
  return from !== null && from > day90 ? from : day90;
}
