import type { LoanState } from '@ushirika/contract/loans';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { stagesOf } from './loan.rules.ts';
import { stageWords } from './loan-words.ts';

/** Where a loan is on its way from the application to its end. Where there is little room only the step under way and the next are named in sight. */
export function LoanStages({ state, toSend }: { state: LoanState; toSend: boolean }) {
  const stages = stagesOf(state, toSend);
  if (stages.length === 0) return null;
  return (
    <div className="@container">
      <Stages stages={stages} />
      <StageNow stages={stages} />
    </div>
  );
}

/** Where there is little room: the name of the step under way, and of the one that follows. The list itself names all to a reader. */
function StageNow({ stages }: { stages: ReturnType<typeof stagesOf> }) {
  const at = stages.findIndex(({ state }) => state === 'now');
  const now = stages[at];
  if (!now) return null;
  const next = stages[at + 1];
  return (
    <p aria-hidden="true" className="num mt-1.5 text-small @min-[29rem]:hidden">
      <b>{say('Step {n} of {all}: {name}', { n: at + 1, all: stages.length, name: stageWords(now.key) })}</b>
      {next && <span className="text-ink-2"> · {say('then {name}', { name: stageWords(next.key) })}</span>}
    </p>
  );
}

function Stages({ stages }: { stages: ReturnType<typeof stagesOf> }) {
  return (
    <ol aria-label={say('The way of this loan')} className="grid grid-cols-5">
      {stages.map(({ key, state: standing }) => (
        <li
          key={key}
          aria-current={standing === 'now' ? 'step' : undefined}
          className="group relative grid min-w-0 justify-items-center gap-1 text-center"
        >
          <span
            aria-hidden="true"
            className={`absolute top-3 right-1/2 h-0.5 w-full group-first:hidden ${standing === 'later' ? 'bg-line-strong' : 'bg-forest'}`}
          />
          <span
            aria-hidden="true"
            className={`relative z-1 grid size-6 place-items-center rounded-full text-tiny ${DOTS[standing]}`}
          >
            {standing === 'done' && <Icon name="check" className="size-3.5" />}
            {standing === 'now' && <span className="size-2 rounded-full bg-ochre-ink" />}
          </span>
          <span className={`text-tiny leading-tight font-semibold @max-[29rem]:sr-only ${NAMES[standing]}`}>
            {stageWords(key)}
            <span className="sr-only"> · {stagesWords(standing)}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

const DOTS = {
  done: 'bg-forest text-on-forest',
  now: 'border-2 border-ochre bg-ochre-tint',
  later: 'border-2 border-line-strong bg-surface',
} as const;

const NAMES = { done: 'text-ink-2', now: 'text-ink', later: 'text-ink-3' } as const;

function stagesWords(standing: 'done' | 'now' | 'later'): string {
  if (standing === 'done') return say('done');
  return standing === 'now' ? say('now') : say('to come');
}
