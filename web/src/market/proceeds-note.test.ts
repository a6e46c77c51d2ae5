import { createElement } from 'react';
import { expect, test } from 'vitest';
import { textOf } from '../ui/test-text.ts';
import { ProceedsNote } from './proceeds-note.tsx';

const read = (receivedCents: number | null) => textOf(createElement(ProceedsNote, { receivedCents }));

test('of a sale that brings no more than may go today, all of it can go to M-Pesa today', () => {
  expect(read(94_58)).toMatch(/All of it can go to M-Pesa today\.$/);
  expect(read(1_000_00)).toMatch(/All of it can go to M-Pesa today\.$/);
});

test('of a larger sale the part that can go today is named, and before a number is typed no sum', () => {
  expect(read(1_000_01)).toMatch(/To M-Pesa Ksh\..1,000\.00 of it can go today, and the rest after 24 hours\.$/);
  expect(read(null)).toBe('What you are paid is yours to spend here at once.');
});
