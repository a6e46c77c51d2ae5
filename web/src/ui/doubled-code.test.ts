import { expect, test } from 'vitest';
import { withoutDoubledCode } from './doubled-code.ts';

test('254712345678 in a field that stands behind +254 already is 0712345678', () => {
  expect(withoutDoubledCode('+254254712345678', '254')).toBe('+254712345678');
  expect(withoutDoubledCode('+254254112345678', '254')).toBe('+254112345678');
});

test('a number that is one stays as it was typed', () => {
  for (const number of ['+254712345678', '+254', '+254254', '+2542547123', '+12025550123', undefined]) {
    expect(withoutDoubledCode(number, '254'), number).toBe(number);
  }
});
