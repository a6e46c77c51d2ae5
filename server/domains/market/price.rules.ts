import type { Cents } from '@ushirika/contract/money';

/* Which trades count for the published figures, and what the last price is (decision 156). Pure functions. */

/** Why a trade does not count for the figures. It is settled and registered like any other. */
export type Uncounted = 'back_and_forth' | 'related' | 'small';

/** A trade for less than this does not count. */
const VALUE_MIN: Cents = 500_00;
/** Two members trade to and fro when one buys back from the other within this time. */
export const WASH_MS = 7 * 86_400_000;
/** The number of pairs of members, the latest ones, that make the last price. */
export const PAIRS_MAX = 5;
/** With fewer pairs there is no price. Of three, a single dearest or cheapest pair is never the middle one. */
const PAIRS_MIN = 3;

/** What two members last traded at. A pair has one point, whichever of them bought. */
export interface PricePoint {
  readonly pair: string;
  readonly priceCents: Cents;
  readonly shares: number;
}

/** A key for two members, whichever of them bought. */
export function pairOf(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}

/** The first reason why a trade does not count, or null for one that counts. */
export function uncountedOf(
  trade: { readonly shares: number; readonly priceCents: Cents },
  lot: number,
  of: { readonly isBackAndForth: boolean; readonly isRelated: boolean },
): Uncounted | null {
  if (of.isBackAndForth) return 'back_and_forth';
  if (of.isRelated) return 'related';
  return trade.shares < lot || trade.shares * trade.priceCents < VALUE_MIN ? 'small' : null;
}

/** The points after one more counting trade: its pair becomes the latest, and a sixth, oldest pair is dropped. */
export function withPoint(points: readonly PricePoint[], point: PricePoint): PricePoint[] {
  return [...points.filter(({ pair }) => pair !== point.pair), point].slice(-PAIRS_MAX);
}

/**
 * The volume-weighted median price of the points, oldest first: at most half of the shares traded below it, and at most
 * half above. A pair's weight is at most that of the median pair, so that no pair has half of the weight, however much
 * it trades. Of two middle prices it takes that of the older point. Null where there are too few pairs.
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
