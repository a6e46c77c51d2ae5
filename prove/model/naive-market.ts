import { earnFees, type Member, type NaiveBooks, type Person, type Sacco } from './naive-books.ts';
import { mayNotTrade } from './naive-loans.ts';

/*
 * The share market as a clerk would keep it: lists that are sorted anew each time, best price first, then first come,
 * first served. Fees and rules are those of domain.md 4.3, written once more.
 */

const DAY_MS = 86_400_000;
const OPEN_MAX = 50;

export interface Terms {
  readonly isPar: boolean;
  readonly floor: number;
  readonly ceiling: number;
  readonly tick: number;
  readonly lot: number;
  /** Hundredths of a percent. */
  readonly feeShare: number;
  readonly feeMin: number;
  readonly days: number;
}

export interface Order {
  id: string;
  readonly person: Person;
  readonly sacco: Sacco;
  readonly isSale: boolean;
  price: number;
  shares: number;
  filled: number;
  value: number;
  fee: number;
  place: number;
  readonly fees: Pick<Terms, 'feeShare' | 'feeMin'>;
  readonly expiresAt: number;
  state: 'open' | 'filled' | 'cancelled' | 'expired';
  why: string | null;
}

export interface Trade {
  readonly buy: Order;
  readonly sell: Order;
  readonly shares: number;
  readonly price: number;
  readonly buyerFee: number;
  readonly sellerFee: number;
  readonly buyerAfter: number;
  readonly sellerAfter: number;
}

export interface Alert {
  id: string;
  readonly person: Person;
  readonly price: number;
}

export interface Market {
  terms: Terms;
  open: Order[];
  /** What has changed since it was last compared. */
  touched: Set<Order>;
  newTrades: Trade[];
  place: number;
  trades: number;
  sharesTraded: number;
  turnover: number;
  last: number | null;
  /** Trades of the last week, for who buys back; and what each pair last traded at that counts, the latest last. */
  lately: { readonly buyer: Person; readonly seller: Person; readonly at: number }[];
  counted: { readonly people: ReadonlySet<Person>; readonly price: number; readonly shares: number }[];
  alerts: Alert[];
  /** Since those who wait for a price were last looked at. */
  isChanged: boolean;
}

export function newMarket(): Market {
  return {
    terms: { isPar: false, floor: 90, ceiling: 110, tick: 100, lot: 1, feeShare: 50, feeMin: 1_000, days: 90 },
    open: [],
    touched: new Set(),
    newTrades: [],
    place: 0,
    trades: 0,
    sharesTraded: 0,
    turnover: 0,
    last: null,
    lately: [],
    counted: [],
    alerts: [],
    isChanged: false,
  };
}

export const leftOf = ({ shares, filled }: Order) => shares - filled;

/** A share of what was traded, half a cent rounded up; at least the minimum, and never more than 3 % of what was traded. */
function feeOn(value: number, { feeShare, feeMin }: Pick<Terms, 'feeShare' | 'feeMin'>): number {
  return Math.min(Math.floor((value * 3) / 100), Math.max(feeMin, Math.round((value * feeShare) / 10_000)));
}

/** Shares or cents that must be set aside for what is left of an order. */
export function needsOf(order: Order): number {
  if (order.isSale) return leftOf(order);
  const rest = order.price * leftOf(order);
  return rest + feeOn(order.value + rest, order.fees) - feeOn(order.value, order.fees);
}

export function isPriceAllowed({ market: { terms }, shareValue }: Sacco, price: number): boolean {
  if (price === shareValue) return true;
  const isWithin = price * 100 >= shareValue * terms.floor && price * 100 <= shareValue * terms.ceiling;
  return !terms.isPar && isWithin && price % terms.tick === 0;
}

/** One side of a book, in the order of its queue. */
export function queueOf({ market }: Sacco, isSale: boolean): Order[] {
  const better = (one: Order, other: Order) => (isSale ? one.price - other.price : other.price - one.price);
  return market.open
    .filter((order) => order.isSale === isSale)
    .sort((one, other) => better(one, other) || one.place - other.place);
}

/** Those of the other side that an order at this price could trade with. */
export function facing(sacco: Sacco, isSale: boolean, price: number): Order[] {
  return queueOf(sacco, !isSale).filter((other) => (isSale ? other.price >= price : other.price <= price));
}

