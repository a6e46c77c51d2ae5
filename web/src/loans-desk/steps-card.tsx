import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { now } from '../clock.ts';
import { Card, Tag } from '../ui/card.tsx';
import { Money } from '../ui/figures.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { stepStateWords, stepWords } from './desk-words.ts';

const tones = { done: 'forest', now: 'ochre', later: 'plain', not_needed: 'plain' } as const;

/** The steps of the recovery in the order that the rules fix: what is done, what may be done now, what has to wait and until when. */
export function StepsCard({ loan: { steps } }: { loan: DeskLoanDetail }) {
  return (
    <Card className="min-w-0 p-5">
      <h2 className="text-lead">{say('Recovery, step by step')}</h2>
      <p className="mt-1 text-small text-ink-2">
        {say('No step can be taken before the one above it is done and its notice has run out.')}
      </p>
      <ol className="mt-2">
        {steps.map((step, index) => (
          <li key={step.kind} className="rule flex gap-3.5 py-3">
            <span
              className={`num mt-0.5 grid size-7 shrink-0 place-items-center rounded-full text-small font-semibold ${step.state === 'done' ? 'bg-forest text-on-forest' : step.state === 'now' ? 'bg-ochre-tint text-ochre-ink' : 'bg-sunken text-ink-2'}`}
            >
              {index + 1}
            </span>
            <div className="min-w-0 grow">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-semibold">{stepWords(step.kind)}</span>
                <Tag tone={tones[step.state]}>{stepStateWords(step.state)}</Tag>
                {step.amount !== null && <Money shillings={step.amount} className="ml-auto font-semibold" />}
              </p>
              <p className="num text-ink-2">{step.text}</p>
              {step.from && step.state === 'later' && Date.parse(step.from) > now() && (
                <p className="num text-small font-semibold">{say('Not before {day}', { day: longDate(step.from) })}</p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
