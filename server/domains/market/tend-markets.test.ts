import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import type { Database } from '../../db/tx.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { cancelExit } from '../membership/cancel-exit.ts';
import { requestExit } from '../membership/request-exit.ts';
import { settleExits } from '../membership/settle-exits.ts';
import { sharesInvariants } from '../shares/shares.invariants.ts';
import { marketInvariants } from './market.invariants.ts';
import { marketTasks } from './market.tasks.ts';
import { createPriceAlert } from './price-alerts.ts';
import { leaveMarket } from './tend-markets.ts';
import { testTraders } from './test-traders.ts';

/* The market's jobs. Each may run twice at once, or be interrupted, with the same result as one run. */

let database: TestDatabase;
let traders: ReturnType<typeof testTraders>;
let sacco: string;
beforeAll(async () => {
  database = await testDatabase();
  traders = testTraders(database);
});
beforeEach(async () => {
  sacco = await traders.sacco(2);
});
afterAll(async () => {
  const found = await breaches(database.owner, [...ledgerInvariants, ...sharesInvariants, ...marketInvariants]);
  await database.close();
  expect(found).toEqual([]);
});

const member = (shares: number, shillings = 0) => traders.trader(sacco, { shares, cents: 100 * shillings });
const sell = (user: string, shares: number, shillings: number) => traders.order(sacco, user, 'sell', shares, shillings);
const buy = (user: string, shares: number, shillings: number) => traders.order(sacco, user, 'buy', shares, shillings);
const placed = async (command: ReturnType<typeof buy>) => (await traders.act(command)).order.id;
const job = (name: string, payload: unknown = {}, on: Database = database) =>
  marketTasks({ database: on })[name]?.(payload);
const twiceAtOnce = (name: string, payload: unknown = {}) => Promise.all([job(name, payload), job(name, payload)]);
const QUARTER = 15 * 60_000;
const money = (text: string) => `Ksh.\u00a0${text}`;
const saccoName = async () => (await database.owner`select name from saccos where id = ${sacco}`)[0]?.name as string;

/** A database whose transaction fails right before its COMMIT, as if the process died. */
const dying = (): Database => ({
  ...database,
  transaction: (run) =>
    database.transaction(async (tx) => {
      await run(tx);
      throw new Error('killed');
    }),
});

describe('orders past their time', () => {
  test('are closed, however many; what they held is free, and each member is told of each order once', async () => {
    const users: string[] = [];
    for (let count = 0; count < 9; count += 1) users.push(await member(60, 5_000));
    const expiresAt = new Date(database.now().getTime() + 3_600_000);
    for (const [index, user] of users.entries()) {
      const orders = Array.from({ length: 50 }, (_, nth) => (nth % 2 === 0 ? sell(user, 1, 105) : buy(user, 1, 95)));
      // Of the last member's orders only half expire.
      await traders.run(orders.map((order, nth) => (index < 8 || nth % 2 === 0 ? { ...order, expiresAt } : order)));
    }
    await job('expire_orders');
    expect((await traders.queue(sacco, 'sell')).length).toBe(225);
    database.world.advance(3_600_000);
    await expect(job('expire_orders', {}, dying())).rejects.toThrow('killed');
    expect((await traders.queue(sacco, 'sell')).length).toBe(225);
    await twiceAtOnce('expire_orders');
    await job('expire_orders');
    expect(await traders.queue(sacco, 'sell')).toEqual([]);
    expect((await traders.queue(sacco, 'buy')).length).toBe(25);
    expect(await traders.standing(sacco, users[0] ?? '')).toEqual({ wallet: 5_000_00, hold: 0, free: 60, held: 0 });
    const told = await Promise.all(users.map((user) => traders.told(user, 'order_expired')));
    expect(told.map(({ texts, sms }) => [texts.length, sms])).toEqual([...Array(8).fill([50, 0]), [25, 0]]);
  }, 60_000);
});

/** The accounts for which the SMS to somebody count. */
const causesOf = async (user: string) =>
  (await database.owner`select caused_by from sms_messages where user_id = ${user}`).map(({ caused_by }) => caused_by);