/** The market of one sacco, and all that moves when something happens in it. `at` is the time of the act. */
export class Clerk {
  readonly #books: NaiveBooks;
  readonly #sacco: Sacco;
  readonly #now: number;
  /** The negative control: another rule for who comes first at one price. */
  readonly #isLastFirst: boolean;

  constructor(books: NaiveBooks, sacco: Sacco, now: number, isLastFirst = false) {
    this.#books = books;
    this.#sacco = sacco;
    this.#now = now;
    this.#isLastFirst = isLastFirst;
  }

  member(person: Person): Member | null {
    return this.#books.memberOf(person, this.#sacco);
  }

  freeOf(person: Person): number {
    const member = this.member(person);
    return member ? member.shares - member.heldShares : 0;
  }

  #isWithinLimit(shares: number): boolean {
    return !this.#books.isLimited(this.#sacco) || shares * 5 <= this.#sacco.issued;
  }

  /** How many more shares somebody may come to hold, where there is a limit. */
  roomOf(person: Person): number {
    return Math.floor(this.#sacco.issued / 5) - (this.member(person)?.shares ?? 0);
  }

  /** Who may trade at all. */
  standing(person: Person, isSale: boolean): string | null {
    const state = this.member(person)?.state ?? 'exited';
    if (state === 'exited') return 'not_a_member';
    if (person.payoutHeldUntil > this.#now) return 'payout_held';
    if (this.#sacco.state !== 'active') return 'sacco_inactive';
    if (!isSale && state === 'leaving') return 'exit_conflict';
    return mayNotTrade(this.#books, person, this.#sacco, this.#now) ? 'trading_blocked' : null;
  }

  terms({ price, shares }: Pick<Order, 'price' | 'shares'>, odd: number | null): string | null {
    if (!isPriceAllowed(this.#sacco, price)) return 'price_not_allowed';
    return this.lot(shares, odd);
  }

  /** Whole lots, or the one odd number that may be: all of a leaver, what an order was, what an offer has left. */
  lot(shares: number, odd: number | null): string | null {
    return shares % this.#sacco.market.terms.lot === 0 || shares === odd ? null : 'lot_mismatch';
  }

  expiry(expiresAt: number): string | null {
    const isAllowed = expiresAt > this.#now && expiresAt <= this.#now + this.#sacco.market.terms.days * DAY_MS;
    return isAllowed ? null : 'expiry_not_allowed';
  }

  number(person: Person): string | null {
    const open = this.#sacco.market.open.filter((order) => order.person === person).length;
    return open < OPEN_MAX ? null : 'open_orders_limit_reached';
  }

  /** Whether somebody has what an order needs; `freed` is what it sets free itself, where it takes its own place. */
  stake(order: Order, freed = 0): string | null {
    const { minShares } = this.#sacco;
    const member = this.member(order.person) as Member;
    const left = leftOf(order);
    if (order.isSale) {
      const free = this.freeOf(order.person) + freed;
      if (left > free) return 'insufficient_shares';
      return member.state !== 'leaving' && free - left < minShares ? 'minimum_holding' : null;
    }
    if (member.state === 'provisional' && member.shares + left < minShares) return 'minimum_shares_not_met';
    if (!this.#isWithinLimit(member.shares + left)) return 'one_fifth_exceeded';
    return needsOf(order) > order.person.wallet + freed ? 'insufficient_funds' : null;
  }

  newOrder(person: Person, asked: Pick<Order, 'isSale' | 'price' | 'shares'>, expiresAt?: number): Order {
    const { feeShare, feeMin, days } = this.#sacco.market.terms;
    const until = expiresAt ?? this.#now + days * DAY_MS;
    const nothing = { filled: 0, value: 0, fee: 0, place: 0, state: 'open', why: null } as const;
    const fees = { feeShare, feeMin };
    return { ...asked, ...nothing, id: '', person, sacco: this.#sacco, fees, expiresAt: until };
  }

  /** Whether an open order may not stand any longer under the terms of now, where others were in force before. */
  isOutdated(order: Order, before: Terms): boolean {
    if (!isPriceAllowed(this.#sacco, order.price)) return true;
    const { lot, days } = this.#sacco.market.terms;
    const isLeavers = order.isSale && this.member(order.person)?.state === 'leaving';
    if (lot !== before.lot && leftOf(order) % lot !== 0 && !isLeavers) return true;
    return days < before.days && order.expiresAt > this.#now + days * DAY_MS;
  }

  /** Why a waiting order may not trade although its turn has come. */
  unfit({ person, isSale, expiresAt }: Order): string | null {
    const state = this.member(person)?.state ?? 'exited';
    if (expiresAt <= this.#now) return 'expired';
    if (state === 'exited') return 'left';
    if (mayNotTrade(this.#books, person, this.#sacco, this.#now)) return 'blocked';
    if (!isSale) return state === 'leaving' ? 'left' : null;
    return state !== 'leaving' && this.freeOf(person) < this.#sacco.minShares ? 'minimum_holding' : null;
  }

  /**
   * Trades as far as it goes: the refusal, or the trades. Those who may not trade any more are closed when their turn comes.
   * What is left is for the caller to set aside.
   */
  enter(order: Order, isWhole = false): string | Trade[] {
    let reach = 0;
    for (const other of this.#facing(order)) {
      if (reach >= leftOf(order)) break;
      const reason = this.unfit(other);
      if (reason) this.close(other, reason);
      else if (other.person === order.person) return 'self_trade';
      else reach += leftOf(other);
    }
    if (isWhole && reach < leftOf(order)) return 'offer_gone';
    const trades: Trade[] = [];
    for (const other of this.#facing(order)) {
      const shares = Math.min(leftOf(order), leftOf(other));
      if (shares === 0) break;
      const buyer = this.member(other.person) as Member;
      const reason =
        this.unfit(other) ?? (order.isSale && !this.#isWithinLimit(buyer.shares + shares) ? 'one_fifth' : null);
      if (reason) this.close(other, reason);
      else trades.push(this.#trade(order, other, shares));
    }
    return trades;
  }

  #facing({ isSale, price }: Order): Order[] {
    const queue = facing(this.#sacco, isSale, price);
    if (!this.#isLastFirst) return queue;
    return queue.sort(
      (one, other) => (isSale ? other.price - one.price : one.price - other.price) || other.place - one.place,
    );
  }

  #trade(order: Order, waited: Order, shares: number): Trade {
    const { market } = this.#sacco;
    const [buy, sell] = order.isSale ? [waited, order] : [order, waited];
    const [buyer, seller] = [this.member(buy.person) as Member, this.member(sell.person) as Member];
    const value = shares * waited.price;
    this.setAside(waited, -1);
    const [buyerFee, sellerFee] = [this.#charge(buy, value, shares), this.#charge(sell, value, shares)];
    if (waited.state === 'open') this.setAside(waited, 1);
    else market.open = market.open.filter((other) => other !== waited);
    buyer.person.wallet -= value + buyerFee;
    seller.person.wallet += value - sellerFee;
    seller.person.sales.push({ at: this.#now, cents: value - sellerFee });
    buyer.shares += shares;
    seller.shares -= shares;
    this.#books.isLimited(this.#sacco);
    this.#sacco.cash += buyerFee + sellerFee;
    earnFees(this.#sacco, buyerFee + sellerFee, this.#now);
    if (buyer.state === 'provisional' && buyer.shares >= this.#sacco.minShares) {
      Object.assign(buyer, { state: 'active', paidUpAt: this.#now });
      this.#books.note('member by a trade');
    }
    market.isChanged = true;
    this.#price(buy.person, sell.person, waited.price, shares);
    market.trades += 1;
    market.sharesTraded += shares;
    market.turnover += value;
    const after = { buyerAfter: buyer.shares, sellerAfter: seller.shares };
    const trade = { buy, sell, shares, price: waited.price, buyerFee, sellerFee, ...after };
    market.newTrades.push(trade);
    this.#books.note('shares traded');
    return trade;
  }

  /** Of the trades that count, the latest of each of five pairs make the last price: the middle one by shares. */
  #price(buyer: Person, seller: Person, price: number, shares: number): void {
    const { market } = this.#sacco;
    const wasBought = market.lately.some(
      (trade) => trade.buyer === seller && trade.seller === buyer && trade.at > this.#now - 7 * DAY_MS,
    );
    market.lately = [
      ...market.lately.filter(({ at }) => at > this.#now - 7 * DAY_MS),
      { buyer, seller, at: this.#now },
    ];
    const isSmall = shares < market.terms.lot || shares * price < 500_00;
    if (wasBought || isSmall || this.#books.areRelated(buyer, seller)) return;
    const others = market.counted.filter(({ people }) => !(people.has(buyer) && people.has(seller)));
    market.counted = [...others, { people: new Set([buyer, seller]), price, shares }].slice(-5);
    const sum = (of: Market['counted']) => of.reduce((total, each) => total + each.shares, 0);
    const middling = market.counted.map((each) => each.shares).sort((a, b) => a - b)[
      Math.ceil(market.counted.length / 2) - 1
    ] as number;
    const weights = market.counted.map((each) => ({ ...each, shares: Math.min(each.shares, middling) }));
    const half = sum(weights) / 2;
    const middle = weights.find(
      (one) =>
        sum(weights.filter((other) => other.price < one.price)) <= half &&
        sum(weights.filter((other) => other.price > one.price)) <= half,
    );
    if (middle && weights.length > 2) market.last = middle.price;
  }

  /** The fee of an order is of all that it has traded. */
  #charge(order: Order, value: number, shares: number): number {
    const fee = feeOn(order.value + value, order.fees) - feeOn(order.value, order.fees);
    order.value += value;
    order.fee += fee;
    order.filled += shares;
    if (leftOf(order) === 0) order.state = 'filled';
    this.#books.note(order.state === 'filled' ? 'order filled' : 'order filled in part');
    this.#sacco.market.touched.add(order);
    return fee;
  }

  /** What an order needs is set aside (1), or free again (-1). */
  setAside(order: Order, sign: 1 | -1): void {
    const amount = sign * needsOf(order);
    if (order.isSale) (this.member(order.person) as Member).heldShares += amount;
    else {
      order.person.wallet -= amount;
      order.person.held += amount;
    }
  }

  /** Puts what is left of an order at the end of its queue. */
  rest(order: Order): void {
    const { market } = this.#sacco;
    market.touched.add(order);
    if (order.state !== 'open') return;
    market.place += 1;
    order.place = market.place;
    market.open.push(order);
    market.isChanged = true;
    this.setAside(order, 1);
  }

  /** Takes an order out for good. */
  close(order: Order, why: string): void {
    this.leave(order);
    order.state = why === 'expired' ? 'expired' : 'cancelled';
    order.why = why === 'expired' ? null : why;
    this.#books.note(`order closed: ${why}`);
    this.#books.closedOrders = [...this.#books.closedOrders.slice(-20), order];
  }

  /** Takes an order out of the book, what it held is free. */
  leave(order: Order): void {
    const { market } = this.#sacco;
    this.setAside(order, -1);
    market.open = market.open.filter((other) => other !== order);
    market.touched.add(order);
    market.isChanged = true;
  }

  reduce(order: Order, shares: number): void {
    this.setAside(order, -1);
    order.shares = shares;
    this.setAside(order, 1);
    this.#sacco.market.touched.add(order);
    this.#sacco.market.isChanged = true;
    this.#books.note('order made smaller in its place');
  }
}

/** What closes orders by itself as time passes. */
export function expireOrders(books: NaiveBooks, now: number): void {
  for (const sacco of books.saccos) {
    const clerk = new Clerk(books, sacco, now);
    for (const order of sacco.market.open.filter(({ expiresAt }) => expiresAt <= now)) clerk.close(order, 'expired');
  }
}

/** Somebody has given notice: their orders to buy go, once the job comes to it. */
export function leaveMarkets(books: NaiveBooks, now: number): void {
  const due = books.leaving.filter(({ at }) => at <= now);
  books.leaving = books.leaving.filter(({ at }) => at > now);
  for (const { member } of due) {
    const { sacco, person, state } = member;
    if (state !== 'leaving' && state !== 'exited') continue;
    const clerk = new Clerk(books, sacco, now);
    for (const order of sacco.market.open.filter((other) => other.person === person && !other.isSale)) {
      clerk.close(order, 'left');
    }
  }
}

/** Whoever waits for a price is told once, as soon as somebody else offers at it in a book that has changed. */
export function tellAlerts(books: NaiveBooks): void {
  for (const sacco of books.saccos) {
    const { market } = sacco;
    if (!market.isChanged) continue;
    market.isChanged = false;
    // Whoever has left is told nothing any more.
    const isOffered = ({ person, price }: Alert) =>
      books.memberOf(person, sacco)?.state !== 'exited' &&
      market.open.some((order) => order.isSale && order.price <= price && order.person !== person);
    const told = market.alerts.filter(isOffered);
    market.alerts = market.alerts.filter((alert) => !told.includes(alert));
    for (const _ of told) books.note('price alert told');
  }
}
