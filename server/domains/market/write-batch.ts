import type { Tx } from '../../db/tx.ts';
import { post } from '../../ledger/post.ts';
import { integers, integersOrNulls, texts } from '../../ledger/sql-arrays.ts';
import type { Batch } from './load-batch.ts';
import type { LevelChange, MarketNow, TradeNow } from './market.types.ts';
import { startOf } from './stats.rules.ts';

/**
 * Writes what a batch came to: journals, orders, trades (the register's entries), memberships, and of each market its
 * levels, candles, figures and the change that the live stream tells. A constant number of statements.
 */
export async function writeBatch(batch: Batch): Promise<void> {
  const markets = [...batch.markets.values()].filter(isChanged);
  const trades = markets.flatMap((market) => market.trades);
  await Promise.all([
    // Trades name their journals; nothing else waits for those.
    postJournals(batch).then(() => insertTrades(batch.tx, trades)),
    insertOrders(batch),
    updateOrders(batch),
    activateMembers(batch),
    countHolders(batch.tx, markets),
    ...writeMarkets(batch.tx, markets),
  ]);
}

/** Orders that came and went at one price leave its totals as they were, and yet have taken places in the queue. */
export const isChanged = ({ levels, trades }: MarketNow) => trades.length > 0 || levels.size > 0;

/** The accounts were locked and judged: a refusal now is a fault, and the lane tries each command alone. */
async function postJournals({ tx, journals, locked }: Batch): Promise<void> {
  if (journals.length === 0) return;
  const results = await post(
    tx,
    journals.map(({ input }) => input),
    locked,
  );
  for (const [index, { input, planned }] of journals.entries()) {
    const result = results[index];
    if (result?.status !== 'posted') {
      throw new Error(`The journal ${input.idempotencyKey} was judged and then ${JSON.stringify(result)}.`);
    }
    planned.id = result.journalId;
  }
}

async function insertOrders({ tx, orders }: Batch): Promise<void> {
  const made = [...orders.values()].filter(({ isNew }) => isNew);
  if (made.length === 0) return;
  await tx.sql`
    insert into share_orders (id, place, price_cents, shares, filled, value_cents, fee_cents, fee_min_cents,
                              fee_basis_points, placed_at, expires_at, closed_at, sacco_id, user_id, side, state,
                              cancel_reason)
    select id, place, price_cents, shares, filled, value_cents, fee_cents, fee_min_cents, fee_basis_points, ${tx.now},
      expires_at, case when state <> 'open' then ${tx.now}::timestamptz end, sacco_id, user_id, side, state, cancel_reason
    from unnest(
      ${texts(made.map(({ id }) => id))}::uuid[], ${integers(made.map(({ place }) => place))}::bigint[],
      ${integers(made.map((order) => order.price_cents))}::bigint[], ${integers(made.map(({ shares }) => shares))}::bigint[],
      ${integers(made.map(({ filled }) => filled))}::bigint[], ${integers(made.map((order) => order.value_cents))}::bigint[],
      ${integers(made.map((order) => order.fee_cents))}::bigint[],
      ${integers(made.map((order) => order.fee_min_cents))}::bigint[],
      ${integers(made.map((order) => order.fee_basis_points))}::int[],
      ${texts(made.map((order) => order.expires_at.toISOString()))}::timestamptz[],
      ${texts(made.map((order) => order.sacco_id))}::uuid[], ${texts(made.map((order) => order.user_id))}::uuid[],
      ${texts(made.map(({ side }) => side))}::text[], ${texts(made.map(({ state }) => state))}::text[],
      ${texts(made.map((order) => order.cancel_reason))}::text[]
    ) as made (id, place, price_cents, shares, filled, value_cents, fee_cents, fee_min_cents, fee_basis_points, expires_at,
               sacco_id, user_id, side, state, cancel_reason)`;
}

