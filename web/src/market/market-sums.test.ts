import type { Order } from '@ushirika/contract/market';
import { expect, test } from 'vitest';
import {
  type Book,
  isPriceAllowed,
  priceTermsOf,
  saleSums,
  sellableShares,
  sellingPrices,
  waysToBuy,
  whyNoneOffered,
} from './market-sums.ts';
import { terms } from './test-market-terms.ts';

/** 8 shares at 98 in two offers (5 and 3), 24 at 99. */
const book: Book = {
  asks: [
    { price: 98, shares: 8, orders: 2 },
    { price: 99, shares: 24, orders: 1 },
  ],
  bids: [
    { price: 96, shares: 10, orders: 1 },
    { price: 95, shares: 30, orders: 3 },
  ],
  offers: [
    { order: 'a', price: 98, shares: 5 },
    { order: 'b', price: 98, shares: 3 },
    { order: 'c', price: 99, shares: 24 },
  ],
  mine: [],
  terms,
  last_price: 97,
};

const own = (side: 'buy' | 'sell', price: number) => ({ side, price, status: 'open', remaining: 4 }) as Order;

test('members are cheaper only where they still are with the fee', () => {
  // 5 at 98 and the least fee of 10 make exactly 500: not cheaper than the sacco, which takes no fee.
  const five = waysToBuy(5, book, 100);
  expect(five.members).toMatchObject({ valueCents: 490_00, feeCents: 10_00, totalCents: 500_00 });
  expect(five).toMatchObject({ order: ['sacco', 'members'], saccoCents: 500_00, savedCents: 0 });
  expect(waysToBuy(4, book, 100)).toMatchObject({ order: ['sacco', 'members'], savedCents: 2_00 });
  expect(waysToBuy(6, book, 100)).toMatchObject({ order: ['members', 'sacco'], savedCents: 2_00 });
});

test('a fee past its minimum is the share of the whole value, to the cent', () => {
  const many: Book = { ...book, asks: [{ price: 98.01, shares: 400, orders: 1 }], offers: [] };
  // 333 × 98.01 = 32,637.33, of which half a percent is 163.18665: rounded to 163.19.
  expect(waysToBuy(333, many, 100).members).toMatchObject({ valueCents: 32_637_33, feeCents: 163_19 });
});

test('shares that one offer has are taken from it; more are bought level by level, at the worst price needed', () => {
  expect(waysToBuy(5, book, 100).members?.offer?.order).toBe('a');
  expect(waysToBuy(6, book, 100).members).toMatchObject({ offer: null, worst: 98, valueCents: 588_00 });
  expect(waysToBuy(10, book, 100).members).toMatchObject({ offer: null, worst: 99, valueCents: 8 * 98_00 + 2 * 99_00 });
  expect(waysToBuy(32, book, 100).members?.valueCents).toBe(8 * 98_00 + 24 * 99_00);
});

test('more than members offer is not to be had from them, and it is said how many they offer', () => {
  expect(waysToBuy(33, book, 100)).toMatchObject({
    members: null,
    offered: { shares: 32, price: 98 },
    order: ['sacco', 'members'],
    savedCents: 0,
  });
});

test('before a number is typed the lower price stands first', () => {
  expect(waysToBuy(null, book, 100).order).toEqual(['members', 'sacco']);
  expect(waysToBuy(null, book, 98).order).toEqual(['sacco', 'members']);
  expect(waysToBuy(null, undefined, 100)).toMatchObject({ offered: null, order: ['sacco', 'members'] });
});

test('what stands behind one’s own offer cannot be bought from others', () => {
  expect(waysToBuy(3, { ...book, mine: [own('sell', 99)] }, 100).offered).toEqual({
    shares: 8,
    price: 98,
    lot: 1,
    odd: null,
  });
  expect(waysToBuy(3, { ...book, mine: [own('sell', 98)] }, 100).offered).toBeNull();
  expect(waysToBuy(3, { ...book, mine: [own('buy', 98)] }, 100).offered?.shares).toBe(32);
});

test('members sell in whole lots', () => {
  const inLots: Book = { ...book, terms: { ...terms, lot: 5 } };
  expect(waysToBuy(10, inLots, 100).offered).toEqual({ shares: 30, price: 98, lot: 5, odd: null });
  expect(waysToBuy(12, inLots, 100).members).toBeNull();
});

test('what a leaver offers beside whole lots is bought all together', () => {
  const odd = { order: 'a', price: 98, shares: 7 };
  const alone: Book = {
    ...book,
    asks: [{ price: 98, shares: 7, orders: 1 }],
    offers: [odd],
    terms: { ...terms, lot: 10 },
  };
  expect(waysToBuy(null, alone, 100).offered).toEqual({ shares: 7, price: 98, lot: 10, odd: 7 });
  expect(waysToBuy(7, alone, 100).members).toMatchObject({ offer: odd, valueCents: 7 * 98_00 });
  expect(waysToBuy(3, alone, 100).members).toBeNull();
  const before: Book = { ...book, offers: [odd, ...book.offers.slice(1)], terms: { ...terms, lot: 10 } };
  expect([7, 8, 10].map((shares) => waysToBuy(shares, before, 100).members?.offer?.order ?? null)).toEqual([
    'a',
    null,
    null,
  ]);
  expect(waysToBuy(8, before, 100).members).toBeNull();
  expect(waysToBuy(7, { ...alone, mine: [own('sell', 98)] }, 100).offered).toBeNull();
});

