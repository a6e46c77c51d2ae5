import { formatShillings } from '@ushirika/contract/format';
import type { LoanDetail, LoanMovement } from '@ushirika/contract/loans';
import type { Details } from '../receipts/receipt-card.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { quoted, saveCsv } from '../ui/save-csv.ts';
import { type Column, Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';

type Moved = Pick<LoanDetail, 'movements' | 'number'>;

/** Every movement of money of a loan, for its borrower and for the sacco's officials: the same lines for both. */
export function MovementsCard({ loan }: { loan: Moved }) {
  if (loan.movements.length === 0) return null;
  return (
    <Card className="min-w-0 p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-lead">{say('Every movement')}</h2>
        <SaveMovements loan={loan} />
      </div>
      <Movements loan={loan} />
    </Card>
  );
}

/** The lines alone. */
export function Movements({ loan }: { loan: Moved }) {
  return (
    <Table
      caption={say('Every movement')}
      rows={loan.movements}
      keyOf={(row) => `${row.at}${row.entry}${row.amount}${row.balance_after}`}
      columns={columns()}
    />
  );
}

/** The button that saves them as a file. */
export function SaveMovements({ loan }: { loan: Moved }) {
  return (
    <Button look="quiet" onClick={() => save(loan)}>
      {say('Save as CSV')}
    </Button>
  );
}

function columns(): Column<LoanMovement>[] {
  return [
    {
      head: say('Movement'),
      title: true,
      cell: ({ what, at, entry }) => (
        <span>
          <span className="font-semibold">{what}</span>
          <span className="block text-small text-ink-2">
            <LongDate iso={at} />
            {entry && ` · ${say('entry {number}', { number: entry })}`}
          </span>
        </span>
      ),
    },
    { head: say('Amount'), end: true, cell: ({ amount }) => <Money shillings={amount} className="font-semibold" /> },
    {
      head: say('Of it'),
      end: true,
      cell: (movement) => (
        <span className="inline-grid grid-cols-[auto_auto] gap-x-3 text-small">
          {partsOf(movement).map(([name, shillings]) => (
            <span key={name} className="contents">
              <span className="whitespace-nowrap text-ink-2">{name}</span>
              <Money shillings={shillings} />
            </span>
          ))}
        </span>
      ),
    },
    {
      head: say('Principal owed'),
      end: true,
      cell: ({ balance_after }) => <Money shillings={balance_after} />,
    },
  ];
}

type Parts = Pick<LoanMovement, 'principal' | 'interest' | 'penalty' | 'fee'>;

/** What of a movement went where, without the parts that are none. */
export function partsOf({ principal, interest, penalty, fee }: Parts): (readonly [string, number])[] {
  return (
    [
      [say('principal'), principal],
      [say('interest'), interest],
      [say('penalty'), penalty],
      [say('fee'), fee],
    ] as const
  ).filter(([, shillings]) => shillings > 0);
}

/** What the receipt of a repayment says besides: the loan's number, and what was paid with it. */
export function repaymentDetails(loan: LoanDetail, entry: string): Details {
  const paid = loan.movements.find((movement) => movement.entry === entry);
  const parts: Details = paid
    ? [
        [say('Of it penalty'), paid.penalty] as const,
        [say('Of it interest'), paid.interest] as const,
        [say('Of it principal'), paid.principal] as const,
      ].flatMap(([name, shillings]) => (shillings > 0 ? [[name, formatShillings(shillings)] as const] : []))
    : [];
  return [[say('Loan'), loan.number], ...parts];
}

/** One line a movement, with the figures as numbers; a spreadsheet opens it. */
function save({ movements, number }: Moved): void {
  const head = [
    'day',
    'movement',
    'amount',
    'principal',
    'interest',
    'penalty',
    'fee',
    'principal_owed_after',
    'entry',
  ];
  const lines = movements.map((row) => [
    row.at.slice(0, 10),
    quoted(row.what),
    ...[row.amount, row.principal, row.interest, row.penalty, row.fee, row.balance_after].map((each) =>
      each.toFixed(2),
    ),
    row.entry ?? '',
  ]);
  saveCsv(`ushirika-loan-${number}.csv`, [head, ...lines]);
}
