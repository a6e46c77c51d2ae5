import { centsOf } from '@ushirika/contract/format';
import type { LoanNotice, LoanRecovery } from '@ushirika/contract/loan-recovery';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { Fold } from '../ui/fold.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';
import { noticeWords, smsWords } from './desk-words.ts';

/** Everybody who was told, of what and when, and what shows that they were. */
export function NoticesCard({ notices }: { notices: readonly LoanNotice[] }) {
  return (
    <Fold title={say('Notices and their proof: {n}', { n: formatCount(notices.length) })}>
      <Table
        caption={say('Notices and their proof')}
        rows={notices}
        keyOf={({ kind, to, at }) => `${kind}${to.id}${at}`}
        columns={noticeColumns()}
      />
    </Fold>
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
  const owedCents = claims.reduce((sum, { owed }) => sum + centsOf(owed), 0);
  return (
    <Fold title={say('What the borrower owes the guarantors')} sum={<Money shillings={owedCents / 100} />}>
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
    </Fold>
  );
}
