import type { StatsRange } from '@ushirika/contract/market';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** How long a candle of a range is and how many days the range shows; months of the whole time stand as they are. */
const SPANS: Readonly<Record<Exclude<StatsRange, 'all'>, { readonly stepMs: number; readonly days: number }>> = {
  '1d': { stepMs: 15 * MINUTE_MS, days: 1 },
  '1w': { stepMs: 240 * MINUTE_MS, days: 7 },
  '1m': { stepMs: DAY_MS, days: 30 },
  '1y': { stepMs: 7 * DAY_MS, days: 365 },
};

/**
 * Every moment, in milliseconds, at which a candle may begin in a range, so that a time without trades is as wide as it
 * was long. Counted from the last candle, which stands on the server's own steps.
 */
export function momentsOf(range: StatsRange, times: readonly number[], nowMs: number): number[] {
  const last = times.at(-1);
  if (last === undefined || range === 'all') return [...times];
  const { stepMs, days } = SPANS[range];
  const first = Math.min(times[0] ?? last, nowMs - days * DAY_MS);
  const begin = last - Math.floor((last - first) / stepMs) * stepMs;
  const count = Math.max(0, Math.floor((Math.max(nowMs, last) - begin) / stepMs)) + 1;
  return Array.from({ length: count }, (_, index) => begin + index * stepMs);
}
