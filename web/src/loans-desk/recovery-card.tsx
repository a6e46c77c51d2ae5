import { formatShillings } from '@ushirika/contract/format';
import type { LoanRecovery, RecoveryStep, RecoveryTake } from '@ushirika/contract/loan-recovery';
import type { DeskLoanDetail } from '@ushirika/contract/loans';
import type { Office } from '@ushirika/contract/route';
import { useState } from 'react';
import { wordsFor } from '../api/failure.ts';
import { StepDate } from '../loans/recovery-steps.tsx';
import { stepStateWords, stepTones } from '../loans/recovery-words.ts';
import { officeWords } from '../saccos/office-words.ts';
import { Button } from '../ui/button.tsx';
import { Card, FailureState, Tag } from '../ui/card.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { FoldedPart } from '../ui/fold.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { Barred } from './barred.tsx';
import { Declines } from './declines.tsx';
import type { AtDesk } from './desk-frame.tsx';
import { actWords, stepWords } from './desk-words.ts';
import { useLoanRecovery } from './loans-desk.queries.ts';
import { ClaimsCard, NoticesCard } from './notices-card.tsx';
import { RecoveryDialog } from './recovery-dialog.tsx';
import { AllTakes, Take, takeOf } from './recovery-takes.tsx';
import { RestructureCard } from './restructure-card.tsx';
import { hasVoted, Voted } from './voted.tsx';
import { whyNotMine } from './why-not.ts';

type Step = LoanRecovery['steps'][number];

interface OfRecovery {
  readonly loan: DeskLoanDetail;
  readonly recovery: LoanRecovery;
  readonly at: AtDesk;
}

/** Who takes each step: as the contract has it for the routes of recovery. */
const TAKERS: Readonly<Record<RecoveryStep, readonly Office[]>> = {
  default: ['credit_committee'],
  final_notice: ['chair', 'vice_chair', 'secretary', 'treasurer', 'manager', 'credit_committee'],
  own_deposits: ['chair', 'vice_chair', 'treasurer', 'manager'],
  pool: ['chair', 'vice_chair', 'treasurer', 'manager'],
  guarantors: ['chair', 'vice_chair', 'treasurer', 'manager'],
  write_off: ['chair', 'vice_chair', 'secretary', 'treasurer', 'supervisory_committee'],
};

/** What is done about a loan that is late: the steps in their order, the notices with their proof, claims, a new schedule. */
export function Recovery({ loan, at }: { loan: DeskLoanDetail; at: AtDesk }) {
  const isLate = isLoanLate(loan);
  const { data, error, refetch } = useLoanRecovery(at.sacco.id, loan.id, isLate);
  if (!isLate) return null;
  if (!data && error) {
    return <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />;
  }
  if (!data) return <Skeletons count={1} label={say('Loading...')} className="h-64 rounded-card" />;
  const { restructure } = data;
  const isToConfirm = restructure?.state === 'unconfirmed' && restructure.may.includes('confirm');
  const offer = <RestructureCard loan={loan} recovery={data} at={at} />;
  return (
    <>
      <Barred words={data.votes_barred} />
      {isToConfirm && offer}
      <StepsCard loan={loan} recovery={data} at={at} />
      {!isToConfirm && offer}
      {data.claims.length > 0 && <ClaimsCard claims={data.claims} />}
    </>
  );
}

/** Who was told of what: beside nothing else, since its table is wide. */
export function Notices({ loan, at }: { loan: DeskLoanDetail; at: AtDesk }) {
  const { data } = useLoanRecovery(at.sacco.id, loan.id, isLoanLate(loan));
  return data && data.notices.length > 0 ? <NoticesCard notices={data.notices} /> : null;
}

const isLoanLate = ({ days_past_due, state }: DeskLoanDetail): boolean => days_past_due > 0 || state !== 'active';

/** The step that may be taken stands first; what was done and what comes after it is folded. */
function StepsCard({ loan, recovery, at }: OfRecovery) {
  const [asked, setAsked] = useState<RecoveryStep | null>(null);
  const others = recovery.steps.filter(({ state }) => state !== 'now');
  return (
    <Card className="min-w-0 p-5">
      <h2 className="text-lead">{say('Recovery, step by step')}</h2>
      <Unproved notices={recovery.notices} />
      <Steps isShown={({ state }) => state === 'now'} loan={loan} recovery={recovery} at={at} onAsk={setAsked} />
      {others.length > 0 && (
        <FoldedPart title={say('The other steps: {n}', { n: formatCount(others.length) })}>
          <StepNotes recovery={recovery} />
          <Steps isShown={({ state }) => state !== 'now'} loan={loan} recovery={recovery} at={at} onAsk={setAsked} />
        </FoldedPart>
      )}
      {asked && <RecoveryDialog loan={loan} recovery={recovery} step={asked} at={at} onClose={() => setAsked(null)} />}
    </Card>
  );
}

function StepNotes({ recovery }: { recovery: LoanRecovery }) {
  return (
    <>
      <p className="text-small text-ink-2">
        {say('No step can be taken before the one above it is done and its notice has run out.')}{' '}
        {say('What is recovered pays the principal first; guarantors and pools pay nothing else.')}
      </p>
      {recovery.takes.length > 0 && (
        <p className="mt-1 text-small text-ink-2">
          {say(
            'The sums below can differ from “What covers it”: all savings of the borrower go first, and later steps take shares of what is left, up to each pledge.',
          )}
        </p>
      )}
    </>
  );
}

