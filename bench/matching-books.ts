import { type FeeTerms, feeOf, holdOf } from '@ushirika/contract/market-fees';
import { OrderBook, Side as PeerSide } from 'nodejs-order-book';
import { Book, BUY, type Handle, SELL, type Side } from '../server/domains/market/book.ts';
import { CANCEL, OWNERS, type Stream } from './matching-stream.ts';

/** The events of a run: which shares were traded at which price, in order. */
class Fills {
  count = 0;
  readonly shares: Int32Array;
  readonly prices: Int32Array;

  constructor(most: number) {
    this.shares = new Int32Array(most);
    this.prices = new Int32Array(most);
  }
}

export interface HalfRun {
  readonly operations: number;
  readonly fills: Fills;
  readonly resting: number;
  /** What does not add up at the end. */
  readonly breach?: string;
}

const terms: FeeTerms = { fee_basis_points: 50, fee_min_cents: 1_000 };
const [NUMBER, TRADED, FEES, HELD] = [0, 1, 2, 3] as const;
const [CASH, CASH_HELD, SHARES, SHARES_HELD] = [0, 1, 2, 3] as const;
const cashAtFirst = 1e12;
const sharesAtFirst = 1e9;

/** Our book with what the product keeps around it: each order's hold and fees, each owner's cash and shares. */
export class OurMarket {
  operations = 0;
  readonly #stream: Stream;
  readonly #book: Book;
  readonly #fills: Fills;
  /** By fill: the orders that were hit and that hit. */
  readonly #makers: Int32Array;
  readonly #takers: Int32Array;
  /** The handle of each order that rests, by its number; -1 for the others. */
  readonly #handles: Int32Array;
  /** By handle: the order's number, the value that it has traded, the fees that it has paid, and the cash held for it. */
  readonly #orders: Float64Array;
  /** By owner: cash and shares, free and held. */
  readonly #accounts = new Float64Array(OWNERS * 4);
  #fees = 0;
  #refused = 0;

  constructor(stream: Stream) {
    const handles = stream.resting * 4;
    this.#stream = stream;
    this.#book = new Book(handles);
    this.#fills = new Fills(stream.operations * 2);
    this.#makers = new Int32Array(stream.operations * 2);
    this.#takers = new Int32Array(stream.operations * 2);
    this.#handles = new Int32Array(stream.operations).fill(-1);
    this.#orders = new Float64Array(handles * 4);
    for (let owner = 0; owner < OWNERS; owner += 1) {
      this.#accounts[owner * 4 + CASH] = cashAtFirst;
      this.#accounts[owner * 4 + SHARES] = sharesAtFirst;
    }
  }

  /** Goes on until that many operations are done. */
  run(until: number): void {
    const { acts, prices, shares, owners, targets } = this.#stream;
    for (let number = this.operations; number < until; number += 1) {
      const act = acts[number] as number;
      if (act === CANCEL) this.#cancel(targets[number] as number);
      else
        this.#place(number, act as Side, prices[number] as number, shares[number] as number, owners[number] as number);
    }
    this.operations = until;
  }

