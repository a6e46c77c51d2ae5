import type { OrderSide } from '@ushirika/contract/market';
import { Book, BUY, type Handle, SELL, type Side } from './book.ts';
import type { OrderNow } from './market.types.ts';

export const sideOf = (side: OrderSide): Side => (side === 'buy' ? BUY : SELL);
export const otherSide = (side: OrderSide): OrderSide => (side === 'buy' ? 'sell' : 'buy');
/** Best first on both sides by the smallest, as the column `rank` has it. */
export const rankOf = (side: OrderSide, priceCents: number): number => (side === 'sell' ? priceCents : -priceCents);

/** How far one side has been read from the database. */
interface Front {
  /** The last order that was read; nothing better is unread. */
  rank: number;
  place: number;
  /** Everything up to this rank has been read. */
  coveredTo: number;
  /** Orders that rest since this batch, behind what has been read: they come in when the front has passed them. */
  deferred: OrderNow[];
}

/** Nothing is better than the best, and where there is no best there is nothing at all. */
const newFront = (best: number | null): Front => ({
  rank: Number.MIN_SAFE_INTEGER,
  place: 0,
  coveredTo: best === null ? Number.MAX_SAFE_INTEGER : best - 1,
  deferred: [],
});

/**
 * The part of one market's book that a batch can reach, in memory for the time of the batch: the front of both sides is
 * read from the database as far as the incoming orders need it, and never further.
 */
export class OpenBook {
  readonly book = new Book(64);
  readonly #orders: OrderNow[] = [];
  readonly #owners = new Map<string, number>();
  readonly #fronts: Readonly<Record<OrderSide, Front>>;

  /** @param best the best prices of the open orders in the database, in cents; null for a side without any */
  constructor(best: Readonly<Record<OrderSide, number | null>>) {
    const front = (side: OrderSide) => newFront(best[side] === null ? null : rankOf(side, best[side]));
    this.#fronts = { buy: front('buy'), sell: front('sell') };
  }

  ownerOf(userId: string): number {
    const known = this.#owners.get(userId);
    if (known !== undefined) return known;
    const owner = this.#owners.size;
    this.#owners.set(userId, owner);
    return owner;
  }

  orderAt(handle: Handle): OrderNow {
    const order = this.#orders[handle];
    if (!order) throw new Error('The book names an order that nobody put there.');
    return order;
  }

  front(side: OrderSide): Readonly<Front> {
    return this.#fronts[side];
  }

  /** Whether an incoming order of this side and price may meet anything that has not been read. */
  isUnread(incoming: OrderSide, priceCents: number): boolean {
    const other = otherSide(incoming);
    return !this.#isPassed(this.#fronts[other], rankOf(other, priceCents));
  }

  /** Whether an incoming order of this side and price meets as many shares as it wants, or all there are. */
  isDeepEnough(incoming: OrderSide, priceCents: number, shares: number): boolean {
    if (!this.isUnread(incoming, priceCents)) return true;
    return this.book.reachable(sideOf(incoming), priceCents, shares) >= shares;
  }

  /**
   * Takes in what was read of a side, in the order of the queue, those left out that may no longer trade.
   * @param read the last order read, whatever became of it; null where there was none
   * @param coveredTo the rank up to which nothing is unread now; null where more may be there
   */
  extend(side: OrderSide, orders: readonly OrderNow[], read: ReadPlace | null, coveredTo: number | null): void {
    const front = this.#fronts[side];
    for (const order of orders) this.#enter(order);
    if (read) {
      front.rank = read.rank;
      front.place = read.place;
    }
    if (coveredTo !== null) front.coveredTo = Math.max(front.coveredTo, coveredTo);
    this.#bringIn(side);
  }

  /** Puts a new order at the end of its queue. */
  rest(order: OrderNow): void {
    const front = this.#fronts[order.side];
    const rank = rankOf(order.side, order.price_cents);
    if (this.#isPassed(front, rank)) {
      this.#enter(order);
      return;
    }
    const behind = front.deferred.findIndex((other) => rankOf(other.side, other.price_cents) > rank);
    front.deferred.splice(behind < 0 ? front.deferred.length : behind, 0, order);
  }

  /** Takes an order out, wherever it is. */
  leave(order: OrderNow): void {
    if (order.handle >= 0) this.book.remove(order.handle);
    else {
      const { deferred } = this.#fronts[order.side];
      const place = deferred.indexOf(order);
      if (place >= 0) deferred.splice(place, 1);
    }
    order.handle = -1;
  }

  /** Fewer shares, at the same place. */
  reduce(order: OrderNow, remaining: number): void {
    if (order.handle >= 0) this.book.reduce(order.handle, remaining);
  }

  /** Nothing of this rank is unread. */
  #isPassed(front: Front, rank: number): boolean {
    return front.rank > rank || front.coveredTo >= rank;
  }

  /** Those that wait at a price of which nothing is unread any more, behind what was read there. */
  #bringIn(side: OrderSide): void {
    const front = this.#fronts[side];
    const unread = front.deferred.findIndex((order) => !this.#isPassed(front, rankOf(side, order.price_cents)));
    const passed = front.deferred.splice(0, unread < 0 ? front.deferred.length : unread);
    for (const order of passed) this.#enter(order);
  }

  #enter(order: OrderNow): void {
    const owner = this.ownerOf(order.user_id);
    order.handle = this.book.rest(sideOf(order.side), order.price_cents, order.shares - order.filled, owner);
    this.#orders[order.handle] = order;
  }
}

export interface ReadPlace {
  readonly rank: number;
  readonly place: number;
}
