import { feeOf, holdOf } from '@ushirika/contract/market-fees';
import { Refusal } from '@ushirika/contract/refusal';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/test-database.ts';
import { breaches } from '../../ledger/invariants.ts';
import type { MarketCommand } from './market.types.ts';
import { testTraders } from './test-traders.ts';

let database: TestDatabase;
let traders: ReturnType<typeof testTraders>;
beforeAll(async () => {
  database = await testDatabase();
  traders = testTraders(database);
});
afterAll(() => database.close());

const FEES = { fee_basis_points: 50, fee_min_cents: 1_000 };
const MIN_SHARES = 2;

/** One step of a trader. `which` picks one of the orders made so far. */
type Step =
  | {
      readonly what: 'place';
      readonly who: number;
      readonly isSale: boolean;
      readonly shares: number;
      readonly price: number;
    }
  | {
      readonly what: 'take';
      readonly who: number;
      readonly which: number;
      readonly shares: number;
      readonly price: number | null;
    }
  | { readonly what: 'change'; readonly which: number; readonly shares: number | null; readonly price: number | null }
  | { readonly what: 'cancel'; readonly which: number }
  | { readonly what: 'expire'; readonly which: number };

interface NaiveOrder {
  readonly who: number;
  readonly isSale: boolean;
  price: number;
  shares: number;
  filled: number;
  value: number;
  place: number;
  state: 'open' | 'filled' | 'cancelled' | 'expired';
}

/** A simple price-time book: a list that is sorted each time. */
class NaiveMarket {
  readonly orders: NaiveOrder[] = [];
  readonly people: { cash: number; shares: number; isProvisional: boolean }[];
  place = 0;
  readonly issued: number;

  constructor(people: readonly { cash: number; shares: number }[]) {
    this.people = people.map((each) => ({ ...each, isProvisional: each.shares < MIN_SHARES }));
    this.issued = people.reduce((sum, { shares }) => sum + shares, 0);
    this.hadTen = this.qualified() >= 10;
  }

  open = (isSale: boolean) =>
    this.orders
      .filter((order) => order.state === 'open' && order.isSale === isSale)
      .sort((a, b) => (isSale ? a.price - b.price : b.price - a.price) || a.place - b.place);
  left = ({ shares, filled }: NaiveOrder) => shares - filled;
  needs = (order: NaiveOrder) =>
    order.isSale ? this.left(order) : holdOf(order.price, this.left(order), order.value, FEES);
  mine = (who: number, isSale: boolean) =>
    this.orders.filter((o) => o.state === 'open' && o.who === who && o.isSale === isSale);
  cashFree = (who: number) =>
    (this.people[who]?.cash ?? 0) - this.mine(who, false).reduce((sum, order) => sum + this.needs(order), 0);
  sharesFree = (who: number) =>
    (this.people[who]?.shares ?? 0) - this.mine(who, true).reduce((sum, order) => sum + this.left(order), 0);
  /** Ten members have held the minimum at once: from then on the limit applies. */
  hadTen = false;
  qualified = (holdings = this.people.map(({ shares }) => shares)) =>
    holdings.filter((shares) => shares >= MIN_SHARES).length;
  fits = (shares: number, qualified = this.qualified()) =>
    (!this.hadTen && qualified < 10) || shares * 5 <= this.issued;

  /** Why an order is refused, checked as if the order `but` did not exist. */
  refusal(order: NaiveOrder, but?: NaiveOrder): string | null {
    const isAllowed = order.price >= 90_00 && order.price <= 110_00 && order.price % 100 === 0;
    return isAllowed ? this.lacking(order, but) : 'price_not_allowed';
  }

