import type { GuaranteeRequest } from '@ushirika/contract/loans';
import { useState } from 'react';
import { Link } from 'react-router';
import { wordsFor } from '../api/failure.ts';
import { Card, EmptyState, FailureState, Tag } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { trustedName } from '../words/trusted-name.ts';
import { loanPaths } from './loan-paths.ts';
import { daysInWords, guaranteeShown, guaranteeTones, monthsInWords, myGuaranteeWords } from './loan-words.ts';
import { type GuaranteesList, useMyGuarantees } from './loans.queries.ts';

/** Guarantees asked of me, and those that I gave, each with the most that I can lose by it. */
export function GuaranteesView() {
  const asked = useMyGuarantees('asked');
  const given = useMyGuarantees('given');
  const error = asked.error ?? given.error;
  if (error && !(asked.data && given.data)) {
    const again = () => void Promise.all([asked.refetch(), given.refetch()]);
    return <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={again} />;
  }
  if (!asked.data || !given.data) {
    return <Skeletons count={3} label={say('Loading...')} className="mb-4 h-32 rounded-card" />;
  }
  const isNone = asked.data.results.length + given.data.results.length === 0;
  return (
    <div className="grid gap-6">
      <Pledged pledged={given.data.pledged} free={given.data.free_savings} />
      {isNone ? (
        <EmptyState
          title={say('Nobody has asked you to guarantee a loan')}
          next={say('A request of another member appears here, with all that you need to know before you answer.')}
        />
      ) : (
        <>
          <List title={say('Asked of you')} rows={asked.data.results} none={say('Nothing waits for your answer.')} />
          <List title={say('Given by you')} rows={given.data.results} none={say('You guarantee no loan.')} />
        </>
      )}
      <Over />
    </div>
  );
}

/** All that one stands for in this sacco. */
function Pledged({ pledged, free }: { pledged: number; free: number }) {
  return (
    <Card className="grid gap-x-8 gap-y-3 p-5 sm:grid-cols-2">
      <div>
        <p className="text-small text-ink-2">{say('The most that you can lose by guarantees of your own')}</p>
        <p className={`text-title font-bold tracking-tight ${pledged > 0 ? 'text-clay' : ''}`}>
          <Money shillings={pledged} />
        </p>
        <p className="mt-0.5 text-small text-ink-2">
          {say('So much of your savings is held until the loans are repaid.')}{' '}
          {say('What you put into guarantor pools is not counted here.')}
        </p>
      </div>
      <div>
        <p className="text-small text-ink-2">{say('Savings that you could still pledge')}</p>
        <p className="text-title font-bold tracking-tight">
          <Money shillings={free} />
        </p>
      </div>
    </Card>
  );
}

function List({ title, rows, none }: { title: string; rows: readonly GuaranteeRequest[]; none: string }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-3 text-lead">{title}</h2>
      {rows.length === 0 ? <p className="text-ink-2">{none}</p> : <Cards rows={rows} />}
    </section>
  );
}

function Cards({ rows }: { rows: readonly GuaranteeRequest[] }) {
  return (
    <ul className="grid gap-4 xl:grid-cols-2">
      {rows.map((row) => (
        <li key={row.id} className="grid min-w-0">
          <GuaranteeCard row={row} />
        </li>
      ))}
    </ul>
  );
}

function GuaranteeCard({ row }: { row: GuaranteeRequest }) {
  return (
    <Card className="relative flex min-w-0 flex-col gap-3 p-5 hover:border-edge">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="text-lead">
            <Link
              to={loanPaths.guarantee(row.id)}
              className="outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-3 focus-visible:after:outline-offset-2 focus-visible:after:outline-[var(--focus)]"
            >
              {trustedName(row.borrower, row.former_name)}
            </Link>
          </h3>
          <p className="num text-small text-ink-2">
            <Money shillings={row.amount} /> · {monthsInWords(row.months)}
          </p>
        </div>
        <Tag tone={guaranteeTones[guaranteeShown(row)]}>{myGuaranteeWords(guaranteeShown(row))}</Tag>
      </div>
      <p className="num">
        {say('You can lose at most')} <Money shillings={row.worst_case} className="font-semibold text-clay" />
      </p>
      <Standing row={row} />
      <p className="mt-auto flex items-center justify-between gap-3 border-t border-dashed border-line pt-3 text-small text-ink-2">
        <span>
          {row.state === 'asked' && row.answer_by ? (
            <>
              {say('Answer by')} <LongDate iso={row.answer_by} />
            </>
          ) : (
            <>
              {say('Asked')} <LongDate iso={row.asked_at} />
            </>
          )}
        </span>
        <Icon name="arrow" className="size-4.5 text-forest" />
      </p>
    </Card>
  );
}

/** How the loan goes that one guarantees. */
function Standing({ row }: { row: GuaranteeRequest }) {
  if (row.claim > 0) {
    return (
      <p className="num text-small font-medium text-clay">
        {say('The borrower owes you')} <Money shillings={row.claim} />
      </p>
    );
  }
  if (row.days_past_due === 0) return null;
  return (
    <p className="num text-small font-medium text-clay">
      {say('The borrower is late by {days}', { days: daysInWords(row.days_past_due) })}
    </p>
  );
}

/** Guarantees that are over, once they are asked for. */
function Over() {
  const [isShown, setShown] = useState(false);
  return (
    <section aria-label={say('Guarantees that are over')}>
      <button
        type="button"
        aria-expanded={isShown}
        className="mb-3 min-h-11 w-full cursor-pointer border-t border-dashed border-line text-left text-small font-semibold text-forest"
        onClick={() => setShown(!isShown)}
      >
        {isShown ? say('Hide guarantees that are over') : say('Show guarantees that are over')}
      </button>
      {isShown && <OverList status="over" />}
    </section>
  );
}

function OverList({ status }: { status: GuaranteesList }) {
  const { data, error, refetch } = useMyGuarantees(status);
  if (!data && error) {
    return <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />;
  }
  if (!data) return <Skeletons count={2} label={say('Loading...')} className="mb-4 h-32 rounded-card" />;
  if (data.results.length === 0) return <p className="text-ink-2">{say('No guarantee of yours is over yet.')}</p>;
  return <Cards rows={data.results} />;
}
