import { createElement } from 'react';
import { expect, test } from 'vitest';
import { textOf } from '../ui/test-text.ts';
import { SharesWorth } from './shares-worth.tsx';

const shown = (lastPrice: number | null) => textOf(createElement(SharesWorth, { shares: 22, value: 2_200, lastPrice }));

test('what shares are worth is said at their value and at what the last one went for', () => {
  expect(shown(97)).toBe('at share value Ksh. 2,200.00 at last price Ksh. 2,134.00');
  expect(shown(97.35)).toBe('at share value Ksh. 2,200.00 at last price Ksh. 2,141.70');
});

test('where members have not traded yet, there is the share value alone', () => {
  expect(shown(null)).toBe('at share value Ksh. 2,200.00');
});
