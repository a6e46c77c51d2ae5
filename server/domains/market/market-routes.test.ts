import { marketContract } from '@ushirika/contract/market';
import type { Refusal } from '@ushirika/contract/refusal';
import { fromStored, type Sentence } from '@ushirika/contract/sentence';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { testApp } from '../../http/test-app.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { standings } from '../membership/standings.ts';
import { testChanges } from '../saccos/test-changes.ts';
import { sharesInvariants } from '../shares/shares.invariants.ts';
import { marketTermsChange } from './change-market-terms.ts';
import { marketInvariants } from './market.invariants.ts';
import { marketRoutes } from './market.routes.ts';
import { memberKey } from './market.types.ts';
import { createMarketHub, type MarketHub } from './market-live.ts';
import { testTraders } from './test-traders.ts';

/* The market's commands over HTTP, run as the member who sends them. */

let database: TestDatabase;
let app: Awaited<ReturnType<typeof testApp>>;
let traders: ReturnType<typeof testTraders>;
let markets: MarketHub;
let sacco: string;
/** Members who may not trade now, with the reason. In the product loans will give it. */
const blocks = new Map<string, Sentence>();

beforeAll(async () => {
  database = await testDatabase();
  traders = testTraders(database);
  markets = createMarketHub({ database });
  const common = { database, publicUrl: 'https://ushirika.test', markets };
  app = await testApp({
    database,
    contract: marketContract,
    bindings: marketRoutes({
      ...common,
      changes: testChanges({ market_terms: marketTermsChange() }),
      blocksOf: async () => blocks,
    }),
    standingOf: standings(database),
  });
});
beforeEach(async () => {
  sacco = await traders.sacco(2);
});
afterAll(async () => {
  const found = await breaches(database.owner, [...ledgerInvariants, ...sharesInvariants, ...marketInvariants]);
  await app.close();
  await markets.close();
  await database.close();
  expect(found).toEqual([]);
});

const member = (shares: number, shillings = 0, name = 'Trader') =>
  traders.trader(sacco, { shares, cents: 100 * shillings, name });
const ITEMS = '/sacco/order-book-items';
let keys = 0;
const newKey = () => {
  keys += 1;
  return `a-key-of-the-test-${keys}`;
};
interface Asked {
  readonly side: 'buy' | 'sell';
  readonly shares: number;
  readonly price: number;
  readonly expires_at?: string;
  readonly terms?: object;
}
const place = (as: string, asked: Asked, key = newKey()) =>
  app.call('POST', ITEMS, { as, key, body: { sacco, ...asked } });
const sell = (as: string, shares: number, price: number) => place(as, { side: 'sell', shares, price });
const buy = (as: string, shares: number, price: number) => place(as, { side: 'buy', shares, price });
const change = (as: string, id: string, body: object) => app.call('PATCH', `${ITEMS}/${id}`, { as, body });
const cancel = (as: string, id: string) => app.call('DELETE', `${ITEMS}/${id}`, { as });
const take = (as: string, order: string, shares: number, key = newKey()) =>
  app.call('POST', '/sacco/members/buy-user-shares', { as, key, body: { order, shares } });
/** As our pages do it: with the price that the taker saw. */
const takeAt = (as: string, order: string, shares: number, price: number, key = newKey()) =>
  app.call('POST', '/sacco/members/buy-user-shares', { as, key, body: { order, shares, price } });
const idOf = ({ body }: { body: { order: { id: string } } }) => body.order.id;
const money = (text: string) => `Ksh.\u00a0${text}`;
const saccoName = async () => (await database.owner`select name from saccos where id = ${sacco}`)[0]?.name as string;

/** Everything that a command of the market could change. */
async function everything(): Promise<string> {
  const tables = ['share_orders', 'share_trades', 'markets', 'market_levels', 'market_events', 'market_candles'];
  const more = ['journals', 'transfers', 'accounts', 'memberships', 'notifications', 'sms_messages', 'sacco_figures'];
  const sums: string[] = [];
  for (const table of [...tables, ...more]) {
    const [row] = await database.owner.unsafe(
      `select md5(coalesce(string_agg(t::text, ';' order by t::text), '')) as sum from ${table} t where ${table === 'accounts' ? 'balance <> 0' : 'true'}`,
    );
    sums.push(`${table} ${row?.sum}`);
  }
  return sums.join('\n');
}

type Mended = readonly [mend: () => unknown, code: Refusal['code'], message: string];

/**
 * Sends a request with every mistake, and corrects one after another. Each answer names the next one, and nothing
 * changes until the last is corrected.
 */
async function expectInTurn(
  ask: () => Promise<{ status: number; body: { code: string; message: string } }>,
  steps: readonly Mended[],
) {
  for (const [mend, code, message] of steps) {
    await mend();
    const before = await everything();
    const { body } = await ask();
    expect([body.code, body.message]).toEqual([code, message]);
    expect(await everything()).toBe(before);
  }
}

const owners = (sql: string) => database.owner.unsafe(sql);
const inMarket = (set: string) => owners(`update markets set ${set} where sacco_id = '${sacco}'`);
const inSacco = (set: string) => owners(`update saccos set ${set} where id = '${sacco}'`);
const tenHolders = async () => {
  for (let count = 0; count < 10; count += 1) await member(4);
};

