/**
 * Identifies a resting order in its book: a small number ≥ 0 that `rest` returns. It is reused after the order has left
 * the book.
 */
export type Handle = number;

export const BUY = 0;
export const SELL = 1;
export type Side = typeof BUY | typeof SELL;

/** Result of `match`: the incoming order would have met a resting order of its own owner. */
export const SELF_TRADE = -1;
/** Result of `match`: the order was all-or-nothing, and there are too few shares. */
export const NOT_ENOUGH = -2;

/**
 * Result of `match`: `mayFill` refused orders, which were removed, and the fills of the others were undone. Match
 * again.
 */
export const STRUCK = -3;

/** No order: the end of a queue. */
const NONE = -1;
/** The key of no price: lower than any price's. */
const WORST_KEY = -(2 ** 31);
/** The number of owners is limited, because arrays are indexed by owner: a wrong id could allocate gigabytes. */
const OWNERS_MAX = 2 ** 24;
/**
 * The fields of an order's record: 32 bytes, so that a fill or a cancellation reads one line of the processor's cache.
 * OWNER_SIDE is twice the owner plus the side, which is the index into `#ownOrders`.
 */
const [REMAINING, PRICE, OWNER_SIDE, LEVEL, NEXT, PREVIOUS, FIELDS] = [0, 1, 2, 3, 4, 5, 8] as const;
const FIRST_LEVELS = Int32Array.from({ length: 16 }, (_, level) => level);

export interface MatchOptions {
  /** Fill all shares or none. */
  readonly isWholeOrNothing?: boolean;
  /**
   * Called right before each fill. When it returns false, the resting order is removed from the book and the next one
   * is tried. It may read this book but must not change it.
   */
  readonly mayFill?: (handle: Handle, shares: number) => boolean;
  /** When `mayFill` refuses an order, undo all fills and return STRUCK. */
  readonly isUndoneByStrikes?: boolean;
}

/** One price with its queue, oldest first; for tests. */
export interface BookLevel {
  readonly price: number;
  readonly orders: readonly { readonly handle: Handle; readonly owner: number; readonly remaining: number }[];
}

/**
 * An order book in memory with price-time priority: best price first, then oldest; trades at the resting order's price.
 * A batch of the market fills a new book with the orders that it can reach, and matches its commands in it
 * (docs/decisions/130).
 *
 * Prices and shares are integers from 1 to 2^31 - 1; owners are small integers ≥ 0, because arrays are indexed by
 * owner. All data is in typed arrays that double when they are full, so most operations allocate nothing. Queues are
 * doubly linked lists in these arrays, so a cancellation changes only its neighbours.
 */
export class Book {
  readonly #buys = new Ladder();
  readonly #sells = new Ladder();

  /** FIELDS numbers for each handle. For a free handle, REMAINING is 0 and NEXT is the next free handle. */
  #orders: Int32Array;
  #freeHandle: Handle = NONE;
  #handlesUsed = 0;

  /** The number of resting orders, by owner and side. */
  #ownOrders: Int32Array = new Int32Array(64);

  // The last match. These arrays have one place for each handle, and a match fills an order at most once.
  #fillCount = 0;
  #fillHandles: Int32Array;
  #fillShares: Int32Array;
  #fillPrices: Int32Array;
  #isLastFillPartial = false;
  #struck: Handle[] = [];
  #struckCount = 0;

  /** @param capacity the number of orders before the arrays must grow */
  constructor(capacity = 64) {
    const size = Math.max(1, capacity);
    this.#orders = new Int32Array(size * FIELDS);
    this.#fillHandles = new Int32Array(size);
    this.#fillShares = new Int32Array(size);
    this.#fillPrices = new Int32Array(size);
  }