  result(): HalfRun {
    const resting = [BUY, SELL].flatMap((side) => this.#book.levels(side as Side)).flatMap(({ orders }) => orders);
    return { operations: this.operations, fills: this.#fills, resting: resting.length, ...this.#breachOf(resting) };
  }

  #place(number: number, side: Side, price: number, shares: number, owner: number): void {
    // Nobody places an order that they cannot pay, or shares that they have not.
    const need = side === BUY ? holdOf(price, shares, 0, terms) : shares;
    const isCovered = need <= (this.#accounts[owner * 4 + (side === BUY ? CASH : SHARES)] as number);
    const filled = isCovered ? this.#book.match(side, price, shares, owner) : -1;
    if (filled < 0) {
      this.#refused += 1;
      return;
    }
    const traded = filled > 0 ? this.#settle(number, side, owner, filled) : 0;
    if (filled === shares) return;
    const remaining = shares - filled;
    const handle = this.#book.rest(side, price, remaining, owner);
    this.#handles[number] = handle;
    this.#orders[handle * 4 + NUMBER] = number;
    this.#orders[handle * 4 + TRADED] = traded;
    this.#orders[handle * 4 + FEES] = filled > 0 ? feeOf(traded, terms) : 0;
    if (side === SELL) {
      this.#holdShares(owner, remaining);
      return;
    }
    const hold = filled > 0 ? holdOf(price, remaining, traded, terms) : need;
    this.#orders[handle * 4 + HELD] = hold;
    this.#holdCash(owner, hold);
  }

  /** Books the fills of the last match on both sides; the value that the incoming order traded is returned. */
  #settle(number: number, side: Side, owner: number, filled: number): number {
    const book = this.#book;
    const fills = this.#fills;
    let value = 0;
    for (let index = 0; index < book.fillCount; index += 1) {
      const handle = book.fillHandle(index);
      const shares = book.fillShares(index);
      const price = book.fillPrice(index);
      const maker = this.#orders[handle * 4 + NUMBER] as number;
      fills.shares[fills.count] = shares;
      fills.prices[fills.count] = price;
      this.#makers[fills.count] = maker;
      this.#takers[fills.count] = number;
      fills.count += 1;
      if (side === BUY) this.#sellFromHold(handle, shares, price);
      else this.#buyFromHold(handle, shares, price);
      if (book.fillIsLast(index)) this.#handles[maker] = -1;
      value += shares * price;
    }
    const fee = feeOf(value, terms);
    const sign = side === BUY ? 1 : -1;
    this.#accounts[owner * 4 + CASH] = (this.#accounts[owner * 4 + CASH] as number) - sign * value - fee;
    this.#accounts[owner * 4 + SHARES] = (this.#accounts[owner * 4 + SHARES] as number) + sign * filled;
    this.#fees += fee;
    return value;
  }

  #sellFromHold(handle: Handle, shares: number, price: number): void {
    const owner = this.#book.ownerOf(handle);
    this.#accounts[owner * 4 + SHARES_HELD] = (this.#accounts[owner * 4 + SHARES_HELD] as number) - shares;
    const fee = this.#feeOfTrade(handle, shares * price);
    this.#accounts[owner * 4 + CASH] = (this.#accounts[owner * 4 + CASH] as number) + shares * price - fee;
  }

  /** Pays from what is held, and frees what the order no longer needs. */
  #buyFromHold(handle: Handle, shares: number, price: number): void {
    const owner = this.#book.ownerOf(handle);
    this.#accounts[owner * 4 + SHARES] = (this.#accounts[owner * 4 + SHARES] as number) + shares;
    const fee = this.#feeOfTrade(handle, shares * price);
    const before = this.#orders[handle * 4 + HELD] as number;
    const remaining = this.#book.remaining(handle);
    const after = remaining > 0 ? holdOf(price, remaining, this.#orders[handle * 4 + TRADED] as number, terms) : 0;
    this.#orders[handle * 4 + HELD] = after;
    this.#accounts[owner * 4 + CASH_HELD] = (this.#accounts[owner * 4 + CASH_HELD] as number) - (before - after);
    this.#accounts[owner * 4 + CASH] =
      (this.#accounts[owner * 4 + CASH] as number) + (before - after) - shares * price - fee;
  }

  #feeOfTrade(handle: Handle, value: number): number {
    const traded = (this.#orders[handle * 4 + TRADED] as number) + value;
    const fees = feeOf(traded, terms);
    const fee = fees - (this.#orders[handle * 4 + FEES] as number);
    this.#orders[handle * 4 + TRADED] = traded;
    this.#orders[handle * 4 + FEES] = fees;
    this.#fees += fee;
    return fee;
  }

  #cancel(number: number): void {
    const handle = this.#handles[number] as number;
    if (handle < 0) return;
    this.#handles[number] = -1;
    const owner = this.#book.ownerOf(handle);
    if (this.#book.sideOf(handle) === SELL) this.#holdShares(owner, -this.#book.remaining(handle));
    else this.#holdCash(owner, -(this.#orders[handle * 4 + HELD] as number));
    this.#book.remove(handle);
  }

  #holdCash(owner: number, cents: number): void {
    this.#accounts[owner * 4 + CASH] = (this.#accounts[owner * 4 + CASH] as number) - cents;
    this.#accounts[owner * 4 + CASH_HELD] = (this.#accounts[owner * 4 + CASH_HELD] as number) + cents;
  }

  #holdShares(owner: number, shares: number): void {
    this.#accounts[owner * 4 + SHARES] = (this.#accounts[owner * 4 + SHARES] as number) - shares;
    this.#accounts[owner * 4 + SHARES_HELD] = (this.#accounts[owner * 4 + SHARES_HELD] as number) + shares;
  }

