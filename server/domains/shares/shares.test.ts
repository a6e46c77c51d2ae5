import { Refusal } from '@ushirika/contract/refusal';
import { sharesContract } from '@ushirika/contract/shares';
import { summaryContract } from '@ushirika/contract/summary';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import { testApp } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { requestExit } from '../membership/request-exit.ts';
import { settleExits } from '../membership/settle-exits.ts';
import { standings } from '../membership/standings.ts';
import { summariesOf } from '../membership/summary.queries.ts';
import { summaryRoutes } from '../membership/summary.routes.ts';
import { suspendSacco } from '../saccos/suspend-sacco.ts';
import { testSaccos } from '../saccos/test-saccos.ts';
import { depositSavings } from '../savings/deposit-savings.ts';
import { savingsSummary } from '../savings/summary-part.ts';
import { isoOf } from '../wallet/iso-of.ts';
import { type SummaryPart, walletSummary } from '../wallet/summary-part.ts';
import { type Bought, buyShares, type SharePurchase } from './buy-shares.ts';
import { sharesInvariants } from './shares.invariants.ts';
import { sharesRoutes } from './shares.routes.ts';
import { sharesSummary } from './summary-part.ts';

const DAY = 86_400_000;
const SUMMARY = [walletSummary, sharesSummary, savingsSummary];
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
    contract: [...sharesContract, ...summaryContract],
    bindings: [
      ...sharesRoutes({
        database,
        publicUrl: 'https://ushirika.test',
      }),
      ...summaryRoutes({ database, parts: SUMMARY }),
    ],
    standingOf: standings(database),
  });
});
afterAll(async () => {
  await app.close();
  await database.close();
});

/** A sacco at Ksh. 100 a share and at least 10 at first, with a provisional member of it. */
async function buyer(cents: number) {
  const sacco = await saccos.sacco(founder, operator);
  const me = await member(sacco, cents);
  return { sacco, me };
}
async function member(sacco: string, cents: number) {
  const me = await people.person('Buyer');
  await saccos.join(sacco, me);
  if (cents > 0) await saccos.fund(me, cents);
  return me;
}
const buy = (as: string, sacco: string, shares: unknown, amount: unknown = Number(shares) * 100, key?: string) =>
  app.call('POST', '/sacco/members/pay_shares_amount', {
    as,
    body: { sacco, shares, amount },
    ...(key ? { key } : {}),
  });
const standing = async (sacco: string, owner: string) => {
  const [wallet, shares, issued, capital] = await balances(database, [
    { book: PLATFORM_BOOK, kind: 'wallet', owner },
    { book: sacco, kind: 'holding', owner },
    { book: sacco, kind: 'shares_issued', owner: null },
    { book: sacco, kind: 'share_capital', owner: null },
  ]);
  return { wallet, shares, issued, capital };
};
const holdersOf = async (sacco: string) =>
  (await database.sql`select share_holders from sacco_figures where sacco_id = ${sacco}`)[0]?.share_holders;
const paidUpAt = async (sacco: string, member: string) =>
  (await database.sql`select paid_up_at from memberships where sacco_id = ${sacco} and user_id = ${member}`)[0]
    ?.paid_up_at;

