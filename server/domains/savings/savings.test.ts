import { savingsContract } from '@ushirika/contract/savings';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { requestExit } from '../membership/request-exit.ts';
import { standings } from '../membership/standings.ts';
import { suspendSacco } from '../saccos/suspend-sacco.ts';
import { testSaccos } from '../saccos/test-saccos.ts';
import { sharesInvariants } from '../shares/shares.invariants.ts';
import { runStandingOrders } from './run-standing-orders.ts';
import { savingsRoutes } from './savings.routes.ts';
import { firstMonthOf, nextDayOf } from './savings.rules.ts';

let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let people: ReturnType<typeof testPeople>;
let saccos: ReturnType<typeof testSaccos>;
let founder: string;
let operator: string;

beforeAll(async () => {
  database = await testDatabase();
  people = testPeople(database);
  saccos = testSaccos(database);
  founder = await people.person('Wanjiru', 'Kamau');
  operator = await people.person('Operator');
  app = await testApp({
    database,
    contract: savingsContract,
    bindings: savingsRoutes({ database, publicUrl: 'https://ushirika.test' }),
    standingOf: standings(database),
  });
});
afterAll(async () => {
  await app.close();
  await database.close();
});

async function saver(cents: number) {
  const sacco = await saccos.sacco(founder, operator);
  const me = await people.person('Saver');
  await saccos.join(sacco, me);
  if (cents > 0) await saccos.fund(me, cents);
  return { sacco, me };
}
const walletCentsOf = async (owner: string) =>
  (await balances(database, [{ book: PLATFORM_BOOK, kind: 'wallet', owner }]))[0];
const savingsOf = async (book: string, owner: string) =>
  (await balances(database, [{ book, kind: 'deposits', owner }]))[0];
const save = (as: string, sacco: string, amount: unknown, key?: string) =>
  app.call('POST', '/sacco/savings/deposit', { as, body: { sacco, amount }, ...(key ? { key } : {}) });