const tomorrow = () => new Date(database.now().getTime() + 86_400_000);
const held = [
  'payout_held',
  'Shares are not bought or sold for 24 hours after a change of password or phone. You can still cancel your orders.',
] as const;

describe('refusals, in the order of the contract', () => {
  test('of an order to buy', async () => {
    for (let count = 0; count < 10; count += 1) await member(6);
    const user = await traders.trader(await traders.sacco(2), {});
    const name = await saccoName();
    await traders.suspended(sacco, true);
    await inMarket('lot = 2');
    const asked = { side: 'buy' as const, shares: 9, price: 89.5, expires_at: '2036-01-01T00:00:00Z' };
    let mine = '';
    await expectInTurn(
      () => place(user, asked),
      [
        [() => {}, 'not_a_member', `Join ${name} before you trade its shares.`],
        [
          async () => {
            await traders.join(sacco, user);
            await traders.membership(sacco, user, 'leaving');
            await traders.heldUntil(user, tomorrow());
            blocks.set(memberKey(sacco, user), fromStored('Your loan is late.'));
          },
          ...held,
        ],
        [
          () => traders.heldUntil(user, database.now()),
          'sacco_inactive',
          `${name} is not active: its shares are not traded now.`,
        ],
        [
          () => traders.suspended(sacco, false),
          'exit_conflict',
          `You have given notice to ${name}: you can sell shares there, and buy none.`,
        ],
        [() => traders.membership(sacco, user, 'active'), 'trading_blocked', 'Your loan is late.'],
        [
          () => blocks.clear(),
          'price_not_allowed',
          `Prices here are from ${money('90.00')} to ${money('110.00')}, in steps of ${money('1.00')}.`,
        ],
        [() => Object.assign(asked, { price: 100 }), 'lot_mismatch', 'Shares are traded here by 2: 2, 4 and so on.'],
        [
          async () => {
            // Fifty open orders: one to sell six of eight shares, and as many to buy as there is money for.
            asked.shares = 10;
            await traders.buyFromSacco(sacco, user, 8);
            mine = idOf(await sell(user, 6, 100));
            await traders.fund(user, 49 * 185_40);
            await traders.run(Array.from({ length: 49 }, () => traders.order(sacco, user, 'buy', 2, 90)));
            await traders.membership(sacco, user, 'provisional');
            await inSacco('min_shares = 20');
            asked.price = 99;
          },
          'expiry_not_allowed',
          'An order here waits for 90 days at most.',
        ],
        [
          () => Object.assign(asked, { expires_at: undefined }),
          'open_orders_limit_reached',
          'You have 50 open orders here. Cancel one first.',
        ],
        [
          async () => {
            const [row] =
              await database.owner`select id from share_orders where user_id = ${user} and side = 'buy' limit 1`;
            await cancel(user, row?.id);
            await traders.spend(user, 185_40);
          },
          'minimum_shares_not_met',
          `The first purchase in ${name} is at least 12 shares.`,
        ],
        [
          async () => {
            await inSacco('min_shares = 2');
            await traders.membership(sacco, user, 'active');
            asked.price = 100;
          },
          'one_fifth_exceeded',
          'No member may hold more than one fifth of the shares. You can buy at most 5 now.',
        ],
        [
          () => {
            asked.shares = 4;
          },
          'insufficient_funds',
          `Not enough money in your wallet: this order needs ${money('410.00')}, its fee included, and you have ${money('0.00')}.`,
        ],
        [
          () => traders.fund(user, 410_00),
          'self_trade',
          'That would buy your own shares: you offer some at that price or below. Cancel that order first.',
        ],
      ],
    );
    await cancel(user, mine);
    const done = await place(user, asked);
    expect([done.status, done.body.message]).toEqual([
      201,
      `Your order to buy 4 shares at ${money('100.00')} waits in the book.`,
    ]);
    expect(done.body.order).toMatchObject({ status: 'open', remaining: 4, held: 410, fee: 0 });
  });

  test('of an order to sell', async () => {
    const name = await saccoName();
    const user = await member(10, 1_000);
    const asked = { side: 'sell' as const, shares: 12, price: 95 };
    await buy(user, 1, 97);
    await expectInTurn(
      () => place(user, asked),
      [
        [() => {}, 'insufficient_shares', `You have 10 shares of ${name} that you can sell.`],
        [
          () => Object.assign(asked, { shares: 9 }),
          'minimum_holding',
          `Members keep at least 2 shares of ${name}: you can sell at most 8 now. Who gives notice to leave may sell all.`,
        ],
        [
          () => Object.assign(asked, { shares: 8 }),
          'self_trade',
          'That would sell to yourself: you have an order to buy at that price or above. Cancel that order first.',
        ],
      ],
    );
  });

  test('of a change', async () => {
    await tenHolders();
    const [user, other] = [await member(8, 410), await member(4)];
    const name = await saccoName();
    const bid = idOf(await buy(user, 2, 95));
    const closed = idOf(await buy(user, 1, 90));
    await cancel(user, closed);
    const offer = idOf(await sell(user, 4, 100));
    await inMarket('lot = 2');
    let id = database.newId();
    const asked: { shares?: number; price?: number } = { shares: 21, price: 89.5 };
    await expectInTurn(
      () => change(user, id, asked),
      [
        [() => {}, 'not_found', 'There is no such order.'],
        [
          async () => {
            id = idOf(await sell(other, 2, 110));
          },
          'not_found',
          'There is no such order.',
        ],
        [
          async () => {
            id = closed;
            await traders.suspended(sacco, true);
            await traders.membership(sacco, user, 'leaving');
            await traders.heldUntil(user, tomorrow());
            blocks.set(memberKey(sacco, user), fromStored('Your guarantee was called.'));
          },
          ...held,
        ],
        [
          () => traders.heldUntil(user, database.now()),
          'sacco_inactive',
          `${name} is not active: its shares are not traded now.`,
        ],
        [
          () => traders.suspended(sacco, false),
          'exit_conflict',
          `You have given notice to ${name}: you can sell shares there, and buy none.`,
        ],
        [() => traders.membership(sacco, user, 'active'), 'trading_blocked', 'Your guarantee was called.'],
        [() => blocks.clear(), 'order_closed', 'That order is cancelled.'],
        [
          () => {
            id = offer;
          },
          'price_not_allowed',
          `Prices here are from ${money('90.00')} to ${money('110.00')}, in steps of ${money('1.00')}.`,
        ],
        [() => Object.assign(asked, { price: 95 }), 'lot_mismatch', 'Shares are traded here by 2: 2, 4 and so on.'],
        [
          () => Object.assign(asked, { shares: 10 }),
          'insufficient_shares',
          `You have 8 shares of ${name} that you can sell.`,
        ],
        [
          () => Object.assign(asked, { shares: 8 }),
          'minimum_holding',
          `Members keep at least 2 shares of ${name}: you can sell at most 6 now. Who gives notice to leave may sell all.`,
        ],
        [
          () => Object.assign(asked, { shares: 6 }),
          'self_trade',
          'That would sell to yourself: you have an order to buy at that price or above. Cancel that order first.',
        ],
        [
          async () => {
            id = bid;
            Object.assign(asked, { shares: 6, price: 96 });
            await traders.membership(sacco, user, 'provisional');
            await inSacco('min_shares = 20');
          },
          'minimum_shares_not_met',
          `The first purchase in ${name} is at least 12 shares.`,
        ],
        [
          async () => {
            await traders.membership(sacco, user, 'active');
            await inSacco('min_shares = 2');
            asked.price = 100;
          },
          'one_fifth_exceeded',
          'No member may hold more than one fifth of the shares. You can buy at most 2 now.',
        ],
        [
          async () => {
            await traders.buyFromSacco(sacco, await member(0), 8);
            await traders.buyFromSacco(sacco, await member(0), 8);
            asked.shares = 4;
            await traders.spend(user, 20_00);
          },
          'insufficient_funds',
          `Not enough money in your wallet: this order needs ${money('410.00')}, its fee included, and you have ${money('390.00')}.`,
        ],
        [
          () => traders.fund(user, 20_00),
          'self_trade',
          'That would buy your own shares: you offer some at that price or below. Cancel that order first.',
        ],
      ],
    );
    expect([await traders.fateOf(bid), await traders.fateOf(offer)]).toEqual(['open 0/2', 'open 0/4']);
  });

  test('of taking an offer', async () => {
    sacco = await traders.sacco(6);
    for (let count = 0; count < 10; count += 1) await member(6);
    const [seller, user, quick] = [await member(12), await member(0), await member(6, 1_000)];
    const name = await saccoName();
    const offer = idOf(await sell(seller, 4, 100));
    await inMarket('lot = 2');
    await traders.suspended(sacco, true);
    await traders.membership(sacco, user, 'leaving');
    await traders.heldUntil(user, tomorrow());
    blocks.set(memberKey(sacco, user), fromStored('Your loan is late.'));
    let [id, shares] = [offer, 3];
    const asks = (to: number) => () => {
      shares = to;
    };
    const gone = ['offer_gone', 'That offer is gone. Look at the offers again.'] as const;
    await expectInTurn(
      () => take(user, id, shares),
      [
        [() => {}, ...held],
        [
          () => traders.heldUntil(user, database.now()),
          'sacco_inactive',
          `${name} is not active: its shares are not traded now.`,
        ],
        [
          () => traders.suspended(sacco, false),
          'exit_conflict',
          `You have given notice to ${name}: you can sell shares there, and buy none.`,
        ],
        [() => traders.membership(sacco, user, 'provisional'), 'trading_blocked', 'Your loan is late.'],
        [() => blocks.clear(), 'lot_mismatch', 'Shares are traded here by 2: 2, 4 and so on.'],
        [asks(4), 'minimum_shares_not_met', `The first purchase in ${name} is at least 6 shares.`],
        [
          asks(16),
          'one_fifth_exceeded',
          'No member may hold more than one fifth of the shares. You can buy at most 15 now.',
        ],
        [
          asks(6),
          'insufficient_funds',
          `Not enough money in your wallet: this order needs ${money('610.00')}, its fee included, and you have ${money('0.00')}.`,
        ],
        [
          async () => {
            await traders.buyFromSacco(sacco, user, 8);
            id = idOf(await sell(user, 2, 101));
            await traders.fund(user, 616_00);
          },
          'self_trade',
          'That is your own offer.',
        ],
        [
          () => {
            id = offer;
          },
          ...gone,
        ],
        [
          async () => {
            shares = 4;
            await take(quick, offer, 2);
          },
          ...gone,
        ],
        [
          async () => {
            shares = 2;
            await take(quick, offer, 2);
          },
          ...gone,
        ],
      ],
    );
  });

  test('of rules for the market: to members, to officials of a suspended sacco, and for rules beyond the bounds', async () => {
    const treasurer = await member(2);
    const rules = { price_mode: 'band', tick: 1, lot: 1, fee_basis_points: 50, fee_min: 10 };
    const set = (body: object) =>
      app.call('PUT', '/sacco/market-terms', { as: treasurer, sacco, body: { ...rules, ...body } });
    const before = await everything();
    expect((await set({})).body.code).toBe('not_allowed');
    await traders.treasurer(sacco, treasurer);
    await traders.suspended(sacco, true);
    expect((await set({})).body).toMatchObject({
      code: 'sacco_inactive',
      message: `${await saccoName()} is not active: its shares are not traded now.`,
    });
    await traders.suspended(sacco, false);
    for (const beyond of [
      { tick: 0 },
      { tick: 1_001 },
      { lot: 0 },
      { lot: 10_001 },
      { fee_basis_points: 301 },
      { fee_min: 51 },
      { floor_percentage: 49 },
      { ceiling_percentage: 201 },
      { order_days_max: 6 },
      { order_days_max: 91 },
    ]) {
      const { body } = await set(beyond);
      expect([body.code, Object.keys(body.errors)]).toEqual(['validation_failed', Object.keys(beyond)]);
    }
    expect(await everything()).toBe(before);
  });

  test('a former member who changes their order is refused as a former member', async () => {
    const gone = await member(4, 500);
    const bid = idOf(await buy(gone, 1, 95));
    await traders.membership(sacco, gone, 'exited');
    const { status, body } = await change(gone, bid, { shares: 2 });
    expect([status, body.code, body.message]).toEqual([
      403,
      'not_a_member',
      `Join ${await saccoName()} before you trade its shares.`,
    ]);
    expect((await cancel(gone, bid)).status).toBe(200);
    await traders.membership(sacco, gone, 'active');
    expect(marketContract.find(({ name }) => name === 'changeOrder')?.refusals).toContain('not_a_member');
  });
});

