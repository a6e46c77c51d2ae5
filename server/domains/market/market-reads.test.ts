import * as contract from '@ushirika/contract/market';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { testApp } from '../../http/test-app.ts';
import { standings } from '../membership/standings.ts';
import { testSaccos } from '../saccos/test-saccos.ts';
import { buyShares } from '../shares/buy-shares.ts';
import { createMarketHub, type MarketHub } from './market-live.ts';
import { marketReadRoutes } from './market-reads.routes.ts';
import { testMarket } from './test-market.ts';

const READS = [
  contract.readOrderBook,
  contract.readMarketStats,
  contract.listOrders,
  contract.listTrades,
  contract.listMarkedPairs,
  contract.readContractNote,
  contract.marketLive,
  contract.listPriceAlerts,
  contract.createPriceAlert,
  contract.cancelPriceAlert,
];
const HANDLE = /^Member [2-9B-Z]{4}$/;
let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let people: ReturnType<typeof testPeople>;
let saccos: ReturnType<typeof testSaccos>;
let market: ReturnType<typeof testMarket>;
let markets: MarketHub;
let operator: string;
let wanjiru: string;
let otieno: string;

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  saccos = testSaccos(database);
  market = testMarket(database);
  markets = createMarketHub({ database });
  operator = await people.person('Operator');
  wanjiru = await people.person('Wanjiru', 'Kamau');
  otieno = await people.person('Otieno', 'Ouma');
  app = await testApp({
    database,
    contract: READS,
    bindings: marketReadRoutes({ database, publicUrl: 'https://ushirika.test', markets }),
    standingOf: standings(database),
  });
});
afterAll(async () => {
  await app.close();
  await markets.close();
  await database.close();
});

/** A sacco at Ksh. 100 a share in which both are members. */
async function umoja(): Promise<string> {
  const sacco = await saccos.sacco(wanjiru, operator);
  for (const member of [wanjiru, otieno]) await saccos.join(sacco, member);
  return sacco;
}
const get = (as: string, path: string) => app.call('GET', path, { as });
const pathOf = (url: string) => url.replace('https://ushirika.test/api/v1', '');

test('an empty book shows the terms, what the member may sell, and nothing else', async () => {
  const sacco = await umoja();
  await saccos.fund(wanjiru, 5_000_00);
  const purchase = { userId: wanjiru, saccoId: sacco, shares: 12, amountCents: 1_200_00 };
  await database.transaction((tx) => buyShares(tx, [purchase]));
  const book = await get(wanjiru, `/sacco/order-book?sacco=${sacco}`);
  expect(book.body).toEqual({
    sacco,
    sequence: 0,
    reference_price: 100,
    price_band: { floor: 90, ceiling: 110, tick: 1 },
    last_price: null,
    best_bid: null,
    best_ask: null,
    bids: [],
    asks: [],
    offers: [],
    mine: [],
    free_shares: 12,
    held_shares: 0,
    terms: {
      price_mode: 'band',
      share_value: 100,
      floor: 90,
      ceiling: 110,
      floor_percentage: 90,
      ceiling_percentage: 110,
      tick: 1,
      lot: 1,
      fee_percentage: 0.5,
      fee_min: 10,
      order_days_max: 90,
      trading: 'open',
    },
  });
});

