import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Book, BUY, type Handle, type MatchOptions, NOT_ENOUGH, SELF_TRADE, SELL, type Side } from './book.ts';

const [anna, bob, carol, dave] = [0, 1, 2, 3];

/** The fills of the last match of a book. */
function fillsOf(book: Book) {
  return Array.from({ length: book.fillCount }, (_, index) => ({
    handle: book.fillHandle(index),
    shares: book.fillShares(index),
    price: book.fillPrice(index),
    isLast: book.fillIsLast(index),
  }));
}

const struckOf = (book: Book) => Array.from({ length: book.struckCount }, (_, index) => book.struckHandle(index));

/** A side's prices and queues without handles. */
const shown = (book: Book, side: Side) =>
  book.levels(side).map(({ price, orders }) => [price, ...orders.map(({ owner, remaining }) => [owner, remaining])]);

describe('an incoming order', () => {
  test('is filled at the best price first, then by the oldest order, each at the price of the resting order', () => {
    const book = new Book();
    const dear = book.rest(SELL, 10_200, 5, anna);
    const first = book.rest(SELL, 10_000, 5, bob);
    const second = book.rest(SELL, 10_000, 5, carol);
    expect(book.match(BUY, 10_200, 12, dave)).toBe(12);
    expect(fillsOf(book)).toEqual([
      { handle: first, shares: 5, price: 10_000, isLast: true },
      { handle: second, shares: 5, price: 10_000, isLast: true },
      { handle: dear, shares: 2, price: 10_200, isLast: false },
    ]);
    expect(shown(book, SELL)).toEqual([[10_200, [anna, 3]]]);
    expect([book.best(SELL), book.best(BUY)]).toEqual([10_200, 0]);
  });

  test('does not pay more than its price, nor take less', () => {
    const book = new Book();
    book.rest(SELL, 10_000, 5, anna);
    book.rest(BUY, 9_000, 5, bob);
    expect([book.match(BUY, 9_999, 5, dave), book.match(SELL, 9_001, 5, dave), book.fillCount]).toEqual([0, 0, 0]);
  });

  test('rests only at a price that does not cross the other side', () => {
    const book = new Book();
    book.rest(SELL, 10_000, 5, anna);
    expect(() => book.rest(BUY, 10_000, 1, bob)).toThrow('would cross');
    book.rest(BUY, 9_999, 1, bob);
    expect(() => book.rest(SELL, 9_999, 1, anna)).toThrow('would cross');
  });

  test.each([
    { what: 'no price', price: 0, shares: 1, owner: 0 },
    { what: 'half a cent', price: 1.5, shares: 1, owner: 0 },
    { what: 'no shares', price: 1, shares: 0, owner: 0 },
    { what: 'more shares than the book can count', price: 1, shares: 2 ** 31, owner: 0 },
    { what: "a row's id for an owner", price: 1, shares: 1, owner: 7_000_000_000 },
  ])('is refused with $what', ({ price, shares, owner }) => {
    const book = new Book();
    expect(() => book.rest(BUY, price, shares, owner)).toThrow(RangeError);
    expect(() => book.match(BUY, price, shares, owner)).toThrow(RangeError);
  });

  test('may be worth more than a 32-bit number holds', () => {
    const book = new Book();
    for (let count = 0; count < 300; count += 1) book.rest(SELL, 100_000_000, 10_000_000, anna);
    expect(book.reachable(BUY, 100_000_000, 2_000_000_000)).toBe(2_000_000_000);
    expect(book.match(BUY, 100_000_000, 2_000_000_000, bob)).toBe(2_000_000_000);
    expect(book.levels(SELL)[0]?.orders).toHaveLength(100);
  });
});