  /**
   * Adds an order at the end of its price's queue.
   * @throws RangeError for an order that crosses the book: match it first
   */
  rest(side: Side, price: number, shares: number, owner: number): Handle {
    checkOrder(price, shares, owner);
    const key = keyOf(side, price);
    if (this.#other(side).bestKey() >= -key) throw crossing(price);
    const handle = this.#takeHandle();
    const ownerSide = (owner << 1) | side;
    if (ownerSide >= this.#ownOrders.length) this.#ownOrders = grown(this.#ownOrders, ownerSide + 1);
    this.#orders[handle * FIELDS + PRICE] = price;
    this.#orders[handle * FIELDS + OWNER_SIDE] = ownerSide;
    this.#enter(handle, shares);

    const ladder = this.#ladder(side);
    const level = ladder.levelAt(key);
    const last = ladder.tails[level] as number;
    this.#orders[handle * FIELDS + LEVEL] = level;
    this.#orders[handle * FIELDS + PREVIOUS] = last;
    this.#orders[handle * FIELDS + NEXT] = NONE;
    if (last === NONE) ladder.heads[level] = handle;
    else this.#orders[last * FIELDS + NEXT] = handle;
    ladder.tails[level] = handle;
    return handle;
  }

  /**
   * Fills an incoming order from the other side, as far as its price and shares reach. The rest of it is not added to
   * the book. `fillCount` and the functions below it return the fills.
   * @returns the shares filled; or SELF_TRADE, NOT_ENOUGH or STRUCK, and then nothing has changed except that orders
   * which `mayFill` refused are removed
   */
  match(side: Side, price: number, shares: number, owner: number, options?: MatchOptions): number {
    checkOrder(price, shares, owner);
    this.#forgetLastMatch();
    const ladder = this.#other(side);
    const limit = -keyOf(side, price);
    const isWhole = options?.isWholeOrNothing === true;
    if (ladder.bestKey() < limit) return isWhole ? NOT_ENOUGH : 0;
    const ownerSide = (owner << 1) | (1 - side);
    const hasOwn = ownerSide < this.#ownOrders.length && (this.#ownOrders[ownerSide] as number) > 0;
    if (hasOwn || isWhole) {
      const found = this.#walk(ladder, limit, shares, ownerSide);
      if (found === SELF_TRADE) return SELF_TRADE;
      if (isWhole && found < shares) return NOT_ENOUGH;
    }
    if (options?.mayFill) {
      const filled = this.#fillWhereAllowed(ladder, limit, shares, ownerSide, isWhole, options.mayFill);
      return filled >= 0 && options.isUndoneByStrikes && this.#struckCount > 0 ? this.#undo(STRUCK) : filled;
    }
    let left = shares;
    while (left > 0 && ladder.bestKey() >= limit) left = this.#fillLevel(ladder, left);
    return shares - left;
  }

  /** The number of resting orders that the last match filled. It and the fills stay readable until the next match. */
  get fillCount(): number {
    return this.#fillCount;
  }

  /** The handle is not reused before the next match, unless the order was removed after this one. */
  fillHandle(index: number): Handle {
    return this.#fillHandles[index] as number;
  }

  fillShares(index: number): number {
    return this.#fillShares[index] as number;
  }

  /** The price of the resting order. */
  fillPrice(index: number): number {
    return this.#fillPrices[index] as number;
  }

  /** True when the resting order was filled completely and has left the book. Only the last fill can be partial. */
  fillIsLast(index: number): boolean {
    return index < this.#fillCount - 1 || !this.#isLastFillPartial;
  }

  /** The number of orders that the last match removed because `mayFill` refused them. */
  get struckCount(): number {
    return this.#struckCount;
  }

  struckHandle(index: number): Handle {
    return this.#struck[index] as number;
  }

  /** Removes an order from the book. */
  remove(handle: Handle): void {
    this.#checkResting(handle);
    this.#leave(handle);
    this.#freeUp(handle);
  }

  /**
   * Reduces an order's shares; it keeps its place.
   * @param shares the new number, at least 1
   */
  reduce(handle: Handle, shares: number): void {
    this.#checkResting(handle);
    if (!isCount(shares) || shares > this.remaining(handle))
      throw new RangeError(`${this.remaining(handle)} shares cannot be reduced to ${shares}.`);
    this.#orders[handle * FIELDS + REMAINING] = shares;
  }

  /** The shares left; 0 once the order has left the book. */
  remaining(handle: Handle): number {
    return this.#orders[handle * FIELDS + REMAINING] as number;
  }

  priceOf(handle: Handle): number {
    return this.#orders[handle * FIELDS + PRICE] as number;
  }

  ownerOf(handle: Handle): number {
    return (this.#orders[handle * FIELDS + OWNER_SIDE] as number) >> 1;
  }

  sideOf(handle: Handle): Side {
    return ((this.#orders[handle * FIELDS + OWNER_SIDE] as number) & 1) as Side;
  }

  /** The best price of a side; 0 where it is empty. */
  best(side: Side): number {
    const ladder = this.#ladder(side);
    return ladder.count === 0 ? 0 : Math.abs(ladder.bestKey());
  }

  /** The shares that an order of that side and price could fill now, whoever owns them; at most `shares`. */
  reachable(side: Side, price: number, shares: number): number {
    return this.#walk(this.#other(side), -keyOf(side, price), shares, NONE);
  }

  /** Whether an order of that side and price would reach one of the same owner, as `match` checks it. */
  meetsOwn(side: Side, price: number, shares: number, owner: number): boolean {
    return this.#walk(this.#other(side), -keyOf(side, price), shares, (owner << 1) | (1 - side)) === SELF_TRADE;
  }

  /** A side's prices, best first. */
  levels(side: Side): BookLevel[] {
    const ladder = this.#ladder(side);
    const found: BookLevel[] = [];
    for (let at = ladder.count - 1; at >= 0; at -= 1) {
      const orders = [];
      const level = ladder.levels[at] as number;
      for (
        let handle = ladder.heads[level] as number;
        handle !== NONE;
        handle = this.#orders[handle * FIELDS + NEXT] as number
      )
        orders.push({ handle, owner: this.ownerOf(handle), remaining: this.remaining(handle) });
      found.push({ price: Math.abs(ladder.keys[at] as number), orders });
    }
    return found;
  }

  #ladder(side: Side): Ladder {
    return side === BUY ? this.#buys : this.#sells;
  }

  #other(side: Side): Ladder {
    return side === BUY ? this.#sells : this.#buys;
  }

  /** The shares that can be reached, at most `shares`; SELF_TRADE when an order with `ownerSide` is among them. */
  #walk(ladder: Ladder, limit: number, shares: number, ownerSide: number): number {
    let left = shares;
    for (let at = ladder.count - 1; at >= 0 && (ladder.keys[at] as number) >= limit; at -= 1) {
      let handle = ladder.heads[ladder.levels[at] as number] as number;
      while (handle !== NONE) {
        if (this.#orders[handle * FIELDS + OWNER_SIDE] === ownerSide) return SELF_TRADE;
        left -= this.#orders[handle * FIELDS + REMAINING] as number;
        if (left <= 0) return shares;
        handle = this.#orders[handle * FIELDS + NEXT] as number;
      }
    }
    return shares - left;
  }

  /** Fills from the queue of the best price. Returns the shares that are left to fill. */
  #fillLevel(ladder: Ladder, shares: number): number {
    const level = ladder.bestLevel();
    let left = shares;
    let handle = ladder.heads[level] as number;
    while (handle !== NONE) {
      const resting = this.#orders[handle * FIELDS + REMAINING] as number;
      if (left < resting) {
        if (left > 0) this.#record(handle, left, resting);
        ladder.heads[level] = handle;
        this.#orders[handle * FIELDS + PREVIOUS] = NONE;
        return 0;
      }
      this.#record(handle, resting, resting);
      left -= resting;
      handle = this.#orders[handle * FIELDS + NEXT] as number;
    }
    ladder.dropBest();
    return left;
  }

  /**
   * Fills order by order, asking `mayFill`. Removed orders may bring it to an own order, or leave too few: then it
   * undoes all fills.
   */
  #fillWhereAllowed(
    ladder: Ladder,
    limit: number,
    shares: number,
    ownerSide: number,
    isWhole: boolean,
    mayFill: (handle: Handle, shares: number) => boolean,
  ): number {
    let left = shares;
    while (left > 0 && ladder.bestKey() >= limit) {
      const handle = ladder.heads[ladder.bestLevel()] as number;
      if (this.#orders[handle * FIELDS + OWNER_SIDE] === ownerSide) return this.#undo(SELF_TRADE);
      const resting = this.#orders[handle * FIELDS + REMAINING] as number;
      const quantity = Math.min(left, resting);
      if (mayFill(handle, quantity)) {
        if (quantity === resting) this.#unlink(handle);
        this.#record(handle, quantity, resting);
        left -= quantity;
      } else {
        this.#leave(handle);
        this.#struck[this.#struckCount] = handle;
        this.#struckCount += 1;
      }
    }
    return isWhole && left > 0 ? this.#undo(NOT_ENOUGH) : shares - left;
  }

  /** Records a fill and subtracts its shares. The caller unlinks an order that is filled completely. */
  #record(handle: Handle, shares: number, resting: number): void {
    const index = this.#fillCount;
    this.#fillHandles[index] = handle;
    this.#fillShares[index] = shares;
    this.#fillPrices[index] = this.#orders[handle * FIELDS + PRICE] as number;
    this.#fillCount = index + 1;
    this.#orders[handle * FIELDS + REMAINING] = resting - shares;
    if (shares < resting) this.#isLastFillPartial = true;
    else this.#countOwn(handle, -1);
  }

  /** Undoes the fills of this match, the last first: each order returns to the head of its queue. */
  #undo(outcome: number): number {
    for (let index = this.#fillCount - 1; index >= 0; index -= 1) {
      const handle = this.fillHandle(index);
      const shares = this.fillShares(index);
      if (!this.fillIsLast(index)) {
        this.#orders[handle * FIELDS + REMAINING] = this.remaining(handle) + shares;
        continue;
      }
      const side = this.sideOf(handle);
      const ladder = this.#ladder(side);
      const level = ladder.levelAt(keyOf(side, this.priceOf(handle)));
      const first = ladder.heads[level] as number;
      this.#enter(handle, shares);
      this.#orders[handle * FIELDS + LEVEL] = level;
      this.#orders[handle * FIELDS + PREVIOUS] = NONE;
      this.#orders[handle * FIELDS + NEXT] = first;
      if (first === NONE) ladder.tails[level] = handle;
      else this.#orders[first * FIELDS + PREVIOUS] = handle;
      ladder.heads[level] = handle;
    }
    this.#fillCount = 0;
    this.#isLastFillPartial = false;
    return outcome;
  }

