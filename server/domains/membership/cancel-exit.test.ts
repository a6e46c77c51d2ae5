import { membershipContract } from '@ushirika/contract/membership';
import { formatLongDate } from '@ushirika/contract/time';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { testApp } from '../../http/test-app.ts';
import type { AccountKey } from '../../ledger/ledger.types.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { testSaccos } from '../saccos/test-saccos.ts';
import { buyShares } from '../shares/buy-shares.ts';
import { membershipRoutes } from './membership.routes.ts';
import { standings } from './standings.ts';

let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let people: ReturnType<typeof testPeople>;
let saccos: ReturnType<typeof testSaccos>;
let sacco: string;
let buyer: string;

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  saccos = testSaccos(database);
  sacco = await saccos.sacco(await people.person('Wanjiru', 'Kamau'), await people.person('Operator'));
  buyer = await people.person('Buyer');
  app = await testApp({
    database,
    contract: membershipContract,
    bindings: membershipRoutes({ database, publicUrl: 'https://ushirika.test', afterJoined: async () => {} }),
    standingOf: standings(database),
  });
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const pay = (userId: string, shares: number) =>
  database.transaction((tx) => buyShares(tx, [{ userId, saccoId: sacco, shares, amountCents: shares * 100_00 }]));
const membershipOf = async (userId: string) =>
  (
    await database.sql`
      select state, paid_up_at is not null as is_paid_up from memberships where sacco_id = ${sacco} and user_id = ${userId}`
  )[0];

/** Somebody with ten shares, the minimum, who has given notice. */
async function leaver(firstName: string): Promise<string> {
  const me = await people.person(firstName);
  await saccos.fund(me, 5_000_00);
  await saccos.join(sacco, me);
  await pay(me, 10);
  expect(await membershipOf(me)).toEqual({ state: 'active', is_paid_up: true });
  expect((await app.call('POST', '/sacco/members/exit', { as: me, body: { sacco } })).status).toBe(201);
  return me;
}

/** Shares go to somebody else, or into the hold of an offer, as the market moves them. */
async function move(userId: string, shares: number, to: 'buyer' | 'offer'): Promise<void> {
  const id = database.newId();
  const credit: AccountKey =
    to === 'buyer'
      ? { book: sacco, kind: 'holding', owner: buyer }
      : { book: sacco, kind: 'holding_hold', owner: userId };
  await database.transaction((tx) =>
    postOrRefuse(tx, {
      kind: to === 'buyer' ? 'shares_traded' : 'order_placed',
      idempotencyKey: `moved:${id}`,
      causedBy: userId,
      about: { type: 'share_order', id },
      transfers: [{ debit: { book: sacco, kind: 'holding', owner: userId }, credit, amount: shares }],
    }),
  );
  if (to === 'buyer') {
    // The leaver had the minimum, and has less now.
    await database.sql`update sacco_figures set qualified_holders = qualified_holders - 1 where sacco_id = ${sacco}`;
  }
}

const cancel = (me: string) => app.call('DELETE', `/sacco/members/exit?sacco=${sacco}`, { as: me });

test('who has sold below the minimum comes back provisional: the rights return with the minimum shares', async () => {
  const me = await leaver('Seller');
  await move(me, 7, 'buyer');
  expect((await cancel(me)).body).toMatchObject({
    message: 'Your notice is taken back. Buy at least 7 shares to have a member’s full rights again.',
    exit: { state: 'cancelled', shares: 3 },
  });
  expect(await membershipOf(me)).toEqual({ state: 'provisional', is_paid_up: false });
  database.world.advance(1);
  await pay(me, 7);
  expect(await membershipOf(me)).toEqual({ state: 'active', is_paid_up: true });
  const [row] = await database.sql`
    select paid_up_at from memberships where sacco_id = ${sacco} and user_id = ${me}`;
  expect(row?.paid_up_at).toEqual(database.now());
});

test('so does who has sold all; one share less than the minimum is enough', async () => {
  for (const [name, sold] of [
    ['All', 10],
    ['One', 1],
  ] as const) {
    const me = await leaver(name);
    await move(me, sold, 'buyer');
    expect((await cancel(me)).status).toBe(200);
    expect((await membershipOf(me))?.state).toBe('provisional');
  }
});

test('two notices within 90 days are taken; the third says when, and leaves nothing behind', async () => {
  const me = await leaver('Fickle');
  const notice = () => app.call('POST', '/sacco/members/exit', { as: me, body: { sacco } });
  await cancel(me);
  database.world.advance(86_400_000);
  expect((await notice()).status).toBe(201);
  await cancel(me);
  const [first] = await database.sql<{ requested_at: Date }[]>`
    select requested_at from exit_requests where user_id = ${me} order by id limit 1`;
  const next = formatLongDate(new Date(Number(first?.requested_at) + 90 * 86_400_000));
  const third = await notice();
  expect(third).toMatchObject({
    status: 429,
    body: {
      code: 'too_many_notices',
      message: `You have given notice here 2 times within 90 days. You can give it again from ${next} on.`,
    },
  });
  expect(Number(third.headers['retry-after'])).toBe(89 * 86_400);
  expect((await membershipOf(me))?.state).toBe('active');
  expect((await database.sql`select from exit_requests where user_id = ${me}`).length).toBe(2);
  database.world.advance(89 * 86_400_000);
  expect((await notice()).status).toBe(201);
});

test('shares that an offer holds are still the member’s: the membership is again what it was', async () => {
  const me = await leaver('Offering');
  await move(me, 10, 'offer');
  expect((await cancel(me)).body.message).toBe('Your notice is taken back.');
  expect(await membershipOf(me)).toEqual({ state: 'active', is_paid_up: true });
});
