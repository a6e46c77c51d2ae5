import { afterAll, beforeAll, expect, test } from 'vitest';
import { Deadline, withDeadline } from '../../db/deadline.ts';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import type { MarketCommand } from './market.types.ts';
import { testTraders } from './test-traders.ts';
import { trade } from './trade.ts';

/* A refused command leaves nothing behind, not even an account. */

let database: TestDatabase;
let traders: ReturnType<typeof testTraders>;
let sacco: string;
let other: string;
let stranger: string;
beforeAll(async () => {
  database = await testDatabase();
  traders = testTraders(database);
  [sacco, other] = [await traders.sacco(2), await traders.sacco(2)];
  stranger = await traders.trader(await traders.sacco(2), { cents: 1_000_00 });
});
afterAll(() => database.close());

const order = (userId: string, saccoId: string, side: 'buy' | 'sell'): MarketCommand => {
  return { kind: 'place', userId, saccoId, side, shares: 2, priceCents: 100_00, expiresAt: null };
};
const accounts = async () => (await database.owner<{ id: string }[]>`select id from accounts order by id`).length;

test('a member who may not trade opens no account of their own or of the sacco', async () => {
  const seller = await traders.trader(sacco, { shares: 10, cents: 1_000_00 });
  const offer = (await traders.act(order(seller, sacco, 'sell'))).order.id;
  const leaver = await traders.trader(sacco, { cents: 1_000_00 });
  await database.owner`update memberships set state = 'leaving' where user_id = ${leaver}`;
  const before = await accounts();
  const take = (userId: string): MarketCommand => ({
    kind: 'take',
    userId,
    orderId: offer,
    shares: 2,
    priceCents: null,
  });
  const refused: readonly (readonly [string, MarketCommand])[] = [
    ['not_a_member', order(stranger, sacco, 'buy')],
    ['not_a_member', order(leaver, other, 'sell')],
    ['exit_conflict', order(leaver, sacco, 'buy')],
    ['exit_conflict', take(leaver)],
    ['not_found', take(stranger)],
    ['not_found', { kind: 'cancel', userId: leaver, orderId: offer }],
    ['not_found', { kind: 'change', userId: leaver, orderId: offer, shares: 1, priceCents: null }],
  ];
  for (const [code, command] of refused) {
    await expect(traders.act(command), code).rejects.toMatchObject({ code });
    expect(await accounts(), code).toBe(before);
  }
  expect((await traders.run(refused.map(([, command]) => command))).length).toBe(refused.length);
  expect(await accounts()).toBe(before);
  // They may not take their own offer, and no accounts of a buyer are opened for it.
  await expect(traders.act(take(seller))).rejects.toMatchObject({ code: 'self_trade' });
  expect(await accounts()).toBe(before);
});

test('an order that expires between its matching and its writing leaves nothing, and the process keeps running', async () => {
  const seller = await traders.trader(sacco, { shares: 10, cents: 1_000_00 });
  await traders.act(order(seller, sacco, 'sell'));
  const buyer = await traders.trader(sacco, { cents: 1_000_00 });
  const counts = () =>
    database.owner`select (select count(*) from journals), (select count(*) from share_orders) as orders`;
  const before = await counts();
  const deadline = new Deadline();
  const late = withDeadline(deadline, () =>
    database.transaction((tx) => {
      const newId = () => {
        deadline.expire();
        return tx.newId();
      };
      return trade({ ...tx, newId }, [order(buyer, sacco, 'buy')]);
    }),
  );
  await expect(late).rejects.toMatchObject({ code: 'unavailable' });
  expect(await counts()).toEqual(before);
  expect(await traders.went([order(buyer, sacco, 'buy')])).toEqual(['2 at 100']);
});