describe('buying shares from the sacco', () => {
  test('the money leaves the wallet, the shares are entered in the register, and the member is paid up', async () => {
    const { sacco, me } = await buyer(5_000_00);
    const answer = await buy(me, sacco, 10, 1000, 'buy-1');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: expect.stringMatching(/^You have bought 10 shares of Umoja Sacco/),
        receipt: { amount: 1000, journal: expect.any(String) },
        holding: { shares: 10, share_value: 100, value: 1000, min_shares: 10, membership: 'active' },
      },
    });
    expect(await standing(sacco, me)).toEqual({ wallet: 4_000_00, shares: 10, issued: 10, capital: 1_000_00 });
    expect((await buy(me, sacco, 10, 1000, 'buy-1')).body).toEqual(answer.body);
    expect((await buy(me, sacco, 11, 1100, 'buy-1')).body.code).toBe('idempotency_key_reused');
    const paidUp = await paidUpAt(sacco, me);
    expect(paidUp).toBeInstanceOf(Date);
    await buy(me, sacco, 5, '500.00', 'buy-2');
    const read = await app.call('GET', '/sacco/shares?limit=1', { as: me, sacco });
    expect(read.body).toMatchObject({
      count: 2,
      holding: { shares: 15, value: 1500, membership: 'active' },
      results: [{ shares: 5, shares_after: 15, amount: 500, reason: 'bought_from_sacco' }],
    });
    const older = await app.call('GET', read.body.next.replace('https://ushirika.test/api/v1', ''), { as: me, sacco });
    expect(older.body).toMatchObject({ next: null, results: [{ id: answer.body.receipt.id, shares_after: 10 }] });
    expect(await paidUpAt(sacco, me)).toEqual(paidUp);
    expect(await holdersOf(sacco)).toBe(1);
  });

  test('the register cannot be rewritten by the application', async () => {
    await expect(database.sql`update share_movements set shares = 1`).rejects.toThrow('permission denied');
    await expect(database.sql`delete from share_movements`).rejects.toThrow('permission denied');
  });

  test('one key sent twice at once buys once', async () => {
    const { sacco, me } = await buyer(5_000_00);
    const answers = await Promise.all(Array.from({ length: 5 }, () => buy(me, sacco, 10, 1000, 'once')));
    expect(new Set(answers.map(({ body }) => body.receipt.id)).size).toBe(1);
    expect((await standing(sacco, me)).shares).toBe(10);
  });

  test('each refusal has its sentence, and leaves nothing behind', async () => {
    const { sacco, me } = await buyer(999_99);
    const stranger = await people.person('Stranger');
    const sentence = async (answer: ReturnType<typeof buy>) => (await answer).body.message;
    expect(await sentence(buy(me, database.newId(), 10))).toBe('There is no such sacco.');
    expect(await sentence(buy(stranger, sacco, 10))).toMatch(/^Join Umoja Sacco \d+ before you buy its shares\.$/);
    expect(await sentence(buy(me, sacco, 10, 999))).toMatch(/is Ksh\.\u00a01,000\.00 now\. Look again and confirm\.$/);
    expect(await sentence(buy(me, sacco, 9))).toMatch(
      /^The first purchase in Umoja Sacco \d+ is at least 10 shares\.$/,
    );
    expect(await sentence(buy(me, sacco, 10))).toBe(
      'Not enough money in your wallet: these shares cost Ksh.\u00a01,000.00.',
    );
    expect((await buy(me, sacco, 1.5)).status).toBe(400);
    expect((await buy(me, sacco, 0)).status).toBe(400);
    await database.transaction((tx) => requestExit(tx, { userId: me }, { saccoId: sacco, reason: null }));
    expect(await sentence(buy(me, sacco, 10))).toMatch(/^You have given notice/);
    await database.transaction((tx) => suspendSacco(tx, { userId: operator }, { saccoId: sacco, reason: 'Audit.' }));
    expect(await sentence(buy(me, sacco, 10))).toMatch(/is not active: it sells no shares now\.$/);
    expect(await standing(sacco, me)).toEqual({ wallet: 999_99, shares: 0, issued: 0, capital: 0 });
    expect((await database.sql`select from share_movements where user_id = ${me}`).length).toBe(0);
  });

  test('nobody holds more than a fifth once ten members hold shares', async () => {
    const sacco = await saccos.sacco(founder, operator);
    const members: string[] = [];
    for (let count = 0; count < 11; count += 1) members.push(await member(sacco, 100_000_00));
    const [first = '', ...others] = members;
    // Nine hold shares: nothing is limited yet.
    expect((await buy(first, sacco, 50)).status).toBe(200);
    for (const other of others.slice(0, 9)) expect((await buy(other, sacco, 10)).status).toBe(200);
    const limited = await buy(first, sacco, 1);
    expect(limited).toMatchObject({
      status: 422,
      body: {
        code: 'one_fifth_exceeded',
        message: 'No member may hold more than one fifth of the shares. You can buy none now.',
      },
    });
    // 140 are issued; the eleventh may hold a fifth of what there is afterwards: 35 of 175.
    const eleventh = others[9] ?? '';
    expect((await buy(eleventh, sacco, 36)).body.message).toMatch(/You can buy at most 35 now\.$/);
    expect((await buy(eleventh, sacco, 35)).status).toBe(200);
    expect(await holdersOf(sacco)).toBe(11);
  });

  test('the limit stays once ten members have held the minimum: it does not end with one who leaves', async () => {
    const sacco = await saccos.sacco(founder, operator);
    const members: string[] = [];
    for (let count = 0; count < 10; count += 1) members.push(await member(sacco, 100_000_00));
    const [first = '', second = '', ...others] = members;
    const figures = async () =>
      (
        await database.sql`
        select qualified_holders, holding_limit_since from sacco_figures where sacco_id = ${sacco}`
      )[0];
    for (const one of [first, second, ...others.slice(0, 7)]) expect((await buy(one, sacco, 10)).status).toBe(200);
    expect(await figures()).toEqual({ qualified_holders: 9, holding_limit_since: null });
    expect((await buy(first, sacco, 190)).status).toBe(200);
    const reached = database.now();
    // The last two purchases come at once: the tenth member's limits the one after it.
    const both = await database.transaction((tx) =>
      buyShares(
        tx,
        [others[7] ?? '', first].map((userId) => ({ userId, saccoId: sacco, shares: 10, amountCents: 1_000_00 })),
      ),
    );
    expect(both.map((answer) => (answer instanceof Error ? answer.message : 'bought'))).toEqual([
      'bought',
      'No member may hold more than one fifth of the shares. You can buy none now.',
    ]);
    expect(await figures()).toEqual({ qualified_holders: 10, holding_limit_since: reached });
    // As a sale of all of theirs leaves it.
    await database.owner`
      update sacco_figures set qualified_holders = 9, share_holders = 9 where sacco_id = ${sacco}`;
    expect((await buy(first, sacco, 10)).body.code).toBe('one_fifth_exceeded');
    await database.owner`
      update sacco_figures set qualified_holders = 10, share_holders = 10 where sacco_id = ${sacco}`;
    await expect(
      database.sql`update sacco_figures set holding_limit_since = null where sacco_id = ${sacco}`,
    ).rejects.toThrow('The limit of one fifth stays since');
  });

  test('shares of somebody who leaves stay theirs, to be sold', async () => {
    const { sacco, me } = await buyer(5_000_00);
    await buy(me, sacco, 10);
    await database.transaction((tx) => requestExit(tx, { userId: me }, { saccoId: sacco, reason: null }));
    const now = database.now();
    database.world.advance(60 * DAY);
    await settleExits(database, async () => []);
    const [exit] = await database.sql`select state, refund_cents from exit_requests where user_id = ${me}`;
    expect(exit).toMatchObject({ state: 'shares_to_sell', refund_cents: 0 });
    expect((await standings(database)(me, sacco)).member).toBe('leaving');
    expect((await standing(sacco, me)).shares).toBe(10);
    database.world.setNow(now);
  });
});

