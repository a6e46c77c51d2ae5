import { expect, test } from 'vitest';
import { proceedsWords } from './proceeds-note.tsx';

test('before a sale the sum that can go to M-Pesa at once is that of a day, whatever this sale brings', () => {
  expect(proceedsWords(false)).toMatch(
    /at once\. Of what you are paid within 24 hours, Ksh\..1,000\.00 can go to M-Pesa at once, and the rest 24 hours after the sale\.$/,
  );
});

test('where earlier proceeds are held already, all of a sale is said to stay for a day', () => {
  expect(proceedsWords(true)).toMatch(/at once\. It can go to M-Pesa 24 hours after the sale\.$/);
});
