import { marketContract } from '@ushirika/contract/market';
import { membershipContract } from '@ushirika/contract/membership';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testApp } from '../../http/test-app.ts';
import { breaches } from '../../ledger/invariants.ts';
import { membershipRoutes } from '../membership/membership.routes.ts';
import { standings } from '../membership/standings.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { marketInvariants } from './market.invariants.ts';
import { marketRoutes } from './market.routes.ts';
import { createMarketHub, type MarketHub } from './market-live.ts';
import { testTraders } from './test-traders.ts';

/* What a session without a recent password may move to other people, over HTTP (decision 151). */

let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let traders: ReturnType<typeof testTraders>;
let markets: MarketHub;
let sacco: string;
let keys = 0;

beforeAll(async () => {
  database = await testDatabase();
  traders = testTraders(database);
  markets = createMarketHub({ database });
  const common = { database, publicUrl: 'https://ushirika.test', markets };
  app = await testApp({
    database,
    contract: [...marketContract, ...membershipContract],
    bindings: [...marketRoutes({ ...common, changes: testChanges({}) }), ...membershipRoutes(common)],
    standingOf: standings(database),
  });
});
beforeEach(async () => {
  sacco = await traders.sacco(2);
});
afterAll(async () => {
  const found = await breaches(database.owner, marketInvariants);
  await app.close();
  await markets.close();
  await database.close();
  expect(found).toEqual([]);
});

const newKey = () => {
  keys += 1;
  return `a-key-of-this-test-${keys}`;
};
const place = (as: string, side: 'buy' | 'sell', shares: number, price: number, key = newKey(), where = sacco) =>
  app.call('POST', '/sacco/order-book-items', { as, key, body: { sacco: where, side, shares, price } });
const take = (as: string, order: string, shares: number) =>
  app.call('POST', '/sacco/members/buy-user-shares', { as, key: newKey(), body: { order, shares } });
const change = (as: string, id: string, body: object) =>
  app.call('PATCH', `/sacco/order-book-items/${id}`, { as, body });
const join = (as: string, where: string) => {
  const terms = { reg_fee: 500, min_shares: 2, share_value: 100, total: 500 };
  return app.call('POST', '/sacco/members/join', { as, key: newKey(), body: { sacco: where, ...terms } });
};
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => body.code ?? status;

const member = (shares: number, shillings = 0) => traders.trader(sacco, { shares, cents: 100 * shillings });
const enteredPassword = async (user: string, minutesAgo: number) => {
  await app.call('GET', '/sacco/order-book', { as: user, sacco });
  const at = new Date(database.now().getTime() - minutesAgo * 60_000);
  await database.owner`update sessions set proven_at = ${at} where user_id = ${user}`;
};
/** A member whose password was last entered a quarter of an hour ago. */
const withOldSession = async (shares: number, shillings = 0) => {
  const user = await member(shares, shillings);
  await enteredPassword(user, 15);
  return user;
};
const movedBy = async (user: string) => {
  const rows = await database.owner<{ cents: number }[]>`
    select moved_cents::int as cents from unproven_days where user_id = ${user} order by day`;
  return rows.map(({ cents }) => cents / 100);
};