describe('nobody trades with themselves', () => {
  test('an order that would reach an own order is refused whole, and nothing changes', () => {
    const book = new Book();
    book.rest(SELL, 10_000, 5, bob);
    book.rest(SELL, 10_000, 5, anna);
    const before = book.levels(SELL);
    expect(book.match(BUY, 10_000, 6, anna)).toBe(SELF_TRADE);
    expect(book.match(BUY, 10_000, 600, anna, { isWholeOrNothing: true })).toBe(SELF_TRADE);
    expect([book.levels(SELL), book.fillCount]).toEqual([before, 0]);
  });

  test('an own order that is not reached does not matter', () => {
    const book = new Book();
    book.rest(SELL, 10_000, 5, bob);
    book.rest(SELL, 10_000, 5, anna);
    book.rest(SELL, 10_100, 5, anna);
    expect(book.match(BUY, 10_100, 5, anna)).toBe(5);
    expect(book.match(BUY, 9_900, 5, anna)).toBe(0);
  });

  test('an own order on the same side, or one that was removed, does not matter', () => {
    const book = new Book();
    book.rest(BUY, 9_000, 5, anna);
    book.remove(book.rest(SELL, 9_500, 5, anna));
    book.rest(SELL, 10_000, 5, bob);
    expect(book.match(BUY, 10_000, 5, anna)).toBe(5);
  });

  test('when removed orders bring the match to an own order, all fills are undone', () => {
    const book = new Book();
    book.rest(SELL, 10_000, 2, bob);
    const struck = book.rest(SELL, 10_000, 2, carol);
    book.rest(SELL, 10_100, 2, bob);
    book.rest(SELL, 10_200, 2, anna);
    const mayFill = (handle: Handle) => handle !== struck;
    expect(book.match(BUY, 10_200, 6, anna, { mayFill })).toBe(SELF_TRADE);
    expect([fillsOf(book), struckOf(book)]).toEqual([[], [struck]]);
    expect(shown(book, SELL)).toEqual([
      [10_000, [bob, 2]],
      [10_100, [bob, 2]],
      [10_200, [anna, 2]],
    ]);
  });
});

describe('all or nothing', () => {
  test('no fill is made where too few shares are offered', () => {
    const book = new Book();
    book.rest(SELL, 10_000, 5, bob);
    book.rest(SELL, 10_100, 5, carol);
    const asked: Handle[] = [];
    const options: MatchOptions = { isWholeOrNothing: true, mayFill: (handle) => asked.push(handle) > 0 };
    expect(book.match(BUY, 10_000, 6, anna, options)).toBe(NOT_ENOUGH);
    expect([asked, shown(book, SELL)]).toEqual([
      [],
      [
        [10_000, [bob, 5]],
        [10_100, [carol, 5]],
      ],
    ]);
    expect(book.match(BUY, 10_100, 6, anna, options)).toBe(6);
    expect(asked).toHaveLength(2);
  });

  test('all fills are undone where removed orders leave too few shares', () => {
    const book = new Book();
    book.rest(SELL, 10_000, 5, bob);
    const struck = book.rest(SELL, 10_000, 5, carol);
    book.rest(SELL, 10_000, 5, dave);
    const options: MatchOptions = { isWholeOrNothing: true, mayFill: (handle) => handle !== struck };
    expect(book.match(BUY, 10_000, 11, anna, options)).toBe(NOT_ENOUGH);
    expect([book.fillCount, struckOf(book)]).toEqual([0, [struck]]);
    expect(shown(book, SELL)).toEqual([[10_000, [bob, 5], [dave, 5]]]);
    expect(book.match(BUY, 10_000, 10, anna, options)).toBe(10);
  });
});

