import { expect, test } from 'vitest';
import { timeToSell } from './time-to-sell.ts';

test('how long shares take to sell is said in words, and never as a part of a day', () => {
  expect([0, 0.03, 0.9, 1, 1.4, 1.6, 12.3].map((days) => timeToSell(days))).toEqual([
    'Usually sells the same day',
    'Usually sells the same day',
    'Usually sells the same day',
    'about a day',
    'about a day',
    'about 2 days',
    'about 12 days',
  ]);
});

test('where nothing was sold yet nothing is promised', () => {
  expect(timeToSell(null)).toBeNull();
});
