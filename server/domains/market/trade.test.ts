import type { Refusal } from '@ushirika/contract/refusal';
import { fromStored } from '@ushirika/contract/sentence';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { breaches, ledgerInvariants } from '../../ledger/invariants.ts';
import { dateTerms } from '../saccos/sacco-terms.ts';
import { sharesInvariants } from '../shares/shares.invariants.ts';
import { marketInvariants } from './market.invariants.ts';
import { memberKey } from './market.types.ts';
import { testTraders } from './test-traders.ts';
import { trade } from './trade.ts';

/* Cases that a random sequence of orders seldom reaches. */

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
  const all = [...ledgerInvariants, ...sharesInvariants, ...marketInvariants];
  const found = await breaches(database.owner, all);
  await database.close();
  expect(found).toEqual([]);
});

const member = (shares: number, shillings = 0) => traders.trader(sacco, { shares, cents: 100 * shillings });
const sell = (user: string, shares: number, shillings: number) => traders.order(sacco, user, 'sell', shares, shillings);
const buy = (user: string, shares: number, shillings: number) => traders.order(sacco, user, 'buy', shares, shillings);
const placed = async (command: ReturnType<typeof buy>) => (await traders.act(command)).order.id;
const change = (userId: string, orderId: string, to: { shares?: number; shillings?: number }) => {
  const priceCents = to.shillings === undefined ? null : 100 * to.shillings;
  return { kind: 'change', userId, orderId, shares: to.shares ?? null, priceCents } as const;
};
/** Nine members with two shares each: with one more holder the limit of one fifth begins. */
const nineHolders = async () => {
  for (let count = 0; count < 9; count += 1) await member(2);
};

let limitSince: Date | null = null;
/** Turns the limit of one fifth off and on in the database; the product never does. */
const putLimitOff = async (isOff: boolean) => {
  const [row] = await database.owner`select holding_limit_since as at from sacco_figures where sacco_id = ${sacco}`;
  await database.owner`alter table sacco_figures disable trigger holding_limit_stays`;
  await database.owner`
    update sacco_figures set qualified_holders = ${isOff ? 2 : 41}, holding_limit_since = ${isOff ? null : limitSince}
    where sacco_id = ${sacco}`;
  await database.owner`alter table sacco_figures enable trigger holding_limit_stays`;
  limitSince = row?.at ?? limitSince;
};

/** A member who gave notice, offered all their shares and took the notice back: now they must keep two. */
const offersTooMany = async (shares: number, shillings: number) => {
  const user = await member(shares);
  await traders.membership(sacco, user, 'leaving');
  const id = await placed(sell(user, shares, shillings));
  await traders.membership(sacco, user, 'active');
  return { user, id };
};

