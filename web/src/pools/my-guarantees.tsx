import { formatShillings } from '@ushirika/contract/format';
import type {
  cancelPoolWithdrawal,
  PoolContract,
  PoolRequest,
  PoolRequestEnd,
  PoolWithdrawal,
} from '@ushirika/contract/pools';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { Button } from '../ui/button.tsx';
import { Card, Tag } from '../ui/card.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { paidInWords, quoteInWords } from './guarantee-words.ts';
import { dayOf } from './pool-dates.ts';
import { usePoolPaths } from './pool-paths.ts';
import { contractTag, endReasons, endWords, requestTag, type Tagged, withdrawalTag } from './pool-words.ts';
import { refreshPools, usePoolContracts, usePoolRequests, usePoolWithdrawals } from './pools.queries.ts';

type List<Row> = { rows?: readonly Row[] } & Parameters<typeof LoadMore>[0]['list'];

/** A card with a list, which is left out while it is empty: most members have none of these. */
function ListCard<Row extends { id: string }>({
  title,
  list,
  children,
}: {
  title: string;
  list: List<Row>;
  children: (row: Row) => ReactNode;
}) {
  if (!list.rows || list.rows.length === 0) return null;
  return (
    <Card className="px-5 py-4.5">
      <h2 className="mb-1 text-lead">{title}</h2>
      <ul className="num">
        {list.rows.map((row) => (
          <li key={row.id} className="rule py-2.5">
            {children(row)}
          </li>
        ))}
      </ul>
      <LoadMore list={list} />
    </Card>
  );
}

/** One's own requests that wait, for a signature or for the stewards, and those that were declined lately, with the reason. */
export function MyRequests() {
  const to = usePoolPaths();
  const list = usePoolRequests('recent');
  return (
    <ListCard title={say('My requests')} list={list}>
      {(request: PoolRequest) => (
        <Line to={to.request(request.id)} title={quoteInWords(request)} tag={requestTag(request.state)}>
          {request.pool.name}
          {request.expires_at && (
            <>
              {' · '}
              {say('until')} <LongDate iso={request.expires_at} time />
            </>
          )}
          {request.end && <RequestEndWords end={request.end} />}
        </Line>
      )}
    </ListCard>
  );
}

/** In a line of a list: who decided, when, and why. */
function RequestEndWords({ end }: { end: PoolRequestEnd }) {
  return (
    <span className="mt-0.5 block">
      {endWords(end)}, <LongDate iso={end.at} />.{' '}
      {endReasons(end).map((reason) => (
        <span key={reason} className="block font-medium text-clay">
          {reason}
        </span>
      ))}
    </span>
  );
}

/** Guarantees that one has from pools, or that one's own money stands behind. */
export function MyGuarantees({ as }: { as: 'borrower' | 'backer' }) {
  const to = usePoolPaths();
  const list = usePoolContracts(as);
  const isMine = as === 'borrower';
  return (
    <ListCard title={isMine ? say('Guarantees for me') : say('Guarantees that my money is locked for')} list={list}>
      {(contract: PoolContract) => (
        <Line to={to.contract(contract.id)} title={quoteInWords(contract)} tag={contractTag(contract.state)}>
          {contract.pool.name}
          {!isMine && <> · {contract.borrower.name}</>}
          {!isMine && contract.my_lock > 0 && (
            <span className="block font-medium text-clay">
              {say('You could lose at most')} <Money shillings={contract.my_lock} />
            </span>
          )}
          {!isMine && contract.my_loss > 0 && (
            <span className="block font-medium text-clay">
              {say('You lost {lost} to it, and got {back} back.', {
                lost: formatShillings(contract.my_loss),
                back: formatShillings(contract.my_recovered),
              })}
            </span>
          )}
          {isMine && contract.paid > 0 && <span className="block font-medium text-clay">{paidInWords(contract)}</span>}
          {isMine && contract.paid === 0 && (
            <span className="block">
              {say('Still guaranteed:')} <Money shillings={contract.outstanding} />
            </span>
          )}
        </Line>
      )}
    </ListCard>
  );
}

function Line({ to, title, tag, children }: { to: string; title: string; tag: Tagged; children: ReactNode }) {
  const [tone, words] = tag;
  return (
    <Link to={to} className="block rounded-small py-1 hover:bg-sunken">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="font-semibold">{title}</span>
        <Tag tone={tone}>{words}</Tag>
      </span>
      <span className="mt-0.5 block text-small text-ink-2">{children}</span>
    </Link>
  );
}

/** Notices of withdrawal, with the day on which each is likely to be paid; one that waits can be taken back. */
export function MyWithdrawals() {
  const list = usePoolWithdrawals();
  return (
    <ListCard title={say('Withdrawals')} list={list}>
      {(withdrawal: PoolWithdrawal) => <Withdrawal withdrawal={withdrawal} />}
    </ListCard>
  );
}

function Withdrawal({ withdrawal }: { withdrawal: PoolWithdrawal }) {
  const { pool, amount, state, ahead, estimated_on, due_at, ended_at } = withdrawal;
  const [tone, words] = withdrawalTag(state);
  return (
    <div className="py-1">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <Money shillings={amount} className="font-semibold" />
        <Tag tone={tone}>{words}</Tag>
      </p>
      <p className="mt-0.5 text-small text-ink-2">{pool.name}</p>
      {state === 'waiting' ? (
        <>
          <p className="mt-0.5 text-small">
            {say('Likely paid on')} <LongDate iso={estimated_on ? dayOf(estimated_on) : due_at} />
            {ahead > 0 && (
              <>
                {' · '}
                {say('{n} before it', { n: formatCount(ahead) })}
              </>
            )}
          </p>
          <TakeBack id={withdrawal.id} />
        </>
      ) : (
        <p className="mt-0.5 text-small text-ink-2">
          <LongDate iso={ended_at} time />
        </p>
      )}
    </div>
  );
}

function TakeBack({ id }: { id: string }) {
  const [busy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    try {
      const answer = await call<typeof cancelPoolWithdrawal>(
        'POST',
        '/guarantors/pools/withdrawals/{id}/cancellation',
        { params: { id } },
      );
      toast.success(answer.message);
    } catch (error) {
      toast.error(wordsFor(error));
    }
    await refreshPools();
    setBusy(false);
  };
  return (
    <Button look="line" className="mt-2 max-sm:w-full" busy={busy} onClick={() => void cancel()}>
      {busy ? say('processing...') : say('Take the notice back')}
    </Button>
  );
}