describe('the terms that were shown', () => {
  const seen = { fee_percentage: 0.5, fee_min: 10, floor: 90, ceiling: 110, lot: 1 };
  const changed = {
    code: 'terms_changed',
    message: 'The rules of this market have changed since you looked. See the new ones and confirm again.',
  };
  const worse = ['fee_basis_points = 51', 'fee_min_cents = 1001', 'floor_percentage = 91', 'ceiling_percentage = 109'];

  test.each([...worse, 'lot = 2'])(
    'worse now (%s): nothing is bought or sold, and the answer has the new ones',
    async (set) => {
      const [seller, user] = [await member(20), await member(4, 1_000)];
      const offer = idOf(await sell(seller, 4, 100));
      await inMarket(set);
      const before = await everything();
      const asked = { sacco, side: 'buy', shares: 2, price: 100, terms: seen };
      const answers = [
        await app.call('POST', ITEMS, { as: user, key: newKey(), body: asked }),
        await app.call('POST', ITEMS, { as: seller, key: newKey(), body: { ...asked, side: 'sell' } }),
        await app.call('POST', '/sacco/members/buy-user-shares', {
          ...{ as: user, key: newKey(), body: { order: offer, shares: 2, price: 100, terms: seen } },
        }),
      ];
      const { terms } = (await app.call('GET', `/sacco/order-book?sacco=${sacco}`, { as: user })).body;
      for (const { status, body } of answers) expect([status, body]).toMatchObject([409, { ...changed, terms }]);
      expect(await everything()).toBe(before);
      // A member who confirms the new terms, or names none, trades.
      expect((await place(user, { side: 'buy', shares: 2, price: 100, terms })).status).toBe(201);
      expect((await take(user, offer, 2)).status).toBe(200);
    },
  );

  test('better now: they apply, without a question', async () => {
    const [seller, user] = [await member(20), await member(4, 1_000)];
    await sell(seller, 4, 100);
    await inMarket('fee_basis_points = 10, fee_min_cents = 100, floor_percentage = 80, ceiling_percentage = 120');
    const { body } = await place(user, { side: 'buy', shares: 2, price: 100, terms: seen });
    expect(body.order).toMatchObject({ value: 200, fee: 1 });
  });

  test('for an order that is changed: its own fee is kept, and prices and lot are checked', async () => {
    const seller = await member(20);
    const order = idOf(await sell(seller, 4, 105));
    await inMarket('fee_basis_points = 300, fee_min_cents = 5000');
    expect((await change(seller, order, { shares: 3, terms: seen })).status).toBe(200);
    await inMarket('ceiling_percentage = 107');
    expect((await change(seller, order, { shares: 2, terms: seen })).body).toMatchObject(changed);
    expect((await change(seller, order, { shares: 2, terms: { ...seen, ceiling: 107 } })).status).toBe(200);
  });
});