  /** The same checks without the price. */
  lacking(order: NaiveOrder, but?: NaiveOrder): string | null {
    const person = this.people[order.who] as NaiveMarket['people'][number];
    const left = this.left(order);
    const freed = but ? this.needs(but) : 0;
    if (order.isSale) {
      const free = this.sharesFree(order.who) + freed;
      if (left > free) return 'insufficient_shares';
      return free - left < MIN_SHARES ? 'minimum_holding' : null;
    }
    if (person.isProvisional && person.shares + left < MIN_SHARES) return 'minimum_shares_not_met';
    if (!this.fits(person.shares + left)) return 'one_fifth_exceeded';
    return this.needs(order) > this.cashFree(order.who) + freed ? 'insufficient_funds' : null;
  }

  /** Trades as far as possible. Returns the refusal or the trades. */
  enter(order: NaiveOrder, isWhole: boolean, but?: NaiveOrder): string | string[] {
    const meets = () =>
      this.open(!order.isSale).filter(
        (o) => o !== but && (order.isSale ? o.price >= order.price : o.price <= order.price),
      );
    let reach = this.left(order);
    for (const other of meets()) {
      if (reach <= 0) break;
      if (other.who === order.who) return 'self_trade';
      reach -= this.left(other);
    }
    if (isWhole && reach > 0) return 'offer_gone';
    if (order.isSale && !this.strike(order, meets())) return 'self_trade';
    if (but) but.state = 'cancelled';
    const trades: string[] = [];
    for (let [other] = meets(); other && this.left(order) > 0; [other] = meets()) {
      const shares = Math.min(this.left(order), this.left(other));
      const [buy, sell] = order.isSale ? [other, order] : [order, other];
      const buyer = this.people[buy.who] as NaiveMarket['people'][number];
      const seller = this.people[sell.who] as NaiveMarket['people'][number];
      const value = shares * other.price;
      const fees = [buy, sell].map((each) => feeOf(each.value + value, FEES) - feeOf(each.value, FEES));
      buyer.cash -= value + (fees[0] ?? 0);
      seller.cash += value - (fees[1] ?? 0);
      buyer.shares += shares;
      seller.shares -= shares;
      if (buyer.shares >= MIN_SHARES) buyer.isProvisional = false;
      this.hadTen ||= this.qualified() >= 10;
      for (const each of [buy, sell]) {
        each.value += value;
        each.filled += shares;
        if (each.filled === each.shares) each.state = 'filled';
      }
      trades.push(`${shares} at ${other.price}`);
    }
    this.place += 1;
    order.place = this.place;
    return trades;
  }

  /** Removes buyers who would hold too much; false when the order then reaches an own order. */
  strike(order: NaiveOrder, queue: readonly NaiveOrder[]): boolean {
    const holdings = this.people.map(({ shares }) => shares);
    let left = this.left(order);
    for (const other of queue) {
      if (left <= 0) break;
      if (other.who === order.who) return false;
      const has = (holdings[other.who] ?? 0) + Math.min(left, this.left(other));
      if (this.fits(has, this.qualified(holdings))) {
        left -= has - (holdings[other.who] ?? 0);
        holdings[other.who] = has;
      } else other.state = 'cancelled';
    }
    return true;
  }

  act(step: Step): string | string[] {
    const target = 'which' in step ? this.orders[step.which] : undefined;
    if (step.what === 'place') {
      return this.come({ who: step.who, isSale: step.isSale, price: step.price, shares: step.shares }, false);
    }
    if (!target) return 'not_found';
    if (step.what === 'take') {
      if (!target.isSale) return 'not_found';
      const seen = step.price ?? target.price;
      const order = { who: step.who, isSale: false, price: Math.min(seen, target.price), shares: step.shares };
      const refusal = this.lacking({ ...order, filled: 0, value: 0, place: 0, state: 'open' });
      if (refusal) return refusal;
      if (target.who === step.who) return 'self_trade';
      if (target.state !== 'open' || target.price > seen) return 'offer_gone';
      return this.come(order, true);
    }
    if (step.what === 'expire') {
      if (target.state === 'open') target.state = 'expired';
      return [];
    }
    if (target.state !== 'open') return 'order_closed';
    if (step.what === 'cancel') {
      target.state = 'cancelled';
      return [];
    }
    return this.change(target, step.shares ?? target.shares, step.price ?? target.price);
  }