describe('the limit of one fifth, when a resting order to buy is to be filled', () => {
  /** 118 shares are issued, of which a member may hold at most 23. */
  const crowd = async () => {
    await nineHolders();
    return { big: await member(100), full: await member(0, 20_000), next: await member(0, 20_000) };
  };
  /**
   * 130 shares are issued, so a member may hold 26. The seller has 12 shares and an order to buy. The buyer before it
   * has 20 and wants 20 more.
   */
  const behindWhoIsFull = async () => {
    const { big, full, next } = await crowd();
    const seller = await member(12, 1_000);
    const others = await placed(buy(full, 20, 100));
    const own = await placed(buy(seller, 5, 98));
    expect(await traders.went([sell(big, 20, 105), buy(full, 20, 105)])).toEqual(['waits', '20 at 105']);
    return { seller, next, others, own };
  };

  test('closes the order of a buyer who would exceed it, tells the buyer, and the seller trades with the next', async () => {
    const { big, full, next } = await crowd();
    const first = await placed(buy(full, 20, 100));
    const second = await placed(buy(next, 20, 99));
    expect(await traders.went([sell(big, 10, 105), buy(full, 10, 105)])).toEqual(['waits', '10 at 105']);
    expect(await traders.went([sell(big, 14, 99)])).toEqual(['14 at 99']);
    expect(await traders.fateOf(first)).toBe('cancelled 0/20 one_fifth');
    expect(await traders.fateOf(second)).toBe('open 14/20');
    expect((await traders.standing(sacco, full)).hold).toBe(0);
    const [text] = (await traders.told(full, 'order_cancelled')).texts;
    expect(text).toMatch(
      /^Your order to buy 20 shares of Umoja Sacco \d+ at Ksh\.\u00a0100\.00 is closed: you would have held more than one fifth of the shares\. Its money is back in your wallet\.$/,
    );
  });

  test('begins with the trade that makes a tenth holder, even if it is the trade right before', async () => {
    for (let count = 0; count < 8; count += 1) await member(2);
    const big = await member(100);
    const [tenth, eager] = [await member(0, 1_000), await member(0, 20_000)];
    await traders.act(buy(tenth, 2, 100));
    const order = await placed(buy(eager, 30, 99));
    expect(await traders.went([sell(big, 32, 99)])).toEqual(['2 at 100']);
    expect(await traders.fateOf(order)).toBe('cancelled 0/30 one_fifth');
  });

  test('may bring a seller to their own order to buy: a new order is refused whole', async () => {
    const { seller, others, own } = await behindWhoIsFull();
    const before = await traders.standing(sacco, seller);
    expect(await traders.went([sell(seller, 10, 98)])).toEqual(['self_trade']);
    expect([await traders.fateOf(others), await traders.fateOf(own)]).toEqual(['cancelled 0/20 one_fifth', 'open 0/5']);
    expect(await traders.standing(sacco, seller)).toEqual(before);
    expect(await traders.queue(sacco, 'sell')).toEqual([]);
  });

  test('may bring a seller to their own order to buy: a changed order stays as it was, in its place', async () => {
    const { seller, next, others } = await behindWhoIsFull();
    const offer = await placed(sell(seller, 10, 106));
    await traders.act(sell(await member(12), 5, 106));
    const before = await traders.standing(sacco, seller);
    // In one batch with the next order, which must find the same queue.
    const steps = [change(seller, offer, { shillings: 98 }), buy(next, 2, 106)];
    expect(await traders.went(steps)).toEqual(['self_trade', '2 at 106']);
    expect([await traders.fateOf(others), await traders.fateOf(offer)]).toEqual([
      'cancelled 0/20 one_fifth',
      'open 2/10',
    ]);
    const earned = before.wallet + 212_00 - 6_36;
    expect(await traders.standing(sacco, seller)).toEqual({ ...before, wallet: earned, held: 8 });
  });
});

test('a sale is refused whole when its rest would meet an own order, though a part could be sold first', async () => {
  await nineHolders();
  const [big, full, first] = [await member(100), await member(0, 20_000), await member(4, 1_000)];
  const seller = await member(12, 1_000);
  const bids = [await placed(buy(first, 4, 101)), await placed(buy(full, 22, 100)), await placed(buy(seller, 5, 98))];
  expect(await traders.went([sell(big, 21, 105), buy(full, 21, 105)])).toEqual(['waits', '21 at 105']);
  // The own order is behind all that is read at first.
  expect(await traders.went([sell(seller, 10, 98)])).toEqual(['self_trade']);
  expect(await Promise.all(bids.map(traders.fateOf))).toEqual(['open 0/4', 'cancelled 0/22 one_fifth', 'open 0/5']);
  expect(await traders.standing(sacco, seller)).toMatchObject({ free: 12, held: 0 });
  // At 99 it does not reach the own order: four are sold, and six wait.
  expect(await traders.went([sell(seller, 10, 99)])).toEqual(['4 at 101']);
  expect(await traders.queue(sacco, 'sell')).toEqual([[seller, 6, 99]]);
});

