import { expect, test } from 'vitest';
import { byPrice, movedBy } from './order-receipt.tsx';

test('a seller receives the value less the fee, a buyer pays the value and the fee', () => {
  expect(movedBy({ side: 'sell', value: 768, fee: 10 })).toBe(758);
  expect(movedBy({ side: 'buy', value: 768.1, fee: 10.2 })).toBe(-778.3);
});

test('trades at one price are one line of the receipt', () => {
  const trade = (price: number, shares: number) => ({ id: `${price}${shares}`, price, shares, at: '' });
  expect(byPrice([trade(98, 5), trade(98, 3), trade(99, 2)])).toEqual([
    [98, 8],
    [99, 2],
  ]);
});