test('the book lists prices best first and offers by their queue; one’s own orders are separate, and names are not shown', async () => {
  const sacco = await umoja();
  const dear = await market.order(sacco, wanjiru, { side: 'sell', cents: 104_00, shares: 7 });
  const first = await market.order(sacco, wanjiru, { side: 'sell', cents: 102_00, shares: 5, filled: 2 });
  const own = await market.order(sacco, otieno, { side: 'sell', cents: 102_00, shares: 4 });
  await market.order(sacco, wanjiru, {
    side: 'sell',
    cents: 101_00,
    shares: 9,
    state: 'cancelled',
    reason: 'by_member',
  });
  // A millisecond later: ids of the same millisecond have no order.
  database.world.advance(1);
  const bid = await market.order(sacco, otieno, { side: 'buy', cents: 98_00, shares: 10, filled: 4 });
  await market.order(sacco, wanjiru, { side: 'buy', cents: 99_00, shares: 3 });
  const { body } = await get(otieno, `/sacco/order-book?sacco=${sacco}`);
  expect(body).toMatchObject({ sequence: 6, best_bid: 99, best_ask: 102 });
  expect(body.asks).toEqual([
    { price: 102, shares: 7, orders: 2 },
    { price: 104, shares: 7, orders: 1 },
  ]);
  expect(body.bids).toEqual([
    { price: 99, shares: 3, orders: 1 },
    { price: 98, shares: 6, orders: 1 },
  ]);
  expect(body.offers).toEqual([
    { order: first, price: 102, shares: 3 },
    { order: dear, price: 104, shares: 7 },
  ]);
  expect(body.mine.map(({ id }: { id: string }) => id)).toEqual([bid, own]);
  // 6 shares at 98 are left. No fee is held: the whole fee of 10 shillings was paid with the first 4.
  expect(body.mine[0]).toMatchObject({ side: 'buy', filled: 4, remaining: 6, value: 392, fee: 10, held: 588 });
  expect(body.mine[1]).toMatchObject({ side: 'sell', remaining: 4, held: 0, status: 'open' });
  const one = await get(otieno, `/sacco/order-book?sacco=${sacco}&depth=1`);
  expect([one.body.bids.length, one.body.asks.length]).toEqual([1, 1]);
  expect(JSON.stringify(body)).not.toContain(wanjiru);
  expect(JSON.stringify(body)).not.toMatch(/Wanjiru|Kamau/);
});

test('a book shows at most twenty offers of others, however many of one’s own are before them', async () => {
  const sacco = await umoja();
  for (let count = 0; count < 50; count += 1)
    await market.order(sacco, otieno, { side: 'sell', cents: 95_00, shares: 1 });
  for (let count = 0; count < 22; count += 1)
    await market.order(sacco, wanjiru, { side: 'sell', cents: 96_00, shares: 1 });
  const { body } = await get(otieno, `/sacco/order-book?sacco=${sacco}`);
  expect([body.offers.length, body.mine.length]).toEqual([20, 50]);
  expect(new Set(body.offers.map(({ price }: { price: number }) => price))).toEqual(new Set([96]));
}, 20_000);

test('several members who read the books of several saccos at once each get the right one', async () => {
  const [one, two] = [await umoja(), await umoja()];
  await market.order(one, wanjiru, { side: 'sell', cents: 101_00, shares: 1 });
  await market.order(two, otieno, { side: 'buy', cents: 97_00, shares: 2 });
  const asked = [
    [wanjiru, one],
    [otieno, one],
    [wanjiru, two],
    [otieno, two],
  ] as const;
  const answers = await Promise.all(asked.map(([who, sacco]) => get(who, `/sacco/order-book?sacco=${sacco}`)));
  expect(answers.map(({ body }) => [body.best_ask, body.best_bid, body.offers.length, body.mine.length])).toEqual([
    [101, null, 0, 1],
    [101, null, 1, 0],
    [null, 97, 0, 0],
    [null, 97, 0, 1],
  ]);
});

test('the book, the trades, the alerts and the stream are for members of the sacco', async () => {
  const sacco = await umoja();
  const stranger = await people.person('Stranger');
  await saccos.join(await umoja(), stranger);
  for (const path of ['/sacco/order-book', '/sacco/trades', '/sacco/price-alerts', '/sacco/order-book/live']) {
    const answer = await get(stranger, `${path}?sacco=${sacco}`);
    expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'not_a_member']);
    expect((await app.call('GET', `${path}?sacco=${sacco}`)).body.code).toBe('not_signed_in');
  }
});

