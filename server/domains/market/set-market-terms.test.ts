import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { post } from '../../ledger/post.ts';
import { sharesInvariants } from '../shares/shares.invariants.ts';
import { marketInvariants } from './market.invariants.ts';
import { marketTasks } from './market.tasks.ts';
import { walletAccountOf, walletHoldOf } from './market-accounts.ts';
import { setMarketTerms } from './set-market-terms.ts';
import type { TermsRow } from './terms.rules.ts';
import { testTraders } from './test-traders.ts';

let database: TestDatabase;
let traders: ReturnType<typeof testTraders>;
let sacco: string;
let treasurer: string;
beforeAll(async () => {
  database = await testDatabase();
  traders = testTraders(database);
});
beforeEach(async () => {
  sacco = await traders.sacco(2);
  treasurer = await member(2);
  await traders.treasurer(sacco, treasurer);
});
afterAll(async () => {
  const found = await breaches(database.owner, [...ledgerInvariants, ...sharesInvariants, ...marketInvariants]);
  await database.close();
  expect(found).toEqual([]);
});

const TERMS: TermsRow = {
  ...{ price_mode: 'band', floor_percentage: 90, ceiling_percentage: 110, tick_cents: 100, lot: 1 },
  ...{ fee_basis_points: 50, fee_min_cents: 1_000, order_days_max: 90, trading: 'open' },
};
const set = (terms: Partial<TermsRow>) =>
  database.transaction((tx) =>
    setMarketTerms(tx, { userId: treasurer }, { saccoId: sacco, terms: { ...TERMS, ...terms } }),
  );
const member = (shares: number, shillings = 0) => traders.trader(sacco, { shares, cents: 100 * shillings });
const sell = (user: string, shares: number, shillings: number) => traders.order(sacco, user, 'sell', shares, shillings);
const buy = (user: string, shares: number, shillings: number) => traders.order(sacco, user, 'buy', shares, shillings);
/** Makes a new sacco with another minimum. */
const ofMinimum = async (shares: number) => {
  sacco = await traders.sacco(shares);
  treasurer = await member(shares);
  await traders.treasurer(sacco, treasurer);
};
const placed = async (command: ReturnType<typeof buy>) => (await traders.act(command)).order.id;

test('a narrower band closes orders outside it, frees what they held and tells their members; other orders keep their places', async () => {
  const [seller, buyer] = [await member(20), await member(4, 5_000)];
  const ids = [
    await placed(sell(seller, 2, 110)),
    await placed(sell(seller, 2, 105)),
    await placed(buy(buyer, 2, 90)),
    await placed(buy(buyer, 2, 95)),
  ];
  const answer = await set({ floor_percentage: 95, ceiling_percentage: 105 });
  expect(answer).toMatchObject({ cancelled: 2, terms: { floor: 95, ceiling: 105 } });
  expect(await Promise.all(ids.map(traders.fateOf))).toEqual([
    'cancelled 0/2 terms_changed',
    'open 0/2',
    'cancelled 0/2 terms_changed',
    'open 0/2',
  ]);
  expect(await traders.standing(sacco, seller)).toMatchObject({ free: 18, held: 2 });
  expect(await traders.standing(sacco, buyer)).toMatchObject({ wallet: 4_804_30, hold: 195_70 });
  for (const user of [seller, buyer]) {
    expect((await traders.told(user, 'order_cancelled')).texts).toEqual([
      expect.stringContaining('it no longer fits the new rules of the market'),
    ]);
  }
  const [row] = await database.owner`select terms_by, terms_at from markets where sacco_id = ${sacco}`;
  expect(row).toEqual({ terms_by: treasurer, terms_at: database.now() });
});

test('a market at par accepts only the share value: orders at other prices are closed, and new ones refused', async () => {
  const [seller, buyer] = [await member(20), await member(0, 5_000)];
  await traders.run([sell(seller, 2, 100), sell(seller, 2, 101), buy(buyer, 2, 99)]);
  expect(await set({ price_mode: 'par' })).toMatchObject({ cancelled: 2, terms: { floor: 100, ceiling: 100 } });
  await expect(traders.act(buy(buyer, 2, 101))).rejects.toMatchObject({
    code: 'price_not_allowed',
    message: 'Shares are traded at their value here: Ksh.\u00a0100.00.',
  });
  expect(await traders.went([buy(buyer, 3, 100), sell(seller, 1, 100)])).toEqual(['2 at 100', '1 at 100']);
});