describe('messages are in the language of the member who asks', () => {
  const swahili = { 'accept-language': 'sw' };
  const inSwahili = (as: string, body: object, key = newKey()) =>
    app.call('POST', ITEMS, { as, key, headers: swahili, body: { sacco, ...body } });

  test('a refusal with its numbers, a wrong field, and a refusal of the catalogue', async () => {
    const user = await member(10, 500);
    const few = await inSwahili(user, { side: 'sell', shares: 11, price: 100 });
    const words = `Una hisa 10 za ${await saccoName()} unazoweza kuuza.`;
    expect(few.body).toMatchObject({ code: 'insufficient_shares', message: words, detail: words });
    const none = await inSwahili(user, { side: 'sell', shares: 0, price: 100 });
    expect(none.body.errors).toEqual({ shares: ['Weka nambari kamili kuanzia 1 hadi 10000000.'] });
    expect((await app.call('POST', ITEMS, { headers: swahili, body: { sacco } })).body.message).toBe(
      'Ingia ili uendelee.',
    );
    const english = await sell(user, 11, 100);
    expect(english.body.message).toBe(`You have 10 shares of ${await saccoName()} that you can sell.`);
  });

  test('two members in one batch each get their own language, and a repetition the first answer', async () => {
    const [one, two] = [await member(0, 500), await member(0, 500)];
    const key = newKey();
    const [sw, en] = await Promise.all([inSwahili(one, { side: 'buy', shares: 3, price: 95 }, key), buy(two, 2, 95)]);
    const first = `Agizo lako la kununua hisa 3 kwa ${money('95.00')} linasubiri kwenye daftari.`;
    expect([sw.body.message, en.body.message]).toEqual([
      first,
      `Your order to buy 2 shares at ${money('95.00')} waits in the book.`,
    ]);
    expect((await place(one, { side: 'buy', shares: 3, price: 95 }, key)).body.message).toBe(first);
  });
});