async function updateOrders({ tx, orders }: Batch): Promise<void> {
  const moved = [...orders.values()].filter(({ isNew, isTouched }) => isTouched && !isNew);
  if (moved.length === 0) return;
  await tx.sql`
    update share_orders o
    set place = now.place, price_cents = now.price_cents, shares = now.shares, filled = now.filled,
      value_cents = now.value_cents, fee_cents = now.fee_cents, state = now.state, cancel_reason = now.cancel_reason,
      closed_at = case when now.state <> 'open' then ${tx.now}::timestamptz end
    from unnest(
      ${texts(moved.map(({ id }) => id))}::uuid[], ${integers(moved.map(({ place }) => place))}::bigint[],
      ${integers(moved.map((order) => order.price_cents))}::bigint[],
      ${integers(moved.map(({ shares }) => shares))}::bigint[], ${integers(moved.map(({ filled }) => filled))}::bigint[],
      ${integers(moved.map((order) => order.value_cents))}::bigint[],
      ${integers(moved.map((order) => order.fee_cents))}::bigint[], ${texts(moved.map(({ state }) => state))}::text[],
      ${texts(moved.map((order) => order.cancel_reason))}::text[]
    ) as now (id, place, price_cents, shares, filled, value_cents, fee_cents, state, cancel_reason)
    where o.id = now.id`;
}

/** Written in the order in which they happened: their places in the register are handed out row by row. */
async function insertTrades(tx: Tx, trades: readonly TradeNow[]): Promise<void> {
  if (trades.length === 0) return;
  await tx.sql`
    insert into share_trades (id, price_cents, shares, buyer_fee_cents, seller_fee_cents, buyer_shares_after,
                              seller_shares_after, journal_id, traded_at, sacco_id, buyer_id, seller_id, buy_order_id,
                              sell_order_id, taker, taker_limit_cents)
    select id, price_cents, shares, buyer_fee, seller_fee, buyer_after, seller_after, journal_id, ${tx.now}, sacco_id, buyer,
      seller, buy_order, sell_order, taker, taker_limit
    from unnest(
      ${texts(trades.map(({ id }) => id))}::uuid[], ${integers(trades.map(({ priceCents }) => priceCents))}::bigint[],
      ${integers(trades.map(({ shares }) => shares))}::bigint[],
      ${integers(trades.map(({ buyerFeeCents }) => buyerFeeCents))}::bigint[],
      ${integers(trades.map(({ sellerFeeCents }) => sellerFeeCents))}::bigint[],
      ${integers(trades.map(({ buyerSharesAfter }) => buyerSharesAfter))}::bigint[],
      ${integers(trades.map(({ sellerSharesAfter }) => sellerSharesAfter))}::bigint[],
      ${integers(trades.map(({ journal }) => Number(journal.id)))}::bigint[],
      ${texts(trades.map(({ saccoId }) => saccoId))}::uuid[], ${texts(trades.map(({ buy }) => buy.user_id))}::uuid[],
      ${texts(trades.map(({ sell }) => sell.user_id))}::uuid[], ${texts(trades.map(({ buy }) => buy.id))}::uuid[],
      ${texts(trades.map(({ sell }) => sell.id))}::uuid[], ${texts(trades.map(({ taker }) => taker))}::text[],
      ${integers(trades.map(({ takerLimitCents }) => takerLimitCents))}::bigint[]
    ) with ordinality as made (id, price_cents, shares, buyer_fee, seller_fee, buyer_after, seller_after, journal_id,
                               sacco_id, buyer, seller, buy_order, sell_order, taker, taker_limit, nth)
    order by nth`;
}

async function activateMembers({ tx, paidUp }: Batch): Promise<void> {
  if (paidUp.length === 0) return;
  await tx.sql`
    update memberships m set state = 'active', state_at = ${tx.now}, paid_up_at = ${tx.now}
    from unnest(${texts(paidUp.map(({ saccoId }) => saccoId))}::uuid[],
                ${texts(paidUp.map(({ userId }) => userId))}::uuid[]) as paid (sacco_id, user_id)
    where m.sacco_id = paid.sacco_id and m.user_id = paid.user_id and m.state = 'provisional'`;
}

