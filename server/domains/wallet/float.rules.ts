import type { Cents } from '@ushirika/contract/money';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** From this hour of Nairobi on: few pay at that time. */
const FLOAT_HOUR = 3;
const NAIROBI_MS = 3 * HOUR_MS;

/** Waits between the times that M-Pesa is asked on one day; after the last nothing more is asked. */
const FLOAT_WAITS_MS = [10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 4 * HOUR_MS] as const;
export const FLOAT_ASKS_MAX = FLOAT_WAITS_MS.length;

/** Its own queue and clock: what M-Pesa booked so long before it was asked may be missing from its answer. */
export const FLOAT_MARGIN_MS = MINUTE_MS;

/** Whether the day's comparison may begin. */
export function isFloatHour(now: Date): boolean {
  return new Date(now.getTime() + NAIROBI_MS).getUTCHours() >= FLOAT_HOUR;
}

/** When to ask again after the `asks`-th time of a day. */
export function nextFloatAsk(asks: number, now: Date): Date {
  const wait = FLOAT_WAITS_MS[Math.min(Math.max(asks, 1), FLOAT_ASKS_MAX) - 1] as number;
  return new Date(now.getTime() + wait);
}

/** What our books say, all in cents and read at one moment. */
export interface FloatFigures {
  readonly floatCents: Cents;
  /** What the platform put onto the paybill itself. */
  readonly ownFundsCents: Cents;
  /** What M-Pesa charged for withdrawals whose members did not bear it. */
  readonly chargesCents: Cents;
  /** Prompts that are open and payments that are told of and not verified: M-Pesa may hold them, the books do not. */
  readonly comingCents: Cents;
  /** Withdrawals that were sent and are not settled, with their charges: M-Pesa may have paid them, the books have not. */
  readonly leavingCents: Cents;
  /** What the books took in and paid out since M-Pesa was asked, with charges: its figure may be from before. */
  readonly takenInCents: Cents;
  readonly paidOutCents: Cents;
}

export interface FloatVerdict {
  readonly verdict: 'agrees' | 'under_way' | 'differs';
  /** What M-Pesa should hold by the books. */
  readonly expectedCents: Cents;
  /** M-Pesa's figure less that. */
  readonly differenceCents: Cents;
  /** What the difference can come to by payments under way: at least (zero or below) and at most. */
  readonly leastCents: Cents;
  readonly mostCents: Cents;
}

/** Compares M-Pesa's figure with the books. Payments under way can explain a difference between two bounds, and no other. */
export function judgeFloat(mpesaCents: Cents, figures: FloatFigures): FloatVerdict {
  const expectedCents = figures.floatCents + figures.ownFundsCents - figures.chargesCents;
  const differenceCents = mpesaCents - expectedCents;
  const leastCents = 0 - figures.leavingCents - figures.takenInCents;
  const mostCents = figures.comingCents + figures.paidOutCents;
  const isExplained = differenceCents >= leastCents && differenceCents <= mostCents;
  const verdict = differenceCents === 0 ? 'agrees' : isExplained ? 'under_way' : 'differs';
  return { verdict, expectedCents, differenceCents, leastCents, mostCents };
}