  come(asked: Pick<NaiveOrder, 'who' | 'isSale' | 'price' | 'shares'>, isWhole: boolean): string | string[] {
    const order: NaiveOrder = { ...asked, filled: 0, value: 0, place: 0, state: 'open' };
    const refusal = this.refusal(order);
    const answer = refusal ?? this.enter(order, isWhole);
    if (typeof answer !== 'string') this.orders.push(order);
    return answer;
  }

  change(order: NaiveOrder, shares: number, price: number): string | string[] {
    if (shares <= order.filled) return 'validation_failed';
    if (price === order.price && shares <= order.shares) {
      const person = this.people[order.who] as NaiveMarket['people'][number];
      const isTooFew = !order.isSale && person.isProvisional && person.shares + shares - order.filled < MIN_SHARES;
      if (isTooFew && shares < order.shares) return 'minimum_shares_not_met';
      order.shares = shares;
      return [];
    }
    const wanted: NaiveOrder = { ...order, shares, price };
    const answer = this.refusal(wanted, order) ?? this.enter(wanted, false, order);
    if (typeof answer !== 'string') Object.assign(order, wanted);
    return answer;
  }
}

const step = (people: number): fc.Arbitrary<Step> => {
  const who = fc.nat(people - 1);
  const price = fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 97, max: 103 }).map((shillings) => shillings * 100) },
    { weight: 1, arbitrary: fc.constantFrom(89_00, 111_00, 100_50) },
  );
  const shares = fc.integer({ min: 1, max: 8 });
  const which = fc.nat(200);
  return fc.oneof(
    {
      weight: 10,
      arbitrary: fc.record({ what: fc.constant('place' as const), who, isSale: fc.boolean(), shares, price }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ what: fc.constant('take' as const), who, which, shares, price: fc.option(price) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        what: fc.constant('change' as const),
        which,
        shares: fc.option(shares),
        price: fc.option(price),
      }),
    },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('cancel' as const), which }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant('expire' as const), which }) },
  );
};

const isExpiry = ({ what }: Step) => what === 'expire';
const LONG_AGO_MS = 91 * 86_400_000;

/** Runs the same steps in the product and in the simple book. */
async function bothWays(people: readonly { cash: number; shares: number }[], batches: readonly (readonly Step[])[]) {
  const sacco = await traders.sacco(MIN_SHARES);
  const users: string[] = [];
  for (const { cash, shares } of people) users.push(await traders.trader(sacco, { shares, cents: cash }));
  const naive = new NaiveMarket(people);
  const ids: string[] = [];
  const idOf = (which: number) => ids[which] ?? database.newId();
  const ownerOf = (which: number) => users[naive.orders[which]?.who ?? 0] ?? '';
  const commandOf = (each: Step): MarketCommand => {
    switch (each.what) {
      case 'place': {
        const { who, isSale, shares, price } = each;
        const userId = users[who] ?? '';
        return {
          kind: 'place',
          userId,
          saccoId: sacco,
          side: isSale ? 'sell' : 'buy',
          shares,
          priceCents: price,
          expiresAt: null,
        };
      }
      case 'take': {
        const { who, which, shares, price: priceCents } = each;
        return { kind: 'take', userId: users[who] ?? '', orderId: idOf(which), shares, priceCents };
      }
      case 'change': {
        const { which, shares, price: priceCents } = each;
        return { kind: 'change', userId: ownerOf(which), orderId: idOf(which), shares, priceCents };
      }
      case 'cancel':
        return { kind: 'cancel', userId: ownerOf(each.which), orderId: idOf(each.which) };
      case 'expire':
        return { kind: 'close', orderId: idOf(each.which), reason: 'expired' };
    }
  };
  for (const mixed of batches) {
    // An order is expired from the start of the batch that closes it, so expiries come first.
    const drawn = [...mixed.filter(isExpiry), ...mixed.filter((each) => !isExpiry(each))];
    // A step picks among orders from earlier batches: ids are given during a batch.
    const known = ids.length;
    const steps = drawn.map((each) =>
      'which' in each ? { ...each, which: known > 0 ? each.which % known : -1 } : each,
    );
    const commands = steps.map(commandOf);
    for (const each of steps) {
      if (each.what !== 'expire') continue;
      const past = new Date(database.now().getTime() - LONG_AGO_MS);
      await database.owner`update share_orders set expires_at = ${past}, placed_at = ${past} where id = ${idOf(each.which)}`;
    }
    const expected = steps.map((each) => naive.act(each));
    const answers = await traders.run(commands);
    expect(
      answers.map((answer) =>
        answer instanceof Refusal
          ? answer.code
          : answer.trades.map(({ shares, priceCents }) => `${shares} at ${priceCents}`),
      ),
    ).toEqual(expected);
    for (const [index, answer] of answers.entries()) {
      const what = steps[index]?.what;
      if (!(answer instanceof Refusal) && (what === 'place' || what === 'take')) ids.push(answer.order.id);
    }
  }
  return { sacco, users, naive, ids };
}

