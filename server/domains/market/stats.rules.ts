import type { StatsRange } from '@ushirika/contract/market';
import type { Cents } from '@ushirika/contract/money';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** Kenya's time zone, without summer time since 1960. */
const NAIROBI_MS = 3 * HOUR_MS;
/** 2001 began on a Monday, at midnight in Nairobi. */
const MONDAY_MS = Date.parse('2001-01-01T00:00:00+03:00');

/** The width of a drawn candle; a month has its own length. */
export type CandleWidth = 'quarter' | 'four_hours' | 'day' | 'week' | 'month';

/**
 * The stored candles that a range is drawn from, the width of its candles, and its start; null: from the first trade.
 */
export interface CandleRange {
  readonly unit: 'quarter' | 'day';
  readonly width: CandleWidth;
  readonly from: Date | null;
}

const RANGES: Readonly<Record<StatsRange, Omit<CandleRange, 'from'> & { readonly days: number | null }>> = {
  '1d': { unit: 'quarter', width: 'quarter', days: 1 },
  '1w': { unit: 'quarter', width: 'four_hours', days: 7 },
  '1m': { unit: 'day', width: 'day', days: 30 },
  '1y': { unit: 'day', width: 'week', days: 365 },
  all: { unit: 'day', width: 'month', days: null },
};

/** The range that ends now and begins with its first whole candle. */
export function candleRange(range: StatsRange, now: Date): CandleRange {
  const { unit, width, days } = RANGES[range];
  return { unit, width, from: days === null ? null : firstStart(width, new Date(now.getTime() - days * DAY_MS)) };
}

/** The start of the first candle of this width that begins after an instant. */
export function firstStart(width: CandleWidth, after: Date): Date {
  const start = startOf(width, after);
  if (width !== 'month') return new Date(start.getTime() + LENGTHS_MS[width]);
  const there = new Date(start.getTime() + NAIROBI_MS);
  return new Date(Date.UTC(there.getUTCFullYear(), there.getUTCMonth() + 1) - NAIROBI_MS);
}

const LENGTHS_MS: Readonly<Record<Exclude<CandleWidth, 'month'>, number>> = {
  quarter: 15 * MINUTE_MS,
  four_hours: 4 * HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
};

/** The start of the candle that contains an instant: by days, Mondays and months in Nairobi. */
export function startOf(width: CandleWidth, at: Date): Date {
  if (width === 'month') {
    const there = new Date(at.getTime() + NAIROBI_MS);
    return new Date(Date.UTC(there.getUTCFullYear(), there.getUTCMonth()) - NAIROBI_MS);
  }
  const length = LENGTHS_MS[width];
  return new Date(MONDAY_MS + Math.floor((at.getTime() - MONDAY_MS) / length) * length);
}

/**
 * The change of the price, in cents and in percent with two decimals: against the last price before the range, else
 * against the first one in it. Null where there is no price.
 */
export function changeOf(
  last: Cents | null,
  before: Cents | null,
  first: Cents | null,
): { readonly cents: Cents; readonly percentage: number } | null {
  const base = before ?? first;
  if (last === null || base === null) return null;
  return { cents: last - base, percentage: Math.round(((last - base) * 10_000) / base) / 100 };
}

/** The median of minutes, as days with one decimal; null of none. */
export function medianDays(minutes: readonly number[]): number | null {
  if (minutes.length === 0) return null;
  const sorted = [...minutes].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
  return Math.round((median * MINUTE_MS * 10) / DAY_MS) / 10;
}
