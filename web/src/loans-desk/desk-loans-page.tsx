import type { DeskLoan } from '@ushirika/contract/loans';
import { useSearchParams } from 'react-router';
import { now } from '../clock.ts';
import { DeskList } from '../layouts/list-states.tsx';
import { Card } from '../ui/card.tsx';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { formatCount } from '../ui/figures.tsx';
import { Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';
import { type AtDesk, DeskHead, OfficialsOnly } from './desk-frame.tsx';
import { columnsOf } from './desk-loan-columns.tsx';
import { deskPaths } from './desk-paths.ts';
import { listWords } from './desk-words.ts';
import { type DeskListName, useDeskLoans, useLoanFigures } from './loans-desk.queries.ts';

const LISTS: readonly DeskListName[] = [
  'to_review',
  'to_disburse',
  'to_check',
  'substitutions',
  'arrears',
  'active',
  'written_off',
  'over',
];

/** /client/desk/loans: the loans of the sacco, by what is to be done with them. */
export function DeskLoansPage() {
  const [query] = useSearchParams();
  const asked = query.get('list');
  const list = LISTS.find((each) => each === asked) ?? 'to_review';
  return <OfficialsOnly>{(at) => <Loans at={at} list={list} />}</OfficialsOnly>;
}

function Loans({ at: { sacco }, list }: { at: AtDesk; list: DeskListName }) {
  const { data: figures } = useLoanFigures(sacco.id);
  const loans = useDeskLoans(sacco.id, list);
  const counts: Partial<Record<DeskListName, number>> = figures?.waiting ?? {};
  return (
    <>
      <DeskHead lead={leadOf(list)} />
      <div className="mt-4 grid gap-4">
        <ChoiceBar
          label={say('Which loans')}
          choices={LISTS.map((each) => ({
            to: deskPaths.loans(each),
            words: counts[each] ? `${listWords(each)} · ${formatCount(counts[each])}` : listWords(each),
            isChosen: each === list,
          }))}
        />
        <DeskList pages={loans} empty={emptyOf(list)}>
          {(rows: readonly DeskLoan[]) => (
            <Card className="min-w-0 px-5 py-2">
              <Table caption={listWords(list)} rows={rows} keyOf={({ id }) => id} columns={columnsOf(list, now())} />
            </Card>
          )}
        </DeskList>
      </div>
    </>
  );
}

function leadOf(list: DeskListName): string {
  const words: Record<DeskListName, string> = {
    to_review: say('Applications that are covered. The committee decides within 14 days.'),
    to_disburse: say('The borrower has accepted the terms. An official orders the payout.'),
    to_check: say('An official has ordered the payout. Another one checks it, and then the money moves.'),
    substitutions: say('A new guarantor has signed. The committee confirms the exchange.'),
    arrears: say(
      'Loans with an instalment past due, each with its next step. The one that is late for longest comes first.',
    ),
    active: say('Every loan that is in the books. Those that were written off have a list of their own.'),
    written_off: say('Given up in the books. The borrowers still owe them.'),
    over: say('Loans that are paid, and applications that came to nothing.'),
  };
  return words[list];
}

function emptyOf(list: DeskListName): { title: string; next: string } {
  const words: Record<DeskListName, [title: string, next: string]> = {
    to_review: [say('Nothing waits for a review'), say('Applications appear here once their guarantors have signed.')],
    to_disburse: [
      say('Nothing waits to be paid out'),
      say('Approved loans appear here once the borrower has accepted.'),
    ],
    to_check: [say('No payout waits for its check'), say('Payouts that the treasurer has ordered appear here.')],
    substitutions: [
      say('No new guarantor waits'),
      say('Exchanges of guarantors appear here once the new one has signed.'),
    ],
    arrears: [say('No loan is in arrears'), say('Loans appear here on the first day after a missed instalment.')],
    active: [say('Nothing is owed'), say('Loans appear here once they are paid out.')],
    written_off: [
      say('No loan is written off'),
      say('Loans appear here once board and supervisors have given them up.'),
    ],
    over: [say('None is over yet'), say('Paid loans and applications that came to nothing appear here.')],
  };
  const [title, next] = words[list];
  return { title, next };
}
