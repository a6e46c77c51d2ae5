import type { Order } from '@ushirika/contract/market';
import { type ReactNode, useState } from 'react';
import { wordsFor } from '../api/failure.ts';
import { sharesInWords } from '../shares/shares-in-words.ts';
import { Button } from '../ui/button.tsx';
import { Card, FailureState, Tag } from '../ui/card.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';
import { useOwnOrders } from './market.queries.ts';
import { closedWords, formatPrice, orderWords } from './market-words.ts';

/** One's own orders: the open ones to change or cancel, and what became of the others. */
export function MyOrders({
  sacco,
  open,
  closed,
  closesAt,
  onCancel,
  onChange,
}: {
  sacco: string;
  /** As they stand in the book. */
  open: readonly Order[];
  /** Why none can be changed now, or null. */
  closed: string | null;
  /** When new rules close an order, in words, or null. */
  closesAt: (order: Order) => string | null;
  onCancel: (order: Order) => void;
  onChange: (order: Order) => void;
}) {
  const [isPast, setPast] = useState(false);
  return (
    <Card role="region" aria-label={say('My orders')} className="min-w-0 px-4.5 py-4">
      <div className="mb-1 flex min-h-8 items-center justify-between gap-3">
        <h2 className="text-body">{say('My orders')}</h2>
        {open.length > 0 && <Tag tone="plain">{say('{n} open', { n: formatCount(open.length) })}</Tag>}
      </div>
      {open.length === 0 ? (
        <div className="grid justify-items-center gap-1.5 py-7 text-center">
          <p className="font-semibold">{say('You have no open orders')}</p>
          <p className="max-w-[44ch] text-small text-ink-2">
            {say('What does not trade at once when you buy or sell waits here, where you can change or cancel it.')}
          </p>
        </div>
      ) : (
        <OpenOrders orders={open} closed={closed} closesAt={closesAt} onCancel={onCancel} onChange={onChange} />
      )}
      <button
        type="button"
        aria-expanded={isPast}
        className="mt-2 min-h-11 w-full cursor-pointer border-t border-dashed border-line text-left text-small font-semibold text-forest"
        onClick={() => setPast(!isPast)}
      >
        {isPast ? say('Hide closed orders') : say('Show closed orders')}
      </button>
      {isPast && <ClosedOrders sacco={sacco} />}
    </Card>
  );
}

function OpenOrders({
  orders,
  closed,
  closesAt,
  onCancel,
  onChange,
}: {
  orders: readonly Order[];
  closed: string | null;
  closesAt: (order: Order) => string | null;
  onCancel: (order: Order) => void;
  onChange: (order: Order) => void;
}) {
  const act = (order: Order, words: string, then: () => void, reason: string | null = null) => (
    <Button
      look="line"
      className="min-h-9 px-3 text-small max-sm:min-h-11"
      aria-describedby={`order-${order.id}`}
      disabledReason={reason}
      onClick={then}
    >
      {words}
    </Button>
  );
  return (
    <Table
      caption={say('My orders')}
      rows={orders}
      keyOf={({ id }) => id}
      columns={[
        {
          head: say('Order'),
          title: true,
          cell: (order) => (
            <span id={`order-${order.id}`} className="min-w-0">
              <span className={`font-semibold ${order.side === 'buy' ? 'text-up' : 'text-down'}`}>
                {orderWords(order)}
              </span>
              <span className="block text-small text-ink-2">
                {say('until')} <LongDate iso={order.expires_at} />
              </span>
              <Closes at={closesAt(order)} />
            </span>
          ),
        },
        {
          head: say('Left to trade'),
          end: true,
          cell: ({ remaining, filled }) => (
            <span className="whitespace-nowrap">
              <b>{formatCount(remaining)}</b>
              {filled > 0 && (
                <span className="block text-small text-ink-2">{say('{n} traded', { n: formatCount(filled) })}</span>
              )}
            </span>
          ),
        },
        {
          head: say('Held'),
          end: true,
          cell: ({ side, held, remaining }) =>
            side === 'buy' ? (
              <Money shillings={held} className="text-ink-2" />
            ) : (
              <span className="whitespace-nowrap text-ink-2">{sharesInWords(remaining)}</span>
            ),
        },
        {
          head: say('What to do'),
          // On a phone the buttons have the row to themselves.
          title: true,
          end: true,
          cell: (order) => (
            <span className="flex justify-end gap-2 max-sm:mt-1 max-sm:w-full max-sm:*:flex-1">
              {act(order, say('Change'), () => onChange(order), closed)}
              {act(order, say('Cancel'), () => onCancel(order))}
            </span>
          ),
        },
      ]}
    />
  );
}

function Closes({ at }: { at: string | null }) {
  if (at === null) return null;
  return (
    <span className="block text-small font-medium text-ochre-ink">
      {say('Closes on {time}, under the new rules.', { time: at })}
    </span>
  );
}

function ClosedOrders({ sacco }: { sacco: string }) {
  const orders = useOwnOrders(sacco);
  const rows = orders.rows?.filter(({ status }) => status !== 'open');
  let shown: ReactNode = <Skeletons count={2} label={say('Loading...')} className="mb-2 h-12 rounded-box" />;
  if (!rows && orders.error) {
    shown = (
      <FailureState words={wordsFor(orders.error)} again={say('Try again')} onAgain={() => void orders.refetch()} />
    );
  }
  if (rows?.length === 0 && !orders.hasNextPage) {
    shown = <p className="py-4 text-small text-ink-2">{say('No order of yours has closed yet.')}</p>;
  }
  if (rows && rows.length > 0) shown = <ClosedTable orders={rows} />;
  return (
    <>
      {shown}
      <LoadMore list={orders} />
    </>
  );
}

function ClosedTable({ orders }: { orders: readonly Order[] }) {
  return (
    <Table
      caption={say('Closed orders')}
      rows={orders}
      keyOf={({ id }) => id}
      columns={[
        {
          head: say('Order'),
          title: true,
          cell: (order) => (
            <span>
              <span className="font-semibold">{orderWords(order)}</span>
              <span className="block text-small text-ink-2">
                <LongDate iso={order.closed_at} time />
              </span>
            </span>
          ),
        },
        { head: say('What became of it'), cell: (order) => <span className="text-small">{closedWords(order)}</span> },
        {
          head: say('Traded'),
          end: true,
          cell: ({ filled, shares, value }) => (
            <span className="whitespace-nowrap">
              {say('{n} of {m}', { n: formatCount(filled), m: formatCount(shares) })}
              {filled > 0 && (
                <span className="block text-small text-ink-2">
                  {say('at {price} on average', { price: formatPrice(Math.round((value * 100) / filled) / 100) })}
                </span>
              )}
            </span>
          ),
        },
        { head: say('Fee'), end: true, cell: ({ fee }) => <Money shillings={fee} className="text-ink-2" /> },
      ]}
    />
  );
}