/** Those steps that are to be shown, each with the number that it has among all. */
function Steps({
  isShown,
  loan,
  recovery,
  at,
  onAsk,
}: OfRecovery & { isShown: (step: Step) => boolean; onAsk: (step: RecoveryStep) => void }) {
  return (
    <ol className="mt-2">
      {recovery.steps.map((step, index) =>
        isShown(step) ? (
          <li key={step.kind} className="rule flex gap-3.5 py-3">
            <span
              className={`num mt-0.5 grid size-7 shrink-0 place-items-center rounded-full text-small font-semibold ${fills[step.state]}`}
            >
              {index + 1}
            </span>
            <div className="min-w-0 grow">
              <StepWords step={step} />
              <Voices voices={recovery.voices.filter((voice) => voice.step === step.kind)} />
              {step.kind === 'write_off' && <Declines declines={recovery.write_off_declines} />}
              {step.state === 'later' && <TakenLater take={takeOf(recovery, step.kind)} />}
              {step.state === 'now' && <TakenBy loan={loan} recovery={recovery} step={step.kind} />}
              {step.state === 'now' && (
                <StepAct loan={loan} recovery={recovery} kind={step.kind} at={at} onAsk={() => onAsk(step.kind)} />
              )}
            </div>
          </li>
        ) : null,
      )}
    </ol>
  );
}

/** The button for a step that may be taken; for whoever has voted already, for whom it waits. */
function StepAct({
  loan,
  recovery,
  kind,
  at,
  onAsk,
}: {
  loan: DeskLoanDetail;
  recovery: LoanRecovery;
  kind: RecoveryStep;
  at: AtDesk;
  onAsk: () => void;
}) {
  if (hasVoted(recovery, kind, at.me)) return <Voted recovery={recovery} step={kind} />;
  return (
    <Button look="soft" className="mt-2" disabledReason={whyNot({ loan, recovery, at }, kind)} onClick={onAsk}>
      {actWords(kind)}
    </Button>
  );
}

/** Who decides about a default, and who of them has no vote left, is said with the loan. */
function whyNot({ loan, recovery, at }: OfRecovery, kind: RecoveryStep): string | null {
  const isVote = kind === 'default' || (kind === 'write_off' && !recovery.write_off_may.includes('decline'));
  if (isVote && recovery.votes_barred !== null) return recovery.votes_barred;
  if (kind !== 'default') return whyNotMine(loan.borrower.id, TAKERS[kind], at);
  return loan.may.includes('default') ? null : (loan.barred ?? whyNotMine(loan.borrower.id, TAKERS.default, at));
}

function TakenLater({ take }: { take: RecoveryTake | undefined }) {
  if (!take) return null;
  return (
    <p className="num text-small text-ink-2">
      {say('As things are now it takes {amount}.', { amount: formatShillings(take.amount) })}
    </p>
  );
}

function TakenBy({ loan, recovery, step }: { loan: DeskLoanDetail; recovery: LoanRecovery; step: RecoveryStep }) {
  if (step === 'final_notice') return <AllTakes takes={recovery.takes} />;
  const take = takeOf(recovery, step);
  return take ? <Take take={take} borrower={loan.borrower.name} /> : null;
}

/** Notices that the steps rest on, of which nothing shows that they arrived: a dispute would ask for that. */
function Unproved({ notices }: { notices: LoanRecovery['notices'] }) {
  const asked = notices.filter(({ kind }) => PROVING.has(kind));
  const missing = asked.filter(({ read_at, sms }) => read_at === null && sms?.state !== 'sent');
  if (missing.length === 0) return null;
  return (
    <p role="status" className="num mt-3 rounded-box bg-ochre-tint px-4 py-3 text-small font-medium text-ochre-ink">
      {say(
        'Nothing shows that {n} of {all} notices arrived: they were not opened, and no SMS was sent. Tell these people otherwise too, before you go on.',
        { n: formatCount(missing.length), all: formatCount(asked.length) },
      )}
    </p>
  );
}

const PROVING: ReadonlySet<LoanRecovery['notices'][number]['kind']> = new Set([
  'formal',
  'second',
  'defaulted',
  'final',
]);

const fills = {
  done: 'bg-forest text-on-forest',
  now: 'bg-ochre-tint text-ochre-ink',
  later: 'bg-sunken text-ink-2',
  not_needed: 'bg-sunken text-ink-2',
} as const;

function StepWords({ step }: { step: Step }) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-semibold">{stepWords(step.kind)}</span>
        <Tag tone={stepTones[step.state]}>{stepStateWords(step.state)}</Tag>
        {step.amount !== null && <Money shillings={step.amount} className="ml-auto font-semibold" />}
      </p>
      {(step.state === 'now' || step.state === 'later') && <p className="num text-ink-2">{step.text}</p>}
      <StepDate step={step} />
    </>
  );
}

function Voices({ voices }: { voices: LoanRecovery['voices'] }) {
  if (voices.length === 0) return null;
  return (
    <ul className="mt-1.5 grid gap-1.5 rounded-box bg-sunken px-4 py-2.5 text-small">
      {voices.map(({ by, office, reason, at }) => (
        <li key={`${by.id}${at}`}>
          <span className="font-semibold">{by.name}</span> · {officeWords(office)} · <LongDate iso={at} />
          <span className="block break-words">{reason}</span>
        </li>
      ))}
    </ul>
  );
}