describe('a resting order is checked again when its turn comes', () => {
  test('an expired order is closed and its member told, whether or not the job has run, and the next one trades', async () => {
    const [slow, quick, buyer] = [await member(10), await member(10), await member(0, 2_000)];
    const expiresAt = new Date(database.now().getTime() + 60_000);
    const late = await placed({ ...sell(slow, 5, 98), expiresAt });
    await traders.act(sell(quick, 5, 99));
    database.world.advance(60_000);
    expect(await traders.went([buy(buyer, 5, 100)])).toEqual(['5 at 99']);
    expect(await traders.fateOf(late)).toBe('expired 0/5');
    expect(await traders.standing(sacco, slow)).toMatchObject({ free: 10, held: 0 });
    const { texts } = await traders.told(slow, 'order_expired');
    expect(texts).toEqual([
      expect.stringMatching(/^Your order to sell 5 shares of .* is closed: its time is over\. Its shares are free\.$/),
    ]);
  });

  test('an expired order can be neither taken nor changed; it can be cancelled', async () => {
    const [slow, buyer] = [await member(10, 1_000), await member(0, 2_000)];
    const expiresAt = new Date(database.now().getTime() + 60_000);
    const [offer, bid] = [
      await placed({ ...sell(slow, 5, 98), expiresAt }),
      await placed({ ...buy(slow, 2, 95), expiresAt }),
    ];
    database.world.advance(60_000);
    expect(await traders.went([change(slow, bid, { shares: 1 })])).toEqual(['order_closed']);
    expect(await traders.went([{ kind: 'take', userId: buyer, orderId: offer, shares: 2, priceCents: null }])).toEqual([
      'offer_gone',
    ]);
    await traders.act({ kind: 'cancel', userId: slow, orderId: bid });
    expect([await traders.fateOf(offer), await traders.fateOf(bid)]).toEqual([
      'expired 0/5',
      'cancelled 0/2 by_member',
    ]);
  });

  test('a buyer who has given notice buys no more, though the job has not run yet', async () => {
    const [leaver, stays, seller] = [await member(4, 1_000), await member(4, 1_000), await member(10)];
    const [bid, other] = [await placed(buy(leaver, 2, 101)), await placed(buy(stays, 2, 100))];
    await traders.membership(sacco, leaver, 'leaving');
    expect(await traders.went([sell(seller, 2, 100)])).toEqual(['2 at 100']);
    expect([await traders.fateOf(bid), await traders.fateOf(other)]).toEqual(['cancelled 0/2 left', 'filled 2/2']);
    expect(await traders.standing(sacco, leaver)).toEqual({ wallet: 1_000_00, hold: 0, free: 4, held: 0 });
    await traders.membership(sacco, leaver, 'active');
  });

  test('a member who took the notice back keeps the minimum: their offer of all shares is closed, and others sell', async () => {
    const tooMany = await offersTooMany(8, 98);
    const [other, buyer] = [await member(10), await member(0, 2_000)];
    await traders.act(sell(other, 5, 99));
    expect(await traders.went([buy(buyer, 5, 99)])).toEqual(['5 at 99']);
    expect(await traders.fateOf(tooMany.id)).toBe('cancelled 0/8 minimum_holding');
    expect(await traders.standing(sacco, tooMany.user)).toMatchObject({ free: 8, held: 0 });
  });

  test('a member who may not trade now is skipped and told, and their new order is refused with the reason', async () => {
    const [debtor, other, buyer] = [await member(10, 500), await member(10), await member(0, 2_000)];
    const [offer] = [await placed(sell(debtor, 5, 98)), await placed(sell(other, 5, 99))];
    const reason = 'Your loan is 40 days late.';
    const blocksOf = async () => new Map([[memberKey(sacco, debtor), fromStored(reason)]]);
    const kept = await placed(sell(debtor, 1, 104));
    const answers = await database.transaction((tx) =>
      trade(tx, [sell(debtor, 1, 105), change(debtor, kept, { shares: 1, shillings: 105 }), buy(buyer, 5, 100)], {
        blocksOf,
      }),
    );
    expect(answers.slice(0, 2).map((each) => `${(each as Refusal).code}: ${(each as Refusal).message}`)).toEqual([
      `trading_blocked: ${reason}`,
      `trading_blocked: ${reason}`,
    ]);
    expect(await traders.fateOf(offer)).toBe('cancelled 0/5 blocked');
    expect((await traders.told(debtor, 'order_cancelled')).texts).toEqual([
      expect.stringContaining('you cannot trade shares there now'),
    ]);
    // They may still cancel their resting order.
    expect(await traders.went([{ kind: 'cancel', userId: debtor, orderId: kept }], { blocksOf })).toEqual(['waits']);
  });

  test('all orders before may be closed: the incoming order then rests, or is refused if it wanted all or nothing', async () => {
    const first = await offersTooMany(8, 98);
    const second = await offersTooMany(8, 98);
    const buyer = await member(0, 3_000);
    const take = { kind: 'take', userId: buyer, orderId: second.id, shares: 4, priceCents: null } as const;
    expect(await traders.went([take])).toEqual(['offer_gone']);
    expect(await traders.went([buy(buyer, 4, 98)])).toEqual(['waits']);
    expect([await traders.fateOf(first.id), await traders.fateOf(second.id)]).toEqual(
      Array(2).fill('cancelled 0/8 minimum_holding'),
    );
  });
});

