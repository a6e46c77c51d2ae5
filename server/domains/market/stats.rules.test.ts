import { expect, test } from 'vitest';
import { candleRange, changeOf, firstStart, medianDays, startOf } from './stats.rules.ts';

const at = (text: string) => new Date(`${text}+03:00`);

test.each([
  ['quarter', '2026-11-22T14:59:59', '2026-11-22T14:45:00'],
  ['quarter', '2026-11-22T15:00:00', '2026-11-22T15:00:00'],
  ['four_hours', '2026-11-22T03:59:00', '2026-11-22T00:00:00'],
  ['four_hours', '2026-11-22T23:00:00', '2026-11-22T20:00:00'],
  ['day', '2026-11-22T00:00:00', '2026-11-22T00:00:00'],
  ['day', '2026-11-22T23:59:59', '2026-11-22T00:00:00'],
  // A Sunday belongs to the week of the Monday before.
  ['week', '2026-11-22T12:00:00', '2026-11-16T00:00:00'],
  ['week', '2026-11-23T00:00:00', '2026-11-23T00:00:00'],
  ['month', '2026-11-30T23:59:59', '2026-11-01T00:00:00'],
  ['month', '2027-01-01T00:00:00', '2027-01-01T00:00:00'],
  ['week', '1999-12-31T12:00:00', '1999-12-27T00:00:00'],
] as const)('the %s of %s in Nairobi begins at %s', (width, instant, start) => {
  expect(startOf(width, at(instant))).toEqual(at(start));
});

test('a range begins with its first whole candle', () => {
  const now = at('2026-11-22T14:05:00');
  expect(candleRange('1d', now)).toEqual({ unit: 'quarter', width: 'quarter', from: at('2026-11-21T14:15:00') });
  expect(candleRange('1w', now)).toEqual({ unit: 'quarter', width: 'four_hours', from: at('2026-11-15T16:00:00') });
  expect(candleRange('1m', now)).toEqual({ unit: 'day', width: 'day', from: at('2026-10-24T00:00:00') });
  expect(candleRange('1y', now)).toEqual({ unit: 'day', width: 'week', from: at('2025-11-24T00:00:00') });
  expect(candleRange('all', now)).toEqual({ unit: 'day', width: 'month', from: null });
  expect(firstStart('month', at('2026-12-31T23:00:00'))).toEqual(at('2027-01-01T00:00:00'));
});

test('the change is against the last price before the range, else against the first one in it', () => {
  expect(changeOf(105_00, 100_00, 90_00)).toEqual({ cents: 5_00, percentage: 5 });
  expect(changeOf(90_00, null, 120_00)).toEqual({ cents: -30_00, percentage: -25 });
  expect(changeOf(100_00, 300_00, null)).toEqual({ cents: -200_00, percentage: -66.67 });
  expect(changeOf(100_00, null, null)).toBeNull();
  expect(changeOf(null, null, null)).toBeNull();
});

test('the median of the days to sell has one decimal', () => {
  expect(medianDays([])).toBeNull();
  expect(medianDays([1440])).toBe(1);
  expect(medianDays([1440, 0, 14_400])).toBe(1);
  expect(medianDays([2_880, 720])).toBe(1.3);
});
