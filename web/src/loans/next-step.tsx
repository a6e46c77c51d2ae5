import type { LoanDetail } from '@ushirika/contract/loans';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { coverCents, guarantorsToSign } from './loan.rules.ts';
import { daysInWords, guarantorsToSignWords, noonOf } from './loan-words.ts';

export type LoanDialog =
  | 'ask'
  | 'submit'
  | 'change'
  | 'take-back'
  | 'accept'
  | 'repay'
  | 'pay-first'
  | 'payoff'
  | 'pay-guarantors';

type Show = (dialog: LoanDialog) => void;
type Tone = 'ochre' | 'clay' | 'forest' | 'plain';
interface Step {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly words: string;
  readonly more?: ReactNode;
}

/** What comes next for the borrower, and the button for it. */
export function NextStep({ loan, show }: { loan: LoanDetail; show: Show }) {
  const { icon, tone, words, more } = stepOf(loan);
  return (
    <section
      aria-label={say('What comes next')}
      className={`flex flex-wrap items-center gap-x-3.5 gap-y-3 rounded-card px-4.5 py-4 ${TONES[tone]}`}
    >
      <Icon name={icon} className="size-5" />
      <div className="min-w-0 grow basis-56">
        <p className="num font-semibold">{words}</p>
        {more && <div className="num mt-0.5 text-small">{more}</div>}
      </div>
      <MainAct loan={loan} show={show} />
    </section>
  );
}

const TONES: Readonly<Record<Tone, string>> = {
  ochre: 'bg-ochre-tint text-ochre-ink',
  clay: 'bg-clay-tint text-clay',
  forest: 'bg-forest-tint text-forest',
  plain: 'bg-sunken text-ink',
};

/** Days late on which guarantors are told, as the notices of the server have it. */
const GUARANTORS_TOLD_DAYS = 30;

/** The one act that brings it on. */
function MainAct({ loan: { may }, show }: { loan: LoanDetail; show: Show }) {
  const acts: readonly (readonly [LoanDialog, boolean, string])[] = [
    ['accept', may.includes('accept'), say('Read and accept')],
    ['submit', may.includes('submit'), say('Send to the committee')],
    ['repay', may.includes('repay'), say('Repay')],
    ['ask', may.includes('ask_guarantors'), say('Ask a guarantor')],
  ];
  const found = acts.find(([, isAllowed]) => isAllowed);
  if (!found) return null;
  return (
    <div className="grid max-sm:w-full">
      <Button onClick={() => show(found[0])}>{found[2]}</Button>
    </div>
  );
}

function stepOf(loan: LoanDetail): Step {
  switch (loan.state) {
    case 'guarantors_pending':
      return pendingStep(loan);
    case 'submitted':
      return {
        icon: 'clock',
        tone: 'plain',
        words: say('The credit committee looks at it'),
        more: loan.decide_by && (
          <>
            {say('It decides by')} <LongDate iso={loan.decide_by} />.
          </>
        ),
      };
    case 'returned':
      return { icon: 'alert', tone: 'clay', words: say('The committee asks for a change'), more: loan.reason };
    case 'approved':
      return {
        icon: 'check',
        tone: 'ochre',
        words: say('It is approved: read the key facts, then accept them'),
        more: say('Nothing is paid out before you have accepted.'),
      };
    case 'accepted':
      return {
        icon: 'clock',
        tone: 'plain',
        words: say('The treasurer pays it out, and another official checks it'),
      };
    case 'disbursing':
      return { icon: 'clock', tone: 'plain', words: say('The payment is ordered, and another official checks it') };
    case 'active':
    case 'in_arrears':
    case 'defaulted':
    case 'recovering':
    case 'written_off':
      return owedStep(loan);
    default:
      return overStep(loan);
  }
}

function pendingStep(loan: LoanDetail): Step {
  const { cover, guarantees, may } = loan;
  const waiting = guarantees.filter(({ state }) => state === 'asked').length;
  if (may.includes('submit')) {
    return {
      icon: 'check',
      tone: 'forest',
      words: say('It is covered: send it to the credit committee'),
      more: (
        <>
          {say('From then on your own savings that cover a part are held.')}
          {waiting > 0 &&
            ` ${say('{n, plural, one {One member is} other {# members are}} still asked to sign. You do not need them: take those requests back, or wait for their answers.', { n: waiting })}`}
        </>
      ),
    };
  }
  const missing = coverCents(cover).missing / 100;
  const toSign = guarantorsToSign(loan);
  const people = toSign.missing > waiting && guarantorsToSignWords(toSign);
  return {
    icon: 'hands',
    tone: 'ochre',
    words:
      waiting > 0
        ? say('{n, plural, one {One guarantor has} other {# guarantors have}} not answered yet', { n: waiting })
        : missing === 0 && people
          ? people
          : say('Find guarantors for what is not covered'),
    more: (missing > 0 || waiting > 0) && (
      <>
        {missing > 0 && (
          <>
            {say('Still to be covered:')} <Money shillings={missing} />
            {people && '. '}
          </>
        )}
        {people}
      </>
    ),
  };
}

function owedStep(loan: LoanDetail): Step {
  const { overdue, days_past_due: days, next_due: next } = loan;
  if (overdue > 0) {
    return {
      icon: 'alert',
      tone: 'clay',
      words: days > 0 ? say('You are late by {days}', { days: daysInWords(days) }) : say('An instalment is due today'),
      more: (
        <>
          <Money shillings={overdue} className="font-semibold" /> {say('is due now.')} {laterWords(loan)}
        </>
      ),
    };
  }
  return {
    icon: 'clock',
    tone: 'plain',
    words: next ? say('The next instalment') : say('Nothing is due now'),
    more: next && (
      <>
        <Money shillings={next.amount} className="font-semibold" /> {say('due on')} <LongDate iso={noonOf(next.date)} />
      </>
    ),
  };
}

function laterWords({ state, days_past_due: days, guarantees }: LoanDetail): string {
  if (state === 'defaulted') return say('Next your savings, then your guarantors’ pledges are taken.');
  if (state === 'recovering') return say('Your savings and your guarantors’ pledges are being taken to pay it.');
  if (state === 'written_off') return say('The sacco has given it up in its books. You still owe it.');
  const isGuaranteed = guarantees.some(({ kind, state }) => kind === 'member' && state === 'live');
  if (!isGuaranteed) return say('After 90 days the officials may declare a default. Then your savings can be taken.');
  return days < GUARANTORS_TOLD_DAYS
    ? say('After 30 days your guarantors are told; pay to keep them out of it.')
    : say(
        'Your guarantors have been told. Pay before the officials declare a default: then your savings and theirs can be taken.',
      );
}

function overStep({ state, reason, closed_because: because }: LoanDetail): Step {
  if (state === 'rejected') {
    return { icon: 'alert', tone: 'clay', words: say('The committee rejected it'), more: reason };
  }
  if (state === 'withdrawn') return { icon: 'info', tone: 'plain', words: say('You took it back: nothing is held') };
  if (state === 'expired') {
    return { icon: 'clock', tone: 'plain', words: say('It expired after 30 days without a step: nothing is held') };
  }
  if (because === 'refinanced') return { icon: 'check', tone: 'forest', words: say('A new loan paid it off') };
  if (because === 'recovered') return { icon: 'info', tone: 'plain', words: say('It was recovered in full') };
  return { icon: 'check', tone: 'forest', words: say('It is paid in full: all that was pledged is free again') };
}