describe('a batch', () => {
  test('that raises an offer’s price before it is taken lets nobody pay more than they saw, nor less than the new price', async () => {
    const [seller, buyer] = [await member(20), await member(2, 5_000)];
    const offer = await placed(sell(seller, 10, 90));
    const take = (shillings: number) =>
      ({ kind: 'take', userId: buyer, orderId: offer, shares: 2, priceCents: 100 * shillings }) as const;
    const dear = change(seller, offer, { shillings: 110 });
    const back = change(seller, offer, { shillings: 90 });
    expect(await traders.went([dear, take(90), take(110), back, take(90), take(109)])).toEqual([
      'waits',
      'offer_gone',
      '2 at 110',
      'waits',
      '2 at 90',
      '2 at 90',
    ]);
    // The other way round: the present price counts, not that at the start of the batch.
    expect(await traders.went([dear])).toEqual(['waits']);
    expect(await traders.went([take(90), back, take(90)])).toEqual(['offer_gone', 'waits', '2 at 90']);
  });

  test('reads further behind offers that it closes, and checks those members by their own shares', async () => {
    const [before, other, buyer] = [await offersTooMany(5, 99), await member(10), await member(0, 2_000)];
    const offer = await placed(sell(other, 5, 100));
    // First they name an order of another member, so that the batch knows them without their shares.
    const meddles = { kind: 'cancel', userId: other, orderId: before.id } as const;
    expect(await traders.went([meddles, buy(buyer, 5, 100)])).toEqual(['not_found', '5 at 100']);
    expect(await traders.fateOf(offer)).toBe('filled 5/5');
  });

  test('does not let a provisional member reduce an order below a first purchase', async () => {
    const few = await traders.sacco(10);
    const seller = await traders.trader(few, { shares: 40 });
    const buyer = await traders.trader(few, { cents: 2_000_00 });
    const id = await placed(traders.order(few, buyer, 'buy', 12, 100));
    const steps = [
      change(buyer, id, { shares: 9 }),
      change(buyer, id, { shares: 10 }),
      traders.order(few, seller, 'sell', 4, 100),
      // With the four that they have, five more are one too few.
      change(buyer, id, { shares: 9 }),
    ];
    expect(await traders.went(steps)).toEqual([
      'minimum_shares_not_met',
      'waits',
      '4 at 100',
      'minimum_shares_not_met',
    ]);
    expect(await traders.went([traders.order(few, seller, 'sell', 6, 100)])).toEqual(['6 at 100']);
  });

  test('counts the fifty open orders at that moment: an order that is filled or cancelled before makes room', async () => {
    const [many, seller] = [await member(2, 20_000), await member(20)];
    const fifty = Array.from({ length: 50 }, () => buy(many, 1, 91));
    expect(await traders.went([...fifty, buy(many, 1, 91)])).toEqual([
      ...fifty.map(() => 'waits'),
      'open_orders_limit_reached',
    ]);
    expect(await traders.went([buy(many, 1, 91)])).toEqual(['open_orders_limit_reached']);
    const [first] = await database.owner<{ id: string }[]>`
      select id from share_orders where user_id = ${many} order by place desc limit 1`;
    const steps = [
      sell(seller, 1, 91),
      buy(many, 1, 92),
      buy(many, 1, 92),
      { kind: 'cancel', userId: many, orderId: first?.id ?? '' } as const,
      buy(many, 1, 93),
      sell(seller, 1, 93),
      buy(many, 1, 94),
      buy(many, 1, 94),
    ];
    expect(await traders.went(steps)).toEqual([
      '1 at 91',
      'waits',
      'open_orders_limit_reached',
      'waits',
      'waits',
      '1 at 93',
      'waits',
      'open_orders_limit_reached',
    ]);
  });

  test('is carried out step by step: shares bought can be sold on, and money earned can be spent', async () => {
    const [seller, trader, buyer] = [await member(10), await member(2, 210), await member(0, 2_000)];
    const steps = [
      sell(seller, 2, 95),
      buy(trader, 2, 95),
      sell(trader, 2, 105),
      buy(buyer, 2, 105),
      sell(seller, 2, 100),
      buy(trader, 2, 100),
      buy(trader, 1, 90),
    ];
    // 210 - 190 - 5.70 + 210 - 6.30 = 218: enough for 2 at 100 and the fee of 3 %; 12 are left.
    expect(await traders.went(steps)).toEqual([
      'waits',
      '2 at 95',
      'waits',
      '2 at 105',
      'waits',
      '2 at 100',
      'insufficient_funds',
    ]);
    expect(await traders.standing(sacco, trader)).toEqual({ wallet: 12_00, hold: 0, free: 4, held: 0 });
  });

  test('for several markets spends a wallet once', async () => {
    const second = await traders.sacco(2);
    const seller = await member(10);
    const other = await traders.trader(second, { shares: 10 });
    const buyer = await member(0, 530);
    await traders.join(second, buyer);
    const steps = [
      sell(seller, 5, 100),
      traders.order(second, other, 'sell', 5, 100),
      buy(buyer, 3, 100),
      traders.order(second, buyer, 'buy', 3, 100),
      traders.order(second, buyer, 'buy', 2, 100),
    ];
    expect(await traders.went(steps)).toEqual(['waits', 'waits', '3 at 100', 'insufficient_funds', '2 at 100']);
    expect((await traders.standing(sacco, buyer)).wallet).toBe(15_00);
  });

  test('fills one order from two thousand others, each at its price and in its turn', async () => {
    const sellers: string[] = [];
    for (let count = 0; count < 40; count += 1) sellers.push(await member(60));
    const buyer = await traders.trader(sacco, { cents: 2_000_000_00 });
    const minimum = { regFeeCents: 500_00, minShares: 1, shareValueCents: 100_00 };
    await database.transaction((tx) => dateTerms(tx, { saccoId: sacco, terms: minimum, proposalId: null }));
    for (let round = 0; round < 50; round += 1) {
      await traders.run(sellers.map((seller, index) => sell(seller, 1, 90 + ((7 * round + index) % 21))));
    }
    const queue = await traders.queue(sacco, 'sell');
    expect(queue.length).toBe(2_000);
    database.world.advance(1_000);
    // Without this the buyer would hold more than one fifth.
    await putLimitOff(true);
    const { trades } = await traders.act(buy(buyer, 2_001, 110));
    expect(trades.map(({ sell: { user_id }, shares, priceCents }) => [user_id, shares, priceCents / 100])).toEqual(
      queue,
    );
    expect(await traders.queue(sacco, 'sell')).toEqual([]);
    expect(await traders.queue(sacco, 'buy')).toEqual([[buyer, 1, 110]]);
    await putLimitOff(false);
  }, 60_000);
});