test('the share value is always an allowed price, even between two steps; other prices are whole steps', async () => {
  const [seller, buyer] = [await member(20), await member(0, 5_000)];
  await placed(sell(seller, 2, 101));
  expect(await set({ tick_cents: 3_00 })).toMatchObject({ cancelled: 1, terms: { floor: 90, ceiling: 108, tick: 3 } });
  const tries = [
    sell(seller, 1, 101),
    sell(seller, 1, 100),
    sell(seller, 1, 108),
    sell(seller, 1, 111),
    buy(buyer, 2, 90),
  ];
  expect(await traders.went(tries)).toEqual(['price_not_allowed', 'waits', 'waits', 'price_not_allowed', 'waits']);
});

test('from then on orders are whole lots; resting orders of other numbers are closed, except the sale of a leaving member', async () => {
  await ofMinimum(5);
  const [seller, leaver, buyer] = [await member(40), await member(7), await member(5, 5_000)];
  await traders.membership(sacco, leaver, 'leaving');
  const ids = [
    await placed(sell(seller, 7, 100)),
    await placed(sell(leaver, 7, 101)),
    await placed(sell(seller, 10, 102)),
    await placed(buy(buyer, 3, 95)),
  ];
  // The rest of an order counts: of twelve shares, five are left.
  const part = await placed(sell(seller, 12, 99));
  await traders.act(buy(buyer, 7, 99));
  expect((await set({ lot: 5 })).cancelled).toBe(2);
  expect(await Promise.all([...ids, part].map(traders.fateOf))).toEqual([
    'cancelled 0/7 terms_changed',
    'open 0/7',
    'open 0/10',
    'cancelled 0/3 terms_changed',
    'open 7/12',
  ]);
  expect(await traders.standing(sacco, seller)).toMatchObject({ free: 18, held: 15 });
  expect(await traders.standing(sacco, buyer)).toMatchObject({ hold: 0 });
  expect((await traders.told(buyer, 'order_cancelled')).texts).toEqual([
    expect.stringContaining('it no longer fits the new rules of the market. Its money is back in your wallet.'),
  ]);
  await expect(traders.act(buy(buyer, 7, 100))).rejects.toMatchObject({
    code: 'lot_mismatch',
    message: 'Shares are traded here by 5: 5, 10 and so on.',
  });
  expect((await set({ lot: 5, tick_cents: 50 })).cancelled).toBe(0);
});

test('a lot is at most the minimum shares, so that members can always sell', async () => {
  const refused = await set({ lot: 3 }).catch((error) => error.body());
  expect(refused).toMatchObject({
    code: 'validation_failed',
    errors: { lot: ['A lot is at most 2 here, the minimum shares: else members could not sell.'] },
  });
  expect((await set({ lot: 2 })).terms.lot).toBe(2);
});

test('the caps on fees and the least days are held by the database too', async () => {
  for (const beyond of [{ fee_basis_points: 301 }, { fee_min_cents: 50_01 }, { order_days_max: 6 }]) {
    await expect(set(beyond)).rejects.toMatchObject({ code: '23514' });
  }
});

test('fewer days close the orders that would wait longer, and no others', async () => {
  const seller = await member(20);
  const day = 86_400_000;
  const until = (days: number) => ({ expiresAt: new Date(database.now().getTime() + days * day) });
  const ids = [
    await placed({ ...sell(seller, 1, 100), ...until(30) }),
    await placed({ ...sell(seller, 1, 100), ...until(31) }),
  ];
  expect((await set({ order_days_max: 30 })).cancelled).toBe(1);
  expect(await Promise.all(ids.map(traders.fateOf))).toEqual(['open 0/1', 'cancelled 0/1 terms_changed']);
});

test('a job closes an order from before the caps that would pay more than they allow, and no other', async () => {
  const [seller, buyer] = [await member(20), await member(0, 5_000)];
  const ids = [await placed(buy(buyer, 2, 95)), await placed(sell(seller, 1, 100)), await placed(buy(buyer, 6, 96))];
  // As migration 0119 leaves older orders. The least fee of 10 is more than 3 % of 190, but not of 576.
  await database.owner`update share_orders set fee_max_basis_points = 10000 where sacco_id = ${sacco}`;
  const [wallet, hold] = [walletAccountOf(buyer), walletHoldOf(buyer)];
  const more = [{ debit: wallet, credit: hold, amount: 4_30 }];
  const about = { type: 'share_order', id: ids[0] ?? '' };
  const raise = {
    kind: 'order_changed',
    idempotencyKey: `test:${ids[0]}`,
    causedBy: buyer,
    about,
    transfers: more,
  } as const;
  await database.transaction((tx) => post(tx, [raise]));
  await marketTasks({ database }).expire_orders?.({});
  expect(await Promise.all(ids.map(traders.fateOf))).toEqual([
    'cancelled 0/2 terms_changed',
    'cancelled 0/1 terms_changed',
    'open 0/6',
  ]);
  expect(await traders.standing(sacco, buyer)).toMatchObject({ hold: 586_00, wallet: 5_000_00 - 586_00 });
});

