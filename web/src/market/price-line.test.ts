import type { Candle } from '@ushirika/contract/market';
import { expect, test } from 'vitest';
import { priceLine } from './price-line.ts';

const candle = (day: string, open: number, close: number): Candle => ({
  time: `2026-11-${day}T00:00:00.000Z`,
  open,
  close,
  high: Math.max(open, close),
  low: Math.min(open, close),
  volume: 1,
});

test('where nothing was traded there is no line', () => {
  expect(priceLine([], 300, 60)).toBeNull();
});

test('the line goes from close to close, higher prices above, with the width of days without a trade', () => {
  const drawn = priceLine([candle('01', 98, 100), candle('02', 100, 99), candle('05', 99, 102)], 306, 60);
  // The second of November is a quarter of the way to the fifth.
  expect(drawn?.line).toBe('M0 38L75 54L300 6');
  expect(drawn?.end).toEqual([300, 6]);
  expect(drawn).toMatchObject({ lowest: 99, highest: 102 });
});

test('one day, or one price, is a line all the same', () => {
  expect(priceLine([candle('01', 98, 100)], 306, 60)?.line).toBe('M0 54L300 6');
  expect(priceLine([candle('01', 98, 98)], 306, 60)?.line).toBe('M0 30L300 30');
});
