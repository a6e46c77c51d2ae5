import type { LoanDetail } from '@ushirika/contract/loans';
import { now } from '../clock.ts';
import { Card, Tag } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { stepStateWords, stepTones } from './recovery-words.ts';

type Step = LoanDetail['steps'][number];

/** For the borrower of a loan that is behind: what was done about it and when, and from when on what comes next may be done. */
export function RecoverySteps({ steps }: { steps: readonly Step[] }) {
  const shown = steps.filter(({ state }) => state !== 'not_needed');
  if (shown.length === 0) return null;
  return (
    <Card className="min-w-0 p-5">
      <h2 className="text-lead">{say('What the sacco may do, step by step')}</h2>
      <ol className="mt-2">
        {shown.map((step) => (
          <li key={step.kind} className="rule py-2.5">
            <p className="flex flex-wrap items-center gap-2">
              <span className="min-w-0 font-semibold">{ownStepWords(step.kind)}</span>
              <Tag tone={stepTones[step.state]}>{stepStateWords(step.state)}</Tag>
              {step.amount !== null && <Money shillings={step.amount} className="ml-auto font-semibold" />}
            </p>
            <StepDate step={step} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** When a step was taken, or from when on it may be. */
export function StepDate({ step: { kind, state, from } }: { step: Step }) {
  if (state === 'not_needed') return null;
  if (state === 'done') return <p className="num text-small text-ink-2">{from && <LongDate iso={from} time />}</p>;
  return <p className="num text-small font-semibold">{mayBeTaken({ kind, state, from })}</p>;
}

function mayBeTaken({ kind, state, from }: Pick<Step, 'kind' | 'state' | 'from'>): string {
  if (state === 'now') {
    return from ? say('May be taken since {day}', { day: longDate(from) }) : say('May be taken now');
  }
  // The final notice runs for all of them alike, but they wait for the step above them besides.
  if (AFTER_ANOTHER.has(kind)) return say('Once the step above it is done');
  if (from && Date.parse(from) > now()) return say('Not before {day}', { day: longDate(from) });
  if (kind === 'default') return say('Once the notices before it have run out');
  if (kind === 'own_deposits' && !from) return say('14 days after the final notice at the earliest');
  return say('Once the step above it is done');
}

const AFTER_ANOTHER: ReadonlySet<Step['kind']> = new Set(['pool', 'guarantors', 'write_off']);

/** A step as its borrower reads it. */
function ownStepWords(kind: Step['kind']): string {
  const words: Record<Step['kind'], string> = {
    default: say('The officials declare a default'),
    final_notice: say('A final notice comes to you'),
    own_deposits: say('Your savings here are taken'),
    pool: say('The guarantor pool pays'),
    guarantors: say('Your guarantors pay'),
    write_off: say('The sacco gives the loan up in its books'),
  };
  return words[kind];
}
