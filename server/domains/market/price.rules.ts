import type { Cents } from '@ushirika/contract/money';

/*
 * Which trades move the figures that people read, and what the last price is (decision 156). All here is pure.
 */

/** Why a trade moves no figure. It is a trade all the same: shares, money and register do not ask. */
export type Uncounted = 'back_and_forth' | 'related' | 'small';

/** A trade for less than this moves no price. */
const VALUE_MIN: Cents = 500_00;
/** Whoever buys back from a buyer within so many days trades to and fro. */
export const WASH_MS = 7 * 86_400_000;
/** So many pairs of members make the last price: the latest ones. */
export const PAIRS_MAX = 5;
/** At least so many stand behind a price: of three no one pair is the middle by being dearest or cheapest. */
const PAIRS_MIN = 3;

/** What two members last traded at. Of each pair there is one point, whoever bought. */
export interface PricePoint {
  readonly pair: string;
  readonly priceCents: Cents;
  readonly shares: number;
}

/** Two members in one order, whoever bought. */
export function pairOf(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}

/** The first reason why a trade is left out of the figures, or null for one that counts. */
export function uncountedOf(
  trade: { readonly shares: number; readonly priceCents: Cents },
  lot: number,
  of: { readonly isBackAndForth: boolean; readonly isRelated: boolean },
): Uncounted | null {
  if (of.isBackAndForth) return 'back_and_forth';
  if (of.isRelated) return 'related';
  return trade.shares < lot || trade.shares * trade.priceCents < VALUE_MIN ? 'small' : null;
}

/** The points after one more trade that counts: its pair is the latest, and the oldest pair beyond the fifth goes. */
export function withPoint(points: readonly PricePoint[], point: PricePoint): PricePoint[] {
  return [...points.filter(({ pair }) => pair !== point.pair), point].slice(-PAIRS_MAX);
}

/**
 * The volume-weighted middle price of the points, oldest first: at most half of the shares traded below it, at most half
 * above. No pair weighs more than the middle one of them, so that none has half of the weight however much it trades.
 * Where two prices are in the middle, it is that of the older point. Null where too few pairs stand behind it.
 */
export function middlePrice(points: readonly PricePoint[]): Cents | null {
  if (points.length < PAIRS_MIN) return null;
  const sizes = points.map(({ shares }) => shares).sort((one, other) => one - other);
  const weightMax = sizes[(sizes.length - 1) >> 1] ?? 0;
  const weightOf = (those: (priceCents: Cents) => boolean) =>
    points.reduce((sum, { priceCents, shares }) => (those(priceCents) ? sum + Math.min(shares, weightMax) : sum), 0);
  const whole = weightOf(() => true);
  const isInTheMiddle = (priceCents: Cents) =>
    2 * weightOf((each) => each < priceCents) <= whole && 2 * weightOf((each) => each > priceCents) <= whole;
  return points.find(({ priceCents }) => isInTheMiddle(priceCents))?.priceCents ?? null;
}
