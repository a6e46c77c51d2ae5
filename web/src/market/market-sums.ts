import { centsOf } from '@ushirika/contract/format';
import type { Level, MarketTerms, Offer, Order, OrderSide, readOrderBook } from '@ushirika/contract/market';
import { type FeeTerms, feeOf, holdOf } from '@ushirika/contract/market-fees';
import type { ReplyOf } from '@ushirika/contract/route';

/*
 * What buying from members and selling to them comes to, before anybody presses a button. All sums are in cents and the
 * fees are the contract's own, so that what is shown is what the server posts.
 */

export type Book = Pick<ReplyOf<typeof readOrderBook>, 'bids' | 'asks' | 'offers' | 'mine' | 'terms' | 'last_price'>;

export function feeTermsOf({ fee_percentage, fee_min }: MarketTerms): FeeTerms {
  return { fee_basis_points: Math.round(fee_percentage * 100), fee_min_cents: centsOf(fee_min) };
}

/**
 * The levels that one's order can trade with, best first: those before one's own. An order that would reach an order of
 * the same member is refused whole, so nothing behind it can be had.
 */
function withinReach(levels: readonly Level[], mine: readonly Order[], side: OrderSide): Level[] {
  const own = new Set(mine.filter((one) => one.side === side && one.status === 'open').map(({ price }) => price));
  const end = levels.findIndex(({ price }) => own.has(price));
  return end < 0 ? [...levels] : levels.slice(0, end);
}

interface Walked {
  shares: number;
  valueCents: number;
  /** The price of the last share, in shillings. */
  worst: number;
}

/** What so many shares cost, or bring, taken from the best price on. */
function walk(levels: readonly Level[], shares: number): Walked {
  const walked: Walked = { shares: 0, valueCents: 0, worst: 0 };
  for (const level of levels) {
    const taken = Math.min(shares - walked.shares, level.shares);
    if (taken <= 0) break;
    walked.shares += taken;
    walked.valueCents += taken * centsOf(level.price);
    walked.worst = level.price;
  }
  return walked;
}

export type Seller = 'members' | 'sacco';

/** So many shares from members: what they cost with the fee, and how they are asked for. */
export interface FromMembers {
  valueCents: number;
  feeCents: number;
  totalCents: number;
  /**
   * What the wallet must have free: an order over several offers sets all its shares aside at `worst`, and what they cost less
   * is free again at once.
   */
  neededCents: number;
  /** The dearest of them, in shillings. */
  worst: number;
  /** The one offer that has them all; null where it takes several, by an order to buy at `worst`. */
  offer: Offer | null;
}

export interface WaysToBuy {
  /**
   * The most that can be had of members, whole lots or an odd offer all of it, and their lowest price; null for nothing.
   * `odd`: what the first offer has where that makes no whole lots, as that of somebody who leaves: it is sold whole.
   */
  offered: { shares: number; price: number; lot: number; odd: number | null } | null;
  /** Null while the number is not known, and where members do not offer so many. */
  members: FromMembers | null;
  saccoCents: number;
  /** Cheapest first, the fee counted; by the price alone while the number is not known. */
  order: readonly [Seller, Seller];
  /** What the cheaper one saves, in cents; 0 where both cost the same or one of them is not to be had. */
  savedCents: number;
}

/** The two ways to buy: members' offers, and the sacco itself at its share value. */
export function waysToBuy(shares: number | null, book: Book | undefined, shareValue: number): WaysToBuy {
  const offered = book ? offeredBy(book) : null;
  const members = book && offered && shares ? fromMembers(shares, book, offered) : null;
  const saccoCents = (shares ?? 0) * centsOf(shareValue);
  const isMembersFirst = members
    ? members.totalCents < saccoCents
    : !shares && offered !== null && offered.price < shareValue;
  return {
    offered,
    members,
    saccoCents,
    order: isMembersFirst ? ['members', 'sacco'] : ['sacco', 'members'],
    savedCents: members ? Math.abs(members.totalCents - saccoCents) : 0,
  };
}

function offeredBy(book: Book): WaysToBuy['offered'] {
  const reach = withinReach(book.asks, book.mine, 'sell');
  const { lot } = book.terms;
  const all = reach.reduce((sum, level) => sum + level.shares, 0);
  const [best] = reach;
  const first = firstOffer(book, reach);
  const odd = first && first.shares % lot !== 0 ? first.shares : null;
  const shares = Math.max(all - (all % lot), odd ?? 0);
  return best && shares > 0 ? { shares, price: best.price, lot, odd } : null;
}

