import { centsOf } from '@ushirika/contract/format';
import type { MarketTerms, OrderSide } from '@ushirika/contract/market';
import { FEE_MAX_BASIS_POINTS, type FeeTerms, feeOf, holdOf } from '@ushirika/contract/market-fees';
import { percentHundredths } from '@ushirika/contract/typed';
import { feeTermsOf, isPriceAllowed, type PriceTerms, priceTermsOf, sellableShares } from './market-sums.ts';

/*
 * The arithmetic of the order ticket, in cents. What it says of the book is an estimate: the server decides.
 */

/** A market's terms in cents. */
export interface Terms extends FeeTerms, PriceTerms {
  readonly lot: number;
}

/** What the ticket knows of the person. */
export interface Trader {
  readonly availableCents: number;
  readonly isLeaving: boolean;
  readonly isProvisional: boolean;
  readonly minShares: number;
  /** Shares that may still be bought before holding too large a part. */
  readonly room: number;
  /** Why no order can be placed now, or null. */
  readonly closed: string | null;
}

/** A price level of the side that an order would meet, and how many of its shares are one's own. */
export interface Met {
  readonly priceCents: number;
  readonly shares: number;
  readonly own: boolean;
}

/** What an order would do now, as the book stands. */
export interface Estimate {
  /** Shares that trade at once, and their value. */
  readonly now: number;
  readonly valueCents: number;
  /** Shares that wait in the book. */
  readonly waits: number;
  /** The order would reach one's own resting order, which the market refuses. */
  readonly reachesOwn: boolean;
}

export function termsInCents(terms: MarketTerms): Terms {
  return { ...priceTermsOf(terms), ...feeTermsOf(terms), lot: terms.lot };
}

export { centsTyped } from '@ushirika/contract/typed';

/** Cents as a price is written into its field: `104.00`. */
export function priceText(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** The next allowed price above or below; from nothing typed, the share value. */
export function stepped(cents: number | null, direction: 1 | -1, terms: Terms): number {
  if (cents === null) return terms.valueCents;
  const tick = terms.tickCents;
  const step = direction === 1 ? (Math.floor(cents / tick) + 1) * tick : (Math.ceil(cents / tick) - 1) * tick;
  // The share value may lie between two steps.
  const passesValue =
    direction === 1
      ? cents < terms.valueCents && step > terms.valueCents
      : cents > terms.valueCents && step < terms.valueCents;
  const next = passesValue ? terms.valueCents : step;
  return Math.min(terms.ceilingCents, Math.max(terms.floorCents, next));
}

/** What trades at once, best price first, and what waits. `levels` are of the other side, best first. */
export function estimate(side: OrderSide, shares: number, priceCents: number, levels: readonly Met[]): Estimate {
  let rest = shares;
  let valueCents = 0;
  let reachesOwn = false;
  for (const level of levels) {
    const isReached = side === 'buy' ? level.priceCents <= priceCents : level.priceCents >= priceCents;
    if (!isReached || rest === 0) break;
    if (level.own) reachesOwn = true;
    const taken = Math.min(rest, level.shares);
    valueCents += taken * level.priceCents;
    rest -= taken;
  }
  return { now: shares - rest, valueCents, waits: rest, reachesOwn };
}

/** What an order to buy takes out of the wallet at most, its fee included. */
export function costOf(shares: number, priceCents: number, terms: FeeTerms): number {
  return holdOf(priceCents, shares, 0, terms);
}

/** What the seller gets once all are sold at the price. */
export function proceedsOf(shares: number, priceCents: number, terms: FeeTerms): number {
  const valueCents = shares * priceCents;
  return valueCents - feeOf(valueCents, terms);
}

/** The most whole lots that a wallet pays for, the fee included, and no more than there is room for. */
export function mostToBuy(priceCents: number, availableCents: number, room: number, terms: Terms): number {
  let least = 0;
  let most = Math.floor(Math.min(room, availableCents / priceCents) / terms.lot);
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (costOf(middle * terms.lot, priceCents, terms) <= availableCents) least = middle;
    else most = middle - 1;
  }
  return least * terms.lot;
}

/** The most whole lots of free shares that may be sold: the minimum stays, unless the seller leaves. */
export function mostToSell(free: number, minShares: number, isLeaving: boolean, lot: number): number {
  return sellableShares({ free, mustStay: isLeaving ? 0 : minShares, lot });
}

/** Shares that one member may still buy of others before holding more than the limit; none is no limit. */
export function roomOf(held: number, issued: number, limit: { percentage: number; since: string | null }): number {
  if (limit.since === null) return Number.POSITIVE_INFINITY;
  return Math.max(0, Math.floor((issued * limit.percentage) / 100) - held);
}

/** What a change does to an order's place in the queue of its price: fewer shares keep it, anything else loses it. */
export function placeAfter(
  order: { shares: number; priceCents: number },
  shares: number | null,
  priceCents: number | null,
): 'same' | 'keeps' | 'loses' {
  const hasPrice = priceCents === null || priceCents === order.priceCents;
  if (hasPrice && (shares === null || shares === order.shares)) return 'same';
  return hasPrice && shares !== null && shares < order.shares ? 'keeps' : 'loses';
}

/** A percentage from 0 to 3 with at most two decimals, in hundredths of a percent; null for anything else. */
export function percentTyped(text: string): number | null {
  const points = percentHundredths(text);
  return points !== null && points <= FEE_MAX_BASIS_POINTS ? points : null;
}

/** Orders and shares at prices that terms do not allow. */
export function outside(
  levels: readonly { price: number; shares: number; orders: number }[],
  terms: PriceTerms,
): { orders: number; shares: number } {
  const hit = levels.filter(({ price }) => !isPriceAllowed(centsOf(price), terms));
  return {
    orders: hit.reduce((sum, { orders }) => sum + orders, 0),
    shares: hit.reduce((sum, { shares }) => sum + shares, 0),
  };
}
