import { type Sentence, sentence, sharesSaid } from '@ushirika/contract/sentence';
import type { TransferInput } from '../../ledger/ledger.types.ts';
import { type Notice, notifyAll } from '../notifications/notify.ts';
import { announceWallets } from '../wallet/live.ts';
import type { Batch } from './load-batch.ts';
import type { OrderNow } from './market.types.ts';
import { announceMarkets } from './market-live.ts';
import { money } from './market-words.ts';
import { isChanged } from './write-batch.ts';

/**
 * Notifies after a batch. In its transaction it tells members of orders that the platform closed. After its commit it
 * announces changed books and wallets. A job tells members of their trades (tend-markets.ts), so that the batch does
 * not wait for it.
 */
export async function tellOfBatch(batch: Batch): Promise<void> {
  const { tx } = batch;
  const closings = batch.closedByUs.map((order): Notice => {
    const name = batch.markets.get(order.sacco_id)?.sacco.name ?? '';
    const template = order.state === 'expired' ? 'order_expired' : 'order_cancelled';
    return { userId: order.user_id, topic: 'money', template, text: textOfClosing(order, name), causedBy: null };
  });
  await notifyAll(tx, closings);
  const changes = [...batch.markets.values()]
    .filter(isChanged)
    .map(({ saccoId, sequenceBefore }) => ({ saccoId, sequence: sequenceBefore + 1 }));
  if (changes.length === 0) return;
  const moved = new Set(batch.journals.flatMap(({ input }) => input.transfers.flatMap(ownersOfWallets)));
  tx.afterCommit(() => {
    announceMarkets(tx.database, changes);
    announceWallets(tx.database, [...moved]);
  });
}

function ownersOfWallets({ debit, credit }: TransferInput): string[] {
  return [debit, credit].flatMap(({ kind, owner }) => (kind === 'wallet' && owner !== null ? [owner] : []));
}

const EXPIRED = sentence('its time is over');
const because: Readonly<Record<string, Sentence>> = {
  terms_changed: sentence('it no longer fits the new rules of the market'),
  one_fifth: sentence('you would have held more than one fifth of the shares'),
  minimum_holding: sentence('you would have kept fewer than the minimum shares'),
  left: sentence('you are leaving the sacco'),
  blocked: sentence('you cannot trade shares there now'),
};

function textOfClosing(order: OrderNow, name: string): Sentence {
  const why = because[order.cancel_reason ?? 'expired'] ?? EXPIRED;
  const values = { shares: sharesSaid(order.shares - order.filled), name, price: money(order.price_cents), why };
  return order.side === 'sell'
    ? sentence('Your order to sell {shares} of {name} at {price} is closed: {why}. Its shares are free.', values)
    : sentence(
        'Your order to buy {shares} of {name} at {price} is closed: {why}. Its money is back in your wallet.',
        values,
      );
}