describe('saving', () => {
  test('money leaves the wallet, is the member’s savings, and shows in their history', async () => {
    const { sacco, me } = await saver(1_000_00);
    const answer = await save(me, sacco, 250.5, 'save-1');
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Ksh.\u00a0250.50 is saved.', receipt: { amount: 250.5, journal: expect.any(String) } },
    });
    expect((await save(me, sacco, 250.5, 'save-1')).body).toEqual(answer.body);
    expect((await save(me, sacco, 300, 'save-1')).body.code).toBe('idempotency_key_reused');
    await save(me, sacco, 49.5, 'save-2');
    const read = await app.call('GET', '/sacco/savings?limit=1', { as: me, sacco });
    expect(read.body).toMatchObject({
      balance: 300,
      count: 2,
      results: [{ amount: 49.5, balance_after: 300, kind: 'savings_deposited' }],
      standing_order: null,
    });
    const rest = await app.call('GET', read.body.next.replace('https://ushirika.test/api/v1', ''), { as: me, sacco });
    expect(rest.body).toMatchObject({ next: null, results: [{ amount: 250.5, balance_after: 250.5 }] });
    expect(await walletCentsOf(me)).toBe(700_00);
  });

  test('one key sent ten times at once saves once', async () => {
    const { sacco, me } = await saver(1_000_00);
    const answers = await Promise.all(Array.from({ length: 10 }, () => save(me, sacco, 100, 'same')));
    expect(new Set(answers.map(({ body }) => body.receipt.journal)).size).toBe(1);
    expect(await savingsOf(sacco, me)).toBe(100_00);
  });

  test('each refusal has its sentence, and moves nothing', async () => {
    const { sacco, me } = await saver(50_00);
    const refusal = async (as: string, to: string, amount: unknown) => (await save(as, to, amount)).body.message;
    expect(await refusal(me, database.newId(), 10)).toBe('There is no such sacco.');
    expect(await refusal(founder, sacco, 10)).toMatch(/^You are not a member of Umoja Sacco/);
    expect(await refusal(me, sacco, 50.01)).toBe('Not enough money in your wallet to save Ksh.\u00a050.01.');
    expect((await save(me, sacco, 0)).body.errors.amount).toEqual(['Enter an amount above zero.']);
    expect((await save(me, sacco, 1.001)).status).toBe(400);
    await database.transaction((tx) => requestExit(tx, { userId: me }, { saccoId: sacco, reason: null }));
    expect(await refusal(me, sacco, 10)).toMatch(/^You have given notice to/);
    await database.transaction((tx) => suspendSacco(tx, { userId: operator }, { saccoId: sacco, reason: 'Audit.' }));
    expect(await refusal(me, sacco, 10)).toMatch(/is not active: it takes no savings now\.$/);
    expect([await walletCentsOf(me), await savingsOf(sacco, me)]).toEqual([50_00, 0]);
  });

  test('whatever arrives at once, the wallet pays for what was saved and never more than it has', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 500 }),
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 12 }),
        async (funds, amounts) => {
          const { sacco, me } = await saver(funds * 100);
          const answers = await Promise.all(amounts.map((amount) => save(me, sacco, amount)));
          let left = funds;
          const expected = amounts.map((amount) => {
            if (amount > left) return 422;
            left -= amount;
            return 200;
          });
          expect(answers.map(({ status }) => status)).toEqual(expected);
          expect(await walletCentsOf(me)).toBe(left * 100);
          expect(await savingsOf(sacco, me)).toBe((funds - left) * 100);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('a standing order', () => {
  const order = (as: string, sacco: string, amount = 200, day = 5) =>
    app.call('POST', '/sacco/savings/standing-order', { as, body: { sacco, amount, day } });
  const read = async (as: string, sacco: string) =>
    (await app.call('GET', '/sacco/savings/standing-order', { as, sacco })).body.standing_order;
  /** Noon in Nairobi. */
  const at = (day: string) => database.world.setNow(new Date(`${day}T09:00:00.000Z`));

  test('saves once a month, even when the job runs twice at once and again', async () => {
    at('2026-03-02');
    const { sacco, me } = await saver(1_000_00);
    expect((await order(me, sacco)).body.standing_order).toMatchObject({ next_on: '2026-03-05', last_run: null });
    expect((await order(me, sacco)).body.code).toBe('standing_order_conflict');
    at('2026-03-04');
    await runStandingOrders(database);
    expect(await savingsOf(sacco, me)).toBe(0);
    at('2026-03-05');
    await Promise.all([runStandingOrders(database), runStandingOrders(database), runStandingOrders(database)]);
    await runStandingOrders(database);
    at('2026-03-20');
    await runStandingOrders(database);
    expect(await savingsOf(sacco, me)).toBe(200_00);
    expect(await read(me, sacco)).toMatchObject({
      next_on: '2026-04-05',
      last_run: { state: 'paid', month: '2026-03' },
    });
    at('2026-04-07');
    await runStandingOrders(database);
    expect(await savingsOf(sacco, me)).toBe(400_00);
  });

  test('tries on three days when funds lack, then skips the month and says so', async () => {
    at('2026-05-01');
    const { sacco, me } = await saver(0);
    await order(me, sacco, 200, 3);
    for (const day of ['2026-05-03', '2026-05-03', '2026-05-04']) {
      at(day);
      await runStandingOrders(database);
    }
    expect((await read(me, sacco)).last_run).toMatchObject({ state: 'waiting', tries: 2 });
    expect((await read(me, sacco)).next_on).toBe('2026-05-05');
    for (const day of ['2026-05-05', '2026-05-06']) {
      at(day);
      await runStandingOrders(database);
    }
    expect((await read(me, sacco)).last_run).toMatchObject({ state: 'skipped', tries: 3 });
    const told = await database.sql`select template from notifications where user_id = ${me} order by id`;
    expect(told.map(({ template }) => template)).toEqual(['standing_order_waiting', 'standing_order_skipped']);
    await saccos.fund(me, 500_00);
    await runStandingOrders(database);
    expect(await savingsOf(sacco, me)).toBe(0);
    at('2026-06-03');
    await runStandingOrders(database);
    expect(await savingsOf(sacco, me)).toBe(200_00);
  });

  test('money that comes on the second day is saved on the second day', async () => {
    at('2026-07-01');
    const { sacco, me } = await saver(0);
    await order(me, sacco, 200, 2);
    at('2026-07-02');
    await runStandingOrders(database);
    await saccos.fund(me, 500_00);
    at('2026-07-03');
    await runStandingOrders(database);
    expect(await savingsOf(sacco, me)).toBe(200_00);
  });

  test('of somebody who leaves is ended; one that was cancelled does nothing', async () => {
    at('2026-08-01');
    const leaver = await saver(1_000_00);
    const other = await saver(1_000_00);
    await order(leaver.me, leaver.sacco);
    await order(other.me, other.sacco);
    await database.transaction((tx) => requestExit(tx, { userId: leaver.me }, { saccoId: leaver.sacco, reason: null }));
    const cancel = () => app.call('DELETE', '/sacco/savings/standing-order', { as: other.me, sacco: other.sacco });
    expect((await cancel()).status).toBe(200);
    expect((await cancel()).body.message).toBe('You have no standing order here.');
    at('2026-08-05');
    await runStandingOrders(database);
    expect(await savingsOf(leaver.sacco, leaver.me)).toBe(0);
    expect(await savingsOf(other.sacco, other.me)).toBe(0);
    expect(await read(leaver.me, leaver.sacco)).toBeNull();
  });

  test('made on its own day begins next month', () => {
    expect(firstMonthOf(5, new Date('2026-12-05T09:00:00Z'))).toBe('2027-01');
    expect(firstMonthOf(6, new Date('2026-12-05T09:00:00Z'))).toBe('2026-12');
    // Still the 4th in London, the 5th in Nairobi.
    expect(firstMonthOf(5, new Date('2026-12-04T22:00:00Z'))).toBe('2027-01');
    expect(
      nextDayOf(
        { day: 28, firstMonth: '2026-02' },
        { month: '2026-02', state: 'waiting' },
        new Date('2026-02-28T09:00:00Z'),
      ),
    ).toBe('2026-03-28');
  });
});

test('after all of this every count and order agrees with the books', async () => {
  expect(await breaches(database.owner, sharesInvariants)).toEqual([]);
});