/**
 * Why nothing can be had of members where `offered` is null: an order of one's own stands before theirs, they offer fewer
 * than a lot, or there is nobody.
 */
export function whyNoneOffered({ asks, mine }: Book): 'nobody' | 'own_first' | 'below_lot' {
  if (withinReach(asks, mine, 'sell').some(({ shares }) => shares > 0)) return 'below_lot';
  return asks.some(({ shares }) => shares > 0) ? 'own_first' : 'nobody';
}

/** While a live stream is read the levels are newer than the offers: one that they cannot hold any more has gone. */
function firstOffer(book: Book, [best]: readonly Level[]): Offer | null {
  return book.offers.find(({ price, shares }) => price === best?.price && shares <= best.shares) ?? null;
}

function fromMembers(
  shares: number,
  book: Book,
  { shares: most, lot, odd }: NonNullable<WaysToBuy['offered']>,
): FromMembers | null {
  if (shares > most || (shares % lot !== 0 && shares !== odd)) return null;
  const reach = withinReach(book.asks, book.mine, 'sell');
  const first = firstOffer(book, reach);
  const { valueCents, worst } = walk(reach, shares);
  const fees = feeTermsOf(book.terms);
  const feeCents = feeOf(valueCents, fees);
  const totalCents = valueCents + feeCents;
  const offer = first && first.shares >= shares ? first : null;
  const neededCents = offer ? totalCents : holdOf(centsOf(worst), shares, 0, fees);
  return { valueCents, feeCents, totalCents, neededCents, worst, offer };
}

export interface SaleSums {
  /** Bought at once by members whose orders wait. */
  soldAtOnce: number;
  waiting: number;
  valueCents: number;
  feeCents: number;
  /** What reaches the wallet once all is sold. */
  receivedCents: number;
}

/** What an order to sell comes to: what is wanted already trades at the prices that wait, the rest at one's own. */
export function saleSums(shares: number, price: number, book: Book): SaleSums {
  const fitting = withinReach(book.bids, book.mine, 'buy').filter((level) => level.price >= price);
  const now = walk(fitting, shares);
  const waiting = shares - now.shares;
  const valueCents = now.valueCents + waiting * centsOf(price);
  const feeCents = feeOf(valueCents, feeTermsOf(book.terms));
  return { soldAtOnce: now.shares, waiting, valueCents, feeCents, receivedCents: valueCents - feeCents };
}

/** The prices that a market allows, in cents. */
export interface PriceTerms {
  readonly isPar: boolean;
  readonly valueCents: number;
  readonly floorCents: number;
  readonly ceilingCents: number;
  readonly tickCents: number;
}

export function priceTermsOf(terms: MarketTerms): PriceTerms {
  return {
    isPar: terms.price_mode === 'par',
    valueCents: centsOf(terms.share_value),
    floorCents: centsOf(terms.floor),
    ceilingCents: centsOf(terms.ceiling),
    tickCents: centsOf(terms.tick),
  };
}

/** Whether an order may stand at a price: the share value, or a whole step within the band. */
export function isPriceAllowed(cents: number, terms: PriceTerms): boolean {
  if (cents === terms.valueCents) return true;
  return !terms.isPar && cents >= terms.floorCents && cents <= terms.ceilingCents && cents % terms.tickCents === 0;
}

/** Prices to start an order to sell from, each once: what buyers bid, what was paid last, what the sacco asks. */
export function sellingPrices(book: Book): { kind: 'bid' | 'last' | 'value'; price: number }[] {
  const terms = priceTermsOf(book.terms);
  const bid = withinReach(book.bids, book.mine, 'buy')[0]?.price;
  const found = [
    { kind: 'bid' as const, price: bid },
    { kind: 'last' as const, price: book.last_price ?? undefined },
    { kind: 'value' as const, price: book.terms.share_value },
  ].filter((one): one is { kind: 'bid' | 'last' | 'value'; price: number } => {
    return one.price !== undefined && isPriceAllowed(centsOf(one.price), terms);
  });
  return found.filter(({ price }, index) => found.findIndex((other) => other.price === price) === index);
}

/** How many shares may be sold now: whole lots of what is free, above what must stay; all of it where nothing must. */
export function sellableShares({ free, mustStay, lot }: { free: number; mustStay: number; lot: number }): number {
  const most = Math.max(0, free - mustStay);
  return mustStay === 0 ? most : most - (most % lot);
}
