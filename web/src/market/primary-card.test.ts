import type { Order } from '@ushirika/contract/market';
import { expect, test } from 'vitest';
import type { Book } from './market-book.ts';
import { comparison } from './primary-card.tsx';
import { terms } from './test-market-terms.ts';

const book = {
  asks: [
    { price: 98, shares: 8, orders: 2 },
    { price: 99, shares: 24, orders: 1 },
  ],
  bids: [],
  offers: [],
  mine: [] as Order[],
  terms,
} as unknown as Book;
const own = { side: 'sell', price: 98, status: 'open' } as Order;

test('beside a book full of offers it is never said that nobody offers', () => {
  expect(comparison({ ...book, mine: [own] }, null)).toBe(
    'Your own offer is the cheapest: cancel it to buy from other members.',
  );
  expect(comparison({ ...book, terms: { ...terms, lot: 50 } }, null)).toBe(
    'Members offer fewer than the 50 shares of one lot now.',
  );
  expect(comparison({ ...book, asks: [] }, null)).toBe('No other member offers shares now.');
});
