import type { LoanClass, LoanFigures } from '@ushirika/contract/loans';
import { formatCount, Money } from '../ui/figures.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';
import { classDays, classWords } from './desk-words.ts';

type Row = LoanFigures['classes'][number];

/** Each class has a colour of its own, and its name beside it. */
const fills: Readonly<Record<LoanClass, string>> = {
  performing: 'bg-forest',
  watch: 'bg-ochre',
  substandard: 'bg-clay/55',
  doubtful: 'bg-clay',
  loss: 'bg-ink',
};

/** What is owed, by how late it is: drawn as one bar, and told in a table below it. */
export function ClassBar({ figures }: { figures: LoanFigures }) {
  const rows = figures.classes.filter(({ owed }) => owed > 0);
  return (
    <>
      <div aria-hidden="true" className="flex h-5 gap-0.5 overflow-hidden rounded-small bg-sunken">
        {rows.map(({ class: of, owed }) => (
          <span key={of} className={`min-w-1 ${fills[of]}`} style={{ flexGrow: owed, flexBasis: 0 }} />
        ))}
      </div>
      <div className="mt-2">
        <Table
          caption={say('Principal owed, by class')}
          rows={figures.classes}
          keyOf={(row) => row.class}
          columns={columns()}
        />
      </div>
    </>
  );
}

function columns(): Column<Row>[] {
  return [
    {
      head: say('Class'),
      title: true,
      cell: ({ class: of }) => (
        <span className="flex items-center gap-2.5">
          <span aria-hidden="true" className={`size-3 shrink-0 rounded-full ${fills[of]}`} />
          <span>
            <span className="font-semibold">{classWords(of)}</span>
            <span className="block text-small text-ink-2">{classDays(of)}</span>
          </span>
        </span>
      ),
    },
    { head: say('Loans'), end: true, cell: ({ loans }) => formatCount(loans) },
    { head: say('Owed'), end: true, cell: ({ owed }) => <Money shillings={owed} /> },
    { head: say('Set aside'), end: true, cell: ({ provision }) => <Money shillings={provision} /> },
  ];
}
