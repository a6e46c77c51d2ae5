import { isGuarded } from '#faults';
import { integers, texts } from '../../ledger/sql-arrays.ts';
import type { Batch } from './load-batch.ts';
import type { MarketNow, TradeNow } from './market.types.ts';
import { middlePrice, type PricePoint, pairOf, uncountedOf, WASH_MS, withPoint } from './price.rules.ts';

/** What the trades of a batch that count add to the prices of one market. The prices are null while there is no last price. */
export interface Figures {
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number | null;
  /** The price points as JSON for the database; null where no trade of the batch counts. */
  readonly points: string | null;
  /** For each order to sell whose last share was sold by a counting trade: the minutes that it waited. */
  readonly saleMinutes: readonly number[];
}

type StoredPoint = readonly [pair: string, cents: number, shares: number];

/** The buyer and the seller of a trade, with the market. */
const sidesOf = ({ saccoId, buy, sell }: TradeNow) => `${saccoId} ${buy.user_id} ${sell.user_id}`;
const otherWay = ({ saccoId, buy, sell }: TradeNow) => `${saccoId} ${sell.user_id} ${buy.user_id}`;

/**
 * Sets `uncounted` of each trade of a batch, and returns the figures of each market. It reads earlier trades of the
 * pairs, their relations and the markets' latest price points, in a constant number of statements.
 */
export async function judgeTrades(batch: Batch, markets: readonly MarketNow[]): Promise<ReadonlyMap<string, Figures>> {
  const traded = markets.filter(({ trades }) => trades.length > 0);
  const first = new Map(traded.flatMap(({ trades }) => trades).map((trade) => [sidesOf(trade), trade]));
  const pairs = [...first.values()];
  const [backSince, related, points] = await Promise.all([
    tradedBack(batch, pairs),
    relatedOf(batch, pairs),
    storedPoints(batch, traded),
  ]);
  const known = new Set(backSince);
  for (const trade of traded.flatMap(({ trades }) => trades)) {
    const lot = batch.markets.get(trade.saccoId)?.terms.lot ?? 1;
    const isBackAndForth = known.has(otherWay(trade));
    trade.uncounted = isGuarded('figures_of_many')
      ? uncountedOf(trade, lot, { isBackAndForth, isRelated: related.has(sidesOf(trade)) })
      : null;
    known.add(sidesOf(trade));
  }
  return new Map(markets.map((market) => [market.saccoId, figuresOf(market, points.get(market.saccoId) ?? [])]));
}

/** Returns the pairs in which the buyer sold to the seller within the last week. */
async function tradedBack({ tx }: Batch, pairs: readonly TradeNow[]): Promise<string[]> {
  if (pairs.length === 0) return [];
  const rows = await tx.sql<{ place: number }[]>`
    select asked.place::int - 1 as place
    from unnest(
      ${texts(pairs.map(({ saccoId }) => saccoId))}::uuid[], ${texts(pairs.map(({ buy }) => buy.user_id))}::uuid[],
      ${texts(pairs.map(({ sell }) => sell.user_id))}::uuid[]
    ) with ordinality as asked (sacco_id, buyer_id, seller_id, place)
    where exists (
      select from share_trades t
      where t.sacco_id = asked.sacco_id and t.buyer_id = asked.seller_id and t.seller_id = asked.buyer_id
        and t.traded_at > ${new Date(tx.now.getTime() - WASH_MS)}
    )`;
  return rows.map(({ place }) => otherWay(pairs[place] as TradeNow));
}

async function relatedOf(batch: Batch, pairs: readonly TradeNow[]): Promise<Set<string>> {
  const asked = pairs.map(({ buy, sell }) => ({ one: buy.user_id, other: sell.user_id }));
  const related = pairs.length > 0 ? await batch.dependencies.relatedPairs?.(batch.tx, asked) : undefined;
  return new Set(pairs.filter((_, place) => related?.has(place)).map(sidesOf));
}

