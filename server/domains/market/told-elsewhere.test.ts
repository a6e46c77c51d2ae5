import { membershipContract } from '@ushirika/contract/membership';
import { sharesContract } from '@ushirika/contract/shares';
import { summaryContract } from '@ushirika/contract/summary';
import { walletContract } from '@ushirika/contract/wallet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testApp } from '../../http/test-app.ts';
import { membershipRoutes } from '../membership/membership.routes.ts';
import { standings } from '../membership/standings.ts';
import { summaryRoutes } from '../membership/summary.routes.ts';
import { buyShares } from '../shares/buy-shares.ts';
import { sharesRoutes } from '../shares/shares.routes.ts';
import { sharesSummary } from '../shares/summary-part.ts';
import { statementOf } from '../wallet/statement.ts';
import { walletSummary } from '../wallet/summary-part.ts';
import type { WalletDeps } from '../wallet/wallet.deps.ts';
import { walletRoutes } from '../wallet/wallet.routes.ts';
import type { PlaceOrder } from './market.types.ts';
import { saccosAbout } from './saccos-about.ts';
import { testTraders } from './test-traders.ts';

/* What other domains show of the market, over HTTP and as the person who asks. */

let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let traders: ReturnType<typeof testTraders>;
let wallet: WalletDeps;
let sacco: string;
let amina: string;
let baraka: string;
const left: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
  traders = testTraders(database);
  wallet = {
    database,
    publicUrl: 'https://ushirika.test',
    saccoNames: async (ids) => new Map(ids.map((id) => [id, 'Umoja'])),
    saccosAbout: (things) => saccosAbout(database, things),
  } as Partial<WalletDeps> as WalletDeps;
  const common = { database, publicUrl: 'https://ushirika.test' };
  app = await testApp({
    database,
    contract: [...sharesContract, ...summaryContract, ...membershipContract, ...walletContract],
    bindings: [
      ...sharesRoutes(common),
      ...summaryRoutes({ database, parts: [walletSummary, sharesSummary] }),
      ...membershipRoutes({ ...common, onLeaving: async (_tx, { userId }) => void left.push(userId) }),
      ...walletRoutes(wallet),
    ],
    standingOf: standings(database),
  });
  sacco = await traders.sacco();
  amina = await traders.trader(sacco, { shares: 100, cents: 500_00, name: 'Amina' });
  baraka = await traders.trader(sacco, { shares: 10, cents: 10_000_00, name: 'Baraka' });
  database.world.advance(1000);
  await place(amina, 'sell', 30, 100_00);
  await place(baraka, 'buy', 12, 100_00);
  database.world.advance(1000);
  await place(baraka, 'buy', 4, 95_00);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const place = (userId: string, side: PlaceOrder['side'], shares: number, priceCents: number) =>
  traders.act({ kind: 'place', userId, saccoId: sacco, side, shares, priceCents, expiresAt: null });

describe('the register', () => {
  const registerOf = async (as: string, query = '') => {
    const { body } = await app.call('GET', `/sacco/shares${query}`, { as, sacco });
    return {
      ...body,
      results: body.results.map((entry: { id: string; at: string }) => ({ ...entry, id: '', at: '' })),
    };
  };
  const entry = { id: '', at: '', amount: 1200 };

  test('has a trade twice: each party reads their own side and the other’s handle, and nothing else of the other', async () => {
    const [buyer, seller] = [await registerOf(baraka), await registerOf(amina)];
    expect(buyer).toMatchObject({ count: 2, holding: { shares: 22, held: 0, value: 2200 } });
    expect(buyer.results[0]).toEqual({
      ...entry,
      reason: 'bought_from_member',
      shares: 12,
      shares_after: 22,
      counterparty: expect.stringMatching(/^Member [2-9B-Z]{4}$/),
    });
    expect(seller).toMatchObject({ count: 2, holding: { shares: 88, held: 18, value: 8800 } });
    expect(seller.results[0]).toEqual({
      ...entry,
      reason: 'sold_to_member',
      shares: -12,
      shares_after: 88,
      counterparty: expect.stringMatching(/^Member [2-9B-Z]{4}$/),
    });
    // 22 and 88 are in one row of the table, but each reader gets only their own number.
    const numbersOf = (read: typeof buyer) => read.results.map((each: { shares_after: number }) => each.shares_after);
    expect([numbersOf(buyer), numbersOf(seller)]).toEqual([
      [22, 10],
      [88, 100],
    ]);
  });

  test('is read in pages with purchases and trades together, in both directions', async () => {
    const first = await app.call('GET', '/sacco/shares?limit=1', { as: baraka, sacco });
    const path = (url: string) => url.replace('https://ushirika.test/api/v1', '');
    const second = await app.call('GET', path(first.body.next), { as: baraka, sacco });
    expect(second.body).toMatchObject({ next: null, results: [{ reason: 'bought_from_sacco', shares_after: 10 }] });
    const back = await app.call('GET', path(second.body.previous), { as: baraka, sacco });
    expect(back.body.results).toEqual(first.body.results);
  });

  test('shows a member nothing of a trade of others', async () => {
    const other = await traders.trader(sacco, { shares: 10 });
    expect((await registerOf(other)).results.map(({ reason }: { reason: string }) => reason)).toEqual([
      'bought_from_sacco',
    ]);
  });
});

