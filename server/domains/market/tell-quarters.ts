import type { OrderSide } from '@ushirika/contract/market';
import type { Cents } from '@ushirika/contract/money';
import type { SaccoState } from '@ushirika/contract/saccos';
import { joined, type Sentence, sentence, several, sharesSaid } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { type Notice, notifyAll } from '../notifications/notify.ts';
import { amountValue, countValue, saccoValue } from '../notifications/sms-values.ts';
import { marketSms } from './market.sms.ts';
import { money } from './market-words.ts';

const QUARTER_MS = 15 * 60_000;
/** Pairs of member and quarter that are told in one transaction. */
const CHUNK = 200;
/** The key of the advisory lock that lets one process send these messages at a time. */
const telling = 7245;

/** What one order of a member traded in one quarter of an hour. */
interface QuarterRow {
  readonly user_id: string;
  readonly quarter_at: Date;
  readonly order_id: string;
  readonly side: OrderSide;
  readonly shares: number;
  readonly amount_cents: Cents;
  readonly caused_by: string;
  readonly name: string;
  readonly state: SaccoState;
  readonly remaining: number;
  readonly is_open: boolean;
}

/**
 * Tells members what they traded in finished quarters of an hour, one message each. Returns true when more are waiting.
 */
export async function tellQuarters(tx: Tx): Promise<boolean> {
  const [own] = await tx.sql<{ is_mine: boolean }[]>`select pg_try_advisory_xact_lock(${telling}) as is_mine`;
  if (!own?.is_mine) return false;
  const isBundled = isGuarded('bundled_trades');
  const over = new Date(tx.now.getTime() - (isBundled ? QUARTER_MS : 0));
  const rows = await tx.sql<QuarterRow[]>`
    with due as (
      select distinct quarter_at, user_id from trades_to_tell where quarter_at <= ${over}
      order by quarter_at, user_id limit ${CHUNK}
    ), told as (
      delete from trades_to_tell t using due where t.quarter_at = due.quarter_at and t.user_id = due.user_id returning t.*
    )
    select told.user_id, told.quarter_at, told.order_id, told.side, told.shares, told.amount_cents, told.caused_by,
      s.name, s.state, o.shares - o.filled as remaining, o.state = 'open' as is_open
    from told join share_orders o on o.id = told.order_id join saccos s on s.id = told.sacco_id
    order by told.quarter_at, told.user_id, told.order_id`;
  const keyOf = ({ user_id, quarter_at, order_id }: QuarterRow) =>
    isBundled ? `${user_id} ${quarter_at.getTime()}` : order_id;
  const bundles = [...Map.groupBy(rows, keyOf).values()];
  await notifyAll(tx, bundles.map(noticeOf));
  return new Set(rows.map(({ user_id, quarter_at }) => `${user_id} ${quarter_at.getTime()}`)).size === CHUNK;
}

function noticeOf(trades: readonly QuarterRow[]): Notice {
  const [first] = trades;
  if (!first) throw new Error('A bundle of no trades.');
  const { user_id: userId, caused_by: causedBy } = first;
  const told = { userId, causedBy, topic: 'money', template: 'shares_traded', text: textOf(trades) } as const;
  // SMS cost money, so there is one only when an order is filled or closed; the list in the app has every part.
  const isAnyDone = trades.some(({ remaining, is_open }) => remaining === 0 || !is_open);
  return isAnyDone ? { ...told, sms: smsOf(trades) } : told;
}

const ofSide = (trades: readonly QuarterRow[], side: OrderSide) => {
  const some = trades.filter((trade) => trade.side === side);
  return {
    shares: some.reduce((sum, { shares }) => sum + shares, 0),
    amountCents: some.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
  };
};

/** The only sacco of these trades; null where there are several. */
function saccoOf(trades: readonly QuarterRow[]): Pick<QuarterRow, 'name' | 'state'> | null {
  const [first, ...others] = trades;
  return first && others.every(({ name }) => name === first.name) ? first : null;
}

function smsOf(trades: readonly QuarterRow[]) {
  const valuesOf = (side: OrderSide) => {
    const { shares, amountCents } = ofSide(trades, side);
    return shares > 0 ? { shares: countValue(shares), amount: amountValue(amountCents) } : null;
  };
  const sacco = saccoOf(trades);
  return marketSms.sharesTraded({
    orders: trades.length === 1 ? null : countValue(trades.length),
    sacco: sacco && saccoValue(sacco),
    sold: valuesOf('sell'),
    bought: valuesOf('buy'),
  });
}

function textOf(trades: readonly QuarterRow[]): Sentence {
  const [only, another] = trades;
  if (only && !another) return textOfOne(only);
  const [sold, bought] = [ofSide(trades, 'sell'), ofSide(trades, 'buy')];
  const selling = sentence('{shares} sold for {amount}', wordsOf(sold));
  const buying = sentence('{shares} bought for {amount}', wordsOf(bought));
  const parts = several([...(sold.shares > 0 ? [selling] : []), ...(bought.shares > 0 ? [buying] : [])], ', ');
  const n = trades.length;
  const sacco = saccoOf(trades);
  return sacco
    ? sentence('{n} of your orders in {name} were filled: {parts}.', { n, name: sacco.name, parts })
    : sentence('{n} of your orders were filled: {parts}.', { n, parts });
}

const wordsOf = ({ shares, amountCents }: { readonly shares: number; readonly amountCents: Cents }) => ({
  shares: sharesSaid(shares),
  amount: money(amountCents),
});

function textOfOne({ name, side, shares, amount_cents, remaining, is_open }: QuarterRow): Sentence {
  const values = { name, ...wordsOf({ shares, amountCents: amount_cents }) };
  const traded =
    side === 'sell'
      ? sentence('You have sold {shares} of {name} for {amount}.', values)
      : sentence('You have bought {shares} of {name} for {amount}.', values);
  if (!is_open || remaining === 0) return traded;
  return joined([traded, sentence('{n} more wait in the book.', { n: remaining })]);
}
