import { FoldedPart } from '../ui/fold.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { type Checked, type CheckedStep, type Verdict, verdictOf } from './check-saved.ts';
import { demonstrationWords } from './demonstration-chain.ts';
import type { SavedReceipt } from './saved-receipt.ts';
import { absenceWords, limitsWords, reasonOf, stateWords, stepWords, verdictWords } from './step-words.ts';

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

/** The verdict of all steps in a line, and below it its limits: a log that is not here, a chain that proves nothing, and what no receipt says. */
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
      {checked.steps.some(({ why }) => why === 'demonstration') && <p className="mt-1">{demonstrationWords()}</p>}
      {state === 'passed' && <p className="mt-1 text-small text-ink-2">{limitsWords()}</p>}
    </div>
  );
}

/** Each step with what came of it. It begins closed where nothing is wrong and the receipt itself was checked. */
export function StepsList({ checked }: { checked: Checked }) {
  const { steps } = checked;
  const passed = steps.filter(({ state }) => state === 'passed').length;
  const isGood = verdictStates[verdictOf(checked)] === 'passed';
  return (
    <FoldedPart
      title={say('The five steps')}
      sum={say('{passed} of {all} passed', { passed, all: steps.length })}
      startsOpen={!isGood}
      isLate
    >
      <ol aria-label={say('The five steps')} className="grid">
        {steps.map((step) => (
          <StepLine key={step.name} step={step} />
        ))}
      </ol>
    </FoldedPart>
  );
}

function StepLine({ step }: { step: CheckedStep }) {
  const reason = reasonOf(step);
  return (
    <li data-step={step.name} data-state={step.state} className="rule flex gap-3 py-2.5">
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
}

/** Fingerprints and the signed head, for people who check by other programs. */
export function Details({ receipt: { entry, checkpoint, anchor } }: { receipt: SavedReceipt }) {
  const facts: readonly (readonly [string, string])[] = [
    [say('Log of the books'), entry.log],
    [say('Position in the log'), String(entry.i)],
    [say('Fingerprint of the facts'), entry.c],
    [say('Fingerprint of the entry before'), entry.p],
    ...(anchor
      ? ([
          [say('Contract on the chain'), anchor.contract],
          [say('Fingerprint on the chain'), anchor.root],
        ] as const)
      : []),
  ];
  return (
    <FoldedPart title={say('Details for other programs')} isLate>
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