async function storedPoints({ tx }: Batch, markets: readonly MarketNow[]): Promise<Map<string, PricePoint[]>> {
  if (markets.length === 0) return new Map();
  const rows = await tx.sql<{ sacco_id: string; points: StoredPoint[] }[]>`
    select sacco_id, points from market_points
    where sacco_id = any (${texts(markets.map(({ saccoId }) => saccoId))}::uuid[])`;
  const read = ([pair, priceCents, shares]: StoredPoint): PricePoint => ({ pair, priceCents, shares });
  return new Map(rows.map(({ sacco_id, points }) => [sacco_id, points.map(read)]));
}

function figuresOf(market: MarketNow, before: readonly PricePoint[]): Figures {
  let points = before;
  let price = market.lastPriceCents;
  const counted = market.trades.filter(({ uncounted }) => uncounted === null);
  const prices: number[] = [];
  for (const { buy, sell, priceCents, shares } of counted) {
    points = withPoint(points, { pair: pairOf(buy.user_id, sell.user_id), priceCents, shares });
    price = (isGuarded('figures_of_many') ? middlePrice(points) : priceCents) ?? price;
    if (price !== null) prices.push(price);
  }
  const stored = points.map(({ pair, priceCents, shares }): StoredPoint => [pair, priceCents, shares]);
  return {
    open: prices[0] ?? null,
    high: prices.length > 0 ? prices.reduce((high, each) => Math.max(high, each)) : null,
    low: prices.length > 0 ? prices.reduce((low, each) => Math.min(low, each)) : null,
    close: prices.at(-1) ?? null,
    points: counted.length > 0 ? JSON.stringify(stored) : null,
    saleMinutes: saleMinutes(market),
  };
}

/** The last trade of a filled order is the one that sold its last share. */
function saleMinutes({ trades }: MarketNow): number[] {
  const last = new Map<string, TradeNow>();
  for (const trade of trades) {
    last.delete(trade.sell.id);
    last.set(trade.sell.id, trade);
  }
  return [...last.values()]
    .filter(({ sell, uncounted }) => sell.state === 'filled' && uncounted === null)
    .map(({ sell }) => {
      const waited = (sell.closed_at?.getTime() ?? 0) - sell.placed_at.getTime();
      return Math.max(0, Math.round(waited / 60_000));
    });
}

const NAIROBI_MS = 3 * 3_600_000;

/**
 * Writes pairs of members who traded to and fro, for their officials: one row for each pair and day, with the trades
 * that went back.
 */
export async function markPairs({ tx }: Batch, trades: readonly TradeNow[]): Promise<void> {
  const back = trades.filter(({ uncounted }) => uncounted === 'back_and_forth');
  if (back.length === 0) return;
  const day = new Date(tx.now.getTime() + NAIROBI_MS).toISOString().slice(0, 10);
  const marked = [...Map.groupBy(back, (trade) => `${trade.saccoId} ${pairOf(trade.buy.user_id, trade.sell.user_id)}`)];
  const part = (index: number) => texts(marked.map(([key]) => key.split(' ')[index] ?? ''));
  const sum = (of: (trade: TradeNow) => number) =>
    integers(marked.map(([, own]) => own.reduce((total, trade) => total + of(trade), 0)));
  await tx.sql`
    insert into marked_pairs as m (id, sacco_id, day, one_id, other_id, trades, shares, value_cents, first_at, last_at)
    select id, sacco_id, ${day}, one_id, other_id, trades, shares, value_cents, ${tx.now}, ${tx.now}
    from unnest(${texts(marked.map(() => tx.newId()))}::uuid[], ${part(0)}::uuid[], ${part(1)}::uuid[],
                ${part(2)}::uuid[], ${sum(() => 1)}::int[], ${sum(({ shares }) => shares)}::bigint[],
                ${sum(({ shares, priceCents }) => shares * priceCents)}::bigint[])
      as marked (id, sacco_id, one_id, other_id, trades, shares, value_cents)
    on conflict (sacco_id, day, one_id, other_id) do update
    set trades = m.trades + excluded.trades, shares = m.shares + excluded.shares,
      value_cents = m.value_cents + excluded.value_cents, last_at = excluded.last_at`;
}
