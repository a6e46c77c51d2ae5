import type { Instalment, LoanDetail } from '@ushirika/contract/loans';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Tag, type TagTone } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';
import { isPaidAhead, isPaidBeforeItsMonth } from './loan.rules.ts';
import { monthsInWords, noonOf } from './loan-words.ts';

const SHOWN = 6;

/** A schedule, one instalment a row: the first six until all are asked for. */
export function ScheduleTable({ schedule }: { schedule: readonly Instalment[] }) {
  return <Rows schedule={schedule} columns={columnsOf} from={0} />;
}

type Scheduled = LoanDetail['schedule'][number];
type Early = LoanDetail['early'][number];
/** A line of a running schedule: an instalment, or principal that was paid outside of them. */
type Line =
  | { readonly number: string; readonly of: Scheduled; readonly owedAfter: number | null }
  | { readonly number: string; readonly early: Early };

/**
 * The same of a loan that runs: what is paid of each instalment, and what was paid outside of them, so that it adds up. It begins with
 * the last one that is paid. Where it is not what was agreed, that stands below it.
 */
export function RunningSchedule({ loan }: { loan: Pick<LoanDetail, 'schedule' | 'early' | 'agreed' | 'state'> }) {
  const { schedule, early, agreed, state } = loan;
  const lines = linesOf(schedule, early);
  const open = lines.findIndex((line) => 'of' in line && line.of.state !== 'paid');
  const from = open < 0 ? 0 : Math.max(0, open - 1);
  return (
    <>
      <Rows schedule={lines} columns={lineColumns} from={from} />
      {agreed && (
        <details className="mt-3 border-t border-dashed border-line" open={state === 'closed'}>
          <summary className="min-h-11 cursor-pointer content-center font-semibold">
            {say('The schedule that was agreed: {months}', { months: monthsInWords(agreed.length) })}
          </summary>
          <ScheduleTable schedule={agreed} />
        </details>
      )}
    </>
  );
}

function linesOf(schedule: readonly Scheduled[], early: readonly Early[]): Line[] {
  return schedule.flatMap((each, place): Line[] => [
    {
      number: String(each.number),
      of: each,
      owedAfter: isPaidBeforeItsMonth(schedule, place) ? null : each.balance_after,
    },
    ...early
      .filter(({ after }) => after === each.number)
      .map((one, index): Line => ({ number: `${each.number} ${index}`, early: one })),
  ]);
}

function Rows<Row extends { readonly number: number | string }>({
  schedule,
  columns,
  from,
}: {
  schedule: readonly Row[];
  columns: () => Column<Row>[];
  from: number;
}) {
  const [isWhole, setWhole] = useState(false);
  const rows = isWhole ? schedule : schedule.slice(from, from + SHOWN);
  // A payment that came early has a row of its own, and is no month.
  const months = schedule.filter(({ number }) => /^\d+$/.test(String(number))).length;
  return (
    <>
      <Table caption={say('Schedule')} rows={rows} keyOf={({ number }) => String(number)} columns={columns()} />
      {schedule.length > rows.length && (
        <Button look="quiet" className="mt-2 w-full" aria-expanded={false} onClick={() => setWhole(true)}>
          {say('Show all {months}', { months: monthsInWords(months) })}
        </Button>
      )}
    </>
  );
}

function columnsOf<Row extends Instalment>(): Column<Row>[] {
  return [
    {
      head: say('Instalment'),
      title: true,
      cell: ({ number, due_on }) => (
        <span className="text-left wrap-normal">
          <span className="font-semibold">{number}.</span> <LongDate iso={noonOf(due_on)} />
        </span>
      ),
    },
    { head: say('Principal'), end: true, cell: ({ principal }) => <Money shillings={principal} /> },
    { head: say('Interest'), end: true, cell: ({ interest }) => <Money shillings={interest} /> },
    {
      head: say('To pay'),
      end: true,
      cell: ({ total }) => <Money shillings={total} className="font-semibold" />,
    },
    {
      head: say('Still owed'),
      end: true,
      cell: ({ balance_after }) => <Money shillings={balance_after} className="text-ink-2" />,
    },
  ];
}

function lineColumns(): Column<Line>[] {
  return [
    { head: say('Instalment'), title: true, cell: (line) => <LineHead line={line} /> },
    {
      head: say('Principal'),
      end: true,
      cell: (line) => <Money shillings={'of' in line ? line.of.principal : line.early.principal} />,
    },
    {
      head: say('Interest'),
      end: true,
      cell: (line) => ('of' in line ? <Money shillings={line.of.interest} /> : '–'),
    },
    {
      head: say('To pay'),
      end: true,
      cell: (line) => ('of' in line ? <Money shillings={line.of.total} className="font-semibold" /> : '–'),
    },
    {
      head: say('Still owed'),
      end: true,
      cell: (line) => {
        const owed = 'of' in line ? line.owedAfter : line.early.balance_after;
        return owed === null ? '–' : <Money shillings={owed} className="text-ink-2" />;
      },
    },
  ];
}

/** Which instalment it is and how it stands; or what was paid early, and when. */
function LineHead({ line }: { line: Line }) {
  if ('early' in line) {
    return (
      <span className="grid justify-items-start gap-1 text-left wrap-normal">
        <LongDate iso={noonOf(line.early.on)} />
        <Tag tone="forest">{earlyWords(line.early.kind)}</Tag>
        {line.early.payments > 1 && (
          <span className="text-small text-ink-2">
            {say('{n, plural, one {# payment} other {# payments}}', { n: line.early.payments })}
          </span>
        )}
      </span>
    );
  }
  const { number, due_on, state, paid, paid_on } = line.of;
  return (
    <span className="grid justify-items-start gap-1 text-left wrap-normal">
      <span>
        <span className="font-semibold">{number}.</span> <LongDate iso={noonOf(due_on)} />
      </span>
      <Tag tone={tones[state]}>{isPaidAhead(line.of) ? say('Paid in advance') : standing(state)}</Tag>
      {paid_on && isPaidAhead(line.of) && (
        <span className="text-small text-ink-2">
          <LongDate iso={noonOf(paid_on)} />
        </span>
      )}
      {paid > 0 && state !== 'paid' && (
        <span className="text-small text-ink-2">
          <Money shillings={paid} /> {say('of it paid')}
        </span>
      )}
    </span>
  );
}

function earlyWords(kind: Early['kind']): string {
  const words: Record<Early['kind'], string> = {
    prepaid: say('Principal paid early'),
    paid_off: say('Paid off early'),
    recovered: say('Principal recovered'),
  };
  return words[kind];
}

const tones: Readonly<Record<Scheduled['state'], TagTone>> = {
  coming: 'plain',
  paid: 'forest',
  due: 'ochre',
  overdue: 'clay',
};

function standing(state: Scheduled['state']): string {
  const words: Record<Scheduled['state'], string> = {
    coming: say('To come'),
    paid: say('Paid'),
    due: say('Next'),
    overdue: say('Overdue'),
  };
  return words[state];
}
