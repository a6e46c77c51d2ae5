import { expect, test } from 'vitest';
import { trueRateOfFlat } from './true-rate.ts';

test('a flat rate of 1% over 12 months is really 1.7881% a month', () => {
  expect(trueRateOfFlat(1, 12).toFixed(4)).toBe('1.7881');
});

test('over one month a flat rate is the true one, and none is none', () => {
  expect(trueRateOfFlat(10, 1).toFixed(4)).toBe('10.0000');
  expect(trueRateOfFlat(0, 12)).toBe(0);
});
