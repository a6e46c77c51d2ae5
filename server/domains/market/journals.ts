import type { JournalInput, TransferInput } from '../../ledger/ledger.types.ts';
import type { MarketNow, OrderNow, TradeNow } from './market.types.ts';
import {
  cashOf,
  feeIncomeOf,
  holdingHoldOf,
  holdingOf,
  settlementOf,
  walletAccountOf,
  walletHoldOf,
} from './market-accounts.ts';

/*
 * The journals that the market posts (docs/postings.md). The taker pays and delivers directly; the maker pays and
 * delivers from the hold.
 */

type Held = Pick<OrderNow, 'id' | 'side' | 'sacco_id' | 'user_id'>;

/** Sets aside what the rest of a new order needs. */
export function journalOfHold(order: Held, amount: number): JournalInput {
  return journalOf('order_placed', `order_placed:${order.id}`, order, order.user_id, [transferOfHold(order, amount)]);
}

/** @param freed positive: what becomes free; negative: what is held in addition */
export function journalOfChange(order: Held, freed: number, id: string): JournalInput {
  const { debit, credit, amount } = transferOfHold(order, Math.abs(freed));
  const transfer = freed > 0 ? { debit: credit, credit: debit, amount } : { debit, credit, amount };
  return journalOf('order_changed', `order_changed:${id}`, order, order.user_id, [transfer]);
}

/**
 * Releases all that an order held, because it was cancelled or has expired. An order is closed once, so its id is the
 * key.
 */
export function journalOfClosing(order: Held, amount: number): JournalInput {
  const { debit, credit } = transferOfHold(order, amount);
  const transfers = [{ debit: credit, credit: debit, amount }];
  return journalOf('order_closed', `order_closed:${order.id}`, order, order.user_id, transfers);
}

/**
 * The fees of all trades of a batch in one market become the sacco's income. It posts in the sacco's book what the
 * trades have paid into the sacco's settlement account, in the same transaction.
 */
export function journalOfFees(
  { saccoId, sequenceBefore }: Pick<MarketNow, 'saccoId' | 'sequenceBefore'>,
  fees: number,
): JournalInput {
  return {
    kind: 'market_fees',
    idempotencyKey: `market_fees:${saccoId}:${sequenceBefore + 1}`,
    causedBy: null,
    about: { type: 'market', id: saccoId },
    transfers: [{ debit: cashOf(saccoId), credit: feeIncomeOf(saccoId), amount: fees }],
  };
}

/** One trade: shares, money and both fees, in one journal. */
export function journalOfTrade(trade: Omit<TradeNow, 'journal'>): JournalInput {
  const { id, saccoId, shares, priceCents, buyerFeeCents, sellerFeeCents } = trade;
  const buyer = trade.buy.user_id;
  const seller = trade.sell.user_id;
  const isBuyerTaker = trade.taker === 'buy';
  const payer = isBuyerTaker ? walletAccountOf(buyer) : walletHoldOf(buyer);
  const proceeds = shares * priceCents - sellerFeeCents;
  const fees = buyerFeeCents + sellerFeeCents;
  const transfers: TransferInput[] = [];
  if (proceeds > 0) transfers.push({ debit: payer, credit: walletAccountOf(seller), amount: proceeds });
  if (fees > 0) transfers.push({ debit: payer, credit: settlementOf(saccoId), amount: fees });
  transfers.push({
    debit: isBuyerTaker ? holdingHoldOf(saccoId, seller) : holdingOf(saccoId, seller),
    credit: holdingOf(saccoId, buyer),
    amount: shares,
  });
  return {
    kind: 'shares_traded',
    idempotencyKey: `shares_traded:${id}`,
    causedBy: isBuyerTaker ? buyer : seller,
    about: { type: 'share_trade', id },
    transfers,
  };
}

function transferOfHold({ side, sacco_id, user_id }: Held, amount: number): TransferInput {
  return side === 'buy'
    ? { debit: walletAccountOf(user_id), credit: walletHoldOf(user_id), amount }
    : { debit: holdingOf(sacco_id, user_id), credit: holdingHoldOf(sacco_id, user_id), amount };
}

function journalOf(
  kind: JournalInput['kind'],
  idempotencyKey: string,
  order: Held,
  causedBy: string | null,
  transfers: readonly TransferInput[],
): JournalInput {
  return { kind, idempotencyKey, causedBy, about: { type: 'share_order', id: order.id }, transfers };
}