test('an odd offer of more than a lot is bought in lots or all together', () => {
  const odd = { order: 'a', price: 98, shares: 13 };
  const asks = [{ price: 98, shares: 13, orders: 1 }];
  const more: Book = { ...book, asks, offers: [odd], terms: { ...terms, lot: 10 } };
  expect(waysToBuy(12, more, 100)).toMatchObject({ members: null, offered: { shares: 13, odd: 13 } });
  expect(waysToBuy(13, more, 100).members).toMatchObject({ offer: odd, valueCents: 13 * 98_00 });
  expect(waysToBuy(10, more, 100).members).toMatchObject({ offer: odd, valueCents: 10 * 98_00 });
});

test('an offer that the live levels cannot hold any more is gone, though it was read a moment ago', () => {
  const inLots = { ...terms, lot: 10 };
  const offers = [{ order: 'a', price: 98, shares: 7 }];
  const sold: Book = { ...book, asks: [{ price: 99, shares: 50, orders: 1 }], offers, terms: inLots };
  expect(waysToBuy(7, sold, 100)).toMatchObject({ members: null, offered: { shares: 50, price: 99, odd: null } });
  expect(waysToBuy(10, sold, 100).members).toMatchObject({ offer: null, worst: 99 });
  const nearly: Book = { ...book, asks: [{ price: 98, shares: 3, orders: 1 }], offers, terms: inLots };
  expect(waysToBuy(7, nearly, 100)).toMatchObject({ members: null, offered: null });
});

test('what is wanted already sells at once at the price that waits; the rest waits at one’s own', () => {
  expect(saleSums(25, 95, book)).toEqual({
    soldAtOnce: 25,
    waiting: 0,
    valueCents: 10 * 96_00 + 15 * 95_00,
    feeCents: 11_93,
    receivedCents: 10 * 96_00 + 15 * 95_00 - 11_93,
  });
  expect(saleSums(15, 96, book)).toMatchObject({ soldAtOnce: 10, waiting: 5, valueCents: 15 * 96_00 });
  expect(saleSums(15, 97, book)).toMatchObject({ soldAtOnce: 0, waiting: 15, receivedCents: 15 * 97_00 - 10_00 });
});

test('a sale of next to nothing costs 3 %, however high the least fee is', () => {
  const cheap: Book = { ...book, bids: [], terms: { ...terms, fee_min: 1_000 } };
  expect(saleSums(1, 100, cheap)).toMatchObject({ feeCents: 3_00, receivedCents: 97_00 });
});

test('a price is the share value, or a step inside the band', () => {
  const band = priceTermsOf(terms);
  for (const cents of [90_00, 101_00, 110_00, 100_00]) expect(isPriceAllowed(cents, band), `${cents}`).toBe(true);
  for (const cents of [89_00, 111_00, 100_50]) expect(isPriceAllowed(cents, band), `${cents}`).toBe(false);
  expect(isPriceAllowed(105_50, { ...band, valueCents: 105_50 })).toBe(true);
  expect(isPriceAllowed(104_00, { ...band, isPar: true })).toBe(false);
  const par = priceTermsOf({ ...terms, price_mode: 'par', share_value: 100.25, floor: 100.25, ceiling: 100.25 });
  expect(isPriceAllowed(100_25, par)).toBe(true);
  expect(isPriceAllowed(101_00, par)).toBe(false);
});

test('a seller starts from the best bid, then the last price, then the share value, each named once', () => {
  expect(sellingPrices(book).map(({ kind, price }) => [kind, price])).toEqual([
    ['bid', 96],
    ['last', 97],
    ['value', 100],
  ]);
  expect(sellingPrices({ ...book, bids: [], last_price: 100 })).toEqual([{ kind: 'last', price: 100 }]);
  expect(sellingPrices({ ...book, bids: [], last_price: 80 })).toEqual([{ kind: 'value', price: 100 }]);
});

test('what must stay is not for sale, and lots stay whole', () => {
  expect(sellableShares({ free: 32, mustStay: 10, lot: 1 })).toBe(22);
  expect(sellableShares({ free: 32, mustStay: 10, lot: 5 })).toBe(20);
  expect(sellableShares({ free: 8, mustStay: 10, lot: 1 })).toBe(0);
  expect(sellableShares({ free: 8, mustStay: 0, lot: 1 })).toBe(8);
  // Who leaves sells the odd rest too.
  expect(sellableShares({ free: 32, mustStay: 0, lot: 5 })).toBe(32);
});

test('an order over several offers needs them all at the highest price, though it pays less', () => {
  const two: Book = {
    ...book,
    asks: [
      { price: 98, shares: 5, orders: 1 },
      { price: 98.5, shares: 40, orders: 1 },
    ],
    offers: [],
  };
  // 5 at 98 and 15 at 98.50 are 1,967.50, and the least fee 10; the order sets 20 at 98.50 and the fee aside.
  expect(waysToBuy(20, two, 100).members).toMatchObject({ totalCents: 1_977_50, neededCents: 1_980_00 });
  expect(waysToBuy(5, book, 100).members).toMatchObject({ totalCents: 500_00, neededCents: 500_00 });
});

test('a full book that one cannot buy from is not called empty', () => {
  expect(whyNoneOffered({ ...book, asks: [] })).toBe('nobody');
  expect(whyNoneOffered({ ...book, mine: [own('sell', 98)] })).toBe('own_first');
  expect(whyNoneOffered({ ...book, terms: { ...terms, lot: 50 } })).toBe('below_lot');
});
