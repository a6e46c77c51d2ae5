import { expect, test } from 'vitest';
import { documentNumber, foldId } from './identity.ts';

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
});

test('a card is a document as it is printed, with its zeros, and with more of them', () => {
  expect(documentNumber.parse('0012345')).toBe('12345');
  expect(documentNumber.parse('0012345678')).toBe('12345678');
  for (const none of ['12345', '0000000', '00000000012345', '12 345']) {
    expect(documentNumber.safeParse(none).success).toBe(false);
  }
});
