import { expect, test } from 'vitest';
import { describedWords, eventWords, historyKinds } from './kinds.ts';

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

test('what the server tells keeps its phone and the sacco’s name', () => {
  for (const text of [
    'Top-up by M-Pesa from 254712***678',
    'Withdrawal to M-Pesa to 254712***678',
    'Savings deposit · Umoja · 2',
    'Shares bought from a member · Umoja',
    'Correction',
  ]) {
    expect(describedWords(text)).toBe(text);
  }
});
