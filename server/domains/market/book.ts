/** A resting order in its book: small, ≥ 0, given out by `rest`, and given out again once the order has left. */
export type Handle = number;

export const BUY = 0;
export const SELL = 1;
export type Side = typeof BUY | typeof SELL;

/** The incoming order would have met a resting order of its own owner. */
export const SELF_TRADE = -1;
/** The incoming order was to be filled whole, and cannot be. */
export const NOT_ENOUGH = -2;

/** Orders were struck, and what was filled with the others is put back: match anew. */
export const STRUCK = -3;

/** No order: the end of a queue. */
const NONE = -1;
/** Of no price: less than that of any. */
const WORST_KEY = -(2 ** 31);
/** Owners are counted in an array: a row's id handed in by mistake must not ask for gigabytes. */
const OWNERS_MAX = 2 ** 24;
/**
 * An order's record: what a cancellation or a fill touches lies in one line of the processor's cache. OWNER_SIDE is the
 * owner times two, and the side, as `#ownOrders` is indexed.
 */
const [REMAINING, PRICE, OWNER_SIDE, LEVEL, NEXT, PREVIOUS, FIELDS] = [0, 1, 2, 3, 4, 5, 8] as const;
const FIRST_LEVELS = Int32Array.from({ length: 16 }, (_, level) => level);

export interface MatchOptions {
  /** All shares or none. */
  readonly isWholeOrNothing?: boolean;
  /**
   * Asked right before each fill; where it says no, the resting order leaves the book and the next one is tried. It may
   * read this book but must not change it.
   */
  readonly mayFill?: (handle: Handle, shares: number) => boolean;
  /** Where `mayFill` strikes an order, nothing is filled and the answer is STRUCK: the next match reaches others. */
  readonly isUndoneByStrikes?: boolean;
}

/** For tests and people: one price with its queue, oldest first. */
export interface BookLevel {
  readonly price: number;
  readonly orders: readonly { readonly handle: Handle; readonly owner: number; readonly remaining: number }[];
}

/**
 * An order book in memory with price-time priority: best price first, then oldest; trades at the resting price. A batch
 * of the market fills a fresh one with the orders that it can reach and matches its commands in it (docs/decisions/130).
 *
 * Prices and shares are integers from 1 to 2^31 - 1, owners small integers ≥ 0 (there is an array by owner). Everything
 * is in typed arrays that double when they are full, so an operation allocates nothing; queues are linked lists through
 * them, so a cancellation touches its neighbours only.
 */
export class Book {
  readonly #buys = new Ladder();
  readonly #sells = new Ladder();

  /** By handle, FIELDS numbers each. Where no order is, REMAINING is 0 and NEXT the next free handle. */
  #orders: Int32Array;
  #freeHandle: Handle = NONE;
  #handlesUsed = 0;

  /** By owner and side: how many orders rest. */
  #ownOrders: Int32Array = new Int32Array(64);

  // The last match. A fill takes a resting order, of which there are no more than handles: these need no check of their own.
  #fillCount = 0;
  #fillHandles: Int32Array;
  #fillShares: Int32Array;
  #fillPrices: Int32Array;
  #isLastFillPartial = false;
  #struck: Handle[] = [];
  #struckCount = 0;

  /** @param capacity orders for which there is room before the arrays grow */
  constructor(capacity = 64) {
    const size = Math.max(1, capacity);
    this.#orders = new Int32Array(size * FIELDS);
    this.#fillHandles = new Int32Array(size);
    this.#fillShares = new Int32Array(size);
    this.#fillPrices = new Int32Array(size);
  }

  /**
   * Puts an order at the end of its price's queue.
   * @throws RangeError where it would cross the book: match it first
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
   * Fills an incoming order from the other side as far as its price and shares reach. What is left of it does not rest
   * by itself. The fills are read by `fillCount` and its neighbours.
   * @returns the shares filled; or SELF_TRADE, NOT_ENOUGH or STRUCK, and then nothing changed but that orders which
   * `mayFill` refused are struck
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

  /** How many resting orders the last match hit. They are told until the next match, whatever else happens. */
  get fillCount(): number {
    return this.#fillCount;
  }

  /** Its handle is not given out again before the next match (unless the order was removed since). */
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

