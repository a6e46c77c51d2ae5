import type { Tx } from '../../db/tx.ts';
import { post } from '../../ledger/post.ts';
import { integers, integersOrNulls, texts } from '../../ledger/sql-arrays.ts';
import { noteProceeds } from '../wallet/sale-proceeds.ts';
import { type Figures, judgeTrades, markPairs } from './figures.ts';
import { journalOfFees } from './journals.ts';
import { type Batch, plan } from './load-batch.ts';
import type { MarketNow, TradeNow } from './market.types.ts';
import { startOf } from './stats.rules.ts';

/**
 * Writes the results of a batch: journals, orders, trades (the register's entries) and memberships. For each market it
 * writes levels, candles, figures and the change for the live stream. A constant number of statements.
 */
export async function writeBatch(batch: Batch): Promise<void> {
  const markets = [...batch.markets.values()].filter(isChanged);
  const trades = markets.flatMap((market) => market.trades);
  for (const market of markets) {
    const fees = market.trades.reduce(
      (sum, { buyerFeeCents, sellerFeeCents }) => sum + buyerFeeCents + sellerFeeCents,
      0,
    );
    if (fees > 0) plan(batch, journalOfFees(market, fees));
  }
  const figures = judgeTrades(batch, markets);
  await Promise.all([
    // Trades need the ids of their journals and whether they count; the other statements need neither.
    Promise.all([postJournals(batch), figures]).then(() => insertTrades(batch.tx, trades)),
    insertOrders(batch),
    updateOrders(batch),
    activateMembers(batch),
    countHolders(batch.tx, markets),
    figures.then((found) => Promise.all([writeMarkets(batch.tx, markets, found), markPairs(batch, trades)])),
    batch.unproven.write(),
    noteProceeds(batch.tx, trades.map(proceedsOf)),
  ]);
}

/** What a sale brought its seller. */
const proceedsOf = ({ sell, shares, priceCents, sellerFeeCents }: TradeNow) => ({
  userId: sell.user_id,
  cents: shares * priceCents - sellerFeeCents,
});

/** Also orders that came and went at one price, and left its totals unchanged, have taken places in the queue. */
export const isChanged = ({ levels, trades }: MarketNow) => trades.length > 0 || levels.size > 0;

/**
 * The accounts are locked and checked, so a refusal is an error of the program: the batch queue then tries each command
 * alone.
 */
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

