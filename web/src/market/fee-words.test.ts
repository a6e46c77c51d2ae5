import { expect, test } from 'vitest';
import { feeBoundsInWords, feeInWords } from './fee-words.ts';
import { terms } from './test-market-terms.ts';

test('the bounds of a fee name the least fee of an order, and that no fee is over 3 %', () => {
  expect(feeBoundsInWords(terms)).toBe('At least Ksh.\u00a010.00 for an order, and never over 3% of it.');
  expect(feeBoundsInWords({ ...terms, fee_min: 0 })).toBeNull();
});

test('a fee is named after the rule by which it came about', () => {
  expect(feeInWords(1244, terms)).toBe('Transfer fee 0.5%');
  expect(feeInWords(1000, terms)).toBe('Transfer fee (minimum)');
  expect(feeInWords(891, terms)).toBe('Transfer fee 3%');
});
