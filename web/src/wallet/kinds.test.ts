import { journals, kindOfJournal } from '@ushirika/contract/journals';
import { expect, test } from 'vitest';
import { eventWords, historyKinds } from './kinds.ts';

test('the history is narrowed only to what there are events of', () => {
  const kinds = historyKinds().map(([kind]) => kind);
  const happening = new Set(['reversal', ...Object.keys(journals)].map(kindOfJournal));
  expect(kinds).toContain('savings');
  expect(kinds.filter((kind) => !happening.has(kind))).toEqual([]);
});

test('an event that both adds to a wallet and takes from one has words for each', () => {
  expect(eventWords('shares_traded', 100)).toBe('Shares sold to a member');
  expect(eventWords('shares_traded', -100)).toBe('Shares bought from a member');
  expect(eventWords('unheard_of', 1)).toBe('Movement of your wallet');
});
