import { expect, test } from 'vitest';
import { sharesInWords } from './shares-in-words.ts';

test('one share is one share, and any other number is shares', () => {
  expect([0, 1, 2, 1_200].map(sharesInWords)).toEqual(['0 shares', '1 share', '2 shares', '1,200 shares']);
});