describe('a resting order', () => {
  test('is checked right before each fill; one that may not trade is removed, and the next is tried', () => {
    const book = new Book();
    const [first, second, third] = [bob, carol, dave].map((owner) => book.rest(SELL, 10_000, 5, owner));
    const asked: [Handle, number][] = [];
    const mayFill = (handle: Handle, shares: number) => {
      asked.push([handle, shares]);
      return handle !== second;
    };
    expect(book.match(BUY, 10_000, 8, anna, { mayFill })).toBe(8);
    expect(asked).toEqual([
      [first, 5],
      [second, 3],
      [third, 3],
    ]);
    expect([fillsOf(book).map(({ handle }) => handle), struckOf(book)]).toEqual([[first, third], [second]]);
    expect(shown(book, SELL)).toEqual([[10_000, [dave, 2]]]);
  });

  test('keeps its place with fewer shares, and cannot get more', () => {
    const book = new Book();
    const first = book.rest(BUY, 9_000, 5, anna);
    book.rest(BUY, 9_000, 5, bob);
    book.reduce(first, 2);
    expect(shown(book, BUY)).toEqual([[9_000, [anna, 2], [bob, 5]]]);
    expect(() => book.reduce(first, 3)).toThrow('2 shares cannot be reduced to 3');
    expect(() => book.reduce(first, 0)).toThrow(RangeError);
  });

  test('that was removed cannot be removed again', () => {
    const book = new Book();
    const handle = book.rest(BUY, 9_000, 5, anna);
    book.remove(handle);
    expect(() => book.remove(handle)).toThrow('No order rests');
    expect(() => book.reduce(handle, 1)).toThrow('No order rests');
    expect(() => book.remove(999)).toThrow('No order rests');
  });

  test('frees its handle for another order when it is removed', () => {
    const book = new Book();
    const handle = book.rest(BUY, 9_000, 5, anna);
    book.rest(BUY, 8_900, 5, anna);
    book.remove(handle);
    expect(book.rest(SELL, 9_500, 7, bob)).toBe(handle);
    expect([book.sideOf(handle), book.priceOf(handle), book.remaining(handle), book.ownerOf(handle)]).toEqual([
      SELL,
      9_500,
      7,
      bob,
    ]);
  });

  test('that was filled keeps its handle until the next match, also when another order rests in between', () => {
    const book = new Book();
    const filled = book.rest(SELL, 10_000, 5, anna);
    book.match(BUY, 10_000, 6, bob);
    const rested = book.rest(BUY, 10_000, 1, bob);
    expect(rested).not.toBe(filled);
    expect([book.ownerOf(book.fillHandle(0)), book.remaining(filled)]).toEqual([anna, 0]);
    book.match(SELL, 10_000, 1, carol);
    expect(book.rest(SELL, 10_000, 1, carol)).toBe(filled);
  });
});

/** A simple order book: one list in the order of arrival, searched from end to end. */
class NaiveBook {
  orders: { id: number; side: Side; price: number; shares: number; owner: number }[] = [];

  queue(side: Side) {
    const sign = side === BUY ? -1 : 1;
    return this.orders.filter((order) => order.side === side).sort((a, b) => sign * (a.price - b.price));
  }

  match(side: Side, price: number, shares: number, owner: number, isWhole: boolean, mayFill: (id: number) => boolean) {
    const before = this.orders.map((order) => ({ ...order }));
    const fills: { id: number; shares: number; price: number }[] = [];
    const struck: number[] = [];
    const refused = (outcome: number) => {
      this.orders = before.filter(({ id }) => !struck.includes(id));
      return { outcome, fills: [], struck };
    };
    const within = this.queue(side === BUY ? SELL : BUY).filter((order) =>
      side === BUY ? order.price <= price : order.price >= price,
    );
    let reached = 0;
    for (const order of within) {
      if (reached < shares && order.owner === owner) return refused(SELF_TRADE);
      reached += order.shares;
    }
    if (isWhole && reached < shares) return refused(NOT_ENOUGH);
    let left = shares;
    for (const order of within) {
      if (left === 0) break;
      if (order.owner === owner) return refused(SELF_TRADE);
      const quantity = Math.min(left, order.shares);
      if (mayFill(order.id)) {
        fills.push({ id: order.id, shares: quantity, price: order.price });
        order.shares -= quantity;
        left -= quantity;
      } else {
        struck.push(order.id);
        order.shares = 0;
      }
    }
    if (isWhole && left > 0) return refused(NOT_ENOUGH);
    this.orders = this.orders.filter((order) => order.shares > 0);
    return { outcome: shares - left, fills, struck };
  }
}

const side = fc.constantFrom(BUY, SELL);
const place = fc.record({
  act: fc.constantFrom('place', 'place', 'take', 'whole'),
  side,
  price: fc.oneof(fc.integer({ min: 95, max: 105 }), fc.integer({ min: 1, max: 200 })),
  shares: fc.integer({ min: 1, max: 30 }),
  owner: fc.integer({ min: 0, max: 70 }).map((owner) => (owner < 40 ? owner % 4 : owner)),
  // Resting orders whose number ends in one of these digits may not be filled.
  unwanted: fc.oneof(fc.constant([] as number[]), fc.subarray([0, 1, 2, 3, 4])),
  asks: fc.boolean(),
});
const change = fc.record({ act: fc.constantFrom('remove', 'reduce'), pick: fc.nat(), shares: fc.nat() });
type Act = typeof place extends fc.Arbitrary<infer P> ? P : never;
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