describe('a key', () => {
  const asked: Asked = { side: 'buy', shares: 2, price: 100 };

  test('sent again gets the same answer and places nothing; sent with another order it is refused', async () => {
    const user = await member(4, 1_000);
    const key = newKey();
    const first = await place(user, asked, key);
    const before = await everything();
    const again = await place(user, asked, key);
    expect([again.status, again.bytes.toString()]).toEqual([201, first.bytes.toString()]);
    const other = await place(user, { ...asked, shares: 3 }, key);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused']);
    expect(await everything()).toBe(before);
  });

  test('sent five times at once places one order, or takes an offer once', async () => {
    const [seller, user] = [await member(12), await member(4, 1_000)];
    const key = newKey();
    const orders = await Promise.all(Array.from({ length: 5 }, () => place(user, asked, key)));
    expect(new Set(orders.map(idOf)).size).toBe(1);
    const offer = idOf(await sell(seller, 6, 105));
    const taking = newKey();
    const taken = await Promise.all(Array.from({ length: 5 }, () => take(user, offer, 2, taking)));
    expect(new Set(taken.map(({ bytes }) => bytes.toString())).size).toBe(1);
    expect(await traders.fateOf(offer)).toBe('open 2/6');
    expect(await traders.standing(sacco, user)).toEqual({
      wallet: 1_000_00 - 216_30 - 206_00,
      hold: 206_00,
      free: 6,
      held: 0,
    });
  });

  test('of a refused order may be used again once the reason is gone', async () => {
    const user = await member(4);
    const key = newKey();
    expect((await place(user, asked, key)).body.code).toBe('insufficient_funds');
    await traders.fund(user, 210_00);
    expect((await place(user, asked, key)).status).toBe(201);
  });
});

