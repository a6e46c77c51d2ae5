import { describe, expect, test } from 'vitest';
import * as rules from './dividend-rules.ts';

const even = (net: number) => Array.from({ length: 12 }, () => ({ net, lowest: 0 }));
/** Numbers that are the same in every run. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % (most + 1);
  };
}

describe('interest on savings', () => {
  test('of 100,000 at the start and 2,000 a month at 10.1 percent is 11,211.00 where a month counts from the next one', () => {
    const points = rules.savingsPoints(100_000_00, even(2_000_00), 'month_after');
    expect(rules.savingsInterest(points, 1_010)).toBe(11_211_00);
  });
  test('of 10,000 a month at 13 percent is 8,450.00 where a month counts itself', () => {
    expect(rules.savingsInterest(rules.savingsPoints(0, even(10_000_00), 'month_of'), 1_300)).toBe(8_450_00);
  });
  test('of what comes in on the last day of the year is nothing, or one month where a month counts itself', () => {
    const months = [...even(0).slice(1), { net: 1_200_00, lowest: 0 }];
    const of = (method: rules.SavingsMethod) => rules.savingsInterest(rules.savingsPoints(0, months, method), 1_000);
    expect([of('month_after'), of('month_of'), of('lowest_balance')]).toEqual([0, 10_00, 0]);
  });
  test('by the lowest balances is never more than from the next month on, nor that more than from the month itself', () => {
    const draw = numbers(7);
    for (let each = 0; each < 200; each += 1) {
      let balance = draw(1_000_000);
      const opening = balance;
      const months = even(0).map(() => {
        const net = draw(200_000) - Math.min(balance, 100_000);
        balance += net;
        return { net, lowest: Math.min(balance, balance - net) };
      });
      const [lowest, after, of] = (['lowest_balance', 'month_after', 'month_of'] as const).map((method) =>
        rules.savingsPoints(opening, months, method),
      ) as [number, number, number];
      expect(lowest).toBeLessThanOrEqual(after);
      expect(lowest).toBeGreaterThanOrEqual(0);
      // The difference of the two is one month of what came in during the year.
      expect(of - after).toBe(balance - opening);
    }
  });
});

describe('a dividend on shares', () => {
  const of = (lines: readonly rules.ShareLine[]) => rules.shareDaysOf(lines);
  test('of a whole year is the rate times the value of the shares, also in a leap year', () => {
    for (const year of [2026, 2028]) {
      const lines = rules.shareLines(year, [{ day: '2025-05-01', shares: 30 }]);
      expect(rules.shareDividend(of(lines), { year, rate: 1_000, shareValueCents: 100_00 })).toBe(300_00);
    }
  });
  test('is split on the day of a trade: the seller has the days before it, the buyer that day and those after', () => {
    const seller = rules.shareLines(2026, [
      { day: '2025-01-01', shares: 10 },
      { day: '2026-07-01', shares: -10 },
    ]);
    const buyer = rules.shareLines(2026, [{ day: '2026-07-01', shares: 10 }]);
    expect(seller).toEqual([
      { from: '2026-01-01', days: 181, shares: 10, shareDays: 1_810 },
      { from: '2026-07-01', days: 184, shares: 0, shareDays: 0 },
    ]);
    expect([of(seller), of(buyer)]).toEqual([1_810, 1_840]);
  });
  test('of shares that were bought on the last day of the year is of one day; of a later day nothing', () => {
    expect(of(rules.shareLines(2026, [{ day: '2026-12-31', shares: 5 }]))).toBe(5);
    expect(of(rules.shareLines(2026, [{ day: '2027-01-01', shares: 5 }]))).toBe(0);
  });
  test('neither grows nor shrinks by trading, however often, and all together never get more than was declared', () => {
    const draw = numbers(11);
    const year = 2027;
    for (let each = 0; each < 50; each += 1) {
      const moves = Array.from({ length: 4 }, (_, place) => [{ day: '2026-03-01', shares: 100 + place }]);
      const held = moves.map(([first]) => first?.shares ?? 0);
      for (let trade = 0; trade < 20; trade += 1) {
        const [from, to] = [draw(3), draw(3)];
        const shares = draw(held[from] ?? 0);
        const day = new Date(Date.parse('2027-01-01') + draw(364) * 86_400_000).toISOString().slice(0, 10);
        moves[from]?.push({ day, shares: -shares });
        moves[to]?.push({ day, shares });
        held[from] = (held[from] ?? 0) - shares;
        held[to] = (held[to] ?? 0) + shares;
      }
      const days = moves.map((each) => of(rules.shareLines(year, each)));
      const total = days.reduce((sum, one) => sum + one, 0);
      expect(total).toBe((100 + 101 + 102 + 103) * 365);
      const terms = { year, rate: 1 + draw(2_000), shareValueCents: 1 + draw(100_000) };
      const paid = days.reduce((sum, one) => sum + (one < 0 ? 0 : rules.shareDividend(one, terms)), 0);
      if (days.every((one) => one >= 0)) expect(paid).toBeLessThanOrEqual(rules.shareDividend(total, terms));
    }
  });
});

test('a fifth of the surplus is kept, to the cent, and of a loss nothing can be distributed', () => {
  expect(rules.shareOutSurplus(1_000_01)).toEqual({ reserve: 200_01, distributable: 800_00 });
  expect(rules.shareOutSurplus(-5)).toEqual({ reserve: 0, distributable: 0 });
});

test('tax is rounded to the nearest cent, and is never more than what it is taken of', () => {
  expect([rules.withheldOf(10, 500), rules.withheldOf(9, 500), rules.withheldOf(11_211_00, 1_500)]).toEqual([
    1, 0, 1_681_65,
  ]);
});

test('a payout lowers the capital ratios, and those below the minimum are named', () => {
  const capital = { shareCapital: 500_00, reserves: 100_00, assets: 1_000_00, deposits: 400_00 };
  const minimums = { core_to_assets: 10, institutional_to_assets: 8, core_to_deposits: 8 };
  expect(rules.belowMinimum(rules.capitalRatios(capital), minimums)).toEqual([]);
  const after = rules.capitalRatios(rules.afterPayout(capital, 30_00));
  expect(after.institutional_to_assets).toBe(7.22);
  expect(rules.belowMinimum(after, minimums)).toEqual(['institutional_to_assets']);
});
