import { expect, test } from 'vitest';
import { middlePrice, type PricePoint, pairOf, uncountedOf, withPoint } from './price.rules.ts';

const points = (...of: [pair: string, shillings: number, shares: number][]): PricePoint[] =>
  of.map(([pair, shillings, shares]) => ({ pair, priceCents: shillings * 100, shares }));

test('one pair or two do not make a last price, however much they trade', () => {
  expect(middlePrice([])).toBeNull();
  expect(middlePrice(points(['ab', 110, 10_000]))).toBeNull();
  expect(middlePrice(points(['ab', 110, 10_000], ['cd', 100, 10]))).toBeNull();
  const again = withPoint(points(['ab', 110, 5]), { pair: 'ab', priceCents: 90_00, shares: 5 });
  expect(again).toEqual(points(['ab', 90, 5]));
});

test('the last price is the middle one, weighted by shares', () => {
  expect(middlePrice(points(['cd', 100, 10], ['ef', 101, 10], ['gh', 104, 10]))).toBe(101_00);
  // A pair's weight is at most that of the middle pair, so 30 shares count as 10.
  expect(middlePrice(points(['cd', 100, 30], ['ef', 103, 10], ['gh', 104, 5]))).toBe(103_00);
  expect(middlePrice(points(['cd', 100, 20], ['ef', 103, 8], ['gh', 104, 8], ['ij', 99, 8]))).toBe(100_00);
});

test('one pair alone moves the price no further than to where others have traded, whatever it trades', () => {
  const honest = points(['cd', 100, 10], ['ef', 102, 3], ['gh', 101, 7], ['ij', 101, 25]);
  for (let others = 2; others <= 4; others += 1) {
    for (let place = 0; place <= others; place += 1) {
      for (const shillings of [90, 110]) {
        for (const shares of [5, 10, 1_000_000]) {
          const all = [...honest.slice(0, others)];
          all.splice(place, 0, ...points(['ab', shillings, shares]));
          expect([100_00, 101_00, 102_00]).toContain(middlePrice(all));
        }
      }
    }
  }
});

test('the latest five pairs make the price; a pair that trades again becomes the latest', () => {
  const five = points(['ab', 100, 5], ['cd', 101, 5], ['ef', 102, 5], ['gh', 103, 5], ['ij', 104, 5]);
  const again = withPoint(five, { pair: 'ab', priceCents: 105_00, shares: 7 });
  expect(again.map(({ pair }) => pair)).toEqual(['cd', 'ef', 'gh', 'ij', 'ab']);
  expect(withPoint(again, { pair: 'kl', priceCents: 1, shares: 5 }).map(({ pair }) => pair)).not.toContain('cd');
});

test('a trade counts from one lot and Ksh. 500, between members who are not related and do not trade to and fro', () => {
  const strangers = { isBackAndForth: false, isRelated: false };
  const of = (shares: number, shillings: number, lot = 1) =>
    uncountedOf({ shares, priceCents: shillings * 100 }, lot, strangers);
  expect([of(5, 100), of(4, 100), of(1, 500), of(9, 100, 10), of(10, 100, 10)]).toEqual([
    null,
    'small',
    null,
    'small',
    null,
  ]);
  const small = { shares: 1, priceCents: 100_00 };
  expect(uncountedOf(small, 1, { ...strangers, isRelated: true })).toBe('related');
  expect(uncountedOf(small, 1, { isBackAndForth: true, isRelated: true })).toBe('back_and_forth');
});

test('two members are one pair, whichever of them bought', () => {
  expect(pairOf('b', 'a')).toBe(pairOf('a', 'b'));
});