describe('a change', () => {
  const queueOf = async () => (await traders.queue(sacco, 'sell')).map(([user, left, price]) => [user, left, price]);

  test('to fewer shares keeps the place in the queue; to more shares, or another price and back, loses it', async () => {
    const [first, second] = [await member(20), await member(20)];
    const [a, b] = [idOf(await sell(first, 5, 100)), idOf(await sell(second, 5, 100))];
    const fewer = await change(first, a, { shares: 4 });
    expect(fewer.body).toMatchObject({
      message: 'Your order is changed.',
      order: { shares: 4, remaining: 4 },
      trades: [],
    });
    expect(await queueOf()).toEqual([
      [first, 4, 100],
      [second, 5, 100],
    ]);
    await change(first, a, { shares: 6 });
    expect(await queueOf()).toEqual([
      [second, 5, 100],
      [first, 6, 100],
    ]);
    await change(second, b, { price: 101 });
    await change(second, b, { price: 100 });
    expect(await queueOf()).toEqual([
      [first, 6, 100],
      [second, 5, 100],
    ]);
    expect(await traders.standing(sacco, first)).toMatchObject({ free: 14, held: 6 });
  });

  test('of the price trades at once with the orders that it reaches, at their prices; the rest waits at its own', async () => {
    const [seller, low, user] = [await member(20), await member(20), await member(0, 2_000)];
    await sell(low, 2, 101);
    await sell(seller, 3, 103);
    const bid = idOf(await buy(user, 8, 95));
    const { body } = await change(user, bid, { price: 103 });
    expect(body.message).toBe(`You have bought 5 shares. 3 more wait in the book at ${money('103.00')}.`);
    expect(body.trades).toMatchObject([
      { shares: 2, price: 101 },
      { shares: 3, price: 103 },
    ]);
    // 202 + 309 and the least fee of 10 are paid; 309 are held for the other three, whose fee is paid already.
    expect(body.order).toMatchObject({ filled: 5, remaining: 3, value: 511, fee: 10, held: 309 });
    expect(await traders.standing(sacco, user)).toEqual({
      wallet: 2_000_00 - 511_00 - 10_00 - 309_00,
      hold: 309_00,
      free: 5,
      held: 0,
    });
  });

  test('to what has traded already, or less, is refused at its field; a change to the same values does nothing', async () => {
    const [seller, user] = [await member(20), await member(4, 2_000)];
    const offer = idOf(await sell(seller, 5, 100));
    await buy(user, 3, 100);
    const before = await everything();
    for (const shares of [1, 2, 3]) {
      const { status, body } = await change(seller, offer, { shares });
      expect([status, body.code, body.errors]).toEqual([
        400,
        'validation_failed',
        { shares: ['3 are traded already: keep more than that, or cancel what is left.'] },
      ]);
    }
    expect((await change(seller, offer, {})).body.code).toBe('validation_failed');
    expect((await change(seller, offer, { shares: 5, price: 100 })).body).toMatchObject({
      success: true,
      order: { remaining: 2 },
    });
    expect(await everything()).toBe(before);
    expect((await change(seller, offer, { shares: 4 })).body.order).toMatchObject({
      shares: 4,
      filled: 3,
      remaining: 1,
    });
  });

  test('made five times at once is made once', async () => {
    const user = await member(4, 2_000);
    const bid = idOf(await buy(user, 2, 95));
    const answers = await Promise.all(Array.from({ length: 5 }, () => change(user, bid, { shares: 4 })));
    expect(answers.map(({ body }) => body.order.shares)).toEqual([4, 4, 4, 4, 4]);
    expect(await traders.standing(sacco, user)).toMatchObject({ wallet: 2_000_00 - 390_00, hold: 390_00 });
  });
});

describe('a cancellation', () => {
  test('frees what was held, once; a closed order is refused as closed, and other members’ orders are not found', async () => {
    const [user, other] = [await member(10, 1_000), await member(4)];
    const [bid, offer] = [idOf(await buy(user, 2, 95)), idOf(await sell(user, 3, 105))];
    const before = await everything();
    const [foreign, none] = [await cancel(other, bid), await cancel(other, database.newId())];
    expect([foreign.status, foreign.bytes.toString()]).toEqual([404, none.bytes.toString()]);
    expect(await everything()).toBe(before);
    expect((await cancel(user, bid)).body).toMatchObject({
      message: 'Your order is cancelled. The money that it held is back in your wallet.',
      order: { status: 'cancelled', cancel_reason: 'by_member', held: 0 },
    });
    expect((await cancel(user, offer)).body.message).toBe('Your order is cancelled. The shares that it held are free.');
    expect((await cancel(user, bid)).body).toMatchObject({ code: 'order_closed', message: 'That order is cancelled.' });
    expect(await traders.standing(sacco, user)).toEqual({ wallet: 1_000_00, hold: 0, free: 10, held: 0 });
    const filled = idOf(await sell(user, 3, 105));
    await buy(await member(0, 1_000), 3, 105);
    expect((await cancel(user, filled)).body).toMatchObject({ code: 'order_closed', message: 'That order is filled.' });
  });

  test('asked for five times at once is done once', async () => {
    const user = await member(4, 1_000);
    const bid = idOf(await buy(user, 2, 95));
    const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(user, bid)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect((await traders.standing(sacco, user)).wallet).toBe(1_000_00);
  });
});

