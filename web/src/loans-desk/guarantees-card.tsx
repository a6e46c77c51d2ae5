import { formatShillings } from '@ushirika/contract/format';
import type { DeskLoanDetail, Guarantee } from '@ushirika/contract/loans';
import { Card, Tag } from '../ui/card.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { FoldedPart } from '../ui/fold.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { CoverBar } from './bars.tsx';
import { pledgeTones, pledgeWords } from './desk-words.ts';

/** Who covers the loan, with what, and whether it is enough. */
export function GuaranteesCard({ loan }: { loan: DeskLoanDetail }) {
  const { cover, guarantees } = loan;
  // Once it is paid out, what is still owed is to be covered.
  const needed = loan.disbursed_at === null ? cover.needed : loan.principal_owed;
  const parts = [
    { name: say('Own savings'), amount: cover.own, fill: 'bg-forest' },
    { name: say('Guarantors'), amount: cover.guarantors, fill: 'bg-ochre' },
    { name: say('Pool'), amount: cover.pool, fill: 'bg-indigo' },
  ];
  return (
    <Card className="min-w-0 p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-lead">{say('What covers it')}</h2>
        <p className="num text-small text-ink-2">
          {loan.disbursed_at === null
            ? say('to cover: {amount}', { amount: formatShillings(needed) })
            : say('principal to cover: {amount}', { amount: formatShillings(needed) })}
        </p>
      </div>
      <div className="mt-3">
        <CoverBar needed={needed} parts={parts} />
      </div>
      <ul className="num mt-2 flex flex-wrap gap-x-5 gap-y-1 text-small">
        {parts.map(({ name, amount, fill }) => (
          <li key={name} className="flex items-center gap-2">
            <span aria-hidden="true" className={`size-2.5 rounded-full ${fill}`} />
            {name} <Money shillings={amount} className="font-semibold" />
          </li>
        ))}
      </ul>
      {guarantees.length > 0 && (
        <div className="mt-2">
          <FoldedPart
            title={say('Guarantees')}
            sum={formatCount(guarantees.length)}
            openWhenWide={loan.disbursed_at === null}
          >
            <Table caption={say('Guarantees')} rows={guarantees} keyOf={({ id }) => id} columns={columns(loan)} />
          </FoldedPart>
        </div>
      )}
    </Card>
  );
}

function columns({ guarantees }: DeskLoanDetail): Column<Guarantee>[] {
  const nameOf = new Map(guarantees.map(({ id, name }) => [id, name]));
  return [
    {
      head: say('Who'),
      title: true,
      cell: (one) => (
        <span className="block min-w-0 sm:min-w-44">
          <span className="font-semibold">{one.name}</span>
          <span className="num block text-small text-ink-2">
            {kindWords(one.kind)}
            {one.signed_at && ` · ${say('signed on {day}', { day: longDate(one.signed_at) })}`}
          </span>
          {one.replaces && (
            <span className="block text-small font-semibold text-ochre-ink">
              {say('is to stand in for {name}', { name: nameOf.get(one.replaces) ?? '' })}
            </span>
          )}
          {one.release_asked_at && one.state === 'live' && (
            <span className="block text-small text-ochre-ink">{say('asked to be replaced')}</span>
          )}
        </span>
      ),
    },
    { head: say('Pledge'), end: true, cell: (one) => <Money shillings={one.amount} /> },
    {
      head: say('Still held'),
      end: true,
      cell: (one) => (
        <span>
          <Money shillings={one.pledged} />
          {one.claim > 0 && (
            <span className="block text-small text-clay">
              {say('not refunded: {amount}', { amount: formatShillings(one.claim) })}
            </span>
          )}
        </span>
      ),
    },
    {
      head: say('State'),
      end: true,
      cell: ({ state }) => <Tag tone={pledgeTones[state]}>{pledgeWords(state)}</Tag>,
    },
  ];
}

function kindWords(kind: Guarantee['kind']): string {
  const words = { member: say('Guarantor'), self: say('The borrower’s own savings'), pool: say('Guarantor pool') };
  return words[kind];
}
