import { centsOf, formatShillings } from '@ushirika/contract/format';
import type { Order, Trade } from '@ushirika/contract/market';
import type { Receipt } from '@ushirika/contract/receipts';
import type { ReactNode } from 'react';
import { ReceiptPaper } from '../receipts/receipt-paper.tsx';
import { sharesAmount } from '../shares/shares-amount.ts';
import { formatCount, LongDate } from '../ui/figures.tsx';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';

export interface PlacedOrder {
  order: Order;
  trades: readonly Trade[];
  receipt: Receipt;
}

/** What an order ends in: what has traded, the fee, and what waits. `children` leads on to its contract notes. */
export function OrderReceipt({
  placed,
  saccoName,
  children,
}: {
  placed: PlacedOrder;
  saccoName: string;
  children?: ReactNode;
}) {
  const { order, trades, receipt } = placed;
  const what = whatHappened(placed, saccoName);
  return (
    <ReceiptPaper
      mark={order.filled > 0 ? say('In the books') : say('In the order book')}
      what={what}
      shillings={order.filled > 0 ? movedBy(order) : null}
      at={receipt.at}
      facts={[
        ...byPrice(trades).map(
          ([price, shares]) => [sharesAt(shares, price), formatShillings(sharesAmount(shares, price))] as const,
        ),
        ...(order.filled > 0 ? [[say('Transfer fee'), formatShillings(order.fee)] as const] : []),
        ...(order.remaining > 0
          ? [
              [
                order.filled > 0 ? say('Still waiting') : order.side === 'sell' ? say('Offered') : say('Wanted'),
                sharesAt(order.remaining, order.price),
              ] as const,
              [say('Waits until'), <LongDate key="until" iso={order.expires_at} />] as const,
            ]
          : []),
        ...(order.remaining > 0 && order.held > 0
          ? [[say('Held from your wallet'), formatShillings(order.held)] as const]
          : []),
        [say('Entry in the books'), <code key="journal">{receipt.journal}</code>],
      ]}
      text={textOf(placed, what)}
      fileName={`receipt-${receipt.id}`}
      journal={receipt.journal}
    >
      {children}
    </ReceiptPaper>
  );
}

function whatHappened({ order }: PlacedOrder, sacco: string): string {
  const values = { n: formatCount(order.filled > 0 ? order.filled : order.remaining), sacco };
  if (order.side === 'sell') {
    return order.filled > 0
      ? say('{n} {n, plural, one {share} other {shares}} of {sacco} sold', values)
      : say('{n} {n, plural, one {share} other {shares}} of {sacco} offered', values);
  }
  return order.filled > 0
    ? say('{n} {n, plural, one {share} other {shares}} of {sacco} bought', values)
    : say('{n} {n, plural, one {share} other {shares}} of {sacco} wanted', values);
}

/** Shillings that reached the wallet or left it, the fee counted. */
export function movedBy({ side, value, fee }: Pick<Order, 'side' | 'value' | 'fee'>): number {
  const cents = centsOf(value) - centsOf(fee) * (side === 'sell' ? 1 : -1);
  return (side === 'sell' ? cents : -cents) / 100;
}

/** Shares by the price they went at, in the order of the trades. */
export function byPrice(trades: readonly Trade[]): [price: number, shares: number][] {
  const sums = new Map<number, number>();
  for (const { price, shares } of trades) sums.set(price, (sums.get(price) ?? 0) + shares);
  return [...sums];
}

function sharesAt(shares: number, price: number): string {
  return say('{n} at {price}', { n: formatCount(shares), price: formatShillings(price) });
}

/** The receipt as text, for sharing and saving. */
function textOf({ order, trades, receipt }: PlacedOrder, what: string): string {
  return [
    'Ushirika',
    what,
    ...(order.filled > 0 ? [formatShillings(Math.abs(movedBy(order)))] : []),
    ...byPrice(trades).map(([price, shares]) => sharesAt(shares, price)),
    ...(order.filled > 0 ? [`${say('Transfer fee')}: ${formatShillings(order.fee)}`] : []),
    ...(order.remaining > 0 ? [`${say('Still waiting')}: ${sharesAt(order.remaining, order.price)}`] : []),
    longDateTime(receipt.at),
    `${say('Entry in the books')}: ${receipt.journal}`,
    `${say('Receipt')}: ${receipt.id}`,
  ].join('\n');
}
