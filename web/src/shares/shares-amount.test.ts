import { expect, test } from 'vitest';
import { purchasePreview, shareCount, sharesAmount } from './shares-amount.ts';

test('the amount is the number of shares times the share value, to the cent', () => {
  expect(sharesAmount(3, 104.1)).toBe(312.3);
  expect(sharesAmount(1_000, 0.07)).toBe(70);
});

test('only a whole number above zero is a number of shares', () => {
  expect(shareCount(' 1,200 ')).toBe(1200);
  for (const text of ['', '0', '-3', '1.5', 'ten', '1e3', '999999999']) expect(shareCount(text), text).toBeNull();
});

test('the preview says what will leave the wallet, in the words of the spec', () => {
  expect(purchasePreview(10, sharesAmount(10, 104)).replaceAll('\u00a0', ' ')).toBe(
    '10 Shares = Ksh. 1,040.00. If you choose to proceed and "Buy Shares" then Ksh. 1,040.00 will be transferred form your wallet',
  );
  expect(purchasePreview(1, 104)).toMatch(/^1 Share = /);
});
