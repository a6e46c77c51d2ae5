import type { OrderSide } from '@ushirika/contract/market';
import { Book, BUY, type Handle, SELL, type Side } from './book.ts';
import type { OrderNow } from './market.types.ts';

export const sideOf = (side: OrderSide): Side => (side === 'buy' ? BUY : SELL);
export const otherSide = (side: OrderSide): OrderSide => (side === 'buy' ? 'sell' : 'buy');
/** A price as a number that is smallest for the best price on both sides; the column `rank` has the same. */
export const rankOf = (side: OrderSide, priceCents: number): number => (side === 'sell' ? priceCents : -priceCents);

/** How far one side has been read from the database. */
interface Front {
  /** The last order that was read; no better order is unread. */
  rank: number;
  place: number;
  /** Everything up to this rank has been read. */
  coveredTo: number;
  /**
   * Resting orders of this batch at prices that have not been read completely. They enter the book once these have
   * been.
   */
  deferred: OrderNow[];
}

/** No unread order is better than the best price. Without a best price the side is empty. */
const newFront = (best: number | null): Front => ({
  rank: Number.MIN_SAFE_INTEGER,
  place: 0,
  coveredTo: best === null ? Number.MAX_SAFE_INTEGER : best - 1,
  deferred: [],
});

/**
 * The part of a market's book that a batch can match, in memory during the batch. The best orders of both sides are
 * read from the database, as far as the incoming orders need them.
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

  /** Whether an incoming order of this side and price might match orders that have not been read. */
  isUnread(incoming: OrderSide, priceCents: number): boolean {
    const other = otherSide(incoming);
    return !this.#isPassed(this.#fronts[other], rankOf(other, priceCents));
  }

  /** Whether the book in memory has as many shares as an incoming order wants, or all that there are. */
  isDeepEnough(incoming: OrderSide, priceCents: number, shares: number): boolean {
    if (!this.isUnread(incoming, priceCents)) return true;
    return this.book.reachable(sideOf(incoming), priceCents, shares) >= shares;
  }

  /**
   * Adds the orders that were read of a side, in queue order, without those that may no longer trade.
   * @param read the last order read, also when it was left out; null where none was read
   * @param coveredTo the rank up to which everything is read now; null where more orders may follow
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

  /** Adds a new order at the end of its queue. */
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

  /** Removes an order from the book or from the deferred ones. */
  leave(order: OrderNow): void {
    if (order.handle >= 0) this.book.remove(order.handle);
    else {
      const { deferred } = this.#fronts[order.side];
      const place = deferred.indexOf(order);
      if (place >= 0) deferred.splice(place, 1);
    }
    order.handle = -1;
  }

  /** Reduces an order's shares; it keeps its place. */
  reduce(order: OrderNow, remaining: number): void {
    if (order.handle >= 0) this.book.reduce(order.handle, remaining);
  }

  /** Whether everything of this rank has been read. */
  #isPassed(front: Front, rank: number): boolean {
    return front.rank > rank || front.coveredTo >= rank;
  }

  /**
   * Moves deferred orders into the book whose prices have been read completely: they are behind the orders read there.
   */
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