const sharesIn = (orders: readonly { readonly shares: number }[]) =>
  orders.reduce((total, { shares }) => total + shares, 0);

const bothSides = (book: Book) =>
  [BUY, SELL]
    .flatMap((side) => book.levels(side as Side).flatMap(({ orders }) => orders))
    .map(({ remaining }) => ({ shares: remaining }));

/** Both books, with the handle or number that each order has in each. */
class Pair {
  readonly book = new Book(2);
  readonly naive = new NaiveBook();
  readonly handles = new Map<number, Handle>();
  readonly ids = new Map<Handle, number>();
  count = 0;

  act(act: Act | Change) {
    if ('pick' in act) this.change(act);
    else this.place(act);
  }

  place({ act, side, price, shares, owner, unwanted, asks }: Act) {
    const isWhole = act === 'whole';
    const idOf = (handle: Handle) => this.ids.get(handle) ?? Number.NaN;
    const mayFill = (id: number) => !asks || !unwanted.includes(id % 10);
    const reachable = this.book.reachable(side, price, shares);
    const before = this.naive.orders.map((order) => ({ ...order }));
    const expected = this.naive.match(side, price, shares, owner, isWhole, mayFill);
    const outcome = this.book.match(side, price, shares, owner, {
      isWholeOrNothing: isWhole,
      ...(asks ? { mayFill: (handle: Handle) => mayFill(idOf(handle)) } : {}),
    });
    const fills = fillsOf(this.book);
    const struck = struckOf(this.book).map(idOf);
    expect({
      outcome,
      struck,
      fills: fills.map(({ handle, ...fill }) => ({ id: idOf(handle), shares: fill.shares, price: fill.price })),
    }).toEqual(expected);
    if (outcome >= 0 && !asks) expect(outcome).toBe(reachable);
    for (const fill of fills) expect(fill.isLast).toBe(!this.naive.orders.some(({ id }) => id === idOf(fill.handle)));
    const left = sharesIn(before) - Math.max(0, outcome) - sharesIn(before.filter(({ id }) => struck.includes(id)));
    expect(sharesIn(bothSides(this.book))).toBe(left);
    for (const id of [...this.handles.keys()])
      if (!this.naive.orders.some((order) => order.id === id)) this.handles.delete(id);
    if (act !== 'place' || outcome < 0 || outcome === shares) return;
    const handle = this.book.rest(side, price, shares - outcome, owner);
    this.count += 1;
    this.naive.orders.push({ id: this.count, side, price, shares: shares - outcome, owner });
    this.handles.set(this.count, handle);
    this.ids.set(handle, this.count);
  }

  change({ act, pick, shares }: Change) {
    const order = this.naive.orders[pick % Math.max(1, this.naive.orders.length)];
    if (!order) return;
    const handle = this.handles.get(order.id) ?? Number.NaN;
    if (act === 'reduce') {
      order.shares = 1 + (shares % order.shares);
      this.book.reduce(handle, order.shares);
      return;
    }
    this.book.remove(handle);
    this.handles.delete(order.id);
    this.naive.orders = this.naive.orders.filter(({ id }) => id !== order.id);
  }

  /** Compares prices and queues of both books, and checks that the best bid is below the best offer. */
  compare() {
    const { book, naive } = this;
    for (const side of [BUY, SELL] as const) {
      const flat = book.levels(side).flatMap(({ price, orders }) =>
        orders.map(({ handle, owner, remaining }) => ({
          id: this.ids.get(handle),
          side,
          price,
          shares: remaining,
          owner,
        })),
      );
      expect(flat).toEqual(naive.queue(side));
      expect(new Set(book.levels(side).map(({ price }) => price)).size).toBe(book.levels(side).length);
      expect(book.best(side)).toBe(naive.queue(side)[0]?.price ?? 0);
    }
    if (book.best(BUY) && book.best(SELL)) expect(book.best(BUY)).toBeLessThan(book.best(SELL));
  }
}

test('any sequence of orders, cancellations and reductions gives the same fills and queues as a book of plain lists', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 3, arbitrary: place }, change), { maxLength: 120, size: 'max' }),
      (acts) => {
        const pair = new Pair();
        for (const act of acts) {
          pair.act(act);
          pair.compare();
        }
      },
    ),
    { numRuns: 150 },
  );
});