describe('an order of a member without money', () => {
  test('does not read and lock the whole book, however many shares it asks for', async () => {
    const sellers: string[] = [];
    for (let count = 0; count < 40; count += 1) sellers.push(await member(60));
    const expiresAt = new Date(database.now().getTime() + 60_000);
    for (const seller of sellers) {
      await traders.run(Array.from({ length: 50 }, () => ({ ...sell(seller, 1, 100), expiresAt })));
    }
    const pauper = await member(2);
    await putLimitOff(true);
    // To see what was read: all these orders have expired, and an expired order that is read is closed.
    database.world.advance(60_000);
    expect(await traders.went([buy(pauper, 10_000_000, 110)])).toEqual(['insufficient_funds']);
    const left = (await traders.queue(sacco, 'sell')).length;
    expect(left).toBeGreaterThanOrEqual(1_000);
    // A buyer with the money reads all the rest.
    await traders.fund(pauper, 100_000_00);
    expect(await traders.went([buy(pauper, 500, 110)])).toEqual(['waits']);
    expect(await traders.queue(sacco, 'sell')).toEqual([]);
    await putLimitOff(false);
  }, 60_000);
});

describe('fees', () => {
  test('are of the order as a whole: in parts they add up to those of one trade, and are never more than 3 %', async () => {
    const [seller, buyer] = [await member(100), await member(0, 20_000)];
    const whole = await placed(sell(seller, 30, 100));
    await traders.act(buy(buyer, 30, 100));
    const parts = await placed(sell(seller, 30, 100));
    for (const shares of [1, 1, 5, 13, 10]) await traders.act(buy(buyer, shares, 100));
    const feeOf = async (id: string) =>
      (await database.owner<{ fee: number }[]>`select fee_cents::int as fee from share_orders where id = ${id}`)[0]
        ?.fee;
    // Half a percent of 3,000 shillings.
    expect([await feeOf(whole), await feeOf(parts)]).toEqual([15_00, 15_00]);
    const charged = await database.owner<{ fee: number }[]>`
      select seller_fee_cents::int as fee from share_trades where sell_order_id = ${parts} order by place`;
    // 3 % up to the least fee; then nothing until half a percent of what was sold is more than that.
    expect(charged.map(({ fee }) => fee)).toEqual([3_00, 3_00, 4_00, 0, 5_00]);
    // An order of one share with the highest possible least fee still pays 3 %.
    await database.owner`update markets set fee_min_cents = 50_00 where sacco_id = ${sacco}`;
    const before = await traders.standing(sacco, seller);
    expect(await traders.went([sell(seller, 1, 100), buy(buyer, 1, 100)])).toEqual(['waits', '1 at 100']);
    expect((await traders.standing(sacco, seller)).wallet).toBe(before.wallet + 97_00);
  });
});