  /** Holds are what the open orders need, and nothing came from nowhere. */
  #breachOf(resting: readonly { readonly handle: Handle; readonly owner: number; readonly remaining: number }[]) {
    const cashNeeded = new Float64Array(OWNERS);
    const sharesNeeded = new Float64Array(OWNERS);
    const accounts = (field: number) =>
      Float64Array.from(cashNeeded, (_, owner) => this.#accounts[owner * 4 + field] ?? Number.NaN);
    const [cash, cashHeld, shares, sharesHeld] = [CASH, CASH_HELD, SHARES, SHARES_HELD].map(accounts) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    for (const { handle, owner, remaining } of resting) {
      if (this.#book.sideOf(handle) === SELL) sharesNeeded[owner] = (sharesNeeded[owner] ?? 0) + remaining;
      else
        cashNeeded[owner] =
          (cashNeeded[owner] ?? 0) +
          holdOf(this.#book.priceOf(handle), remaining, this.#orders[handle * 4 + TRADED] ?? Number.NaN, terms);
    }
    const sum = (numbers: Float64Array) => numbers.reduce((total, number) => total + number, 0);
    const breaches = [
      this.#refused > 0 && `${this.#refused} orders were refused`,
      !same(cashNeeded, cashHeld) && 'the cash held is not what the open orders need',
      !same(sharesNeeded, sharesHeld) && 'the shares held are not those of the open orders',
      sum(cash) + sum(cashHeld) + this.#fees !== OWNERS * cashAtFirst && 'cash was not conserved',
      sum(shares) + sum(sharesHeld) !== OWNERS * sharesAtFirst && 'shares were not conserved',
    ].filter((breach) => breach !== false);
    return breaches.length > 0 ? { breach: breaches.join('; ') } : {};
  }
}

const same = (one: Float64Array, other: Float64Array) => one.every((number, index) => number === other[index]);

/** The peer as it is, its fills written down; no owners, no holds. */
export class PeerMarket {
  operations = 0;
  readonly #stream: Stream;
  readonly #book = new OrderBook();
  readonly #fills: Fills;
  /** Its ids are strings: they are made before the clock starts. */
  readonly #ids: readonly string[];

  constructor(stream: Stream) {
    this.#stream = stream;
    this.#fills = new Fills(stream.operations * 2);
    this.#ids = idsOf(stream);
  }

  run(until: number): void {
    const { acts, prices, shares, targets } = this.#stream;
    for (let number = this.operations; number < until; number += 1) {
      const act = acts[number] as number;
      if (act === CANCEL) this.#book.cancel(this.#ids[targets[number] as number] as string);
      else this.#place(number, act as Side, prices[number] as number, shares[number] as number);
    }
    this.operations = until;
  }

  result(): HalfRun {
    const { asks, bids } = this.#book.snapshot();
    const resting = [...asks, ...bids].reduce((total, { orders }) => total + orders.length, 0);
    return { operations: this.operations, fills: this.#fills, resting };
  }

  #place(number: number, act: Side, price: number, size: number): void {
    const id = this.#ids[number] as string;
    const side = act === BUY ? PeerSide.BUY : PeerSide.SELL;
    const answer = this.#book.limit({ id, side, size, price });
    if (answer.err) throw answer.err;
    // `done` lists the resting orders that were filled whole, and then the incoming one if nothing is left of it.
    const filled = answer.quantityLeft === 0 ? answer.done.length - 1 : answer.done.length;
    for (let index = 0; index < filled; index += 1) {
      const order = answer.done[index] as { size: number; price: number };
      this.#fill(order.size, order.price);
    }
    // `partial` is a resting order that was filled in part, unless it is the incoming one itself.
    if (answer.partial && answer.partial.id !== id) this.#fill(answer.partialQuantityProcessed, answer.partial.price);
  }

  #fill(shares: number, price: number): void {
    const { count } = this.#fills;
    this.#fills.shares[count] = shares;
    this.#fills.prices[count] = price;
    this.#fills.count = count + 1;
  }
}

const idsByStream = new WeakMap<Stream, readonly string[]>();

function idsOf(stream: Stream): readonly string[] {
  const ids = idsByStream.get(stream) ?? Array.from({ length: stream.operations }, (_, number) => `order-${number}`);
  idsByStream.set(stream, ids);
  return ids;
}
