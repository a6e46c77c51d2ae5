import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { Card, Tag } from '../ui/card.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';

type Scheduled = DeskLoanDetail['schedule'][number];

/** Every instalment; folded away until somebody wants it. */
export function ScheduleCard({ loan: { schedule } }: { loan: DeskLoanDetail }) {
  return (
    <Card className="min-w-0 px-5 py-2">
      <details>
        <summary className="min-h-11 cursor-pointer content-center font-semibold">
          {say('Schedule: {n, plural, one {one instalment} other {# instalments}}', { n: schedule.length })}
        </summary>
        <Table caption={say('Schedule')} rows={schedule} keyOf={({ number }) => String(number)} columns={columns()} />
      </details>
    </Card>
  );
}

function columns(): Column<Scheduled>[] {
  return [
    {
      head: say('Due'),
      title: true,
      cell: ({ number, due_on }) => (
        <span>
          {formatCount(number)}. <LongDate iso={due_on} />
        </span>
      ),
    },
    { head: say('Principal'), end: true, cell: ({ principal }) => <Money shillings={principal} /> },
    { head: say('Interest'), end: true, cell: ({ interest }) => <Money shillings={interest} /> },
    { head: say('Instalment'), end: true, cell: (one) => <Money shillings={one.total} className="font-semibold" /> },
    { head: say('Paid'), end: true, cell: ({ paid }) => <Money shillings={paid} /> },
    {
      head: say('State'),
      end: true,
      cell: ({ state }) => <Tag tone={tones[state]}>{stateWords(state)}</Tag>,
    },
  ];
}

const tones = { coming: 'plain', paid: 'forest', due: 'ochre', overdue: 'clay' } as const;

function stateWords(state: Scheduled['state']): string {
  const words = { coming: say('Coming'), paid: say('Paid'), due: say('Due'), overdue: say('Late') };
  return words[state];
}
