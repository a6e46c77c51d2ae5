import { sharesInWords } from '@ushirika/contract/format';
import type { TransferInput } from '../../ledger/ledger.types.ts';
import { type Notice, notifyAll, type Text } from '../notifications/notify.ts';
import { announceWallets } from '../wallet/live.ts';
import type { Batch } from './load-batch.ts';
import type { OrderNow } from './market.types.ts';
import { announceMarkets } from './market-live.ts';
import { money } from './market-words.ts';
import { isChanged } from './write-batch.ts';

/**
 * What the members of a batch are told: in its transaction, of orders that the platform closed; after its commit, that a
 * book or a wallet has moved. What their trades were, a job tells (tend-markets.ts): the hot path does not wait for it.
 */
export async function tellOfBatch(batch: Batch): Promise<void> {
  const { tx } = batch;
  const closings = batch.closedByUs.map((order): Notice => {
    const name = batch.markets.get(order.sacco_id)?.sacco.name ?? '';
    const template = order.state === 'expired' ? 'order_expired' : 'order_cancelled';
    return { userId: order.user_id, topic: 'money', template, text: textOfClosing(order, name) };
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

const because: Readonly<Record<string, readonly [english: string, kiswahili: string]>> = {
  expired: ['its time is over', 'muda wake umekwisha'],
  terms_changed: ['it no longer fits the new rules of the market', 'haifuati tena kanuni mpya za soko'],
  one_fifth: [
    'you would have held more than one fifth of the shares',
    'ungemiliki zaidi ya sehemu moja ya tano ya hisa',
  ],
  minimum_holding: ['you would have kept fewer than the minimum shares', 'ungebaki na hisa chini ya kiwango cha chini'],
  left: ['you are leaving the sacco', 'unaondoka kwenye sacco'],
  blocked: ['you cannot trade shares there now', 'huwezi kufanya biashara ya hisa huko kwa sasa'],
};

function textOfClosing(order: OrderNow, saccoName: string): Text {
  const [english, kiswahili] = because[order.cancel_reason ?? 'expired'] ?? ['', ''];
  const left = order.shares - order.filled;
  const price = money(order.price_cents);
  const [free, huru] =
    order.side === 'sell'
      ? ['Its shares are free.', 'Hisa zake ziko huru.']
      : ['Its money is back in your wallet.', 'Pesa zake zimerudi kwenye pochi yako.'];
  return {
    en: `Your order to ${order.side} ${sharesInWords(left)} of ${saccoName} at ${price} is closed: ${english}. ${free}`,
    sw: `Agizo lako la ${order.side === 'sell' ? 'kuuza' : 'kununua'} hisa ${left} za ${saccoName} kwa ${price} limefungwa: ${kiswahili}. ${huru}`,
  };
}
