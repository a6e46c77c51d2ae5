import { createElement } from 'react';
import { expect, test } from 'vitest';
import { textOf } from '../ui/test-text.ts';
import { SharesAtHand } from './at-hand.tsx';

const shown = (most: number, free: number, held = 0) =>
  textOf(createElement(SharesAtHand, { most, book: { free_shares: free, held_shares: held } }));

test('who may sell 2 of 22 free shares is told 2', () => {
  expect(shown(2, 22)).toBe('You can sell 2 of 22 free');
});

test('who may sell all of them reads one number, and what orders hold', () => {
  expect(shown(22, 22)).toBe('You can sell 22');
  expect(shown(0, 10, 5)).toBe('You can sell 0 of 10 free · 5 held by orders');
});