/** `unnest` in the select list: as a table function it would need a temporary store for each column. */
async function insertOrders({ tx, orders }: Batch): Promise<void> {
  const made = [...orders.values()].filter(({ isNew }) => isNew);
  if (made.length === 0) return;
  await tx.sql`
    insert into share_orders (id, place, price_cents, shares, filled, value_cents, fee_cents, fee_min_cents,
                              fee_basis_points, placed_at, expires_at, closed_at, sacco_id, user_id, side, state,
                              cancel_reason)
    select id, place, price_cents, shares, filled, value_cents, fee_cents, fee_min_cents, fee_basis_points, ${tx.now},
      expires_at, case when state <> 'open' then ${tx.now}::timestamptz end, sacco_id, user_id, side, state, cancel_reason
    from (select
      unnest(${texts(made.map(({ id }) => id))}::uuid[]) as id,
      unnest(${integers(made.map(({ place }) => place))}::bigint[]) as place,
      unnest(${integers(made.map((order) => order.price_cents))}::bigint[]) as price_cents,
      unnest(${integers(made.map(({ shares }) => shares))}::bigint[]) as shares,
      unnest(${integers(made.map(({ filled }) => filled))}::bigint[]) as filled,
      unnest(${integers(made.map((order) => order.value_cents))}::bigint[]) as value_cents,
      unnest(${integers(made.map((order) => order.fee_cents))}::bigint[]) as fee_cents,
      unnest(${integers(made.map((order) => order.fee_min_cents))}::bigint[]) as fee_min_cents,
      unnest(${integers(made.map((order) => order.fee_basis_points))}::int[]) as fee_basis_points,
      unnest(${texts(made.map((order) => order.expires_at.toISOString()))}::timestamptz[]) as expires_at,
      unnest(${texts(made.map((order) => order.sacco_id))}::uuid[]) as sacco_id,
      unnest(${texts(made.map((order) => order.user_id))}::uuid[]) as user_id,
      unnest(${texts(made.map(({ side }) => side))}::text[]) as side,
      unnest(${texts(made.map(({ state }) => state))}::text[]) as state,
      unnest(${texts(made.map((order) => order.cancel_reason))}::text[]) as cancel_reason
    ) made`;
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

/** In the order in which they happened: their places in the register are assigned row by row. */
async function insertTrades(tx: Tx, trades: readonly TradeNow[]): Promise<void> {
  if (trades.length === 0) return;
  await tx.sql`
    insert into share_trades (id, price_cents, shares, buyer_fee_cents, seller_fee_cents, buyer_shares_after,
                              seller_shares_after, journal_id, traded_at, sacco_id, buyer_id, seller_id, buy_order_id,
                              sell_order_id, taker, taker_limit_cents, uncounted)
    select
      unnest(${texts(trades.map(({ id }) => id))}::uuid[]),
      unnest(${integers(trades.map(({ priceCents }) => priceCents))}::bigint[]),
      unnest(${integers(trades.map(({ shares }) => shares))}::bigint[]),
      unnest(${integers(trades.map(({ buyerFeeCents }) => buyerFeeCents))}::bigint[]),
      unnest(${integers(trades.map(({ sellerFeeCents }) => sellerFeeCents))}::bigint[]),
      unnest(${integers(trades.map(({ buyerSharesAfter }) => buyerSharesAfter))}::bigint[]),
      unnest(${integers(trades.map(({ sellerSharesAfter }) => sellerSharesAfter))}::bigint[]),
      unnest(${integers(trades.map(({ journal }) => Number(journal.id)))}::bigint[]),
      ${tx.now}::timestamptz,
      unnest(${texts(trades.map(({ saccoId }) => saccoId))}::uuid[]),
      unnest(${texts(trades.map(({ buy }) => buy.user_id))}::uuid[]),
      unnest(${texts(trades.map(({ sell }) => sell.user_id))}::uuid[]),
      unnest(${texts(trades.map(({ buy }) => buy.id))}::uuid[]),
      unnest(${texts(trades.map(({ sell }) => sell.id))}::uuid[]),
      unnest(${texts(trades.map(({ taker }) => taker))}::text[]),
      unnest(${integers(trades.map(({ takerLimitCents }) => takerLimitCents))}::bigint[]),
      unnest(${texts(trades.map(({ uncounted }) => uncounted))}::text[])`;
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
  const moved = markets.filter(
    ({ holders, limit, sacco }) =>
      holders !== sacco.share_holders ||
      limit.qualified !== sacco.qualified_holders ||
      limit.isReached !== (sacco.holding_limit_since !== null),
  );
  if (moved.length === 0) return;
  await tx.sql`
    update sacco_figures f
    set share_holders = now.holders, qualified_holders = now.qualified,
      holding_limit_since = coalesce(f.holding_limit_since, case when now.is_limited > 0 then ${tx.now}::timestamptz end)
    from unnest(${texts(moved.map(({ saccoId }) => saccoId))}::uuid[],
                ${integers(moved.map(({ holders }) => holders))}::int[],
                ${integers(moved.map(({ limit }) => limit.qualified))}::int[],
                ${integers(moved.map(({ limit }) => Number(limit.isReached)))}::int[])
      as now (sacco_id, holders, qualified, is_limited)
    where f.sacco_id = now.sacco_id`;
}

/** Writes levels, the changes for the live stream, figures and candles, in one function of the database. */
function writeMarkets(tx: Tx, markets: readonly MarketNow[], found: ReadonlyMap<string, Figures>): Promise<unknown> {
  if (markets.length === 0) return Promise.resolve();
  const levels = markets.flatMap(({ saccoId, levels: own }) =>
    [...own.values()]
      .filter(({ shares, orders }) => shares !== 0 || orders !== 0)
      .map((level) => ({ saccoId, ...level })),
  );
  const figures = markets.map(({ saccoId }) => found.get(saccoId) as Figures);
  const sumOf = (of: (trade: TradeNow) => number) =>
    integers(markets.map(({ trades }) => trades.reduce((sum, trade) => sum + of(trade), 0)));
  return tx.sql`
    select market_write(
      ${tx.now},
      ${texts(markets.map(({ saccoId }) => saccoId))},
      ${integers(markets.map(({ sequenceBefore }) => sequenceBefore + 1))},
      ${integers(markets.map(({ lastPlace }) => lastPlace))},
      ${integersOrNulls(figures.map(({ close }) => close))},
      ${sumOf(() => 1)},
      ${sumOf(({ shares }) => shares)},
      ${sumOf(({ shares, priceCents }) => shares * priceCents)},
      ${texts(figures.map(({ saleMinutes }) => integers(saleMinutes.slice(-SALES_KEPT))))},
      ${texts(markets.map(({ trades }) => JSON.stringify(trades.map(tradeTold))))},
      ${SALES_KEPT},
      ${texts(levels.map(({ saccoId }) => saccoId))},
      ${texts(levels.map(({ side }) => side))},
      ${integers(levels.map(({ priceCents }) => priceCents))},
      ${integers(levels.map(({ shares }) => shares))},
      ${integers(levels.map(({ orders }) => orders))},
      ${integersOrNulls(figures.map(({ open }) => open))},
      ${integersOrNulls(figures.map(({ high }) => high))},
      ${integersOrNulls(figures.map(({ low }) => low))},
      ${texts(figures.map(({ points }) => points))},
      ${startOf('quarter', tx.now)},
      ${startOf('day', tx.now)})`;
}

const tradeTold = ({ id, shares, priceCents, taker, uncounted }: TradeNow) => [
  id,
  shares,
  priceCents,
  taker,
  uncounted === null,
];

/** The number of sales whose waits are stored, for the median. */
const SALES_KEPT = 100;
