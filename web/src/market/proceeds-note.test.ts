import { createElement } from 'react';
import { expect, test } from 'vitest';
import { textOf } from '../ui/test-text.ts';
import { ProceedsNote } from './proceeds-note.tsx';

const read = (receivedCents: number | null) => textOf(createElement(ProceedsNote, { receivedCents }));

test('all proceeds of a small sale can go to M-Pesa today', () => {
  expect(read(94_58)).toMatch(/All of it can go to M-Pesa today\.$/);
  expect(read(1_000_00)).toMatch(/All of it can go to M-Pesa today\.$/);
});

test('a larger sale names the part that can go today, and no sum before a number is typed', () => {
  expect(read(1_000_01)).toMatch(/To M-Pesa Ksh\..1,000\.00 of it can go today, and the rest after 24 hours\.$/);
  expect(read(null)).toBe('What you are paid is yours to spend here at once.');
});
