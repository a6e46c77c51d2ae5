import { PERCENT_CASES } from '@ushirika/contract/typed-cases';
import { expect, test } from 'vitest';
import {
  centsTyped,
  costOf,
  estimate,
  mostToBuy,
  mostToSell,
  outside,
  percentTyped,
  placeAfter,
  priceText,
  proceedsOf,
  roomOf,
  stepped,
  type Terms,
} from './ticket.rules.ts';

/** Half a percent, at least Ksh. 10; one share is Ksh. 105. */
const terms: Terms = {
  isPar: false,
  valueCents: 105_00,
  floorCents: 95_00,
  ceilingCents: 115_00,
  tickCents: 1_00,
  lot: 1,
  fee_basis_points: 50,
  fee_min_cents: 10_00,
};
const asks = [
  { priceCents: 104_00, shares: 32, own: false },
  { priceCents: 105_00, shares: 118, own: false },
];

test('50 shares at Ksh. 104.00 take Ksh. 5,226.00 with the fee', () => {
  expect(costOf(50, 104_00, terms)).toBe(5_226_00);
  expect(proceedsOf(50, 104_00, terms)).toBe(5_174_00);
});

test('a small order pays the least fee, and a very small one 3 %', () => {
  expect(costOf(4, 104_00, terms)).toBe(426_00);
  expect(costOf(1, 104_00, terms)).toBe(107_12);
});

test('of 50 shares 32 are there at the price and 18 wait', () => {
  expect(estimate('buy', 50, 104_00, asks)).toEqual({ now: 32, valueCents: 32 * 104_00, waits: 18, reachesOwn: false });
});

test('a higher price reaches the next level, the cheaper one first', () => {
  expect(estimate('buy', 50, 106_00, asks)).toEqual({
    now: 50,
    valueCents: 32 * 104_00 + 18 * 105_00,
    waits: 0,
    reachesOwn: false,
  });
});

test('a seller meets the highest bid first and waits for the rest', () => {
  const bids = [
    { priceCents: 103_00, shares: 10, own: false },
    { priceCents: 102_00, shares: 10, own: false },
  ];
  expect(estimate('sell', 15, 103_00, bids)).toMatchObject({ now: 10, waits: 5 });
  expect(estimate('sell', 15, 102_00, bids)).toMatchObject({ now: 15, valueCents: 10 * 103_00 + 5 * 102_00, waits: 0 });
});

test('an order that would meet one’s own is known before it is sent, one that stops short of it is not stopped', () => {
  const mine = [asks[0], { ...asks[1], own: true }].filter((level) => level !== undefined) as typeof asks;
  expect(estimate('buy', 40, 105_00, mine).reachesOwn).toBe(true);
  expect(estimate('buy', 32, 105_00, mine).reachesOwn).toBe(false);
});

test('the most that a wallet buys leaves room for the fee: one more could not be paid', () => {
  for (const available of [100_00, 114_00, 1_000_00, 5_226_00, 5_225_99, 77_777_77]) {
    const most = mostToBuy(104_00, available, Number.POSITIVE_INFINITY, terms);
    if (most > 0) expect(costOf(most, 104_00, terms)).toBeLessThanOrEqual(available);
    expect(costOf(most + 1, 104_00, terms)).toBeGreaterThan(available);
  }
  expect(mostToBuy(104_00, 5_226_00, Number.POSITIVE_INFINITY, terms)).toBe(50);
});

test('the most is whole lots and no more than there is room for', () => {
  expect(mostToBuy(104_00, 5_226_00, Number.POSITIVE_INFINITY, { ...terms, lot: 20 })).toBe(40);
  expect(mostToBuy(104_00, 5_226_00, 7, terms)).toBe(7);
  expect(mostToSell(60, 20, false, 1)).toBe(40);
  expect(mostToSell(60, 20, false, 25)).toBe(25);
  expect(mostToSell(60, 20, true, 1)).toBe(60);
  expect(mostToSell(15, 20, false, 1)).toBe(0);
});

test('one fifth of the shares limits who buys, once ten members hold any', () => {
  const since = '2026-11-01T09:00:00.000Z';
  expect(roomOf(150, 1_000, { percentage: 20, since })).toBe(50);
  expect(roomOf(250, 1_000, { percentage: 20, since })).toBe(0);
  expect(roomOf(150, 1_000, { percentage: 20, since: null })).toBe(Number.POSITIVE_INFINITY);
});

test('a step goes to the next allowed price and stays in the band', () => {
  expect(stepped(null, 1, terms)).toBe(105_00);
  expect(stepped(104_00, 1, terms)).toBe(105_00);
  expect(stepped(104_50, 1, terms)).toBe(105_00);
  expect(stepped(104_50, -1, terms)).toBe(104_00);
  expect(stepped(115_00, 1, terms)).toBe(115_00);
  expect(stepped(95_00, -1, terms)).toBe(95_00);
  expect(stepped(105_00, 1, { ...terms, valueCents: 105_50 })).toBe(105_50);
});

test('a typed price is exact in cents or nothing', () => {
  expect(centsTyped('1,040.5')).toBe(1_040_50);
  expect(centsTyped('104')).toBe(104_00);
  for (const text of ['', '0', '1.234', '-5', 'abc', '1e3']) expect(centsTyped(text)).toBeNull();
  expect(priceText(104_05)).toBe('104.05');
});

test('fewer shares at the same price keep the place in the queue, anything else loses it', () => {
  const order = { shares: 40, priceCents: 102_00 };
  expect(placeAfter(order, 40, 102_00)).toBe('same');
  expect(placeAfter(order, 30, 102_00)).toBe('keeps');
  expect(placeAfter(order, 50, 102_00)).toBe('loses');
  expect(placeAfter(order, 30, 101_00)).toBe('loses');
  expect(placeAfter(order, 40, 103_00)).toBe('loses');
});

test('new rules say how many orders in the book would no longer fit', () => {
  const levels = [
    { price: 106, shares: 240, orders: 6 },
    { price: 105, shares: 118, orders: 3 },
    { price: 96, shares: 20, orders: 2 },
  ];
  expect(outside(levels, { ...terms, floorCents: 100_00 })).toEqual({ orders: 2, shares: 20 });
  expect(outside(levels, { ...terms, isPar: true })).toEqual({ orders: 8, shares: 260 });
});

test('a fee is a percentage of at most three, exact to a hundredth', () => {
  for (const [typed, read] of PERCENT_CASES)
    expect(percentTyped(typed), typed).toBe(read === null ? null : Math.round(Number(read) * 100));
  expect(percentTyped('0.5')).toBe(50);
  expect(percentTyped('3')).toBe(300);
  for (const text of ['3.01', '0.123', '-1', '', '12']) expect(percentTyped(text)).toBeNull();
});
