import type { LoanNotice, LoanRecovery } from '@ushirika/contract/loan-recovery';
import { Card } from '../ui/card.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';
import { noticeWords, smsWords } from './desk-words.ts';

/** Everybody who was told, of what and when, and what shows that they were. */
export function NoticesCard({ notices }: { notices: readonly LoanNotice[] }) {
  return (
    <Card className="min-w-0 px-5 py-2">
      <details>
        <summary className="min-h-11 cursor-pointer content-center font-semibold">
          {say('Notices and their proof: {n}', { n: formatCount(notices.length) })}
        </summary>
        <Table
          caption={say('Notices and their proof')}
          rows={notices}
          keyOf={({ kind, to, at }) => `${kind}${to.id}${at}`}
          columns={noticeColumns()}
        />
      </details>
    </Card>
  );
}

function noticeColumns(): Column<LoanNotice>[] {
  return [
    {
      head: say('Notice'),
      title: true,
      cell: ({ kind, to, is_guarantor, at }) => (
        <span>
          <span className="font-semibold">{noticeWords(kind)}</span>
          <span className="block text-small text-ink-2">
            {is_guarantor ? say('to {name}, guarantor', { name: to.name }) : say('to {name}', { name: to.name })}
          </span>
          <span className="block text-small text-ink-2">
            <LongDate iso={at} time />
          </span>
        </span>
      ),
    },
    { head: say('About'), end: true, cell: ({ amount }) => <Money shillings={amount} /> },
    { head: say('Days late'), end: true, cell: ({ days_past_due }) => formatCount(days_past_due) },
    {
      head: say('Proof'),
      end: true,
      cell: ({ read_at, sms }) => (
        <span>
          {read_at ? (
            <>
              {say('read')} <LongDate iso={read_at} />
            </>
          ) : (
            say('not opened')
          )}
          <span className="block text-small text-ink-2">
            {smsWords(sms)}
            {sms?.gateway_id && ` · ${sms.gateway_id}`}
          </span>
        </span>
      ),
    },
  ];
}

type Claim = LoanRecovery['claims'][number];

/** What guarantors paid for the borrower and have not got back. */
export function ClaimsCard({ claims }: { claims: readonly Claim[] }) {
  return (
    <Card className="min-w-0 p-5">
      <h2 className="text-lead">{say('What the borrower owes the guarantors')}</h2>
      <Table
        caption={say('What the borrower owes the guarantors')}
        rows={claims}
        keyOf={({ guarantor }) => guarantor.id}
        columns={[
          { head: say('Guarantor'), title: true, cell: ({ guarantor }) => <b>{guarantor.name}</b> },
          { head: say('Paid'), end: true, cell: ({ paid }) => <Money shillings={paid} /> },
          { head: say('Refunded'), end: true, cell: ({ refunded }) => <Money shillings={refunded} /> },
          { head: say('Owed'), end: true, cell: ({ owed }) => <Money shillings={owed} className="font-semibold" /> },
        ]}
      />
    </Card>
  );
}
