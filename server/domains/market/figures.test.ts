import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { breaches } from '../../ledger/invariants.ts';
import { publicFigures } from '../saccos/public-figures.ts';
import { sharesInvariants } from '../shares/shares.invariants.ts';
import { tellOfMarkedPairs } from './marked-pairs.ts';
import { marketInvariants } from './market.invariants.ts';
import { marketStats } from './market-stats.queries.ts';
import { testTraders } from './test-traders.ts';

/* Which trades move the published figures, and who is told of those that do not. */

let database: TestDatabase;
let traders: ReturnType<typeof testTraders>;
let people: ReturnType<typeof testPeople>;
let sacco: string;
let crowd: string[];
beforeAll(async () => {
  database = await testDatabase();
  traders = testTraders(database);
  people = testPeople(database);
});
beforeEach(async () => {
  sacco = await traders.sacco(2);
  crowd = [];
  for (let count = 0; count < 6; count += 1)
    crowd.push(await traders.trader(sacco, { shares: 200, cents: 100_000_00 }));
});
afterAll(async () => {
  const found = await breaches(database.owner, [...sharesInvariants, ...marketInvariants]);
  await database.close();
  expect(found).toEqual([]);
});

/** Two of the crowd trade, the first one sells; `dependencies` say who is related. */
async function trade(
  [seller, buyer]: readonly [number, number],
  shares: number,
  shillings: number,
  dependencies: Parameters<typeof traders.run>[1] = {},
): Promise<void> {
  const [from = '', to = ''] = [crowd[seller], crowd[buyer]];
  await traders.act(traders.order(sacco, from, 'sell', shares, shillings), dependencies);
  await traders.act(traders.order(sacco, to, 'buy', shares, shillings), dependencies);
}

const figures = async () => {
  const { last_price, high, low, volume, trades, candles } = await marketStats(database, sacco, '1d');
  return { last_price, high, low, volume, trades, closes: candles.map(({ close }) => close) };
};
const marks = async () =>
  (
    await database.owner<{ mark: string | null }[]>`
    select uncounted as mark from share_trades where sacco_id = ${sacco} order by place`
  ).map(({ mark }) => mark);

test('two members alone make no last price: their first trade counts, and trades back within a week do not', async () => {
  await trade([0, 1], 10, 110);
  await trade([1, 0], 10, 90);
  expect(await marks()).toEqual([null, 'back_and_forth']);
  expect(await figures()).toEqual({ last_price: null, high: null, low: null, volume: 20, trades: 2, closes: [] });
  database.world.advance(7 * 86_400_000 + 1);
  await trade([1, 0], 10, 90);
  expect(await marks()).toEqual([null, 'back_and_forth', null]);
});

test('a last price needs three pairs, and one of them alone moves neither it nor the highest and the lowest price', async () => {
  await trade([2, 3], 10, 100);
  await trade([0, 1], 100, 110);
  expect((await figures()).last_price).toBeNull();
  await trade([4, 5], 10, 102);
  expect((await figures()).last_price).toBe(102);
  database.world.advance(8 * 86_400_000);
  await trade([0, 1], 90, 90);
  expect(await figures()).toEqual({ last_price: 100, high: 100, low: 100, volume: 90, trades: 1, closes: [100] });
});

test('small trades, and trades between related members, do not count', async () => {
  await trade([2, 3], 10, 100);
  await trade([4, 5], 10, 100);
  await trade([0, 3], 10, 100);
  await trade([0, 1], 4, 110);
  await trade([0, 2], 10, 110, { relatedPairs: async (_, pairs) => new Set(pairs.keys()) });
  expect(await marks()).toEqual([null, null, null, 'small', 'related']);
  expect(await figures()).toMatchObject({ last_price: 100, high: 100 });
});

test('shares that were traded are those of all trades, in the figures of a day and of 30 days', async () => {
  await trade([0, 1], 10, 110);
  await trade([1, 0], 3, 90);
  await trade([2, 3], 2, 100);
  expect(await marks()).toEqual([null, 'back_and_forth', 'small']);
  const { volume, volume_24h, volume_30d, turnover, trades } = await marketStats(database, sacco, '1d');
  expect({ volume, volume_24h, volume_30d, turnover, trades }).toEqual({
    volume: 15,
    volume_24h: 15,
    volume_30d: 15,
    turnover: 1_570,
    trades: 3,
  });
});

test('in one batch the second of two trades to and fro does not count', async () => {
  const [one = '', other = ''] = crowd;
  const to = [traders.order(sacco, one, 'sell', 5, 100), traders.order(sacco, other, 'buy', 5, 100)];
  const fro = [traders.order(sacco, other, 'sell', 5, 100), traders.order(sacco, one, 'buy', 5, 100)];
  await traders.run([...to, ...fro]);
  expect(await marks()).toEqual([null, 'back_and_forth']);
});

test('officials are told of a pair once a day, without names; other members are not told', async () => {
  const treasurer = crowd[5] ?? '';
  await people.official(sacco, treasurer, 'treasurer');
  const told = async (who: string) => (await traders.told(who, 'pair_marked')).texts;
  for (const round of [1, 2]) {
    await trade([0, 1], 5, 100);
    await trade([1, 0], 5, 100);
    await tellOfMarkedPairs(database);
    expect(await told(treasurer), `round ${round}`).toHaveLength(1);
  }
  expect((await told(treasurer))[0]).toMatch(
    /^Two members of Umoja Sacco \d+ sold 5 shares back to one another within a week\. These trades do not move the price\. Who they are is under Share Trading\.$/,
  );
  expect(await told(crowd[0] ?? '')).toEqual([]);
  const [pair] = await database.owner`select trades, shares::int from marked_pairs where sacco_id = ${sacco}`;
  // In the second round both trades went back.
  expect(pair).toEqual({ trades: 3, shares: 15 });
  database.world.advance(86_400_000);
  await trade([1, 0], 5, 100);
  await tellOfMarkedPairs(database);
  expect(await told(treasurer)).toHaveLength(2);
});

test('“shares traded” of the public pages are those of all trades: also of pairs that make no price, of old ones, and of suspended saccos', async () => {
  const shown = async () => {
    const { market } = await publicFigures(database);
    const [found] = await database.owner`
      select sum(shares)::int as shares_traded, count(*)::int as trades, sum(shares * price_cents)::int / 100.0 as turnover
      from share_trades`;
    expect({ ...market, markets_open: undefined }).toEqual({ ...found, turnover: Number(found?.turnover) });
    return market.shares_traded;
  };
  await trade([0, 1], 10, 110);
  const first = await shown();
  await trade([1, 0], 7, 90);
  expect(await marks()).toEqual([null, 'back_and_forth']);
  expect(await shown()).toBe(first + 7);
  database.world.advance(400 * 86_400_000);
  await trade([2, 3], 5, 100);
  await traders.suspended(sacco, true);
  expect(await shown()).toBe(first + 12);
  await traders.suspended(sacco, false);
});
