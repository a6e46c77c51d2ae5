import { expect, test } from 'vitest';
import { eventWords, historyKinds } from './kinds.ts';

test('the history is narrowed only to what there are events of', () => {
  const kinds = historyKinds().map(([kind]) => kind);
  expect(kinds).toContain('savings');
  expect(kinds).not.toContain('loans');
});

test('an event that both adds to a wallet and takes from one has words for each', () => {
  expect(eventWords('shares_traded', 100)).toBe('Shares sold to a member');
  expect(eventWords('shares_traded', -100)).toBe('Shares bought from a member');
  expect(eventWords('unheard_of', 1)).toBe('Movement of your wallet');
});
