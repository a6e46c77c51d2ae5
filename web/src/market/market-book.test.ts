import { expect, test } from 'vitest';
import { type Book, caughtUp, type Delta, merge } from './market-book.ts';

const book = {
  sequence: 10,
  bids: [
    { price: 103, shares: 75, orders: 2 },
    { price: 102, shares: 190, orders: 5 },
  ],
  asks: [{ price: 104, shares: 32, orders: 1 }],
  best_bid: 103,
  best_ask: 104,
  mine: [{ side: 'buy', price: 102 }],
  isWhole: { buy: true, sell: true },
} as unknown as Book;
const delta = (from: number, sequence: number, ...levels: Delta['levels']): Delta => ({ from, sequence, levels });

test('a change takes the place of its level, best price first', () => {
  const { book: next, readAgain } = merge(
    book,
    delta(
      10,
      11,
      { side: 'sell', price: 103.5, shares: 5, orders: 1 },
      { side: 'buy', price: 103, shares: 0, orders: 0 },
    ),
  );
  expect(readAgain).toBe(false);
  expect(next.asks.map(({ price }) => price)).toEqual([103.5, 104]);
  expect(next.bids.map(({ price }) => price)).toEqual([102]);
  expect([next.best_bid, next.best_ask, next.sequence]).toEqual([102, 103.5, 11]);
});

test('what is known already changes nothing', () => {
  const old = delta(8, 10, { side: 'sell', price: 104, shares: 1, orders: 1 });
  expect(merge(book, old).book).toBe(book);
});

test('a change that begins before the book and ends after it is taken: it holds whole levels', () => {
  const { book: next, readAgain } = merge(book, delta(7, 12, { side: 'sell', price: 104, shares: 30, orders: 1 }));
  expect(readAgain).toBe(false);
  expect(next.asks[0]?.shares).toBe(30);
  expect(next.sequence).toBe(12);
});

test('a gap leaves the book as it is and has it read again', () => {
  const merged = merge(book, delta(12, 13, { side: 'sell', price: 104, shares: 30, orders: 1 }));
  expect(merged).toEqual({ book, readAgain: true, touchesOwn: false });
});

test('a book that was on its way catches up with what came meanwhile, and says what is missing', () => {
  const late = delta(10, 11, { side: 'sell', price: 104, shares: 20, orders: 1 });
  const later = delta(11, 12, { side: 'sell', price: 104, shares: 0, orders: 0 });
  const whole = caughtUp(book, [delta(8, 9), late, later]);
  expect(whole.readAgain).toBe(false);
  expect([whole.book.sequence, whole.book.best_ask]).toEqual([12, null]);
  expect(caughtUp(book, [later]).readAgain).toBe(true);
});

test('a change where one’s own order waits is told', () => {
  expect(merge(book, delta(10, 11, { side: 'buy', price: 102, shares: 150, orders: 4 })).touchesOwn).toBe(true);
  expect(merge(book, delta(10, 11, { side: 'sell', price: 102, shares: 150, orders: 4 })).touchesOwn).toBe(false);
});

test('of a side that goes on behind what was read nothing is made up, and a short one is read again', () => {
  const part = { ...book, isWhole: { buy: true, sell: false } };
  const { book: next, readAgain } = merge(part, delta(10, 11, { side: 'sell', price: 109, shares: 9, orders: 1 }));
  expect(next.asks.map(({ price }) => price)).toEqual([104]);
  expect(readAgain).toBe(true);
});