async function countHolders(tx: Tx, markets: readonly MarketNow[]): Promise<void> {
  const moved = markets.filter(({ holders, sacco }) => holders !== sacco.share_holders);
  if (moved.length === 0) return;
  await tx.sql`
    update sacco_figures f set share_holders = now.holders
    from unnest(${texts(moved.map(({ saccoId }) => saccoId))}::uuid[],
                ${integers(moved.map(({ holders }) => holders))}::int[]) as now (sacco_id, holders)
    where f.sacco_id = now.sacco_id`;
}

/** Levels first: the figures are read off them. */
function writeMarkets(tx: Tx, markets: readonly MarketNow[]): Promise<unknown>[] {
  if (markets.length === 0) return [];
  return [
    ...writeLevels(tx, markets),
    updateMarkets(tx, markets),
    writeCandles(
      tx,
      markets.filter(({ trades }) => trades.length > 0),
    ),
  ];
}

function writeLevels(tx: Tx, markets: readonly MarketNow[]): Promise<unknown>[] {
  const changes = markets.flatMap(({ saccoId, levels }) =>
    [...levels.values()]
      .filter(({ shares, orders }) => shares !== 0 || orders !== 0)
      .map((level) => ({ saccoId, ...level })),
  );
  const columns = (rows: readonly (LevelChange & { readonly saccoId: string })[]) =>
    [
      texts(rows.map(({ saccoId }) => saccoId)),
      texts(rows.map(({ side }) => side)),
      integers(rows.map(({ priceCents }) => priceCents)),
    ] as const;
  const [saccos, sides, prices] = columns(changes);
  const opened = columns(changes.filter(({ orders }) => orders > 0));
  return [
    // A price that was never used gets its row; what is taken off a level has one.
    tx.sql`
      insert into market_levels (sacco_id, side, price_cents, shares, orders)
      select sacco_id, side, price_cents, 0, 0
      from unnest(${opened[0]}::uuid[], ${opened[1]}::text[], ${opened[2]}::bigint[]) as opened (sacco_id, side, price_cents)
      on conflict do nothing`,
    tx.sql`
      with moved as (
        update market_levels l set shares = l.shares + change.shares, orders = l.orders + change.orders
        from unnest(${saccos}::uuid[], ${sides}::text[], ${prices}::bigint[],
                    ${integers(changes.map(({ shares }) => shares))}::bigint[],
                    ${integers(changes.map(({ orders }) => orders))}::bigint[])
          as change (sacco_id, side, price_cents, shares, orders)
        where l.sacco_id = change.sacco_id and l.side = change.side and l.price_cents = change.price_cents
        returning l.sacco_id, l.side, l.price_cents, l.shares, l.orders
      )
      insert into market_events (sacco_id, sequence, at, change)
      select told.sacco_id, told.sequence, ${tx.now}, jsonb_build_object(
          'levels', coalesce((
            select jsonb_agg(jsonb_build_array(m.side, m.price_cents, m.shares, m.orders))
            from moved m where m.sacco_id = told.sacco_id), '[]'::jsonb),
          'trades', told.trades)
      from unnest(${texts(markets.map(({ saccoId }) => saccoId))}::uuid[],
                  ${integers(markets.map(({ sequenceBefore }) => sequenceBefore + 1))}::bigint[],
                  ${texts(markets.map(({ trades }) => JSON.stringify(trades.map(tradeTold))))}::jsonb[])
        as told (sacco_id, sequence, trades)`,
  ];
}

const tradeTold = ({ id, shares, priceCents, taker }: TradeNow) => [id, shares, priceCents, taker];

/** Sales of which the wait is kept, for the median. */
const SALES_KEPT = 100;