describe('a batch of purchases', () => {
  /** What happened, without what differs between two worlds: ids and instants. */
  const outcome = (answer: Bought | Refusal | undefined) =>
    answer instanceof Refusal
      ? { refused: answer.code, message: answer.message }
      : { amount: answer?.receipt.amount, ...answer?.holding, sacco: null };

  interface Step {
    readonly who: number;
    readonly where: number;
    readonly shares: number;
    readonly cents: number;
  }

  async function scene(funds: readonly number[]) {
    const names = { name: `Scene ${database.newId()}`, regNo: database.newId() };
    const places = [
      await saccos.sacco(founder, operator, names),
      await saccos.sacco(founder, operator, { name: `${names.name} b`, regNo: `${names.regNo}b`, minShares: 3 }),
    ];
    const members: string[] = [];
    for (const cents of funds) {
      const id = await people.person('Member');
      // The last of them joins the first sacco only.
      for (const place of members.length === funds.length - 1 ? places.slice(0, 1) : places)
        await saccos.join(place, id);
      if (cents > 0) await saccos.fund(id, cents);
      members.push(id);
    }
    const purchases = (steps: readonly Step[]): SharePurchase[] =>
      steps.map(({ who, where, shares, cents }) => ({
        userId: members[who] ?? '',
        saccoId: places[where] ?? database.newId(),
        shares,
        amountCents: cents,
      }));
    const state = async () => ({
      money: await balances(
        database,
        members.map((owner) => ({ book: PLATFORM_BOOK, kind: 'wallet', owner }) as const),
      ),
      shares: await balances(
        database,
        places.flatMap((book) => members.map((owner) => ({ book, kind: 'holding', owner }) as const)),
      ),
      holders: await Promise.all(places.map(holdersOf)),
      register: (
        await database.sql`
          select shares, shares_after from share_movements where sacco_id = any (${places}::uuid[])
          order by sacco_id = ${places[0] ?? ''}, place`
      ).map((row) => `${row.shares} ${row.shares_after}`),
    });
    return { purchases, state };
  }

  test('gives the same results as one by one, whatever is in it', async () => {
    const step = fc.record({
      who: fc.integer({ min: 0, max: 11 }),
      where: fc.constantFrom(0, 0, 0, 1, 1, 2),
      shares: fc.integer({ min: 1, max: 15 }),
      isWrong: fc.constantFrom(false, false, false, false, true),
    });
    const funds = fc.array(fc.integer({ min: 0, max: 5_000_00 }), { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(funds, fc.array(step, { minLength: 1, maxLength: 40 }), async (cents, drawn) => {
        const steps = drawn.map(({ isWrong, ...rest }) => ({
          ...rest,
          cents: rest.shares * 100_00 + (isWrong ? 1 : 0),
        }));
        const [together, apart] = [await scene(cents), await scene(cents)];
        const batch = await database.transaction((tx) => buyShares(tx, together.purchases(steps)));
        const single: (Bought | Refusal)[] = [];
        for (const purchase of apart.purchases(steps)) {
          single.push(...(await database.transaction((tx) => buyShares(tx, [purchase]))));
        }
        const plain = (answers: (Bought | Refusal)[]) =>
          JSON.parse(JSON.stringify(answers.map(outcome)).replaceAll(/(Scene [0-9a-f-]+)/g, 'Scene'));
        expect(plain(batch)).toEqual(plain(single));
        expect(await together.state()).toEqual(await apart.state());
      }),
      { numRuns: 12 },
    );
  }, 60_000);

  test('of two that together cost more than the wallet holds, the first is bought', async () => {
    const { sacco, me } = await buyer(1_500_00);
    const answers = await database.transaction((tx) =>
      buyShares(
        tx,
        [10, 10, 5].map((shares) => ({ userId: me, saccoId: sacco, shares, amountCents: shares * 100_00 })),
      ),
    );
    expect(answers.map((answer) => (answer instanceof Refusal ? answer.code : 'bought'))).toEqual([
      'bought',
      'insufficient_funds',
      'bought',
    ]);
  });
});

describe('the summary', () => {
  test.each([
    '2026-12-05T08:30:00+00:00',
    '2026-12-05T08:30:00.1+00:00',
    '2026-12-05T08:30:00.12+00:00',
    '2026-12-05T08:30:00.123+00:00',
    '2026-12-05T08:30:00.123456+00:00',
    '2026-12-05T11:30:00.12+03:00',
  ])('says the instant %s as every other reply does', (text) => {
    expect(isoOf(text)).toBe(new Date(text).toISOString());
  });

  test('says what the ledger says', async () => {
    const { sacco, me } = await buyer(5_000_00);
    await buy(me, sacco, 12);
    await database.transaction((tx) => depositSavings(tx, [{ userId: me, saccoId: sacco, amountCents: 700_00 }]));
    const { wallet } = await standing(sacco, me);
    const summary = await app.call('GET', '/client/summary', { as: me });
    expect(summary.body).toMatchObject({
      wallet: { amount: (wallet ?? 0) / 100, held: 0, available: 3100 },
      saccos: [{ id: sacco, membership: 'active', shares: 12, share_value: 100, value: 1200, savings: 700 }],
      open_votes: 0,
      activity: [
        { kind: 'savings_deposited', amount: -700, balance_after: 3100 },
        { kind: 'shares_bought', amount: -1200, balance_after: 3800 },
        { kind: 'wallet_topped_up', amount: 5000, balance_after: 5000 },
      ],
    });
  });

  test('has what each domain adds, and says of one that adds nothing that there is none', async () => {
    const { sacco, me } = await buyer(5_000_00);
    await buy(me, sacco, 12);
    const [without] = await summariesOf(database, [], [me]);
    expect(without).toMatchObject({
      wallet: { amount: 0, held: 0, available: 0 },
      saccos: [{ id: sacco, shares: 0, savings: 0, loans_outstanding: 0, next_due: null, guarantees_given: 0 }],
      open_votes: 0,
      activity: [],
    });
    const loans: SummaryPart = {
      ofSacco: {
        json: (sql) => sql`'owed', least(due.shares, 250)`,
        joins: (sql) => sql`left join lateral (select 250 as shares) due on true`,
        fields: ({ owed }: { readonly owed: number }) => ({ loans_outstanding: owed }),
      },
      ofPerson: {
        json: (sql) => sql`'asked', 3`,
        joins: (sql) => sql``,
        fields: ({ asked }: { readonly asked: number }) => ({ open_requests: asked }),
      },
    };
    const [all] = await summariesOf(database, [...SUMMARY, loans], [me]);
    expect(all).toMatchObject({
      wallet: { available: 3800 },
      saccos: [{ shares: 12, savings: 0, loans_outstanding: 250 }],
      open_requests: 3,
    });
  });

  test('shows the last ten movements, and nobody else’s', async () => {
    const { sacco, me } = await buyer(5_000_00);
    for (let count = 1; count <= 12; count += 1) {
      await database.transaction((tx) =>
        depositSavings(tx, [{ userId: me, saccoId: sacco, amountCents: count * 100 }]),
      );
    }
    const stranger = await people.person('Stranger');
    const [mine, none] = await summariesOf(database, SUMMARY, [me, stranger]);
    expect(mine?.activity.map(({ amount }) => amount)).toEqual([-12, -11, -10, -9, -8, -7, -6, -5, -4, -3]);
    expect(none).toMatchObject({ wallet: { amount: 0 }, saccos: [], activity: [] });
  });
});

test('after all of this every register, count and balance agrees; a register with one entry too many is found', async () => {
  expect(await breaches(database.owner, [...ledgerInvariants, ...sharesInvariants])).toEqual([]);
  await database.owner`update share_movements set shares = shares + 1 where place = (select min(place) from share_movements)`;
  expect((await breaches(database.owner, sharesInvariants)).map(({ name }) => name)).toEqual([
    'Every holding is the sum of its entries in the register',
    'Every entry of the register names the shares held after it',
  ]);
});
