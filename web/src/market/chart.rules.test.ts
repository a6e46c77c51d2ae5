import { expect, test } from 'vitest';
import { momentsOf } from './chart.rules.ts';

const at = (iso: string) => Date.parse(iso);
const now = at('2026-11-22T04:10:00+03:00');

test('a week is as wide as a week, however few trades it had', () => {
  const moments = momentsOf('1w', [at('2026-11-19T12:00:00+03:00'), at('2026-11-21T20:00:00+03:00')], now);
  expect(moments).toHaveLength(42);
  expect(moments).toContain(at('2026-11-19T12:00:00+03:00'));
  expect(moments.at(-1)).toBe(at('2026-11-22T04:00:00+03:00'));
  expect(moments[0]).toBe(at('2026-11-15T08:00:00+03:00'));
});

test('every candle of the server has its place, and without any there is none', () => {
  const times = ['2026-11-21T04:15:00+03:00', '2026-11-22T04:00:00+03:00'].map(at);
  const moments = momentsOf('1d', times, now);
  for (const time of times) expect(moments).toContain(time);
  expect(momentsOf('1d', [], now)).toEqual([]);
  expect(momentsOf('all', times, now)).toEqual(times);
});