describe('shares in an open order still belong to the member', () => {
  test('in the summary and on the officials’ page', async () => {
    const { body } = await app.call('GET', '/client/summary', { as: amina });
    expect(body.saccos).toMatchObject([{ shares: 88, held_shares: 18, value: 8800 }]);
    await database.owner`
      insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
      select ${database.newId()}, ${sacco}, ${amina}, 'treasurer', ${database.now()},
        ${new Date(database.now().getTime() + 86_400_000)}, ${amina}`;
    const members = await app.call('GET', '/sacco/members', { as: amina, sacco });
    const sharesOf = (name: string) =>
      members.body.results.find((member: { first_name: string }) => member.first_name === name)?.shares;
    expect([sharesOf('Amina'), sharesOf('Baraka')]).toEqual([88, 22]);
  });

  test('for the limits: a member who has offered all of them is no new holder and not provisional again', async () => {
    const member = await traders.trader(sacco, { shares: 20, cents: 1_000_00 });
    await place(member, 'sell', 10, 110_00);
    const [holders] = await database.sql`select share_holders from sacco_figures where sacco_id = ${sacco}`;
    const purchase = { userId: member, saccoId: sacco, shares: 1, amountCents: 100_00 };
    const [bought] = await database.transaction((tx) => buyShares(tx, [purchase]));
    expect(bought).toMatchObject({ holding: { shares: 21, held: 10, membership: 'active' } });
    expect(await database.sql`select share_holders from sacco_figures where sacco_id = ${sacco}`).toEqual([holders]);
    const [entry] = await database.sql`
      select shares_after from share_movements where user_id = ${member} order by place desc limit 1`;
    expect(entry).toEqual({ shares_after: 21 });
  });

  test('when the member leaves: the notice says that they can be sold, and the member’s orders to buy are closed', async () => {
    const leaver = await traders.trader(sacco, { shares: 20 });
    await place(leaver, 'sell', 5, 110_00);
    const { body } = await app.call('POST', '/sacco/members/exit', { as: leaver, body: { sacco } });
    expect(body.exit).toMatchObject({
      shares: 20,
      shares_note:
        'Your 20 shares stay yours: share capital is not paid back. Sell them to other members on the share market.',
    });
    expect(left).toEqual([leaver]);
    const again = await app.call('POST', '/sacco/members/exit', { as: leaver, body: { sacco } });
    expect(again.body.code).toBe('exit_conflict');
    expect(left).toEqual([leaver]);
  });
});

describe('the wallet’s history', () => {
  const history = async (as: string, query = '') =>
    (await app.call('GET', `/client/transactions${query}`, { as })).body as {
      count: number;
      next: string | null;
      results: {
        journal: string;
        description: string;
        direction: string;
        amount: number;
        balance: number;
        kind: string;
      }[];
    };

  test('has one line for a purchase, fees included, and one for a sale, less the fee', async () => {
    const bought = await history(baraka, '?kind=shares');
    expect(bought.results).toMatchObject([
      { description: 'Held for an order to buy shares · Umoja', direction: 'out', amount: 390, balance: 8400 },
      { description: 'Shares bought from a member · Umoja', direction: 'out', amount: 1210, balance: 8790 },
      { description: 'Shares bought · Umoja', direction: 'out', amount: 1000 },
    ]);
    expect(bought.count).toBe(3);
    const sold = await history(amina, '?kind=shares');
    expect(sold.results[0]).toMatchObject({
      description: 'Shares sold to a member · Umoja',
      direction: 'in',
      amount: 1190,
      balance: 1690,
      kind: 'shares',
    });
  });

  test('never splits a trade at the end of a page', async () => {
    const all = await history(baraka);
    const paged: unknown[] = [];
    for (let path: string | null = '/client/transactions?limit=1'; path !== null; ) {
      const { body } = await app.call('GET', path, { as: baraka });
      paged.push(...body.results);
      path = body.next?.replace('https://ushirika.test/api/v1', '') ?? null;
    }
    expect(paged).toEqual(all.results);
    expect(paged).toHaveLength(all.count);
    const statement = await statementOf(wallet, baraka, {});
    expect(statement.rows.length).toBe(all.count);
    expect(statement.closingCents).toBe(8_400_00);
  });

  test('has a receipt for each party with their own total; nobody else can read it', async () => {
    const journal = (await history(baraka, '?kind=shares')).results[1]?.journal;
    const receiptOf = async (as: string) => app.call('GET', `/client/receipts/${journal}`, { as });
    expect((await receiptOf(baraka)).body).toMatchObject({
      title: 'Shares bought from a member · Umoja',
      direction: 'out',
      amount: 1210,
    });
    expect((await receiptOf(amina)).body).toMatchObject({
      title: 'Shares sold to a member · Umoja',
      direction: 'in',
      amount: 1190,
    });
    const stranger = await traders.trader(sacco, {});
    expect((await receiptOf(stranger)).status).toBe(404);
  });

  test('is in the summary too: a trade is one of the last ten events', async () => {
    const { body } = await app.call('GET', '/client/summary', { as: baraka });
    expect(body.activity).toMatchObject([
      { kind: 'order_placed', amount: -390, balance_after: 8400 },
      { kind: 'shares_traded', amount: -1210, balance_after: 8790 },
      { kind: 'wallet_topped_up', amount: 10_000 },
      { kind: 'shares_bought', amount: -1000 },
      { kind: 'wallet_topped_up', amount: 1000 },
    ]);
    expect(body.wallet).toEqual({ amount: 8790, held: 390, available: 8400 });
  });
});