describe('a session whose password was entered a quarter of an hour ago', () => {
  test('moves Kes 1,000 a day: buying, selling, changing and joining add up, and the refusal says the sums', async () => {
    const user = await withOldSession(20, 5_000);
    // Four at 100 and the fee of 10. A share sold for 90 counts with its value of 100.
    const first = await place(user, 'buy', 4, 100);
    expect(codeOf(first)).toBe(201);
    expect(codeOf(await place(user, 'sell', 1, 110))).toBe(201);
    expect(await movedBy(user)).toEqual([520]);
    const refused = await place(user, 'sell', 5, 104);
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { code: 'proof_required', allowance: 1_000, left: 480, value: 520 },
    ]);
    expect(refused.body.message).toBe(
      'Enter your password to go on: this moves Ksh.\u00a0520.00. Without it at most Ksh.\u00a01,000.00 a day can leave your wallet. Of it Ksh.\u00a0480.00 is left today.',
    );
    // An order whose price is changed counts again as a whole: the change could as well be a new order.
    expect(codeOf(await change(user, first.body.order.id, { price: 99 }))).toBe(200);
    expect(await movedBy(user)).toEqual([926]);
    expect(codeOf(await change(user, first.body.order.id, { price: 98 }))).toBe('proof_required');
    expect(codeOf(await join(user, await traders.sacco(2)))).toBe('proof_required');
    // Reducing and cancelling do not count, since they give nothing to anybody.
    expect(codeOf(await change(user, first.body.order.id, { shares: 2 }))).toBe(200);
    expect(codeOf(await app.call('DELETE', `/sacco/order-book-items/${first.body.order.id}`, { as: user }))).toBe(200);
    expect(await movedBy(user)).toEqual([926]);
  });

  test('counts shares that are sold cheaply at their value, and offers that are taken at their cost', async () => {
    const [seller, buyer] = [await withOldSession(20), await withOldSession(2, 5_000)];
    expect(codeOf(await place(seller, 'sell', 11, 90))).toBe('proof_required');
    const offer = await place(seller, 'sell', 10, 90);
    expect(codeOf(offer)).toBe(201);
    expect(await movedBy(seller)).toEqual([1_000]);
    const other = await member(30);
    const dear = await place(other, 'sell', 20, 110);
    expect(codeOf(await take(buyer, offer.body.order.id, 10))).toBe(200);
    expect(await movedBy(buyer)).toEqual([910]);
    expect(codeOf(await take(buyer, dear.body.order.id, 1))).toBe('proof_required');
  });

  test('may join where the fee is within the sum, and not otherwise', async () => {
    const user = await withOldSession(2, 5_000);
    const [one, two, three] = [await traders.sacco(2), await traders.sacco(2), await traders.sacco(2)];
    expect([codeOf(await join(user, one)), codeOf(await join(user, two))]).toEqual([200, 200]);
    expect(codeOf(await join(user, three))).toBe('proof_required');
    const [row] = await database.owner`select count(*)::int as count from memberships where user_id = ${user}`;
    expect(row?.count).toBe(3);
    await enteredPassword(user, 14);
    expect(codeOf(await join(user, three))).toBe(200);
  });

  test('starts again on a new day in Nairobi', async () => {
    const user = await withOldSession(2, 5_000);
    expect(codeOf(await place(user, 'buy', 9, 100))).toBe(201);
    expect(codeOf(await place(user, 'buy', 9, 100))).toBe('proof_required');
    database.world.advance(24 * 60 * 60_000);
    expect(codeOf(await place(user, 'buy', 9, 100))).toBe(201);
    expect(await movedBy(user)).toEqual([910, 910]);
  });

  test('continues with the same key once the password was entered, and that does not count', async () => {
    const user = await withOldSession(2, 9_000);
    const key = newKey();
    expect(codeOf(await place(user, 'buy', 20, 100, key))).toBe('proof_required');
    await enteredPassword(user, 1);
    const placed = await place(user, 'buy', 20, 100, key);
    expect(codeOf(placed)).toBe(201);
    // The same key again gives the same order.
    expect((await place(user, 'buy', 20, 100, key)).body.order.id).toBe(placed.body.order.id);
    expect(await movedBy(user)).toEqual([]);
    await enteredPassword(user, 15);
    expect(codeOf(await place(user, 'buy', 9, 100))).toBe(201);
  });

  test('that was ended while its request waited has no proof', async () => {
    const user = await member(2, 5_000);
    await enteredPassword(user, 1);
    await database.owner`update sessions set ended_at = ${database.now()}, end_reason = 'logout' where user_id = ${user}`;
    expect(codeOf(await place(user, 'buy', 20, 100))).toBe('proof_required');
  });

  test('is not asked for a password when the order could not be placed anyway, and nothing is counted', async () => {
    const user = await withOldSession(2, 1_500);
    expect(codeOf(await place(user, 'buy', 20, 100))).toBe('insufficient_funds');
    expect(codeOf(await place(user, 'sell', 30, 100))).toBe('insufficient_shares');
    expect(codeOf(await place(await member(2, 0), 'buy', 1, 100))).toBe('insufficient_funds');
    expect(await movedBy(user)).toEqual([]);
  });

  test('moves no more than the sum with thirty requests at once, in three saccos and through each route', async () => {
    const user = await withOldSession(2, 9_000);
    const [one, two] = [await traders.sacco(2), await traders.sacco(2)];
    for (const where of [one, two]) {
      await traders.join(where, user);
      await traders.buyFromSacco(where, user, 2);
    }
    const offer = await place(await member(20), 'sell', 10, 100);
    const toJoin = await Promise.all(Array.from({ length: 3 }, () => traders.sacco(2)));
    const answers = await Promise.all([
      ...[sacco, one, two].flatMap((where) =>
        Array.from({ length: 8 }, () => place(user, 'buy', 1, 95, newKey(), where)),
      ),
      ...Array.from({ length: 3 }, () => take(user, offer.body.order.id, 1)),
      ...toJoin.map((where) => join(user, where)),
    ]);
    const codes = new Set(answers.map(codeOf));
    expect([...codes].filter((code) => typeof code === 'string')).toEqual(['proof_required']);
    const [moved = 0] = await movedBy(user);
    expect(moved).toBeGreaterThan(890);
    expect(moved).toBeLessThanOrEqual(1_000);
  });
});
