import { expect, test } from 'vitest';
import { documentNumber, foldId, idNumber } from './identity.ts';

test.each([
  ['00645210', '645210'],
  ['0645210', '645210'],
  [' 12345678 ', '12345678'],
  ['ak123456', 'AK123456'],
  ['T0000001', 'T0000001'],
  ['00012', '00012'],
  ['000012', '00012'],
])('the ID number %s is kept as %s, so that one card is one account', (typed, kept) => {
  expect(foldId(typed)).toBe(kept);
  expect(idNumber.parse(typed)).toBe(kept);
});

test('zeros before a number make no document of it', () => {
  expect(documentNumber.safeParse('00012345').success).toBe(false);
  expect(documentNumber.parse('0012345678')).toBe('12345678');
});