describe('taking an offer', () => {
  test('buys from the cheapest and oldest offers first, and from the named one last', async () => {
    const [named, cheaper, first, user] = [await member(9), await member(9), await member(9), await member(0, 2_000)];
    const [same, cheap] = [idOf(await sell(first, 2, 103)), idOf(await sell(cheaper, 2, 101))];
    const offer = idOf(await sell(named, 5, 103));
    const { body } = await take(user, offer, 5);
    expect(body.message).toBe('You have bought 5 shares.');
    expect(body.trades).toMatchObject([
      { shares: 2, price: 101 },
      { shares: 2, price: 103 },
      { shares: 1, price: 103 },
    ]);
    expect(body.receipt).toMatchObject({
      amount: 521,
      what: expect.stringMatching(/^Order to buy 5 shares of .*: 5 bought$/),
    });
    expect([await traders.fateOf(cheap), await traders.fateOf(same), await traders.fateOf(offer)]).toEqual([
      'filled 2/2',
      'filled 2/2',
      'open 1/5',
    ]);
    expect(body.order).toMatchObject({ status: 'filled', price: 103, value: 511, fee: 10, held: 0 });
  });

  test('that is partly gone buys all that is asked or nothing; of two at once one gets it', async () => {
    const [seller, one, two] = [await member(9), await member(2, 1_000), await member(2, 1_000)];
    const offer = idOf(await sell(seller, 5, 100));
    const answers = await Promise.all([take(one, offer, 3), take(two, offer, 3)]);
    expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([200, 'offer_gone']);
    expect(await traders.fateOf(offer)).toBe('open 3/5');
    expect((await take(one, offer, 2)).status).toBe(200);
  });

  describe('costs no more than what the taker saw, however its seller changes it meanwhile', () => {
    const gone = { code: 'offer_gone', message: 'That offer is gone. Look at the offers again.' };

    test('dearer by the smallest step: it is gone, though others offer at the old price, and nothing moves', async () => {
      const [seller, other, user] = [await member(9), await member(9), await member(2, 460)];
      const offer = idOf(await sell(seller, 5, 90));
      await sell(other, 5, 90);
      await change(seller, offer, { price: 91 });
      const before = await everything();
      const refused = await takeAt(user, offer, 5, 90);
      expect([refused.status, refused.body]).toEqual([409, expect.objectContaining(gone)]);
      expect(await everything()).toBe(before);
      // The taker has money for the old price: the refusal must not be about a price that they did not agree to.
      await change(seller, offer, { price: 110 });
      expect((await takeAt(user, offer, 5, 90)).body).toMatchObject(gone);
      expect((await takeAt(user, offer, 5, 110)).body.code).toBe('insufficient_funds');
      expect((await takeAt(user, offer, 6, 90)).body.code).toBe('insufficient_funds');
    });

    test('the same key with the same request: refused again, and bought once after the price is back', async () => {
      const [seller, user] = [await member(9), await member(2, 1_000)];
      const offer = idOf(await sell(seller, 5, 90));
      const key = newKey();
      await change(seller, offer, { price: 110 });
      const before = await everything();
      const answers = [await takeAt(user, offer, 2, 90, key), await takeAt(user, offer, 2, 90, key)];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([409, 'offer_gone']));
      expect(await everything()).toBe(before);
      await change(seller, offer, { price: 90 });
      const bought = await Promise.all([takeAt(user, offer, 2, 90, key), takeAt(user, offer, 2, 90, key)]);
      expect(bought.map(({ status }) => status)).toEqual([200, 200]);
      expect(bought[1]?.bytes.toString()).toBe(bought[0]?.bytes.toString());
      expect((await takeAt(user, offer, 2, 110, key)).body.code).toBe('idempotency_key_reused');
      expect(await traders.fateOf(offer)).toBe('open 2/5');
      expect((await traders.standing(sacco, user)).wallet).toBe(1_000_00 - 185_40);
    });

    test('cheaper now: the buyer pays less; without a named price, the present price is paid', async () => {
      const [seller, user] = [await member(20), await member(2, 2_000)];
      const offer = idOf(await sell(seller, 9, 100));
      await change(seller, offer, { price: 95 });
      const { body } = await takeAt(user, offer, 3, 100);
      expect(body.trades).toMatchObject([{ shares: 3, price: 95 }]);
      expect(body.order).toMatchObject({ price: 95, value: 285, fee: 8.55 });
      expect((await takeAt(user, offer, 3, 95)).body.trades).toMatchObject([{ shares: 3, price: 95 }]);
      await change(seller, offer, { price: 105 });
      expect((await take(user, offer, 3)).body.trades).toMatchObject([{ shares: 3, price: 105 }]);
    });

    test('changed at the same moment: it is bought at the seen price or not at all', async () => {
      const [seller, user] = [await member(30), await member(2, 10_000)];
      const offer = idOf(await sell(seller, 20, 90));
      let bought = 0;
      for (let round = 0; round < 8; round += 1) {
        const dearer = () => change(seller, offer, { price: 110 });
        const taking = () => takeAt(user, offer, 1, 90);
        const [taken] =
          round % 2 === 0
            ? await Promise.all([taking(), dearer()])
            : (await Promise.all([dearer(), taking()])).toReversed();
        expect((await change(seller, offer, { price: 90 })).status).toBe(200);
        if (!taken) throw new Error('Nobody answered.');
        if (taken.status === 200) {
          bought += 1;
          expect(taken.body.trades).toMatchObject([{ shares: 1, price: 90 }]);
        } else expect(taken.body).toMatchObject(gone);
      }
      expect(await traders.fateOf(offer)).toBe(`open ${bought}/20`);
      expect((await traders.standing(sacco, user)).wallet).toBe(10_000_00 - bought * 92_70);
    });
  });

  test('of another sacco, of a person without a sacco, or unknown: the answers are the same to the last byte', async () => {
    const seller = await member(9, 500);
    const [offer, bid] = [idOf(await sell(seller, 5, 100)), idOf(await buy(seller, 1, 90))];
    const former = await member(2, 1_000);
    await traders.membership(sacco, former, 'exited');
    const stranger = await traders.trader(await traders.sacco(2), { shares: 2, cents: 1_000_00 });
    const before = await everything();
    const answers = [
      await take(stranger, offer, 1),
      await take(stranger, database.newId(), 1),
      await take(stranger, bid, 1),
      await take(former, offer, 1),
      await take(seller, bid, 1),
    ];
    expect(new Set(answers.map(({ status, bytes }) => `${status} ${bytes}`)).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({ code: 'not_found', message: 'There is no such offer.' });
    expect(await everything()).toBe(before);
    await traders.membership(sacco, former, 'active');
  });
});

