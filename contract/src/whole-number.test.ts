import { expect, test } from 'vitest';
import { wholeNumber } from './whole-number.ts';

const shares = wholeNumber(1, 100);

test.each([1, 100, '7', ' 42 '])('%j is a number of shares', (value) => {
  expect(shares.parse(value)).toBe(Number(value));
});

test.each([0, 101, 1.5, '', '1e1', '0x10', '-3', '5.0', true, [5], null, {}, Number.NaN])('%j is none', (value) => {
  const result = shares.safeParse(value);
  expect(result.error?.issues[0]?.message).toBe('Enter a whole number from 1 to 100.');
});