describe('a member whose order waited', () => {
  test('is told of its trades once, though the job runs twice at once or dies before its end', async () => {
    const [seller, buyer] = [await member(40), await member(0, 10_000)];
    await traders.act(sell(seller, 5, 100));
    await traders.act(buy(buyer, 5, 100));
    await expect(job('tell_traders', {}, dying())).rejects.toThrow('killed');
    await twiceAtOnce('tell_traders');
    expect((await traders.told(seller, 'shares_traded')).texts).toEqual([]);
    database.world.advance(QUARTER);
    await expect(job('tell_traders', {}, dying())).rejects.toThrow('killed');
    await twiceAtOnce('tell_traders');
    await job('tell_traders');
    expect(await traders.told(seller, 'shares_traded')).toEqual({
      texts: [`You have sold 5 shares of ${await saccoName()} for ${money('500.00')}.`],
      sms: 1,
    });
    expect(await causesOf(seller)).toEqual([buyer]);
    // The taker was told by the answer to their command.
    expect((await traders.told(buyer, 'shares_traded')).texts).toEqual([]);
  });

  test('gets one message for all trades of a quarter of an hour, and an SMS when the order is filled', async () => {
    const [seller, buyer] = [await member(40), await member(0, 10_000)];
    const name = await saccoName();
    await traders.act(sell(seller, 10, 100));
    await traders.run([buy(buyer, 2, 100), buy(buyer, 1, 100)]);
    await job('tell_traders');
    database.world.advance(QUARTER);
    await job('tell_traders');
    expect(await traders.told(seller, 'shares_traded')).toEqual({
      texts: [`You have sold 3 shares of ${name} for ${money('300.00')}. 7 more wait in the book.`],
      sms: 0,
    });
    await traders.run([buy(buyer, 6, 100), buy(buyer, 1, 100)]);
    database.world.advance(QUARTER);
    await job('tell_traders');
    const { texts, sms } = await traders.told(seller, 'shares_traded');
    expect([texts[1], sms]).toEqual([`You have sold 7 shares of ${name} for ${money('700.00')}.`, 1]);
  });

  test('and who changed its price in between is told the sum of both, with one SMS', async () => {
    const [seller, buyer] = [await member(40), await member(2, 10_000)];
    const offer = await placed(sell(seller, 3, 100));
    await traders.act(buy(buyer, 1, 100));
    await traders.act({ kind: 'change', userId: seller, orderId: offer, shares: null, priceCents: 102_00 });
    await traders.act(buy(buyer, 2, 102));
    database.world.advance(QUARTER);
    await job('tell_traders');
    const { texts, sms } = await traders.told(seller, 'shares_traded');
    expect([texts, sms]).toEqual([[`You have sold 3 shares of ${await saccoName()} for ${money('304.00')}.`], 1]);
  });

  test('is told once of the many hundred trades of a quarter of an hour, with the right amounts', async () => {
    const [buyer] = [await member(0, 100_000)];
    const sellers: string[] = [];
    for (let count = 0; count < 9; count += 1) sellers.push(await member(52));
    for (const seller of sellers) await traders.run(Array.from({ length: 50 }, () => sell(seller, 1, 100)));
    await traders.act(buy(buyer, 450, 100));
    database.world.advance(QUARTER);
    await twiceAtOnce('tell_traders');
    await job('tell_traders');
    const texts = [`50 of your orders in ${await saccoName()} were filled: 50 shares sold for ${money('5,000.00')}.`];
    for (const seller of sellers) expect(await traders.told(seller, 'shares_traded')).toEqual({ texts, sms: 1 });
  }, 60_000);
});

describe('a price alert', () => {
  const ask = (userId: string, shillings: number) =>
    database.transaction((tx) => createPriceAlert(tx, { userId }, { saccoId: sacco, priceCents: 100 * shillings }));
  const told = (user: string) => traders.told(user, 'price_alert');

  test('is sent once, when somebody else offers at that price or below, and names that offer’s price', async () => {
    const [waits, patient, seller] = [await member(20), await member(0), await member(20)];
    await ask(waits, 100);
    await ask(patient, 95);
    await traders.act(sell(seller, 2, 101));
    await job('tell_traders');
    expect((await told(waits)).texts).toEqual([]);
    // A member's own offer does not count, and its price is not named.
    await traders.act(sell(waits, 2, 96));
    await job('tell_traders');
    expect((await told(waits)).texts).toEqual([]);
    await traders.act(sell(seller, 2, 99));
    await twiceAtOnce('tell_traders');
    await traders.act(sell(seller, 2, 98));
    await job('tell_traders');
    expect(await told(waits)).toEqual({
      texts: [
        `Shares of ${await saccoName()} are offered at ${money('99.00')}. You asked to be told at ${money('100.00')} or below.`,
      ],
      sms: 1,
    });
    expect(await causesOf(waits)).toEqual([seller]);
    expect((await told(patient)).texts).toEqual([]);
  });

  test('is not sent for an expired offer, nor to a former member', async () => {
    const [waits, gone, seller, buyer] = [await member(2), await member(0), await member(20), await member(2, 500)];
    await ask(waits, 100);
    const expiresAt = new Date(database.now().getTime() + 60_000);
    await traders.act({ ...sell(seller, 2, 99), expiresAt });
    database.world.advance(60_000);
    await traders.act(buy(buyer, 1, 90));
    await job('tell_traders');
    expect((await told(waits)).texts).toEqual([]);
    await ask(gone, 100);
    await traders.membership(sacco, gone, 'exited');
    await traders.act(sell(seller, 2, 100));
    await job('tell_traders');
    expect([(await told(waits)).texts.length, (await told(gone)).texts.length]).toEqual([1, 0]);
    await traders.membership(sacco, gone, 'provisional');
  });
});

