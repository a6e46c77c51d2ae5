import { Book, BUY, type Handle, SELL, type Side } from '../server/domains/market/book.ts';
import { seeded } from './statistics.ts';

/** What a stream of operations on a book looks like. */
export interface Shape {
  readonly name: string;
  /** Orders that rest before the first measured operation, and about as many from then on. */
  readonly resting: number;
  /** Ticks on each side of the middle over which resting orders are spread evenly. */
  readonly width: number;
  /** After those that fill the book. */
  readonly operations: number;
  readonly seed: number;
}

/** By operation. An order's number is the operation that placed it. */
export interface Stream {
  /** BUY, SELL or CANCEL. */
  readonly acts: Uint8Array;
  readonly prices: Int32Array;
  readonly shares: Int32Array;
  readonly owners: Int32Array;
  /** The order that a cancellation means. */
  readonly targets: Int32Array;
  /** All operations, those that fill the book before the clock starts included. */
  readonly operations: number;
  readonly resting: number;
  readonly about: string;
}

export const CANCEL = 2;
export const OWNERS = 5_000;

const cancelShare = 0.35;
/**
 * Of the cancellations, those of an order that has left already. Every trade completes an order: with each cancellation
 * taking out one more, there could be no more than 0.46 trades an order, and the book would run dry at 0.7.
 */
const lateShare = 0.42;
/** A share of Kes 1,000 in steps of Kes 1: with a width of 100 a sacco's price band as it is unless changed, 90 to 110 %. */
const par = 100_000;
const tick = 100;

/** The same operations for the same shape: orders to buy and sell around a middle that wanders, and cancellations. */
export function streamOf(shape: Shape): Stream {
  const writer = new StreamWriter(shape);
  for (let count = 0; count < shape.resting; count += 1) writer.place(false);
  for (let count = 0; count < shape.operations; count += 1) writer.next();
  return writer.stream();
}

/** Plays what it writes in a book of its own, to know which orders rest and who would meet an own one. */
class StreamWriter {
  readonly #shape: Shape;
  readonly #random: () => number;
  readonly #book = new Book();
  readonly #acts: Uint8Array;
  readonly #prices: Int32Array;
  readonly #shares: Int32Array;
  readonly #owners: Int32Array;
  readonly #targets: Int32Array;
  #operation = 0;
  #middle = par;
  /** The orders that rest, in no order, and where each is among them; -1 for those that have left. */
  readonly #live: number[] = [];
  readonly #places: Int32Array;
  readonly #handles: Int32Array;
  readonly #ids: number[] = [];
  #orders = 0;
  #trades = 0;
  #cancels = 0;
  #lateCancels = 0;

  constructor(shape: Shape) {
    const count = shape.resting + shape.operations;
    this.#shape = shape;
    this.#random = seeded(shape.seed);
    this.#acts = new Uint8Array(count);
    this.#prices = new Int32Array(count);
    this.#shares = new Int32Array(count);
    this.#owners = new Int32Array(count);
    this.#targets = new Int32Array(count);
    this.#places = new Int32Array(count).fill(-1);
    this.#handles = new Int32Array(count);
  }

  next(): void {
    if (this.#live.length > 0 && this.#random() < cancelShare) this.#cancel();
    else this.place(this.#random() < (this.#live.length > this.#shape.resting ? 0.75 : 0.35));
  }

  /** @param takes whether the price reaches the other side */
  place(takes: boolean): void {
    const side = this.#random() < 0.5 ? BUY : SELL;
    if (this.#random() < 0.02) this.#middle += this.#random() < 0.5 ? tick : -tick;
    const away = (1 + Math.floor(this.#random() * this.#shape.width)) * tick;
    const best = this.#book.best(side === BUY ? SELL : BUY);
    const reach = Math.floor(this.#random() * 3) * tick;
    const better = side === BUY ? 1 : -1;
    const price = takes && best > 0 ? best + better * reach : this.#middle - better * away;
    const shares = 1 + Math.floor(this.#random() * 100);
    const number = this.#operation;
    this.#acts[number] = side;
    this.#prices[number] = price;
    this.#shares[number] = shares;
    this.#owners[number] = this.#match(side, price, shares);
    this.#operation += 1;
  }

  stream(): Stream {
    const trades = (this.#trades / (this.#orders - this.#shape.resting)).toFixed(2);
    const share = (part: number, whole: number) => `${Math.round((100 * part) / whole)} %`;
    return {
      acts: this.#acts,
      prices: this.#prices,
      shares: this.#shares,
      owners: this.#owners,
      targets: this.#targets,
      operations: this.#operation,
      resting: this.#shape.resting,
      about: `${this.#shape.operations} operations, ${share(this.#cancels, this.#shape.operations)} of them cancellations (${share(this.#lateCancels, this.#cancels)} come too late), ${trades} trades an order, ${this.#live.length} orders of ${OWNERS} owners at ${this.#book.levels(BUY).length + this.#book.levels(SELL).length} prices rest at the end`,
    };
  }

  /** Another owner is drawn until none meets an order of their own; what is left of the order rests. */
  #match(side: Side, price: number, shares: number): number {
    for (;;) {
      const owner = Math.floor(this.#random() * OWNERS);
      const filled = this.#book.match(side, price, shares, owner);
      if (filled < 0) continue;
      this.#orders += 1;
      this.#trades += this.#book.fillCount;
      for (let index = 0; index < this.#book.fillCount; index += 1)
        if (this.#book.fillIsLast(index)) this.#forget(this.#book.fillHandle(index));
      if (filled < shares) this.#remember(this.#book.rest(side, price, shares - filled, owner));
      return owner;
    }
  }

  #cancel(): void {
    const number = this.#operation;
    this.#acts[number] = CANCEL;
    this.#operation += 1;
    this.#cancels += 1;
    const isLate = this.#random() < lateShare;
    const target = isLate ? this.#leftOrder() : (this.#live[Math.floor(this.#random() * this.#live.length)] ?? 0);
    this.#targets[number] = target;
    if (isLate) {
      this.#lateCancels += 1;
      return;
    }
    const handle = this.#handles[target] ?? 0;
    this.#book.remove(handle);
    this.#forget(handle);
  }

  /** An order of late that has left; an operation that placed none will do too. */
  #leftOrder(): number {
    for (;;) {
      const number = Math.max(0, this.#operation - 1 - Math.floor(this.#random() * 4 * this.#shape.resting));
      if (this.#places[number] === -1) return number;
    }
  }

  #remember(handle: Handle): void {
    this.#places[this.#operation] = this.#live.length;
    this.#handles[this.#operation] = handle;
    this.#ids[handle] = this.#operation;
    this.#live.push(this.#operation);
  }

  #forget(handle: Handle): void {
    const number = this.#ids[handle] ?? 0;
    const place = this.#places[number] ?? 0;
    const last = this.#live.pop() ?? 0;
    if (last !== number) {
      this.#live[place] = last;
      this.#places[last] = place;
    }
    this.#places[number] = -1;
  }
}