function updateMarkets(tx: Tx, markets: readonly MarketNow[]): Promise<unknown> {
  const lastOf = ({ trades }: MarketNow) => trades.at(-1)?.priceCents ?? null;
  const sum = (market: MarketNow, of: (trade: TradeNow) => number) =>
    market.trades.reduce((total, made) => total + of(made), 0);
  return tx.sql`
    update markets m
    set sequence = now.sequence, last_place = now.last_place,
      best_bid_cents = (
        select max(price_cents) from market_levels l where l.sacco_id = m.sacco_id and l.side = 'buy' and l.shares > 0),
      best_ask_cents = (
        select min(price_cents) from market_levels l where l.sacco_id = m.sacco_id and l.side = 'sell' and l.shares > 0),
      last_price_cents = coalesce(now.last_price, m.last_price_cents),
      last_traded_at = case when now.last_price is null then m.last_traded_at else ${tx.now}::timestamptz end,
      trades = m.trades + now.trades, shares_traded = m.shares_traded + now.shares,
      turnover_cents = m.turnover_cents + now.turnover,
      sale_minutes = case when now.minutes = '{}' then m.sale_minutes
        else (m.sale_minutes || now.minutes::integer[])[
          greatest(1, cardinality(m.sale_minutes) + cardinality(now.minutes::integer[]) - ${SALES_KEPT - 1}):] end
    from unnest(
      ${texts(markets.map(({ saccoId }) => saccoId))}::uuid[],
      ${integers(markets.map(({ sequenceBefore }) => sequenceBefore + 1))}::bigint[],
      ${integers(markets.map(({ lastPlace }) => lastPlace))}::bigint[],
      ${integersOrNulls(markets.map(lastOf))}::bigint[],
      ${integers(markets.map(({ trades }) => trades.length))}::bigint[],
      ${integers(markets.map((market) => sum(market, ({ shares }) => shares)))}::bigint[],
      ${integers(markets.map((market) => sum(market, ({ shares, priceCents }) => shares * priceCents)))}::bigint[],
      ${texts(markets.map(({ saleMinutes }) => integers(saleMinutes.slice(-SALES_KEPT))))}::text[]
    ) as now (sacco_id, sequence, last_place, last_price, trades, shares, turnover, minutes)
    where m.sacco_id = now.sacco_id`;
}

function writeCandles(tx: Tx, markets: readonly MarketNow[]): Promise<unknown> {
  if (markets.length === 0) return Promise.resolve();
  const candles = markets.map(candleOf);
  const column = (of: (candle: Candle) => number) => integers(candles.map(of));
  return tx.sql`
    insert into market_candles as c (sacco_id, unit, starts_at, open_cents, high_cents, low_cents, close_cents, volume,
                                     turnover_cents, trades)
    select now.sacco_id, u.unit, u.starts_at, open, high, low, close, volume, turnover, trades
    from unnest(
      ${texts(markets.map(({ saccoId }) => saccoId))}::uuid[], ${column(({ open }) => open)}::bigint[],
      ${column(({ high }) => high)}::bigint[], ${column(({ low }) => low)}::bigint[],
      ${column(({ close }) => close)}::bigint[], ${column(({ volume }) => volume)}::bigint[],
      ${column(({ turnover }) => turnover)}::bigint[], ${column(({ trades }) => trades)}::bigint[]
    ) as now (sacco_id, open, high, low, close, volume, turnover, trades)
    cross join (values ('quarter', ${startOf('quarter', tx.now)}::timestamptz),
                       ('day', ${startOf('day', tx.now)}::timestamptz)) as u (unit, starts_at)
    on conflict (sacco_id, unit, starts_at) do update
    set high_cents = greatest(c.high_cents, excluded.high_cents), low_cents = least(c.low_cents, excluded.low_cents),
      close_cents = excluded.close_cents, volume = c.volume + excluded.volume,
      turnover_cents = c.turnover_cents + excluded.turnover_cents, trades = c.trades + excluded.trades`;
}

interface Candle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly turnover: number;
  readonly trades: number;
}

function candleOf({ trades }: MarketNow): Candle {
  const first = trades[0]?.priceCents ?? 0;
  const candle = { open: first, high: first, low: first, close: first, volume: 0, turnover: 0, trades: trades.length };
  for (const { priceCents, shares } of trades) {
    candle.high = Math.max(candle.high, priceCents);
    candle.low = Math.min(candle.low, priceCents);
    candle.close = priceCents;
    candle.volume += shares;
    candle.turnover += shares * priceCents;
  }
  return candle;
}
