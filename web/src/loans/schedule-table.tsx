import type { Instalment, LoanDetail } from '@ushirika/contract/loans';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Tag, type TagTone } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';
import { monthsInWords, noonOf } from './loan-words.ts';

const SHOWN = 6;

/** A schedule, one instalment a row: the first six until all are asked for. */
export function ScheduleTable({ schedule }: { schedule: readonly Instalment[] }) {
  return <Rows schedule={schedule} columns={columnsOf} from={0} />;
}

type Scheduled = LoanDetail['schedule'][number];

/** The same of a loan that runs: what is paid of each instalment. It begins with the last one that is paid. */
export function RunningSchedule({ schedule }: { schedule: readonly Scheduled[] }) {
  const open = schedule.findIndex(({ state }) => state !== 'paid');
  const from = open < 0 ? 0 : Math.max(0, open - 1);
  return <Rows schedule={schedule} columns={() => [...columnsOf<Scheduled>(), paidColumn()]} from={from} />;
}

function Rows<Row extends Instalment>({
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
  return (
    <>
      <Table caption={say('Schedule')} rows={rows} keyOf={({ number }) => String(number)} columns={columns()} />
      {schedule.length > rows.length && (
        <Button look="quiet" className="mt-2 w-full" aria-expanded={false} onClick={() => setWhole(true)}>
          {say('Show all {months}', { months: monthsInWords(schedule.length) })}
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
      head: say('Still owed after it'),
      end: true,
      cell: ({ balance_after }) => <Money shillings={balance_after} className="text-ink-2" />,
    },
  ];
}

function paidColumn(): Column<Scheduled> {
  return {
    head: say('How it stands'),
    end: true,
    cell: (row) => (
      <span className="inline-flex flex-wrap items-center justify-end gap-x-2 gap-y-1">
        <Tag tone={tones[row.state]}>{standing(row.state)}</Tag>
        {row.paid > 0 && row.state !== 'paid' && (
          <span className="text-small text-ink-2">
            <Money shillings={row.paid} /> {say('of it paid')}
          </span>
        )}
      </span>
    ),
  };
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
    due: say('Due now'),
    overdue: say('Overdue'),
  };
  return words[state];
}