test('one’s own orders are listed newest first, of one state or of all, page by page in both directions', async () => {
  const sacco = await umoja();
  const ids: string[] = [];
  for (const state of ['open', 'filled', 'cancelled', 'open', 'expired', 'open'] as const) {
    database.world.advance(1_000);
    const filled = state === 'filled' ? 5 : 0;
    const reason = state === 'cancelled' ? { reason: 'one_fifth' as const } : {};
    ids.push(await market.order(sacco, wanjiru, { side: 'sell', cents: 100_00, shares: 5, filled, state, ...reason }));
    await market.order(sacco, otieno, { side: 'buy', cents: 95_00, shares: 1 });
  }
  const newest = [...ids].reverse();
  const list = async (query: string) => {
    const { body } = await app.call('GET', `/sacco/order-book-items?${query}`, { as: wanjiru, sacco });
    return { ...body, ids: body.results?.map(({ id }: { id: string }) => id) };
  };
  expect(await list('')).toMatchObject({ count: 6, next: null, previous: null, ids: newest });
  expect(await list('status=open')).toMatchObject({ count: 3, ids: [ids[5], ids[3], ids[0]] });
  expect((await list('status=cancelled')).results[0]).toMatchObject({
    status: 'cancelled',
    cancel_reason: 'one_fifth',
  });
  const page = await list('limit=4');
  expect(page.ids).toEqual(newest.slice(0, 4));
  const next = await get(wanjiru, pathOf(page.next));
  expect(next.body.results.map(({ id }: { id: string }) => id)).toEqual(newest.slice(4));
  const back = await get(wanjiru, pathOf(next.body.previous));
  expect(back.body.results.map(({ id }: { id: string }) => id)).toEqual(newest.slice(0, 4));
  expect((await get(wanjiru, '/sacco/order-book-items')).body.code).toBe('sacco_required');
  expect((await list('cursor=nonsense&status=open')).code).toBe('validation_failed');
});

test('the trades of a market are listed without names; one’s own are marked', async () => {
  const sacco = await umoja();
  const third = await people.person('Chebet', 'Rono');
  await saccos.join(sacco, third);
  await market.trade(sacco, { buyer: otieno, seller: wanjiru, cents: 101_00, shares: 3 });
  database.world.advance(1_000);
  await market.trade(sacco, { buyer: third, seller: otieno, cents: 100_00, shares: 2, taker: 'sell' });
  await database.owner`
    update share_trades set uncounted = 'back_and_forth' where sacco_id = ${sacco} and shares = 2`;
  const { body } = await get(otieno, `/sacco/trades?sacco=${sacco}`);
  expect(body).toMatchObject({
    count: 2,
    results: [
      { shares: 2, price: 100, taker: 'sell', mine: 'sold', counts: false },
      { shares: 3, price: 101, taker: 'buy', mine: 'bought', counts: true },
    ],
  });
  const others = await get(third, `/sacco/trades?sacco=${sacco}&limit=1`);
  expect(others.body.results).toMatchObject([{ shares: 2, mine: 'bought' }]);
  const older = await get(third, pathOf(others.body.next));
  expect(older.body).toMatchObject({ next: null, results: [{ shares: 3, mine: null }] });
  for (const person of [wanjiru, otieno, third])
    expect(JSON.stringify([body, others.body, older.body])).not.toContain(person);
});

test('members who trade to and fro are named to officials only, with the handles that others know', async () => {
  const sacco = await umoja();
  const [one, other] = [wanjiru, otieno].sort();
  await database.owner`
    insert into marked_pairs (id, sacco_id, day, one_id, other_id, trades, shares, value_cents, first_at, last_at)
    values (${database.newId()}, ${sacco}, '2026-11-22', ${one as string}, ${other as string}, 2, 7, 70000, ${database.now()},
      ${database.now()})`;
  const read = (as: string) => app.call('GET', '/sacco/marked-pairs', { as, sacco });
  const { body } = await read(wanjiru);
  expect(body).toMatchObject({ count: 1, results: [{ day: '2026-11-22', trades: 2, shares: 7, value: 700 }] });
  const [{ members }] = body.results;
  expect(members.map(({ name }: { name: string }) => name).sort()).toEqual(['Otieno Ouma', 'Wanjiru Kamau']);
  for (const { handle } of members) expect(`Member ${handle}`).toMatch(HANDLE);
  expect(await read(otieno)).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
});