  /** Frees the handles of the last match. They are kept until now, so that the caller can read its fills. */
  #forgetLastMatch(): void {
    for (let index = 0; index < this.#fillCount; index += 1)
      if (this.fillIsLast(index)) this.#freeUp(this.fillHandle(index));
    for (let index = 0; index < this.#struckCount; index += 1) this.#freeUp(this.struckHandle(index));
    this.#fillCount = 0;
    this.#struckCount = 0;
    this.#isLastFillPartial = false;
  }

  #enter(handle: Handle, shares: number): void {
    this.#orders[handle * FIELDS + REMAINING] = shares;
    this.#countOwn(handle, 1);
  }

  #leave(handle: Handle): void {
    this.#unlink(handle);
    this.#orders[handle * FIELDS + REMAINING] = 0;
    this.#countOwn(handle, -1);
  }

  #countOwn(handle: Handle, change: number): void {
    const ownerSide = this.#orders[handle * FIELDS + OWNER_SIDE] as number;
    this.#ownOrders[ownerSide] = (this.#ownOrders[ownerSide] as number) + change;
  }

  #unlink(handle: Handle): void {
    const side = this.sideOf(handle);
    const ladder = this.#ladder(side);
    const level = this.#orders[handle * FIELDS + LEVEL] as number;
    const before = this.#orders[handle * FIELDS + PREVIOUS] as number;
    const after = this.#orders[handle * FIELDS + NEXT] as number;
    if (before === NONE && after === NONE) {
      ladder.drop(keyOf(side, this.priceOf(handle)));
      return;
    }
    if (before === NONE) ladder.heads[level] = after;
    else this.#orders[before * FIELDS + NEXT] = after;
    if (after === NONE) ladder.tails[level] = before;
    else this.#orders[after * FIELDS + PREVIOUS] = before;
  }

  #takeHandle(): Handle {
    const handle = this.#freeHandle;
    if (handle !== NONE) {
      this.#freeHandle = this.#orders[handle * FIELDS + NEXT] as number;
      return handle;
    }
    if (this.#handlesUsed === this.#fillHandles.length) this.#grow();
    this.#handlesUsed += 1;
    return this.#handlesUsed - 1;
  }

  #freeUp(handle: Handle): void {
    this.#orders[handle * FIELDS + NEXT] = this.#freeHandle;
    this.#freeHandle = handle;
  }

  #grow(): void {
    const size = this.#fillHandles.length * 2;
    this.#orders = grown(this.#orders, size * FIELDS);
    this.#fillHandles = grown(this.#fillHandles, size);
    this.#fillShares = grown(this.#fillShares, size);
    this.#fillPrices = grown(this.#fillPrices, size);
  }

  #checkResting(handle: Handle): void {
    if (!((this.#orders[handle * FIELDS + REMAINING] ?? 0) > 0)) throw noneRests(handle);
  }
}

/**
 * The prices of one side, sorted, the best LAST: removing it is a decrement, and a new price near the best moves few
 * others. Most orders rest at an existing price. A small hash table finds that price; measured in B6, this makes an
 * operation a tenth cheaper than a binary search. A table by tick would need to know the tick and the range.
 */
class Ladder {
  count = 0;
  keys: Int32Array = new Int32Array(16);
  /** The level of each key; entries from `count` on are the free levels. */
  levels: Int32Array = FIRST_LEVELS.slice();
  // By level: its oldest order, its youngest order, and its key, which is 0 while the level is free.
  heads: Int32Array = new Int32Array(16);
  tails: Int32Array = new Int32Array(16);
  #keyOfLevel: Int32Array = new Int32Array(16);
  /** By a hash of a key: the level where it last was. The entry may be outdated; `#keyOfLevel` confirms it. */
  #guesses: Int32Array = new Int32Array(64);
  #hashShift = 26;

  /** The key of the best price; lower than any other where there is none. */
  bestKey(): number {
    return this.count === 0 ? WORST_KEY : (this.keys[this.count - 1] as number);
  }

  bestLevel(): number {
    return this.levels[this.count - 1] as number;
  }

  /** The level of a key; a new one where there is none. */
  levelAt(key: number): number {
    const hash = Math.imul(key, 0x9e3779b1) >>> this.#hashShift;
    const guess = this.#guesses[hash] as number;
    if (this.#keyOfLevel[guess] === key) return guess;
    const level = this.#findOrMake(key);
    // If the table has grown meanwhile, this entry may be wrong, which is harmless.
    this.#guesses[hash] = level;
    return level;
  }

  #findOrMake(key: number): number {
    const at = this.#find(key);
    if (at < this.count && this.keys[at] === key) return this.levels[at] as number;
    if (this.count === this.keys.length) this.#grow();
    const level = this.levels[this.count] as number;
    this.keys.copyWithin(at + 1, at, this.count);
    this.levels.copyWithin(at + 1, at, this.count);
    this.keys[at] = key;
    this.levels[at] = level;
    this.heads[level] = NONE;
    this.tails[level] = NONE;
    this.#keyOfLevel[level] = key;
    this.count += 1;
    return level;
  }

  /** The level stays where it is in `levels`, and so becomes the first free one. */
  dropBest(): void {
    this.count -= 1;
    this.#keyOfLevel[this.levels[this.count] as number] = 0;
  }

  drop(key: number): void {
    const at = this.#find(key);
    const level = this.levels[at] as number;
    this.keys.copyWithin(at, at + 1, this.count);
    this.levels.copyWithin(at, at + 1, this.count);
    this.count -= 1;
    this.levels[this.count] = level;
    this.#keyOfLevel[level] = 0;
  }

  /** The first index whose key is not less. */
  #find(key: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.keys[middle] as number) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #grow(): void {
    const size = this.keys.length * 2;
    const levels = grown(this.levels, size);
    for (let level = this.keys.length; level < size; level += 1) levels[level] = level;
    this.keys = grown(this.keys, size);
    this.levels = levels;
    this.heads = grown(this.heads, size);
    this.#keyOfLevel = grown(this.#keyOfLevel, size);
    this.#guesses = new Int32Array(size * 4);
    this.#hashShift -= 1;
    this.tails = grown(this.tails, size);
  }
}

/** The sort key of a price: higher is better for the other side. */
function keyOf(side: Side, price: number): number {
  return side === BUY ? price : -price;
}

/** Called twice for each order. It is short, so that the compiler inlines it; the message is made elsewhere. */
function checkOrder(price: number, shares: number, owner: number): void {
  if (!isCount(price) || !isCount(shares) || (owner | 0) !== owner || owner < 0 || owner >= OWNERS_MAX)
    throw noOrder(price, shares, owner);
}

function isCount(value: number): boolean {
  return (value | 0) === value && value > 0;
}

function crossing(price: number): RangeError {
  return new RangeError(`An order at ${price} would cross the book.`);
}

function noneRests(handle: Handle): RangeError {
  return new RangeError(`No order rests at ${handle}.`);
}

function noOrder(price: number, shares: number, owner: number): RangeError {
  return new RangeError(`There is no order of ${shares} shares at ${price} by owner ${owner}.`);
}

function grown(array: Int32Array, least: number): Int32Array {
  const larger = new Int32Array(Math.max(least, array.length * 2));
  larger.set(array);
  return larger;
}