async function expectSameBook({ sacco, users, naive, ids }: Awaited<ReturnType<typeof bothWays>>): Promise<void> {
  const rows = await database.sql<{ id: string; filled: number; shares: number; price_cents: number; state: string }[]>`
    select id, filled, shares, price_cents, state from share_orders where sacco_id = ${sacco}`;
  const orders = new Map(rows.map(({ id, ...rest }) => [id, rest]));
  expect(ids.map((id) => orders.get(id))).toEqual(
    naive.orders.map(({ filled, shares, price, state }) => ({ filled, shares, price_cents: price, state })),
  );
  const queue = await database.sql<{ id: string }[]>`
    select id from share_orders where sacco_id = ${sacco} and state = 'open' order by side, rank, place`;
  const places = new Map(naive.orders.map((order, index) => [order, ids[index]]));
  expect(queue.map(({ id }) => id)).toEqual(
    [...naive.open(false), ...naive.open(true)].map((order) => places.get(order)),
  );
  for (const [who, user] of users.entries()) {
    expect(await traders.standing(sacco, user)).toEqual({
      wallet: naive.cashFree(who),
      hold: (naive.people[who]?.cash ?? 0) - naive.cashFree(who),
      free: naive.sharesFree(who),
      held: (naive.people[who]?.shares ?? 0) - naive.sharesFree(who),
    });
  }
}

describe('a market', () => {
  const person = fc.record({ cash: fc.integer({ min: 0, max: 3_000_00 }), shares: fc.constantFrom(0, 2, 3, 8, 20) });
  const batches = (people: number) =>
    fc.array(fc.array(step(people), { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 });

  test('of a few members trades, holds and pays like a simple price-time book, whatever the commands and batches', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(person, { minLength: 5, maxLength: 5 }), batches(5), async (people, steps) => {
        await expectSameBook(await bothWays(people, steps));
      }),
      { numRuns: 40 },
    );
    expect(await breaches(database.owner)).toEqual([]);
  }, 120_000);

  test('of more than ten holders also holds everybody to one fifth, for new orders and for resting ones', async () => {
    const crowd = fc.array(fc.record({ cash: fc.constant(5_000_00), shares: fc.constantFrom(0, 2, 3, 4) }), {
      minLength: 12,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(crowd, batches(12), async (people, steps) => {
        await expectSameBook(await bothWays(people, steps));
      }),
      { numRuns: 20 },
    );
    expect(await breaches(database.owner)).toEqual([]);
  }, 120_000);
});
