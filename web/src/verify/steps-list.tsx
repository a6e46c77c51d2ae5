import { FoldedPart } from '../ui/fold.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { type Checked, type CheckedStep, type Verdict, verdictOf } from './check-saved.ts';
import type { SavedReceipt } from './saved-receipt.ts';
import { absenceWords, reasonOf, stateWords, stepWords, verdictWords } from './step-words.ts';

const icons: Readonly<Record<CheckedStep['state'], IconName>> = { passed: 'check', failed: 'close', open: 'info' };
const tones: Readonly<Record<CheckedStep['state'], string>> = {
  passed: 'text-up',
  failed: 'text-clay',
  open: 'text-ink-2',
};

const verdictStates: Readonly<Record<Verdict, CheckedStep['state']>> = {
  right: 'passed',
  so_far: 'passed',
  open: 'open',
  elsewhere: 'failed',
  wrong: 'failed',
};

/** The verdict of all steps in a line, and below it that this website does not have the log. */
export function VerdictLine({ checked, origin }: { checked: Checked; origin: string }) {
  const verdict = verdictOf(checked);
  const state = verdictStates[verdict];
  return (
    <div role="status">
      <h2 className={`flex items-center gap-2 text-title ${tones[state]}`}>
        <Icon name={icons[state]} className="size-6" />
        {verdictWords[verdict]()}
      </h2>
      {checked.absence && <p className="mt-1 break-words text-clay">{absenceWords(checked.absence, origin)}</p>}
    </div>
  );
}

/** Each step with what came of it. */
export function StepsList({ steps }: { steps: readonly CheckedStep[] }) {
  return (
    <ol aria-label={say('The five steps')} className="grid">
      {steps.map((step) => {
        const reason = reasonOf(step);
        return (
          <li key={step.name} data-step={step.name} data-state={step.state} className="rule flex gap-3 py-2.5">
            <Icon name={icons[step.state]} className={`mt-0.5 size-5 ${tones[step.state]}`} />
            <div className="min-w-0">
              <p className="font-semibold">{stepWords[step.name]()}</p>
              <p className={`text-small ${tones[step.state]}`}>
                {stateWords[step.state]()}
                {reason && <>. {reason}</>}
              </p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** Hashes and the signed note, for whoever checks by other means. */
export function Details({ receipt: { entry, checkpoint, anchor } }: { receipt: SavedReceipt }) {
  const facts: readonly (readonly [string, string])[] = [
    [say('Log of the books'), entry.log],
    [say('Position in the log'), String(entry.i)],
    [say('Commitment'), entry.c],
    [say('Leaf before'), entry.p],
    ...(anchor
      ? ([
          [say('Contract on the chain'), anchor.contract],
          [say('Transaction'), anchor.transaction],
          [say('Block'), String(anchor.block)],
          [say('Root on the chain'), anchor.root],
        ] as const)
      : []),
  ];
  return (
    <FoldedPart title={say('Hashes and the signed note')}>
      <dl className="grid gap-2 text-small">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-ink-2">{name}</dt>
            <dd translate="no" className="num break-all">
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {checkpoint && (
        <pre
          translate="no"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard
          tabIndex={0}
          className="mt-3 overflow-x-auto rounded-box bg-sunken p-3 text-small"
        >
          {checkpoint}
        </pre>
      )}
    </FoldedPart>
  );
}
