import type { TransactionKind } from '@ushirika/contract/journals';
import type { WalletTransaction } from '@ushirika/contract/wallet';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { wordsFor } from '../api/failure.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card, EmptyState, FailureState, PageHead } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { Table } from '../ui/table.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { DisputedPayments } from './disputed-payments.tsx';
import { historyKinds } from './kinds.ts';
import { useLiveMoney } from './live.ts';
import { PayByHandCard } from './pay-by-hand.tsx';
import { PayersCard } from './payers.tsx';
import { type StatementFormat, saveStatement } from './statement.ts';
import { type HistoryFilter, useTransactions } from './wallet.queries.ts';
import { WalletCard } from './wallet-card.tsx';
import { useWalletDialogs } from './wallet-dialogs.tsx';

/** The wallet: what is in it, and every movement with its receipt. */
export function WalletPage() {
  useLiveMoney();
  const { data: profile } = useProfile();
  const { dialogs, topUp, withdraw, confirmDeposit, receipt } = useWalletDialogs();
  const { filter, choose } = useFilter();
  const history = useTransactions(filter);
  const isNarrowed = Object.values(filter).some(Boolean);
  return (
    <>
      <Title>{say('Wallet')}</Title>
      <PageHead title={say('Wallet')} lead={say('Every transaction, with its receipt.')}>
        <LinkButton look="line" to={paths.proofs()}>
          {say('Check my balances')}
        </LinkButton>
        <Button look="line" onClick={confirmDeposit}>
          {say('Confirm Transaction')}
        </Button>
      </PageHead>
      <DisputedPayments />
      <div className="mt-5 grid items-start gap-4 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <div className="grid gap-4 max-lg:contents">
          <WalletCard wallet={profile?.wallet} onTopUp={topUp} onWithdraw={withdraw} />
          <PayByHandCard />
          <PayersCard />
          <Statement filter={filter} />
        </div>
        <Card className="min-w-0 px-5 py-4">
          <Filters filter={filter} choose={choose} />
          {history.isPending && <Skeletons count={5} label={say('Loading...')} className="mb-3 h-14 rounded-box" />}
          {history.isError && !history.rows && (
            <FailureState
              words={wordsFor(history.error)}
              again={say('Try again')}
              onAgain={() => void history.refetch()}
            />
          )}
          {history.rows?.length === 0 && (
            <EmptyState
              title={isNarrowed ? say('Nothing of that kind in these days') : say('Nothing has moved yet')}
              next={isNarrowed ? say('Choose other days or another kind.') : say('Top up by M-Pesa to get started.')}
            >
              {isNarrowed ? (
                <Button look="line" onClick={() => choose({})}>
                  {say('Show all')}
                </Button>
              ) : (
                <Button onClick={topUp}>{say('Top Up')}</Button>
              )}
            </EmptyState>
          )}
          {history.rows && history.rows.length > 0 && <History rows={history.rows} onReceipt={receipt} />}
          <LoadMore list={history} />
        </Card>
      </div>
      {dialogs}
    </>
  );
}

function History({ rows, onReceipt }: { rows: readonly WalletTransaction[]; onReceipt: (journal: string) => void }) {
  return (
    <Table
      caption={say('Wallet history')}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          head: say('What'),
          title: true,
          cell: ({ description, at, receipt }) => (
            <span className="min-w-0">
              <span className="block font-semibold">{description}</span>
              <span className="block text-small text-ink-2">
                <LongDate iso={at} time />
              </span>
              {receipt && <span className="block text-small text-ink-2">{receipt}</span>}
            </span>
          ),
        },
        { head: say('Amount'), end: true, cell: (row) => <Moved row={row} /> },
        {
          head: say('Balance'),
          end: true,
          cell: ({ balance }) => <Money shillings={balance} className="text-ink-2" />,
        },
        {
          head: say('Receipt'),
          end: true,
          cell: ({ journal, description }) => (
            <Button
              look="soft"
              className="px-3"
              aria-label={say('Receipt: {what}', { what: description })}
              onClick={() => onReceipt(journal)}
            >
              <Icon name="book" />
            </Button>
          ),
        },
      ]}
    />
  );
}

function Moved({ row: { direction, amount } }: { row: WalletTransaction }) {
  return (
    <Money
      shillings={direction === 'in' ? amount : -amount}
      sign
      className={`font-semibold ${direction === 'in' ? 'text-up' : ''}`}
    />
  );
}

function Filters({ filter, choose }: { filter: HistoryFilter; choose: (filter: HistoryFilter) => void }) {
  const box = 'field-box min-w-0';
  return (
    <fieldset className="mb-3 grid grid-cols-2 gap-3 sm:grid-cols-3">
      <legend className="sr-only">{say('Show only')}</legend>
      <label className="text-small font-semibold max-sm:col-span-2">
        {say('Kind')}
        <select
          className={`${box} mt-1`}
          value={filter.kind ?? ''}
          onChange={({ target }) => choose({ ...filter, kind: (target.value || undefined) as TransactionKind })}
        >
          <option value="">{say('All')}</option>
          {historyKinds().map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {(['from', 'to'] as const).map((end) => (
        <label key={end} className="min-w-0 text-small font-semibold">
          {end === 'from' ? say('From') : say('To')}
          <input
            type="date"
            className={`${box} mt-1 max-sm:px-2`}
            value={filter[end] ?? ''}
            onChange={({ target }) => choose({ ...filter, [end]: target.value || undefined })}
          />
        </label>
      ))}
    </fieldset>
  );
}

function Statement({ filter: { from, to } }: { filter: HistoryFilter }) {
  const [busy, setBusy] = useState<StatementFormat | null>(null);
  const save = async (format: StatementFormat) => {
    setBusy(format);
    try {
      await saveStatement({ from, to, format });
    } catch (error) {
      toast.error(wordsFor(error));
    } finally {
      setBusy(null);
    }
  };
  return (
    <Card className="p-5 max-lg:order-last">
      <h2 className="text-lead">{say('Statement')}</h2>
      <p className="mt-1 mb-3 text-small text-ink-2">
        {from || to
          ? say('Of the days chosen in the history.')
          : say('Of the last 30 days; choose others in the history.')}
      </p>
      <div className="flex gap-2 *:grow">
        {(['pdf', 'csv'] as const).map((format) => (
          <Button key={format} look="soft" busy={busy !== null} onClick={() => void save(format)}>
            <Icon name="download" />
            {busy === format ? say('Loading...') : format.toUpperCase()}
          </Button>
        ))}
      </div>
    </Card>
  );
}

/** What is shown stands in the address. */
function useFilter() {
  const [search, setSearch] = useSearchParams();
  const filter: HistoryFilter = {
    kind: historyKinds().find(([kind]) => kind === search.get('kind'))?.[0],
    from: dayOf(search.get('from')),
    to: dayOf(search.get('to')),
  };
  const choose = (next: HistoryFilter) => {
    const given = Object.entries(next).filter((entry): entry is [string, string] => Boolean(entry[1]));
    setSearch(new URLSearchParams(given), { replace: true });
  };
  return { filter, choose };
}

function dayOf(text: string | null): string | undefined {
  return text && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined;
}
