import type { OrderSide } from '@ushirika/contract/market';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OrderNow } from './market.types.ts';
import { OpenBook, otherSide, rankOf, sideOf } from './open-book.ts';

/* A book of which only the front is read must give an incoming order the same queue as a book that is read whole. */

type Step =
  | { readonly what: 'rest'; readonly price: number; readonly shares: number }
  | { readonly what: 'leave'; readonly which: number }
  | { readonly what: 'reduce'; readonly which: number; readonly to: number }
  | { readonly what: 'move'; readonly which: number; readonly price: number; readonly shares: number }
  | { readonly what: 'reach'; readonly price: number; readonly shares: number };

const price = fc.integer({ min: 100, max: 104 });
const shares = fc.integer({ min: 1, max: 9 });
const which = fc.nat(60);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ what: fc.constant('rest' as const), price, shares }),
  fc.record({ what: fc.constant('leave' as const), which }),
  fc.record({ what: fc.constant('reduce' as const), which, to: shares }),
  fc.record({ what: fc.constant('move' as const), which, price, shares }),
  fc.record({ what: fc.constant('reach' as const), price, shares: fc.integer({ min: 1, max: 30 }) }),
);

/** A queue as a simple list, and the rows that the database has from before the batch. */
class Paper {
  readonly side: OrderSide;
  readonly orders: OrderNow[] = [];
  readonly rows: readonly { readonly order: OrderNow; readonly rank: number; readonly place: number }[];
  readonly book: OpenBook;
  #place = 0;

  constructor(
    side: OrderSide,
    stored: readonly { readonly price: number; readonly shares: number }[],
    knowsBest: boolean,
  ) {
    this.side = side;
    for (const each of stored) this.orders.push(this.make(each.price, each.shares));
    this.rows = this.queue().map((order) => ({ order, rank: rankOf(side, order.price_cents), place: order.place }));
    const best = this.queue()[0]?.price_cents ?? null;
    // The best price may be known or not; if not, any price is possible.
    const told = knowsBest ? best : side === 'sell' ? 1 : 1_000;
    this.book = new OpenBook({ buy: null, sell: null, [side]: told });
  }

  make(priceCents: number, count: number): OrderNow {
    this.#place += 1;
    const made: Partial<OrderNow> = {
      side: this.side,
      state: 'open',
      price_cents: priceCents,
      shares: count,
      filled: 0,
    };
    return { ...made, id: String(this.#place), user_id: 'u', place: this.#place, handle: -1 } as OrderNow;
  }

  queue(): OrderNow[] {
    const rank = (order: OrderNow) => rankOf(this.side, order.price_cents);
    return this.orders.filter(({ state }) => state === 'open').sort((a, b) => rank(a) - rank(b) || a.place - b.place);
  }

  /**
   * Reads as the batch does: `count` rows after the last one read, without those that the batch has moved or closed.
   */
  read(count: number, worstRank: number): void {
    const front = this.book.front(this.side);
    const behind = this.rows.filter(
      ({ rank, place }) => rank <= worstRank && (rank > front.rank || (rank === front.rank && place > front.place)),
    );
    const rows = behind.slice(0, count);
    const found = rows.filter(({ order, place }) => order.state === 'open' && order.place === place);
    const last = rows.at(-1);
    this.book.extend(
      this.side,
      found.map(({ order }) => order),
      last ? { rank: last.rank, place: last.place } : null,
      rows.length < count ? worstRank : null,
    );
  }

  act(each: Step, chunk: number): void {
    if (each.what === 'rest') {
      const order = this.make(each.price, each.shares);
      this.orders.push(order);
      this.book.rest(order);
      return;
    }
    if (each.what === 'reach') {
      this.reach(each.price, each.shares, chunk);
      return;
    }
    const open = this.queue();
    const order = open[each.which % Math.max(1, open.length)];
    if (!order) return;
    if (each.what === 'leave') {
      this.book.leave(order);
      order.state = 'cancelled';
    } else if (each.what === 'reduce') {
      order.shares = Math.min(order.shares, each.to);
      this.book.reduce(order, order.shares);
    } else {
      this.book.leave(order);
      this.#place += 1;
      Object.assign(order, { price_cents: each.price, shares: each.shares, place: this.#place });
      this.book.rest(order);
    }
  }

  /** Reads as far as an incoming order needs, and compares the result with the list. */
  reach(priceCents: number, count: number, chunk: number): void {
    const incoming = otherSide(this.side);
    for (let turn = 0; !this.book.isDeepEnough(incoming, priceCents, count); turn += 1) {
      expect(turn).toBeLessThan(100);
      this.read(chunk, rankOf(this.side, priceCents));
    }
    const expected = frontOf(
      this.queue().filter((order) => rankOf(this.side, order.price_cents) <= rankOf(this.side, priceCents)),
      count,
    );
    const seen = this.book.book
      .levels(sideOf(this.side))
      .flatMap(({ orders }) => orders.map(({ handle }) => this.book.orderAt(handle)))
      .filter((order) => rankOf(this.side, order.price_cents) <= rankOf(this.side, priceCents));
    expect(frontOf(seen, count)).toEqual(expected);
    expect(this.book.book.reachable(sideOf(incoming), priceCents, count)).toBe(
      Math.min(
        count,
        expected.reduce((sum, [, left]) => sum + left, 0),
      ),
    );
  }
}

function frontOf(queue: readonly OrderNow[], count: number): [id: string, shares: number][] {
  const front: [string, number][] = [];
  for (let left = count; left > 0 && front.length < queue.length; ) {
    const order = queue[front.length] as OrderNow;
    front.push([order.id, order.shares]);
    left -= order.shares;
  }
  return front;
}

test('a book read in parts shows an incoming order the true queue, whatever was placed, closed or moved meanwhile', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('buy' as const, 'sell' as const),
      fc.array(fc.record({ price, shares }), { maxLength: 12 }),
      fc.boolean(),
      fc.array(fc.tuple(step, fc.integer({ min: 1, max: 4 })), { maxLength: 25 }),
      (side, stored, knowsBest, steps) => {
        const paper = new Paper(side, stored, knowsBest);
        for (const [each, chunk] of steps) paper.act(each, chunk);
        paper.reach(side === 'sell' ? 110 : 90, 10_000, 3);
      },
    ),
    { numRuns: 5_000 },
  );
});