  /** True where nothing was left of the resting order, and it has left the book. Only the last fill can leave some. */
  fillIsLast(index: number): boolean {
    return index < this.#fillCount - 1 || !this.#isLastFillPartial;
  }

  /** How many orders left the book in the last match because `mayFill` refused them. */
  get struckCount(): number {
    return this.#struckCount;
  }

  struckHandle(index: number): Handle {
    return this.#struck[index] as number;
  }

  /** Takes an order out of the book. */
  remove(handle: Handle): void {
    this.#checkResting(handle);
    this.#leave(handle);
    this.#freeUp(handle);
  }

  /**
   * Leaves an order with fewer shares, in its place.
   * @param shares what remains from now on, at least 1
   */
  reduce(handle: Handle, shares: number): void {
    this.#checkResting(handle);
    if (!isCount(shares) || shares > this.remaining(handle))
      throw new RangeError(`${this.remaining(handle)} shares cannot be reduced to ${shares}.`);
    this.#orders[handle * FIELDS + REMAINING] = shares;
  }

  /** 0 once the order has left. */
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

  /** The best price of a side, 0 where it is empty. */
  best(side: Side): number {
    const ladder = this.#ladder(side);
    return ladder.count === 0 ? 0 : Math.abs(ladder.bestKey());
  }

  /** The shares that an order of that side and price could fill now, whoever owns them; at most `shares`. */
  reachable(side: Side, price: number, shares: number): number {
    return this.#walk(this.#other(side), -keyOf(side, price), shares, NONE);
  }

  /** Whether an order of that side and price would reach one of its own member, as `match` would find. */
  meetsOwn(side: Side, price: number, shares: number, owner: number): boolean {
    return this.#walk(this.#other(side), -keyOf(side, price), shares, (owner << 1) | (1 - side)) === SELF_TRADE;
  }

  /** A side's prices, the best first. */
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

  /** The shares in reach, at most `shares`; SELF_TRADE where an order of that owner and side is among them. */
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

  /** Fills from the best price's queue; what is left to fill is returned. */
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

  /** As a match without `mayFill`, order by order. After a strike it may reach what was not foreseen: then it undoes. */
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

  /** Notes a fill and takes its shares off. Whoever fills an order whole unlinks it. */
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

  /** Puts the fills of this match back, the last first, each at the head of its queue. */
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

  /** Handles of orders that left in a match are kept until the next, so that a caller may read its fills in peace. */
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
 * The prices of one side, sorted, the best LAST: taking it is a decrement, and a new price near the best moves few others.
 * Measured (B6): most orders rest at a price that is there already. Finding it in a small table by hash instead of by
 * binary search made a whole operation a tenth cheaper; a table by tick would need to know the tick and the range.
 */
class Ladder {
  count = 0;
  keys: Int32Array = new Int32Array(16);
  /** The level of each key; those beyond `count` are the free ones. */
  levels: Int32Array = FIRST_LEVELS.slice();
  // By level: its oldest and its youngest order, and its key, 0 while it is free.
  heads: Int32Array = new Int32Array(16);
  tails: Int32Array = new Int32Array(16);
  #keyOfLevel: Int32Array = new Int32Array(16);
  /** By a hash of its key, where a level was last: a guess, which `#keyOfLevel` proves right or wrong. */
  #guesses: Int32Array = new Int32Array(64);
  #hashShift = 26;

  /** Less than any other where there is none. */
  bestKey(): number {
    return this.count === 0 ? WORST_KEY : (this.keys[this.count - 1] as number);
  }

  bestLevel(): number {
    return this.levels[this.count - 1] as number;
  }

  /** The level of a key, made where there is none. */
  levelAt(key: number): number {
    const hash = Math.imul(key, 0x9e3779b1) >>> this.#hashShift;
    const guess = this.#guesses[hash] as number;
    if (this.#keyOfLevel[guess] === key) return guess;
    const level = this.#findOrMake(key);
    // Making it may have made the table anew: then this is a wrong guess in it, and no more than that.
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

  /** Its level stays where it is in `levels`, and so is free. */
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

  /** The first place whose key is not less. */
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

/** The higher, the better for whoever comes from the other side. */
function keyOf(side: Side, price: number): number {
  return side === BUY ? price : -price;
}

/** Asked twice for each order: short, so that the compiler takes it in; what to say stands elsewhere. */
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
