import { formatShillings } from '@ushirika/contract/format';
import type { DeskLoanDetail } from '@ushirika/contract/loans';
import type { ReactNode } from 'react';
import { Card } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { classWords } from './desk-words.ts';

/** How a loan that is paid out stands today. */
export function OwedCard({ loan }: { loan: DeskLoanDetail }) {
  const isLate = loan.days_past_due > 0;
  return (
    <Card className={`grid grid-cols-2 gap-x-6 gap-y-4 p-5 lg:grid-cols-4 ${isLate ? 'border-clay' : ''}`}>
      <Figure name={say('Owed in all today')} under={partsWords(loan)}>
        <Money shillings={loan.owed} />
      </Figure>
      <Figure
        name={say('Past due')}
        under={
          isLate
            ? say('for {n, plural, one {one day} other {# days}}', { n: loan.days_past_due })
            : loan.overdue > 0
              ? say('no instalment is late')
              : say('nothing is late')
        }
      >
        <Money shillings={loan.overdue} className={isLate ? 'text-clay' : ''} />
      </Figure>
      <Figure
        name={say('Next instalment')}
        under={loan.next_due ? <LongDate iso={loan.next_due.date} /> : say('none is left')}
      >
        {loan.next_due ? <Money shillings={loan.next_due.amount} /> : '–'}
      </Figure>
      <Figure name={say('Class')} under={say('{amount} set aside', { amount: formatShillings(loan.provision) })}>
        {loan.class ? classWords(loan.class) : '–'}
      </Figure>
    </Card>
  );
}

function partsWords({ principal_owed, interest_owed, penalty_owed }: DeskLoanDetail): ReactNode {
  const parts = [
    { words: say('principal'), amount: principal_owed },
    { words: say('interest'), amount: interest_owed },
    { words: say('penalty'), amount: penalty_owed },
  ].filter(({ amount }) => amount > 0);
  return parts.map(({ words, amount }) => (
    <span key={words} className="block">
      {words} <Money shillings={amount} />
    </span>
  ));
}

function Figure({ name, under, children }: { name: string; under: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="text-small text-ink-2">{name}</p>
      <p className="num text-lead font-bold">{children}</p>
      <p className="num text-small text-ink-2">{under}</p>
    </div>
  );
}