describe('for a day after a password reset nobody trades in the owner’s name', () => {
  /** The owner has an offer and a bid in the book, and another member offers two shares. Then the password is reset. */
  const robbed = async () => {
    const [owner, other] = [await member(10, 2_000), await member(10, 2_000)];
    const mine = { offer: idOf(await sell(owner, 2, 110)), bid: idOf(await buy(owner, 2, 90)) };
    const theirs = idOf(await sell(other, 2, 105));
    const until = tomorrow();
    await traders.heldUntil(owner, until);
    return { owner, other, mine, theirs, until };
  };

  test('no order is placed or changed, and no offer is taken; the answer says until when', async () => {
    const { owner, mine, theirs, until } = await robbed();
    const before = await everything();
    const acts: Record<string, () => ReturnType<typeof place>> = {
      'sells at the floor': () => sell(owner, 2, 90),
      'buys at the ceiling': () => buy(owner, 2, 110),
      'takes an offer': () => take(owner, theirs, 2),
      'asks less': () => change(owner, mine.offer, { price: 91 }),
      'offers more': () => change(owner, mine.offer, { shares: 4 }),
      'offers fewer': () => change(owner, mine.offer, { shares: 1 }),
      'pays more': () => change(owner, mine.bid, { price: 109 }),
      'wants more': () => change(owner, mine.bid, { shares: 3 }),
    };
    for (const [what, act] of Object.entries(acts)) {
      const { status, body, headers } = await act();
      expect([status, body.code, body.message], what).toEqual([409, ...held]);
      expect([body.held_until, Number(headers['retry-after'])], what).toEqual([until.toISOString(), 86_400]);
      expect(await everything(), what).toBe(before);
    }
  });

  test('the owner’s earlier orders stay and trade, and can be cancelled', async () => {
    const { owner, mine } = await robbed();
    expect((await buy(await member(0, 2_000), 3, 110)).body.trades).toHaveLength(2);
    expect(await traders.fateOf(mine.offer)).toBe('open 1/2');
    expect((await cancel(owner, mine.offer)).status).toBe(200);
    expect((await cancel(owner, mine.bid)).status).toBe(200);
    expect(await traders.fateOf(mine.bid)).toBe('cancelled 0/2 by_member');
    expect(await traders.standing(sacco, owner)).toMatchObject({ hold: 0, free: 9, held: 0 });
  });

  test('in one batch only the member who is held is refused', async () => {
    const { owner, other } = await robbed();
    const bids = [owner, other, owner].map((user) => traders.order(sacco, user, 'buy', 1, 92));
    expect(await traders.went(bids)).toEqual(['payout_held', 'waits', 'payout_held']);
  });

  test('afterwards all of it works again, the refused order with its own key', async () => {
    const { owner, mine, theirs } = await robbed();
    const key = newKey();
    const asked = { side: 'sell', shares: 1, price: 108 } as const;
    expect((await place(owner, asked, key)).body.code).toBe('payout_held');
    database.world.advance(86_400_000 - 1);
    expect((await place(owner, asked, key)).body.code).toBe('payout_held');
    database.world.advance(1);
    expect((await place(owner, asked, key)).status).toBe(201);
    expect((await take(owner, theirs, 2)).status).toBe(200);
    expect((await change(owner, mine.bid, { price: 91 })).status).toBe(200);
  });
});

test('both parties of a trade have its contract note: the same shares, price and value, each with their own fee', async () => {
  const [seller, buyer] = [await member(40, 0, 'Wanjiru'), await member(0, 5_000, 'Otieno')];
  const offer = idOf(await sell(seller, 30, 100));
  const { body } = await buy(buyer, 30, 102);
  const [made] = body.trades;
  const note = async (as: string) => (await app.call('GET', `/sacco/trades/${made.id}`, { as })).body;
  const common = { id: made.id, shares: 30, price: 100, value: 3_000, fee: 15, journal: body.receipt.journal };
  expect(await note(buyer)).toMatchObject({
    ...common,
    side: 'buy',
    order: body.order.id,
    counterparty: expect.stringMatching(/^Member [2-9B-Z]{4}$/),
    total: 3_015,
    shares_after: 30,
  });
  expect(await note(seller)).toMatchObject({
    ...common,
    side: 'sell',
    order: offer,
    counterparty: expect.stringMatching(/^Member [2-9B-Z]{4}$/),
    total: 2_985,
    shares_after: 10,
  });
  expect(body.receipt).toMatchObject({
    amount: 3_015,
    what: `Order to buy 30 shares of ${await saccoName()}: 30 bought`,
  });
});
