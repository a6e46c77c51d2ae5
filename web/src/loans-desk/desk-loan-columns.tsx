import type { DeskLoan } from '@ushirika/contract/loans';
import { Link } from 'react-router';
import { Tag } from '../ui/card.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import type { Column } from '../ui/table.tsx';
import { longDate } from '../words/dates.ts';
import { daysUntil } from '../words/in-days.ts';
import { say } from '../words/say.ts';
import { trustedName } from '../words/trusted-name.ts';
import { deskPaths } from './desk-paths.ts';
import { classWords, deskStateTones, deskStateWords } from './desk-words.ts';
import type { DeskListName } from './loans-desk.queries.ts';

type LoanColumn = Column<DeskLoan>;

/** What each list shows of its loans: what the next act on them needs. */
export function columnsOf(list: DeskListName, now: number): readonly LoanColumn[] {
  switch (list) {
    case 'to_review':
      return [borrower(), amount(), months(), applied(), decideBy()];
    case 'to_disburse':
    case 'to_check':
      return [borrower(), amount(), months(), applied(), state()];
    case 'substitutions':
      return [borrower(), owed(), nextDue(), state()];
    case 'arrears':
      return [borrower(), daysLate(), overdue(), inAll(), nextStep(now)];
    case 'active':
      return [borrower(), owed(), nextDue(), ofClass(), provision(), state()];
    case 'written_off':
      return [borrower(), amount(), inAll(), daysLate()];
    case 'over':
      return [borrower(), amount(), months(), applied(), state()];
  }
}

const borrower = (): LoanColumn => ({
  head: say('Borrower'),
  title: true,
  cell: ({ id, number, product, borrower: { name }, is_of_official: isOfOfficial, former_name: former }) => (
    <Link to={deskPaths.loan(id)} className="group -my-1 block min-w-0 py-1">
      <span className="block font-semibold underline decoration-line-strong underline-offset-3 group-hover:decoration-current">
        {trustedName(name, former)}
      </span>
      <span className="block text-small text-ink-2">
        {product} · {number}
        {isOfOfficial && ` · ${say('An official’s loan')}`}
      </span>
    </Link>
  ),
});

const amount = (): LoanColumn => ({
  head: say('Amount'),
  end: true,
  cell: (loan) => <Money shillings={loan.amount} className="font-semibold" />,
});

const months = (): LoanColumn => ({ head: say('Months'), end: true, cell: (loan) => formatCount(loan.months) });

const applied = (): LoanColumn => ({
  head: say('Applied'),
  end: true,
  cell: ({ applied_at }) => <LongDate iso={applied_at} />,
});

const state = (): LoanColumn => ({
  head: say('State'),
  end: true,
  cell: (loan) => <Tag tone={deskStateTones[loan.state]}>{deskStateWords(loan.state)}</Tag>,
});

const decideBy = (): LoanColumn => ({
  head: say('Decide by'),
  end: true,
  cell: ({ decide_by }) => <DecideBy iso={decide_by} />,
});

const owed = (): LoanColumn => ({
  head: say('Principal owed'),
  end: true,
  cell: ({ principal_owed }) => <Money shillings={principal_owed} />,
});

const inAll = (): LoanColumn => ({
  head: say('Owed in all today'),
  end: true,
  cell: (loan) => <Money shillings={loan.owed} />,
});

const overdue = (): LoanColumn => ({
  head: say('Past due'),
  end: true,
  cell: (loan) => <Money shillings={loan.overdue} className="font-semibold text-clay" />,
});

const daysLate = (): LoanColumn => ({
  head: say('Days late'),
  end: true,
  cell: ({ days_past_due, class: of }) => (
    <span>
      <span className="font-semibold">{formatCount(days_past_due)}</span>
      {of && <span className="block text-small text-ink-2">{classWords(of)}</span>}
    </span>
  ),
});

const nextDue = (): LoanColumn => ({
  head: say('Next instalment'),
  end: true,
  cell: ({ next_due }) =>
    next_due ? (
      <span>
        <Money shillings={next_due.amount} />
        <span className="block text-small text-ink-2">
          <LongDate iso={next_due.date} />
        </span>
      </span>
    ) : (
      <span className="text-ink-2">{say('none')}</span>
    ),
});

const ofClass = (): LoanColumn => ({
  head: say('Class'),
  cell: ({ class: of }) => (of ? classWords(of) : '–'),
});

const provision = (): LoanColumn => ({
  head: say('Set aside'),
  end: true,
  cell: (loan) => <Money shillings={loan.provision} />,
});

const nextStep = (now: number): LoanColumn => ({
  head: say('Next step'),
  cell: ({ next_step }) => {
    if (!next_step) return <span className="text-ink-2">{say('none')}</span>;
    const isNow = next_step.from !== null && Date.parse(next_step.from) <= now;
    return (
      <span className="sm:block sm:max-w-[34ch]">
        <span className={isNow ? 'font-semibold' : ''}>{next_step.text}</span>
        <span className="block text-small text-ink-2">
          {isNow
            ? say('may be done now')
            : next_step.from
              ? say('from {day}', { day: longDate(next_step.from) })
              : say('once the step before it is done')}
        </span>
      </span>
    );
  },
});

/** The clock of the fourteen days: the day, and how many are left. */
export function DecideBy({ iso }: { iso: string | null }) {
  if (!iso) return <span className="text-ink-2">–</span>;
  const left = daysUntil(iso);
  const isPressing = left <= 3;
  return (
    <span>
      <span className={`font-semibold ${isPressing ? 'text-clay' : ''}`}>{daysLeftWords(left)}</span>
      <span className="block text-small text-ink-2">
        <LongDate iso={iso} />
      </span>
    </span>
  );
}

export function daysLeftWords(left: number): string {
  if (left < 0) return say('The 14 days are over');
  return left === 0
    ? say('Decide today')
    : say('Decide {n, plural, one {by tomorrow} other {within # days}}', { n: left });
}
