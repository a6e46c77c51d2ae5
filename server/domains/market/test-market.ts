import type { CancelReason, OrderSide, OrderState } from '@ushirika/contract/market';
import type { Cents } from '@ushirika/contract/money';
import type { TestDatabase } from '../../db/test-database.ts';
import type { BookChange } from './market-changes.ts';
import { startOf } from './stats.rules.ts';

interface TestOrder {
  readonly side: OrderSide;
  readonly cents: Cents;
  readonly shares: number;
  readonly filled?: number;
  readonly state?: OrderState;
  readonly reason?: CancelReason;
}

interface TestTrade {
  readonly buyer: string;
  readonly seller: string;
  readonly cents: Cents;
  readonly shares: number;
  readonly taker?: OrderSide;
  readonly fees?: readonly [buyer: Cents, seller: Cents];
}

/** Writes a market's rows directly, as the verbs would; for tests that only read. No money moves. */
export function testMarket(database: TestDatabase) {
  const { owner } = database;
  /** One change of the book, with its event. */
  const change = async (saccoId: string, { levels = [], trades = [] }: Partial<BookChange>): Promise<number> => {
    const content = owner.json({ levels, trades } as never);
    // One statement, so that no reader sees the sequence without its event.
    const [row] = await owner<{ sequence: string }[]>`
      with changed as (
        update markets m set sequence = sequence + 1,
          best_bid_cents = (select max(price_cents) from market_levels l
                            where l.sacco_id = m.sacco_id and side = 'buy' and shares > 0),
          best_ask_cents = (select min(price_cents) from market_levels l
                            where l.sacco_id = m.sacco_id and side = 'sell' and shares > 0)
        where sacco_id = ${saccoId} returning sequence
      )
      insert into market_events (sacco_id, sequence, at, change)
      select ${saccoId}, sequence, ${database.now()}, ${content} from changed returning sequence`;
    return Number(row?.sequence);
  };
  const setLevel = async (saccoId: string, side: OrderSide, cents: Cents, shares: number, orders: number) => {
    await owner`
      insert into market_levels (sacco_id, side, price_cents, shares, orders)
      values (${saccoId}, ${side}, ${cents}, ${shares}, ${orders})
      on conflict (sacco_id, side, price_cents) do update set shares = excluded.shares, orders = excluded.orders`;
    return change(saccoId, { levels: [[side, cents, shares, orders]] });
  };
  return {
    change,
    setLevel,
    async order(saccoId: string, userId: string, given: TestOrder): Promise<string> {
      const { side, cents, shares, filled = 0, state = 'open', reason = null } = given;
      const id = database.newId();
      const now = database.now();
      const expires = new Date(now.getTime() + 90 * 86_400_000);
      await owner`
        with place as (update markets set last_place = last_place + 1 where sacco_id = ${saccoId} returning last_place)
        insert into share_orders (id, place, price_cents, shares, filled, value_cents, fee_cents, fee_min_cents,
          fee_basis_points, placed_at, expires_at, closed_at, sacco_id, user_id, side, state, cancel_reason)
        select ${id}, last_place, ${cents}, ${shares}, ${filled}, ${cents * filled}, ${Math.min(10_00, Math.floor((cents * filled * 3) / 100))}, 1000, 50,
          ${now}, ${expires}, ${state === 'open' ? null : now}, ${saccoId}, ${userId}, ${side}, ${state}, ${reason}
        from place`;
      const [open] = await owner<{ shares: string; orders: string }[]>`
        select coalesce(sum(shares - filled), 0) as shares, count(*) as orders from share_orders
        where sacco_id = ${saccoId} and side = ${side} and price_cents = ${cents} and state = 'open'`;
      await setLevel(saccoId, side, cents, Number(open?.shares), Number(open?.orders));
      return id;
    },
    async trade(saccoId: string, given: TestTrade): Promise<string> {
      const { buyer, seller, cents, shares, taker = 'buy', fees = [0, 0] } = given;
      const id = database.newId();
      const now = database.now();
      const [buyOrder, sellOrder] = [database.newId(), database.newId()];
      await owner`
        insert into share_trades (id, price_cents, shares, buyer_fee_cents, seller_fee_cents, buyer_shares_after,
          seller_shares_after, journal_id, traded_at, sacco_id, buyer_id, seller_id, buy_order_id, sell_order_id, taker,
          taker_limit_cents)
        values (${id}, ${cents}, ${shares}, ${fees[0]}, ${fees[1]}, ${shares}, 40, 77, ${now}, ${saccoId}, ${buyer},
          ${seller}, ${buyOrder}, ${sellOrder}, ${taker}, ${cents})`;
      for (const unit of ['quarter', 'day'] as const) {
        await owner`
          insert into market_candles (sacco_id, unit, starts_at, open_cents, high_cents, low_cents, close_cents, volume,
            turnover_cents, trades)
          values (${saccoId}, ${unit}, ${startOf(unit, now)}, ${cents}, ${cents}, ${cents}, ${cents}, ${shares},
            ${cents * shares}, 1)
          on conflict (sacco_id, unit, starts_at) do update set close_cents = excluded.close_cents,
            high_cents = greatest(market_candles.high_cents, excluded.high_cents),
            low_cents = least(market_candles.low_cents, excluded.low_cents),
            volume = market_candles.volume + excluded.volume, trades = market_candles.trades + 1,
            turnover_cents = market_candles.turnover_cents + excluded.turnover_cents`;
      }
      await owner`
        update markets set last_price_cents = ${cents}, last_traded_at = ${now}, trades = trades + 1,
          shares_traded = shares_traded + ${shares}, turnover_cents = turnover_cents + ${cents * shares}
        where sacco_id = ${saccoId}`;
      await change(saccoId, { trades: [[id, shares, cents, taker]] });
      return id;
    },
  };
}
