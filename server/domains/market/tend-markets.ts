import type { SaccoState } from '@ushirika/contract/saccos';
import { sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { type Notice, notifyAll } from '../notifications/notify.ts';
import { amountValue, saccoValue } from '../notifications/sms-values.ts';
import { marketSms } from './market.sms.ts';
import type { MarketDependencies } from './market.types.ts';
import { money } from './market-words.ts';
import { tellQuarters } from './tell-quarters.ts';
import { trade } from './trade.ts';

/** Orders closed, or trades read, in one transaction. */
const CHUNK = 500;
/** The first key of the advisory locks that let one process at a time notify a market's members. */
const telling = 7242;
const EVENTS_KEPT_MS = 15 * 60_000;
const QUARTERS_KEPT_MS = 14 * 86_400_000;

/** Closes expired orders. What they held becomes free, and their members are told. */
export async function expireOrders(database: Database, dependencies: MarketDependencies): Promise<void> {
  for (;;) {
    const due = await database.sql<{ id: string }[]>`
      select id from share_orders where state = 'open' and expires_at <= ${database.now()}
      order by expires_at, id limit ${CHUNK}`;
    if (due.length === 0) return;
    const commands = due.map(({ id }) => ({ kind: 'close', orderId: id, reason: 'expired' }) as const);
    await database.transaction((tx) => trade(tx, commands, dependencies));
    if (due.length < CHUNK) return;
  }
}

/** Enqueues the job that closes the open orders of suspended accounts. Called when an account is suspended. */
export async function closeOrdersOfSuspended(tx: Tx): Promise<void> {
  await enqueue(tx, 'close_suspended_orders', {});
}

/**
 * Closes the open orders of suspended accounts. What they held becomes free, and their members are told. It also runs
 * on a schedule, to find an order that was placed while the account was being suspended.
 */
export async function closeSuspendedOrders(database: Database, dependencies: MarketDependencies): Promise<void> {
  for (;;) {
    const open = await database.sql<{ id: string }[]>`
      select o.id from account_suspensions a
      -- No order has the state 'none'. With it the planner uses the member's index instead of the book's.
      join share_orders o on o.user_id = a.user_id and o.state = any ('{open,none}')
      where a.ended_at is null and (a.upheld_by is not null or a.lapses_at > ${database.now()})
      order by o.id limit ${CHUNK}`;
    if (open.length === 0) return;
    const commands = open.map(({ id }) => ({ kind: 'close', orderId: id, reason: 'blocked' }) as const);
    await database.transaction((tx) => trade(tx, commands, dependencies));
    if (open.length < CHUNK) return;
  }
}

/** Enqueues the job that closes a leaving member's orders to buy, which frees their money. */
export async function leaveMarket(
  tx: Tx,
  member: { readonly userId: string; readonly saccoId: string },
): Promise<void> {
  await enqueue(tx, 'leave_market', { user: member.userId, sacco: member.saccoId });
}

export async function cancelBuyOrders(
  database: Database,
  dependencies: MarketDependencies,
  { user, sacco }: { readonly user: string; readonly sacco: string },
): Promise<void> {
  await database.transaction(async (tx) => {
    const open = await tx.sql<{ id: string }[]>`
      select o.id from share_orders o
      join memberships m on m.user_id = o.user_id and m.sacco_id = o.sacco_id
      where o.user_id = ${user} and o.sacco_id = ${sacco} and o.state = 'open' and o.side = 'buy'
        and m.state in ('leaving', 'exited')
      order by o.id`;
    if (open.length === 0) return;
    const commands = open.map(({ id }) => ({ kind: 'close', orderId: id, reason: 'left' }) as const);
    await trade(tx, commands, dependencies);
  });
}

/**
 * Tells members two things: that the price of an alert was reached, and what their resting orders traded in a quarter
 * of an hour. Both are read from rows that are updated or deleted in the same transaction, so nothing is lost when the
 * process dies. Open pages show each trade at once.
 */
export async function tellTraders(database: Database): Promise<void> {
  const markets = await database.sql<{ sacco_id: string }[]>`
    select sacco_id from markets where sequence > alerted_sequence order by sacco_id`;
  for (const { sacco_id } of markets) {
    while (await database.transaction((tx) => tellMarket(tx, sacco_id)));
  }
  while (await database.transaction(tellQuarters));
}

interface Told {
  readonly sacco_id: string;
  readonly name: string;
  readonly state: SaccoState;
  readonly sequence: number;
  readonly alerted_sequence: number;
  readonly told_trade_place: number;
  readonly best_ask_cents: number | null;
}

/** Returns true when more is waiting. */
async function tellMarket(tx: Tx, saccoId: string): Promise<boolean> {
  // One process at a time. The market's own row is not locked, since trades would wait for the messages.
  const [own] = await tx.sql<{ is_mine: boolean }[]>`
    select pg_try_advisory_xact_lock(${telling}, hashtext(${saccoId})) as is_mine`;
  if (!own?.is_mine) return false;
  const [market] = await tx.sql<Told[]>`
    select m.sacco_id, s.name, s.state, m.sequence, m.alerted_sequence, m.told_trade_place, m.best_ask_cents
    from markets m join saccos s on s.id = m.sacco_id where m.sacco_id = ${saccoId}`;
  if (!market || market.sequence <= market.alerted_sequence) return false;
  const { last, hasMore } = await gatherTrades(tx, market);
  if (!hasMore) await tellAlerts(tx, market);
  await tx.sql`
    update markets set told_trade_place = ${last}, alerted_sequence = ${hasMore ? market.alerted_sequence : market.sequence}
    where sacco_id = ${saccoId}`;
  return hasMore;
}

/** Adds new trades to `trades_to_tell`: one row for each resting order and quarter of an hour. */
async function gatherTrades(tx: Tx, market: Told): Promise<{ last: number; hasMore: boolean }> {
  const [gathered] = await tx.sql<{ last: number | null; trades: number }[]>`
    with traded as (
      select * from share_trades where sacco_id = ${market.sacco_id} and place > ${market.told_trade_place}
      order by place limit ${CHUNK}
    ), met as (
      select case t.taker when 'buy' then t.sell_order_id else t.buy_order_id end as order_id,
        case t.taker when 'buy' then t.buyer_id else t.seller_id end as caused_by,
        date_bin('15 minutes', t.traded_at, '2000-01-01Z') as quarter_at, t.place, t.shares, t.price_cents
      from traded t
    ), written as (
      insert into trades_to_tell (order_id, quarter_at, user_id, sacco_id, side, shares, amount_cents, caused_by)
      select met.order_id, met.quarter_at, o.user_id, o.sacco_id, o.side, sum(met.shares),
        sum(met.shares::bigint * met.price_cents), (array_agg(met.caused_by order by met.place))[1]
      from met join share_orders o on o.id = met.order_id
      group by met.order_id, met.quarter_at, o.user_id, o.sacco_id, o.side
      on conflict (order_id, quarter_at) do update
      set shares = trades_to_tell.shares + excluded.shares,
          amount_cents = trades_to_tell.amount_cents + excluded.amount_cents
    )
    select max(place) as last, count(*)::int as trades from traded`;
  return { last: gathered?.last ?? market.told_trade_place, hasMore: gathered?.trades === CHUNK };
}

interface RipeAlert {
  readonly user_id: string;
  readonly price_cents: number;
  /** The best price of another member's offer. */
  readonly offered_cents: number;
  readonly offered_by: string;
}

/** Tells each member once whose alert's price was reached. */
async function tellAlerts(tx: Tx, market: Told): Promise<void> {
  if (market.best_ask_cents === null) return;
  const due = await tx.sql<RipeAlert[]>`
    update price_alerts a set state = 'told', ended_at = ${tx.now}
    from (
      select w.id, o.price_cents as offered_cents, o.user_id as offered_by
      from price_alerts w
      join memberships m on m.sacco_id = w.sacco_id and m.user_id = w.user_id and m.state <> 'exited'
      -- A member's own offer does not count.
      cross join lateral (
        select price_cents, user_id from share_orders
        where sacco_id = w.sacco_id and side = 'sell' and state = 'open' and rank <= w.price_cents
          and user_id <> w.user_id and expires_at > ${tx.now}
        order by rank, place limit 1
      ) o
      where w.sacco_id = ${market.sacco_id} and w.state = 'waiting' and w.price_cents >= ${market.best_ask_cents}
    ) ripe
    where a.id = ripe.id and a.state = 'waiting'
    returning a.user_id, a.price_cents, ripe.offered_cents, ripe.offered_by`;
  const messages = due.map(({ user_id: userId, price_cents, offered_cents, offered_by: causedBy }): Notice => {
    const offered = money(offered_cents);
    const wanted = money(price_cents);
    return {
      userId,
      topic: 'money',
      template: 'price_alert',
      causedBy,
      sms: marketSms.priceAlert(saccoValue(market), amountValue(offered_cents), amountValue(price_cents)),
      text: sentence('Shares of {name} are offered at {offered}. You asked to be told at {wanted} or below.', {
        name: market.name,
        offered,
        wanted,
      }),
    };
  });
  await notifyAll(tx, messages);
}

/** Deletes changes that the live stream no longer needs, and old quarter-hour candles. */
export async function pruneMarkets(database: Database): Promise<void> {
  const now = database.now().getTime();
  // By sequence and not by time: a change that waited for the lock may have an earlier time than the one before it.
  await database.sql`
    delete from market_events e
    using (
      select sacco_id, max(sequence) as last from market_events where at < ${new Date(now - EVENTS_KEPT_MS)} group by sacco_id
    ) old
    where e.sacco_id = old.sacco_id and e.sequence <= old.last`;
  await database.sql`
    delete from market_candles where unit = 'quarter' and starts_at < ${new Date(now - QUARTERS_KEPT_MS)}`;
}
