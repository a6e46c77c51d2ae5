import { formatShillings } from '@ushirika/contract/format';
import type { LoanDetail, LoanMovement } from '@ushirika/contract/loans';
import { nairobiDay } from '@ushirika/contract/time';
import { useState } from 'react';
import { wordsFor } from '../api/failure.ts';
import type { Details } from '../receipts/receipt-card.tsx';
import { Button } from '../ui/button.tsx';
import { Card, FailureState } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { saveCsv } from '../ui/save-csv.ts';
import { type Column, Table } from '../ui/table.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { allMovements, type MovementPages, useMovements } from './loans.queries.ts';

interface Moved {
  readonly loan: Pick<LoanDetail, 'id' | 'number' | 'movements' | 'has_more_movements'>;
  /** Where all of them are read. */
  readonly pages: MovementPages;
}

/** The movements of money of one's own loan. */
export function MovementsCard({ loan, pages }: Moved) {
  if (loan.movements.length === 0) return null;
  return (
    <Card className="min-w-0 p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-lead">{say('Every movement')}</h2>
        <SaveMovements loan={loan} pages={pages} />
      </div>
      <Movements loan={loan} pages={pages} />
    </Card>
  );
}

/** The newest movements, and at the press of a button all of them by pages. */
export function Movements({ loan, pages }: Moved) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole) return <AllMovements loan={loan} pages={pages} />;
  return (
    <>
      <Lines rows={loan.movements} />
      {loan.has_more_movements && (
        <Button look="quiet" className="mt-2 w-full" onClick={() => setWhole(true)}>
          {say('Show what was before')}
        </Button>
      )}
    </>
  );
}

/** While the first page is on its way, the newest ones stay on screen. */
function AllMovements({ loan, pages }: Moved) {
  const list = useMovements(pages);
  return (
    <>
      <Lines rows={list.rows ?? loan.movements} />
      {list.rows ? (
        <LoadMore list={list} />
      ) : list.isPending ? (
        <Button look="quiet" className="mt-2 w-full" busy>
          {say('Loading...')}
        </Button>
      ) : (
        <FailureState words={wordsFor(list.error)} again={say('Try again')} onAgain={() => void list.refetch()} />
      )}
    </>
  );
}

const Lines = ({ rows }: { rows: readonly LoanMovement[] }) => (
  <Table caption={say('Every movement')} rows={rows} keyOf={({ id }) => id} columns={columns()} />
);

/** The button that saves all of them as a file. */
export function SaveMovements({ loan, pages }: Moved) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const all = loan.has_more_movements ? await allMovements(pages) : loan.movements;
      saveCsv(`ushirika-loan-${loan.number}.csv`, linesOf(all.toReversed()));
    } catch (error) {
      toast.error(wordsFor(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button look="quiet" busy={busy} onClick={() => void save()}>
      {busy ? say('Loading...') : say('Save as CSV')}
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

/** One line a movement, in order, with the figures as numbers; a spreadsheet opens it. */
function linesOf(movements: readonly LoanMovement[]): string[][] {
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
    nairobiDay(new Date(row.at)),
    row.what,
    ...[row.amount, row.principal, row.interest, row.penalty, row.fee, row.balance_after].map((each) =>
      each.toFixed(2),
    ),
    row.entry ?? '',
  ]);
  return [head, ...lines];
}
