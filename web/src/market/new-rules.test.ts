import { expect, test } from 'vitest';
import { closesUnder, effectInWords, rulesProposed } from './new-rules.ts';
import { terms } from './test-market-terms.ts';

const after = {
  price_mode: 'band',
  floor_percentage: 98,
  ceiling_percentage: 101,
  tick: 1,
  lot: 5,
  fee_basis_points: 100,
  fee_min: 10,
  order_days_max: 30,
};
const rules = rulesProposed(after, terms);
const level = (price: number, shares: number, orders: number) => ({ price, shares, orders });
const order = { side: 'sell', price: 99, remaining: 10, expires_at: '2026-12-20T20:59:59.000Z' } as const;
const coming = { terms, from: '2026-11-24T13:16:00.000Z', isLeaving: false };

test('who confirms reads the figures that the proposer saw', () => {
  const book = { bids: [level(96, 13, 2), level(98, 5, 1)], asks: [level(104, 20, 3)], terms };
  expect(effectInWords(book, rules)).toBe(
    'Open orders whose price would no longer be allowed: 5, for 33 shares. They would be cancelled, and what they hold would be free again. Orders of which no whole lots are left would be closed, too. So would orders that wait longer.',
  );
  const same = rulesProposed(
    { ...after, floor_percentage: 90, ceiling_percentage: 110, lot: 1, order_days_max: 90 },
    terms,
  );
  expect(effectInWords(book, same)).toBe('No open order has a price that would no longer be allowed.');
});

test('an order closes by its price, by a lot that does not divide it, and by its days; who leaves sells odd lots on', () => {
  expect(closesUnder(order, rules, coming)).toBe(false);
  expect(closesUnder({ ...order, price: 97 }, rules, coming)).toBe(true);
  expect(closesUnder({ ...order, remaining: 12 }, rules, coming)).toBe(true);
  expect(closesUnder({ ...order, remaining: 12 }, rules, { ...coming, isLeaving: true })).toBe(false);
  expect(closesUnder({ ...order, side: 'buy', remaining: 12 }, rules, { ...coming, isLeaving: true })).toBe(true);
  expect(closesUnder({ ...order, expires_at: '2026-12-28T20:59:59.000Z' }, rules, coming)).toBe(true);
});