test('a leaving member sells all at once, even if it is not whole lots; others do not; the odd rest of an offer can be taken', async () => {
  await ofMinimum(5);
  const [seller, taker, late] = [await member(23), await member(5, 5_000), await member(5, 5_000)];
  await set({ lot: 5 });
  const odd = { code: 'lot_mismatch' };
  await expect(traders.act(sell(seller, 21, 100))).rejects.toMatchObject(odd);
  await traders.membership(sacco, seller, 'leaving');
  await expect(traders.act(sell(seller, 21, 100))).rejects.toMatchObject(odd);
  const orderId = await placed(sell(seller, 23, 100));
  expect(await traders.went([buy(taker, 10, 100)])).toEqual(['10 at 100']);
  // To another price with the same number of shares, but not to another odd number.
  const change = (shares: number | null, priceCents: number | null) =>
    traders.act({ kind: 'change', userId: seller, orderId, shares, priceCents });
  await expect(change(22, 98_00)).rejects.toMatchObject(odd);
  await change(null, 98_00);
  const take = (shares: number, userId = taker) =>
    traders.act({ kind: 'take', userId, orderId, shares, priceCents: null });
  await expect(take(12)).rejects.toMatchObject(odd);
  await take(5);
  // A buyer who saw more than is left is too late, whatever the lot.
  const gone = { code: 'offer_gone' };
  await expect(take(13)).rejects.toMatchObject(gone);
  const [first, second] = await Promise.allSettled([take(8), take(8, late)]);
  expect([first?.status, second?.status].sort()).toEqual(['fulfilled', 'rejected']);
  await expect(take(8, late)).rejects.toMatchObject(gone);
  expect(await traders.fateOf(orderId)).toBe('filled 23/23');
  expect(await traders.standing(sacco, seller)).toMatchObject({ free: 0, held: 0 });
});

test('an order keeps the fee that was shown when it was placed; later orders have the new one', async () => {
  const [seller, buyer] = [await member(100), await member(0, 50_000)];
  const before = await placed(sell(seller, 40, 100));
  await set({ fee_basis_points: 200, fee_min_cents: 50_00 });
  const { order } = await traders.act(buy(buyer, 40, 100));
  // Two percent of 4,000 shillings; the other order pays half a percent.
  expect([order.fee_cents, order.fee_basis_points]).toEqual([80_00, 200]);
  const [kept] = await database.owner`select fee_cents::int, fee_min_cents::int from share_orders where id = ${before}`;
  expect(kept).toEqual({ fee_cents: 20_00, fee_min_cents: 10_00 });
});

test('orders wait no longer than the sacco allows', async () => {
  const seller = await member(20);
  await set({ order_days_max: 7 });
  const day = 86_400_000;
  const at = (ms: number) => new Date(database.now().getTime() + ms);
  expect((await traders.act(sell(seller, 1, 100))).order.expires_at).toEqual(at(7 * day));
  expect((await traders.act({ ...sell(seller, 1, 100), expiresAt: at(7 * day) })).order.expires_at).toEqual(
    at(7 * day),
  );
  const tooLong = 'An order here waits for 7 days at most.';
  const past = 'That time is past already. Choose a later one.';
  for (const [expiresAt, message] of [
    [at(7 * day + 1), tooLong],
    [at(0), past],
    [at(-1), past],
  ] as const) {
    await expect(traders.act({ ...sell(seller, 1, 100), expiresAt })).rejects.toMatchObject({
      code: 'expiry_not_allowed',
      message,
    });
  }
});

test('more than five hundred orders that no longer fit are all closed together, or none of them', async () => {
  const sellers: string[] = [];
  for (let count = 0; count < 11; count += 1) sellers.push(await member(52));
  for (const seller of sellers) await traders.run(Array.from({ length: 50 }, () => sell(seller, 1, 109)));
  const cut = database.transaction(async (tx) => {
    await setMarketTerms(tx, { userId: treasurer }, { saccoId: sacco, terms: { ...TERMS, ceiling_percentage: 105 } });
    throw new Error('killed');
  });
  await expect(cut).rejects.toThrow('killed');
  expect((await traders.queue(sacco, 'sell')).length).toBe(550);
  expect((await set({ ceiling_percentage: 105 })).cancelled).toBe(550);
  expect(await traders.queue(sacco, 'sell')).toEqual([]);
}, 60_000);