test('a contract note is shown to both parties of its trade and to nobody else', async () => {
  const sacco = await umoja();
  const fellow = await people.person('Chebet', 'Rono');
  await saccos.join(sacco, fellow);
  const id = await market.trade(sacco, {
    buyer: otieno,
    seller: wanjiru,
    cents: 101_00,
    shares: 3,
    fees: [12_00, 10_00],
  });
  // A former member keeps the handle by which the other party knows them.
  await database.owner`update memberships set state = 'exited' where user_id = ${wanjiru} and sacco_id = ${sacco}`;
  const bought = await get(otieno, `/sacco/trades/${id}`);
  expect(bought.body).toMatchObject({
    id,
    sacco: { id: sacco },
    side: 'buy',
    counterparty: expect.stringMatching(HANDLE),
    shares: 3,
    price: 101,
    value: 303,
    fee: 12,
    total: 315,
    shares_after: 3,
    journal: '77',
    reference: expect.stringMatching(/^U-000077-/),
  });
  const sold = await get(wanjiru, `/sacco/trades/${id}`);
  expect(sold.body).toMatchObject({
    side: 'sell',
    counterparty: expect.stringMatching(HANDLE),
    fee: 10,
    total: 293,
    shares_after: 40,
  });
  expect(bought.body.counterparty).not.toBe(sold.body.counterparty);
  expect((await get(otieno, `/sacco/trades/${id}`)).body.counterparty).toBe(bought.body.counterparty);
  expect(bought.body.order).not.toBe(sold.body.order);
  for (const path of [`/sacco/trades/${id}`, `/sacco/trades/${database.newId()}`]) {
    expect((await get(fellow, path)).status).toBe(404);
  }
});

test('the figures of a market are public: prices, changes, volumes and candles of each range', async () => {
  const sacco = await umoja();
  const trade = (cents: number, shares: number) =>
    market.trade(sacco, { buyer: otieno, seller: wanjiru, cents, shares });
  const start = database.now();
  database.world.setNow(new Date('2026-10-01T09:00:00+03:00'));
  await trade(100_00, 10);
  database.world.setNow(new Date('2026-11-20T11:07:00+03:00'));
  await trade(104_00, 5);
  database.world.setNow(new Date('2026-11-22T10:00:00+03:00'));
  await trade(102_00, 1);
  database.world.setNow(new Date('2026-11-22T10:14:00+03:00'));
  await trade(106_00, 2);
  database.world.setNow(new Date('2026-11-22T10:16:00+03:00'));
  await trade(105_00, 4);
  await market.order(sacco, wanjiru, { side: 'sell', cents: 107_00, shares: 6 });
  await market.order(sacco, otieno, { side: 'buy', cents: 95_00, shares: 8 });
  await database.owner`update markets set sale_minutes = '{1440, 4320, 14400}' where sacco_id = ${sacco}`;
  database.world.setNow(new Date('2026-11-22T12:00:00+03:00'));
  const stats = async (range: string) =>
    (await app.call('GET', `/sacco/order-book-stats?sacco=${sacco}&range=${range}`)).body;
  const day = await stats('1d');
  expect(day).toMatchObject({
    last_price: 105,
    change: 1,
    change_percentage: 0.96,
    high: 106,
    low: 102,
    volume: 7,
    turnover: 734,
    trades: 3,
    best_bid: 95,
    best_ask: 107,
    bid_depth: 8,
    ask_depth: 6,
    volume_24h: 7,
    volume_30d: 12,
    days_to_sell: 3,
  });
  expect(day.candles).toEqual([
    { time: '2026-11-22T07:00:00.000Z', open: 102, high: 106, low: 102, close: 106, volume: 3 },
    { time: '2026-11-22T07:15:00.000Z', open: 105, high: 105, low: 105, close: 105, volume: 4 },
  ]);
  // Compared with the last price before the range, the 100 of October.
  const week = await stats('1w');
  expect(week).toMatchObject({ change: 5, volume: 12, trades: 4 });
  expect(week.candles).toMatchObject([
    { time: '2026-11-20T05:00:00.000Z', open: 104, close: 104 },
    { time: '2026-11-22T05:00:00.000Z', open: 102, high: 106, low: 102, close: 105, volume: 7 },
  ]);
  expect((await stats('1m')).candles.map(({ time }: { time: string }) => time)).toEqual([
    '2026-11-19T21:00:00.000Z',
    '2026-11-21T21:00:00.000Z',
  ]);
  expect((await stats('1y')).candles).toMatchObject([
    { time: '2026-09-27T21:00:00.000Z', open: 100 },
    { time: '2026-11-15T21:00:00.000Z', open: 104, close: 105, high: 106, volume: 12 },
  ]);
  // All trades: compared with the first price.
  const all = await stats('all');
  expect(all).toMatchObject({ change: 5, change_percentage: 5, volume: 22, turnover: 2254 });
  expect(all.candles.map(({ time }: { time: string }) => time)).toEqual([
    '2026-09-30T21:00:00.000Z',
    '2026-10-31T21:00:00.000Z',
  ]);
  // A member of another sacco, who cannot read the levels, gets the same figures.
  const stranger = await people.person('Stranger');
  expect((await get(stranger, `/sacco/order-book-stats?sacco=${sacco}&range=1d`)).body).toEqual(day);
  database.world.setNow(start);
});

