import { expect, test } from 'vitest';
import { elected } from './elections.ts';

const ballots = [
  { serial: 's2', choice: 'a' },
  { serial: 's1', choice: 'b' },
];
const as = (a: number, b: number) => [
  { candidate: 'a', votes: a },
  { candidate: 'b', votes: b },
];

test('whoever has the most votes is elected, and nobody without a vote', async () => {
  expect(await elected('one', as(1, 2), ballots)).toBe('b');
  expect(await elected('one', as(0, 0), [])).toBeNull();
});

test('between as many votes the lot is that of SHA-256 as another program reckons it, in whichever order ballots come', async () => {
  const lots: Readonly<Record<string, string>> = { one: 'a', two: 'b', three: 'b', four: 'a', five: 'b' };
  for (const [proposal, winner] of Object.entries(lots)) {
    expect(await elected(proposal, as(1, 1), ballots)).toBe(winner);
    expect(await elected(proposal, as(1, 1).reverse(), ballots.toReversed())).toBe(winner);
  }
});
