import { beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { sharesInvariants } from '../shares/shares.invariants.ts';
import { moneyJournal, wallet, walletHold } from '../wallet/receipts.ts';
import { marketInvariants } from './market.invariants.ts';
import type { PlaceOrder } from './market.types.ts';
import { testTraders } from './test-traders.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  const traders = testTraders(database);
  const sacco = await traders.sacco();
  const [amina, baraka, chep] = [
    await traders.trader(sacco, { shares: 100, cents: 500_00 }),
    await traders.trader(sacco, { shares: 10, cents: 10_000_00 }),
    await traders.trader(sacco, { shares: 50 }),
  ];
  const place = (userId: string, side: PlaceOrder['side'], shares: number, priceCents: number) =>
    traders.act({ kind: 'place', userId, saccoId: sacco, side, shares, priceCents, expiresAt: null });
  await place(amina, 'sell', 30, 100_00);
  await place(baraka, 'buy', 10, 100_00);
  const { order } = await place(baraka, 'buy', 7, 95_00);
  await place(chep, 'sell', 2, 95_00);
  await traders.act({ kind: 'change', userId: baraka, orderId: order.id, shares: 6, priceCents: null });
  const { order: dear } = await place(chep, 'sell', 3, 110_00);
  await traders.act({ kind: 'cancel', userId: chep, orderId: dear.id });
  // A pending withdrawal is held in the same account.
  await database.transaction(async (tx) => {
    const id = tx.newId();
    await tx.sql`
      insert into withdrawals (id, user_id, phone, amount_cents, state, created_at)
      values (${id}, ${baraka}, '254712345678', 200000, 'created', ${tx.now})`;
    const about = { type: 'withdrawal', id };
    await postOrRefuse(
      tx,
      moneyJournal('withdrawal_reserved', about, baraka, wallet(baraka), walletHold(baraka), 2_000_00),
    );
  });
});

const all = [...ledgerInvariants, ...sharesInvariants, ...marketInvariants];

test('A market in which orders wait, trade, change and close breaks no invariant', async () => {
  expect(await breaches(database.owner, all)).toEqual([]);
  const [{ trades, open } = {}] = await database.owner`
    select (select count(*)::int from share_trades) as trades,
      (select count(*)::int from share_orders where state = 'open') as open`;
  expect({ trades, open }).toEqual({ trades: 2, open: 2 });
});

describe('A change by the database’s owner is found', () => {
  /** A statement, and the invariant that it breaks. */
  const hands: readonly (readonly [does: string, found: string])[] = [
    ["update accounts set balance = balance + 1 where kind = 'wallet_hold'", 'What is held of every wallet'],
    ["update withdrawals set state = 'sent', amount_cents = amount_cents + 100", 'What is held of every wallet'],
    [
      "update share_orders set fee_basis_points = 300 where side = 'buy' and state = 'open'",
      'What is held of every wallet',
    ],
    [
      "update accounts set balance = balance + 1 where kind = 'holding_hold' and balance > 0",
      'What is held of every holding',
    ],
    ["update share_orders set price_cents = 9400 where side = 'sell' and state = 'open'", 'No book is crossed'],
    ["update market_levels set shares = shares + 1 where side = 'sell' and shares > 0", 'Every level of a book'],
    ["update market_levels set orders = 2 where side = 'buy' and shares > 0", 'Every level of a book'],
    ['update markets set best_ask_cents = 9900 where trades > 0', 'A market’s best prices'],
    ['update markets set last_place = 1 where trades > 0', 'A market’s best prices'],
    [
      "update memberships set state = 'leaving' where user_id = (select user_id from share_orders where side = 'buy' and state = 'open')",
      'Whoever has an order',
    ],
    ["update share_orders set user_id = gen_random_uuid() where state = 'cancelled'", 'Whoever has an order'],
    [
      "update share_trades set seller_id = (select user_id from share_orders where state = 'cancelled') where taker = 'buy'",
      'Every trade is between the two orders',
    ],
    [
      `update share_trades set price_cents = price_cents - 1, taker_limit_cents = case taker when 'sell' then 1 else taker_limit_cents end`,
      'What every order has traded',
    ],
    ["update share_orders set filled = filled + 1 where state = 'open'", 'What every order has traded'],
    ["update share_orders set fee_cents = fee_cents - 1 where state = 'filled'", 'What every order has traded'],
    ["update share_orders set fee_min_cents = 2000 where state = 'filled'", 'What every order has traded'],
    ["update share_trades set journal_id = 1 where taker = 'sell'", 'Every trade has its journal'],
    ["update journals set about_id = gen_random_uuid() where kind = 'shares_traded'", 'Every trade has its journal'],
    ["update share_trades set shares = shares + 1 where taker = 'sell'", 'Every trade has its journal'],
    [
      "update share_trades set seller_fee_cents = seller_fee_cents - 1, buyer_fee_cents = buyer_fee_cents + 1 where taker = 'buy'",
      'Every trade has its journal',
    ],
    ["delete from share_trades where taker = 'sell'", 'Every trade has its journal'],
    [
      "update transfers set amount = amount + 1 where journal_id in (select id from journals where kind = 'market_fees')",
      'What the trades of a moment paid',
    ],
    ["update journals set posted_at = now() where kind = 'market_fees'", 'What the trades of a moment paid'],
    ['update share_trades set buyer_id = gen_random_uuid()', 'Buyers and sellers of every trade'],
    ['update markets set trades = trades + 1 where trades > 0', 'A market’s trades'],
    ['update markets set turnover_cents = turnover_cents - 1 where trades > 0', 'A market’s trades'],
    ['update markets set last_price_cents = 10100 where trades > 0', 'A market’s trades'],
    ["update market_candles set volume = volume + 1 where unit = 'day'", 'The candles of every day'],
    ["update share_trades set uncounted = 'back_and_forth' where taker = 'buy'", 'A trade counts for the figures'],
    ["update share_trades set uncounted = 'small' where taker = 'buy'", 'A trade counts for the figures'],
    ["delete from market_candles where unit = 'day'", 'The candles of every day'],
    ['update markets set sequence = sequence + 1 where trades > 0', 'The changes that are kept'],
    ['delete from market_events where sequence = 2', 'The changes that are kept'],
    ['update sacco_figures set qualified_holders = 2', 'A sacco counts its holders'],
    ['update sacco_figures set holding_limit_since = now()', 'A sacco counts its holders'],
    ['update share_trades set seller_shares_after = seller_shares_after + 1', 'Every entry of the register'],
    ['delete from sale_proceeds', 'What the trades brought their sellers'],
    ["delete from share_trades where taker = 'buy'", 'Every holding is the sum'],
  ];

  test.each(hands)('%s', async (does, found) => {
    const named = await database.owner
      .begin(async (sql) => {
        await sql.unsafe(does);
        throw await breaches(sql, all);
      })
      .catch((thrown: unknown) => {
        if (!Array.isArray(thrown)) throw thrown;
        return thrown.map(({ name }) => String(name));
      });
    expect(named).toContainEqual(expect.stringContaining(found));
  });

  test('has a statement for every invariant of the market', () => {
    for (const { name } of marketInvariants) {
      expect(hands.filter(([, found]) => name.startsWith(found)).length, name).toBeGreaterThan(0);
    }
  });
});
