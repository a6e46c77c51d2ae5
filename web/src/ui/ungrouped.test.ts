import { expect, test } from 'vitest';
import { ungrouped } from './ungrouped.ts';

test.each([
  ['1,000', '1000'],
  ['1,250,000.50', '1250000.50'],
  ['1000', '1000'],
  ['1,00', '1,00'],
  ['12,34,567', '12,34,567'],
  [',100', ',100'],
  ['a,000', 'a,000'],
])('an amount typed as %s goes out as %s', (typed, sent) => {
  expect(ungrouped(typed)).toBe(sent);
});
