import { formatShillings } from '@ushirika/contract/format';
import type { Loan } from '@ushirika/contract/loans';
import { Link } from 'react-router';
import { Card, Tag } from '../ui/card.tsx';
import { LongDate, Money, Progress } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { isOwed, repaidOf } from './loan.rules.ts';
import { loanPaths } from './loan-paths.ts';
import { LoanStages } from './loan-stages.tsx';
import { daysInWords, monthsInWords, noonOf, stateTones, stateWords } from './loan-words.ts';
import { useIsToSend } from './loans.queries.ts';

/** One's loans, a card each: where it stands, what is owed and what is due next. */
export function LoanList({ loans }: { loans: readonly Loan[] }) {
  return (
    <ul className="grid gap-4 xl:grid-cols-2">
      {loans.map((loan) => (
        <li key={loan.id} className="grid min-w-0">
          <LoanCard loan={loan} />
        </li>
      ))}
    </ul>
  );
}

function LoanCard({ loan }: { loan: Loan }) {
  const toSend = useIsToSend(loan);
  return (
    <Card className="relative flex min-w-0 flex-col gap-4 p-5 hover:border-edge">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="text-title">
            <Link
              to={loanPaths.loan(loan.id)}
              className="outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-3 focus-visible:after:outline-offset-2 focus-visible:after:outline-[var(--focus)]"
            >
              <Money shillings={loan.amount} />
            </Link>
          </h3>
          <p className="text-small text-ink-2">
            {loan.product} · {monthsInWords(loan.new_months ?? loan.months)}
          </p>
        </div>
        <Tag tone={stateTones[loan.state]}>{stateWords(loan, toSend)}</Tag>
      </div>
      <LoanStages state={loan.state} toSend={toSend} />
      {isOwed(loan) && <Owed loan={loan} />}
      <p className="mt-auto flex items-center justify-between gap-3 border-t border-dashed border-line pt-3 text-small text-ink-2">
        <span>
          {loan.disbursed_at
            ? say('Paid out on')
            : loan.state === 'guarantors_pending'
              ? say('Begun on')
              : say('Applied for on')}{' '}
          <LongDate iso={loan.disbursed_at ?? loan.applied_at} />
        </span>
        <Icon name="arrow" className="size-4.5 text-forest" />
      </p>
    </Card>
  );
}

/** What is repaid of it, and what comes next. */
function Owed({ loan }: { loan: Loan }) {
  const repaid = repaidOf(loan);
  return (
    <div>
      <p className="num mb-1.5 flex flex-wrap justify-between gap-x-4 text-small text-ink-2">
        <span>
          <Money shillings={repaid} />{' '}
          {loan.owed_to_guarantors > 0
            ? say('of the principal paid, a part of it by guarantors')
            : say('of the principal repaid')}
        </span>
        <span>
          <Money shillings={loan.owed} className="font-semibold text-ink" /> {say('still owed')}
        </span>
      </p>
      <Progress value={repaid} max={loan.amount} label={say('Principal repaid')} />
      <NextDue loan={loan} />
      {loan.owed_to_guarantors > 0 && (
        <p className="num mt-3 rounded-box bg-clay-tint px-4 py-2.5 font-semibold text-clay">
          {say('You also owe {amount} to guarantors who paid for you.', {
            amount: formatShillings(loan.owed_to_guarantors),
          })}
        </p>
      )}
    </div>
  );
}

/** What is overdue, or what is due next, in a line. */
export function NextDue({ loan }: { loan: Pick<Loan, 'overdue' | 'days_past_due' | 'next_due'> }) {
  if (loan.overdue > 0) {
    return (
      <p className="num mt-3 flex flex-wrap gap-x-2 rounded-box bg-clay-tint px-4 py-2.5 font-semibold text-clay">
        <Money shillings={loan.overdue} />
        <span>
          {loan.days_past_due > 0
            ? say('overdue for {days}', { days: daysInWords(loan.days_past_due) })
            : say('due today')}
        </span>
      </p>
    );
  }
  if (!loan.next_due) return null;
  return (
    <p className="num mt-3 flex flex-wrap gap-x-2 rounded-box bg-sunken px-4 py-2.5">
      <Money shillings={loan.next_due.amount} className="font-semibold" />
      <span className="text-ink-2">
        {say('due on')} <LongDate iso={noonOf(loan.next_due.date)} />
      </span>
    </p>
  );
}
