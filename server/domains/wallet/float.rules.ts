import type { Cents } from '@ushirika/contract/money';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The hour of Nairobi from which the comparison may run: few people pay at night. */
const FLOAT_HOUR = 3;
const NAIROBI_MS = 3 * HOUR_MS;

/** Waits after each question of one day; after the last wait nothing more is asked. */
const FLOAT_WAITS_MS = [10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 4 * HOUR_MS] as const;
export const FLOAT_ASKS_MAX = FLOAT_WAITS_MS.length;

/** M-Pesa's figure may be older than our question by this much, because of its queue and its clock. */
export const FLOAT_MARGIN_MS = MINUTE_MS;

/** Whether the day's comparison may begin. */
export function isFloatHour(now: Date): boolean {
  return new Date(now.getTime() + NAIROBI_MS).getUTCHours() >= FLOAT_HOUR;
}

/** When M-Pesa is asked again, after it was asked `asks` times today. */
export function nextFloatAsk(asks: number, now: Date): Date {
  const wait = FLOAT_WAITS_MS[Math.min(Math.max(asks, 1), FLOAT_ASKS_MAX) - 1] as number;
  return new Date(now.getTime() + wait);
}

/** The figures of our books, all in cents and read at one moment. */
export interface FloatFigures {
  readonly floatCents: Cents;
  /** Money of the platform itself on the paybill. */
  readonly ownFundsCents: Cents;
  /** M-Pesa's charges for withdrawals, where the platform paid them. */
  readonly chargesCents: Cents;
  /** Open prompts, and reported payments that are not verified: M-Pesa may have this money, the books do not. */
  readonly comingCents: Cents;
  /**
   * Withdrawals that were sent and are not settled, with their charges: M-Pesa may have paid them out, the books have
   * not.
   */
  readonly leavingCents: Cents;
  /** Money booked in and out since M-Pesa was asked, with charges: M-Pesa's figure may be from before. */
  readonly takenInCents: Cents;
  readonly paidOutCents: Cents;
}

export interface FloatVerdict {
  readonly verdict: 'agrees' | 'under_way' | 'differs';
  /** What M-Pesa should hold, by the books. */
  readonly expectedCents: Cents;
  /** M-Pesa's figure less the expected one. */
  readonly differenceCents: Cents;
  /** The range of differences that payments under way can explain; the least is zero or below. */
  readonly leastCents: Cents;
  readonly mostCents: Cents;
}

/**
 * Compares M-Pesa's figure with the books. A difference in the range that payments under way can explain is
 * `under_way`.
 */
export function judgeFloat(mpesaCents: Cents, figures: FloatFigures): FloatVerdict {
  const expectedCents = figures.floatCents + figures.ownFundsCents - figures.chargesCents;
  const differenceCents = mpesaCents - expectedCents;
  const leastCents = 0 - figures.leavingCents - figures.takenInCents;
  const mostCents = figures.comingCents + figures.paidOutCents;
  const isExplained = differenceCents >= leastCents && differenceCents <= mostCents;
  const verdict = differenceCents === 0 ? 'agrees' : isExplained ? 'under_way' : 'differs';
  return { verdict, expectedCents, differenceCents, leastCents, mostCents };
}