describe('a member who gives notice', () => {
  const notice = (userId: string) =>
    database.transaction((tx) => requestExit(tx, { userId }, { saccoId: sacco, reason: null }, leaveMarket));
  const leave = (user: string) => twiceAtOnce('leave_market', { user, sacco });

  test('breaks no invariant while their orders to buy wait for the job, unless the job is lost', async () => {
    const leaver = await member(0, 1_000);
    const bid = await placed(buy(leaver, 2, 95));
    await notice(leaver);
    const found = async () => (await breaches(database.owner, marketInvariants)).map(({ name }) => name);
    const broken = [expect.stringContaining('nobody orders after leaving')];
    expect(await found()).toEqual([]);
    const given = (minutes: number) => database.owner`
      update memberships set state_at = state_at + ${minutes} * interval '1 minute'
      where user_id = ${leaver} and sacco_id = ${sacco}`;
    await given(-2);
    expect(await found(), 'an order after the notice').toEqual(broken);
    await given(2);
    await database.owner`delete from graphile_worker._private_jobs`;
    expect(await found()).toEqual(broken);
    await leave(leaver);
    expect(await traders.fateOf(bid)).toBe('cancelled 0/2 left');
    expect(await found()).toEqual([]);
  });

  test('gets back the money of orders to buy, may sell everything, and has left after the last share', async () => {
    const [leaver, buyer] = [await member(10, 1_000), await member(0, 5_000)];
    const bid = await placed(buy(leaver, 2, 95));
    const offer = await placed(sell(leaver, 3, 100));
    await notice(leaver);
    await leave(leaver);
    expect([await traders.fateOf(bid), await traders.fateOf(offer)]).toEqual(['cancelled 0/2 left', 'open 0/3']);
    expect(await traders.standing(sacco, leaver)).toEqual({ wallet: 1_000_00, hold: 0, free: 7, held: 3 });
    expect((await traders.told(leaver, 'order_cancelled')).texts).toEqual([
      expect.stringContaining('you are leaving the sacco'),
    ]);
    // All of them, below the minimum that other members must keep.
    await traders.act(sell(leaver, 7, 100));
    expect(await traders.went([buy(buyer, 10, 100)])).toEqual(['3 at 100, 7 at 100']);
    database.world.advance(60 * 86_400_000);
    await settleExits(database, async () => [], leaveMarket);
    const [membership] = await database.owner`
      select m.state, e.state as exit from memberships m join exit_requests e using (sacco_id, user_id)
      where m.sacco_id = ${sacco} and m.user_id = ${leaver}`;
    expect(membership).toEqual({ state: 'exited', exit: 'completed' });
    expect(await traders.went([sell(leaver, 1, 100)])).toEqual(['not_a_member']);
  });

  test('and takes it back before the job runs keeps the orders', async () => {
    const leaver = await member(10, 1_000);
    const bid = await placed(buy(leaver, 2, 95));
    await notice(leaver);
    await database.transaction((tx) => cancelExit(tx, { userId: leaver }, { saccoId: sacco }));
    await leave(leaver);
    expect(await traders.fateOf(bid)).toBe('open 0/2');
  });
});

test('old changes of a book are deleted by their sequence, whatever their times; old quarter-hour candles too, days are kept', async () => {
  const [seller, buyer] = [await member(20), await member(0, 5_000)];
  await traders.run([sell(seller, 5, 100), buy(buyer, 5, 100)]);
  for (let count = 0; count < 4; count += 1) await traders.act(sell(seller, 1, 105));
  const sequences = async () =>
    (await database.owner`select sequence::int from market_events where sacco_id = ${sacco} order by sequence`).map(
      ({ sequence }) => sequence,
    );
  database.world.advance(15 * 60_000 - 1);
  await job('prune_markets');
  expect(await sequences()).toEqual([1, 2, 3, 4, 5]);
  // The third change began before the second, and waited for its lock.
  await database.owner`
    update market_events set at = ${database.now()} where sacco_id = ${sacco} and sequence in (2, 4, 5)`;
  database.world.advance(60_000);
  await twiceAtOnce('prune_markets');
  expect(await sequences()).toEqual([4, 5]);
  const units = async () =>
    (await database.owner`select unit from market_candles where sacco_id = ${sacco} order by unit`).map(
      ({ unit }) => unit,
    );
  expect(await units()).toEqual(['day', 'quarter']);
  database.world.advance(14 * 86_400_000);
  await job('prune_markets');
  expect([await units(), await sequences()]).toEqual([['day'], []]);
});