test('a market without trades has empty figures; an unknown sacco is not found', async () => {
  const sacco = await umoja();
  const none = await app.call('GET', `/sacco/order-book-stats`, { sacco });
  expect(none.body).toMatchObject({ range: '1w', last_price: null, change: null, high: null, volume: 0, candles: [] });
  expect((await app.call('GET', '/sacco/order-book-stats')).body.code).toBe('sacco_required');
  const nowhere = await app.call('GET', `/sacco/order-book-stats?sacco=${database.newId()}`);
  expect(nowhere).toMatchObject({ status: 404, body: { message: 'There is no such sacco.' } });
  await database.owner`update saccos set state = 'rejected' where id = ${sacco}`;
  expect((await app.call('GET', '/sacco/order-book-stats', { sacco })).status).toBe(404);
});

test('a price alert is made once for each price, within the band, ten at most, and can be cancelled', async () => {
  const sacco = await umoja();
  const ask = (price: number, as = wanjiru) => app.call('POST', '/sacco/price-alerts', { as, body: { sacco, price } });
  const asked = await ask(95);
  expect(asked).toMatchObject({ status: 201, body: { success: true, alert: { sacco, price: 95 } } });
  expect(asked.body.message).toBe('You will be told when shares are offered at Ksh.\u00a095.00 or less.');
  expect((await ask(95)).body).toMatchObject({
    code: 'alert_conflict',
    message: 'You have an alert at Ksh.\u00a095.00 already.',
  });
  expect((await ask(89)).body.code).toBe('price_not_allowed');
  expect((await ask(95.5)).body.code).toBe('price_not_allowed');
  for (let price = 96; price <= 104; price += 1) expect((await ask(price)).status).toBe(201);
  expect((await ask(105)).body.message).toBe('You have 10 alerts waiting here. Take one back first.');
  expect((await ask(105, otieno)).status).toBe(201);
  const waiting = await get(wanjiru, `/sacco/price-alerts?sacco=${sacco}`);
  expect(waiting.body.count).toBe(10);
  expect(waiting.body.results.map(({ price }: { price: number }) => price).slice(0, 2)).toEqual([104, 103]);
  const { id } = asked.body.alert;
  expect((await app.call('DELETE', `/sacco/price-alerts/${id}`, { as: otieno })).status).toBe(404);
  expect((await app.call('DELETE', `/sacco/price-alerts/${id}`, { as: wanjiru })).body.success).toBe(true);
  expect((await app.call('DELETE', `/sacco/price-alerts/${id}`, { as: wanjiru })).status).toBe(404);
  expect((await ask(95)).status).toBe(201);
  await database.owner`update saccos set state = 'suspended' where id = ${sacco}`;
  expect((await ask(106)).body.code).toBe('sacco_inactive');
});

test('of many alerts asked for at once at most ten are kept', async () => {
  const sacco = await umoja();
  const prices = Array.from({ length: 16 }, (_, index) => 92 + index);
  const answers = await Promise.all(
    prices.map((price) => app.call('POST', '/sacco/price-alerts', { as: wanjiru, body: { sacco, price } })),
  );
  expect(answers.filter(({ status }) => status === 201).length).toBe(10);
});