describe('a sacco that is suspended', () => {
  test('has no new orders, changes or sales; resting orders can be cancelled, and expire', async () => {
    const [seller, buyer] = [await member(20), await member(2, 2_000)];
    const expiresAt = new Date(database.now().getTime() + 60_000);
    const offer = await placed(sell(seller, 5, 100));
    const short = await placed({ ...sell(seller, 3, 101), expiresAt });
    const bid = await placed(buy(buyer, 5, 95));
    await traders.suspended(sacco, true);
    const steps = [
      buy(buyer, 1, 100),
      sell(seller, 1, 95),
      { kind: 'take', userId: buyer, orderId: offer, shares: 1, priceCents: null } as const,
      change(seller, offer, { shares: 2 }),
      { kind: 'cancel', userId: buyer, orderId: bid } as const,
    ];
    expect(await traders.went(steps)).toEqual([...Array(4).fill('sacco_inactive'), 'waits']);
    database.world.advance(60_000);
    await traders.run([{ kind: 'close', orderId: short, reason: 'expired' }]);
    expect(await traders.fateOf(short)).toBe('expired 0/3');
    expect(await traders.standing(sacco, seller)).toMatchObject({ free: 15, held: 5 });
    expect(await traders.standing(sacco, buyer)).toMatchObject({ wallet: 2_000_00, hold: 0 });
    await traders.suspended(sacco, false);
  });
});

describe('members', () => {
  test('who reach the minimum by parts of an order have all rights from that trade on', async () => {
    sacco = await traders.sacco(10);
    const [seller, newcomer] = [await member(40), await member(0, 2_000)];
    const stateOf = async () =>
      (
        await database.owner`select state, paid_up_at is not null as paid from memberships
          where sacco_id = ${sacco} and user_id = ${newcomer}`
      )[0];
    expect(await traders.went([buy(newcomer, 9, 100)])).toEqual(['minimum_shares_not_met']);
    await traders.act(buy(newcomer, 12, 100));
    await traders.act(sell(seller, 9, 100));
    expect(await stateOf()).toEqual({ state: 'provisional', paid: false });
    await traders.act(sell(seller, 1, 100));
    expect(await stateOf()).toEqual({ state: 'active', paid: true });
  });
});
