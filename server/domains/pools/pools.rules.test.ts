import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allocate,
  callWaterfall,
  capacityOf,
  crowdingOf,
  defaultPoolSettings,
  earnedFee,
  guaranteeFee,
  guaranteeFeeOfSchedule,
  guaranteeLeft,
  locksAfterRelease,
  ownLockOf,
  type PoolTerms,
  priceExamples,
  priceOf,
  riskPercentage,
  riskWeight,
  shareRecovery,
  splitFee,
  utilisationOf,
  weightedExposure,
} from './pools.rules.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('the worked prices of the design (A5)', () => {
  test.each([
    { base: 300, k: 150, trust: 81, utilisation: 3_000, weight: 12_850, crowding: 0, rate: 386 },
    { base: 300, k: 150, trust: 81, utilisation: 6_159, weight: 12_850, crowding: 397, rate: 401 },
    { base: 300, k: 150, trust: 60, utilisation: 8_000, weight: 16_000, crowding: 5_000, rate: 720 },
    { base: 300, k: 150, trust: 95, utilisation: 9_500, weight: 10_750, crowding: 8_750, rate: 605 },
    { base: 500, k: 200, trust: 50, utilisation: 10_000, weight: 20_000, crowding: 10_000, rate: 2_000 },
  ])('base $base, factor $k, trust $trust in a pool filled to $utilisation costs $rate', (row) => {
    expect(
      priceOf(
        { baseRisk: row.base, riskWeightFactor: row.k },
        { kink: 6_000, rateCap: 3_000 },
        { trustScore: row.trust, utilisationAfter: row.utilisation, amount: 1, months: 1 },
      ),
    ).toMatchObject({ riskWeight: row.weight, crowding: row.crowding, riskPercentage: row.rate });
  });

  test('the second of them in full: 30,000.00 asked of a pool of 200,000.00 costs 651.63', () => {
    const capacity = capacityOf(200_000_00, defaultPoolSettings);
    const exposure = weightedExposure(30_000_00, riskWeight(150, 81));
    expect([capacity, exposure]).toEqual([160_000_00, 38_550_00]);
    expect(utilisationOf(60_000_00 + exposure, capacity)).toBe(6_159);
    expect(guaranteeFee(30_000_00, 401, 12)).toBe(651_63);
  });

  test('no price passes the cap of 30 percent', () => {
    expect(riskPercentage(2_000, riskWeight(300, 0), 10_000)).toBe(3_000);
    expect(riskPercentage(2_000, riskWeight(300, 0), 10_000, 2_500)).toBe(2_500);
  });

  test('a pool without capacity has no utilisation', () => {
    expect(utilisationOf(0, 0)).toBeNull();
    expect(utilisationOf(0, 1)).toBe(0);
  });

  test('crowding never passes 1, not even past the capacity', () => {
    expect(crowdingOf(6_000, 6_000)).toBe(0);
    expect(crowdingOf(6_001, 6_000)).toBe(2);
    expect(crowdingOf(12_000, 6_000)).toBe(10_000);
  });
});

describe('the guarantee of Amina, from lock to recovery (A6)', () => {
  const names = ['Brian', 'Carol', 'David', 'Esther', 'Faith'];
  const positions = [30_000_00, 25_000_00, 15_000_00, 10_000_00, 15_000_00];
  const ownLock = ownLockOf(20_000_00, 2_000);
  const otherLocks = allocate(20_000_00 - ownLock, positions);
  const fee = guaranteeFee(20_000_00, 386, 12);

  test('the price is 3.86 percent, the fee 418.17', () => {
    const exposure = weightedExposure(20_000_00, riskWeight(150, 81));
    expect(exposure).toBe(25_700_00);
    const utilisation = utilisationOf(exposure, capacityOf(100_000_00, defaultPoolSettings));
    expect(utilisation).toBe(3_212);
    expect(riskPercentage(300, riskWeight(150, 81), crowdingOf(3_212, 6_000))).toBe(386);
    expect(fee).toBe(418_17);
  });

  test('4,000.00 of her own are locked, the rest in proportion to what is free', () => {
    expect(ownLock).toBe(4_000_00);
    expect(Object.fromEntries(names.map((name, index) => [name, otherLocks[index]]))).toEqual({
      Brian: 5_052_63,
      Carol: 4_210_53,
      David: 2_526_32,
      Esther: 1_684_21,
      Faith: 2_526_31,
    });
    expect(ownLock + sum(otherLocks)).toBe(20_000_00);
  });

  test('month 1 earns 64.33: members 45.03, reserve 12.87, sacco 6.43; Brian gets 14.22', () => {
    const earned = earnedFee(fee, 12, 1);
    const split = splitFee(earned, defaultPoolSettings.feeSplit);
    expect([earned, split]).toEqual([64_33, { members: 45_03, reserve: 12_87, sacco: 6_43 }]);
    expect(allocate(split.members, otherLocks)[0]).toBe(14_22);
  });

  test('after six months 305.58 are earned, the reserve stands at 2,061.12 and the sacco has 30.55', () => {
    let [reserve, sacco] = [2_000_00, 0];
    for (let month = 1; month <= 6; month += 1) {
      const split = splitFee(earnedFee(fee, 12, month) - earnedFee(fee, 12, month - 1), defaultPoolSettings.feeSplit);
      reserve += split.reserve;
      sacco += split.sacco;
    }
    expect([earnedFee(fee, 12, 6), fee - earnedFee(fee, 12, 6)]).toEqual([305_58, 112_59]);
    expect([reserve, sacco]).toEqual([2_061_12, 30_55]);
  });

  test('half of the principal repaid releases half of every lock', () => {
    const left = guaranteeLeft(20_000_00, 10_000_00, 20_000_00);
    expect(left).toBe(10_000_00);
    expect(locksAfterRelease([ownLock, ...otherLocks], left)).toEqual([
      2_000_00, 2_526_31, 2_105_26, 1_263_16, 842_11, 1_263_16,
    ]);
  });

  test('a call of 8,500.00 takes her position, half the reserve, and the rest from the locks', () => {
    const paid = callWaterfall({
      shortfall: 8_500_00,
      borrowerPosition: 5_000_00,
      reserve: 2_061_12 + 112_59,
      reserveDraw: 5_000,
      locks: [2_526_31, 2_105_26, 1_263_16, 842_11, 1_263_16],
    });
    expect(paid).toEqual({
      borrower: 5_000_00,
      reserve: 1_086_85,
      members: [762_05, 635_04, 381_02, 254_02, 381_02],
    });
    expect(sum(paid.members)).toBe(2_413_15);
  });

  test('a recovery of 1,000.00 goes to the members first', () => {
    const losses = { members: [762_05, 635_04, 381_02, 254_02, 381_02], reserve: 1_086_85 };
    expect(shareRecovery(1_000_00, losses)).toEqual({
      members: [315_79, 263_16, 157_89, 105_27, 157_89],
      reserve: 0,
    });
    expect(shareRecovery(3_000_00, losses)).toEqual({ members: losses.members, reserve: 586_85 });
  });
});

describe('what holds for every pool', () => {
  const cents = fc.integer({ min: 0, max: 1_000_000_000_00 });
  const weights = fc.array(fc.integer({ min: 0, max: 1_000_000_000_00 }), { minLength: 1, maxLength: 40 });

  test('a split adds up to the total, and no share is a cent or more away from the exact one', () => {
    fc.assert(
      fc.property(cents, weights, (total, parts) => {
        fc.pre(sum(parts) > 0);
        const shares = allocate(total, parts);
        expect(sum(shares)).toBe(total);
        const all = BigInt(sum(parts));
        for (const [index, share] of shares.entries()) {
          const distance = BigInt(share) * all - BigInt(total) * BigInt(parts[index] ?? 0);
          expect(distance > -all && distance < all).toBe(true);
        }
      }),
    );
  });

  test('of equal remainders the member who joined first gets the cent', () => {
    expect(allocate(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(allocate(5, [1, 1, 1])).toEqual([2, 2, 1]);
    expect(allocate(0, [0, 0])).toEqual([0, 0]);
    expect(() => allocate(1, [0, 0])).toThrow('nobody to allocate to');
  });

  test('the price falls with trust and rises with the fullness, the base and the factor', () => {
    const input = fc.record({
      base: fc.integer({ min: 0, max: 2_000 }),
      k: fc.integer({ min: 0, max: 300 }),
      trust: fc.integer({ min: 0, max: 99 }),
      utilisation: fc.integer({ min: 0, max: 9_999 }),
    });
    const rate = (base: number, k: number, trust: number, utilisation: number) =>
      riskPercentage(base, riskWeight(k, trust), crowdingOf(utilisation, 6_000));
    fc.assert(
      fc.property(input, ({ base, k, trust, utilisation }) => {
        const here = rate(base, k, trust, utilisation);
        expect(rate(base, k, trust + 1, utilisation)).toBeLessThanOrEqual(here);
        expect(rate(base, k, trust, utilisation + 1)).toBeGreaterThanOrEqual(here);
        expect(rate(base + 1, k, trust, utilisation)).toBeGreaterThanOrEqual(here);
        expect(rate(base, k + 1, trust, utilisation)).toBeGreaterThanOrEqual(here);
      }),
    );
  });

  test('a release never raises a lock and leaves exactly what is still guaranteed', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 0, max: 100 }), (locks, percent) => {
        const locked = sum(locks);
        fc.pre(locked > 0);
        const left = Math.floor((locked / 100) * percent);
        const after = locksAfterRelease(locks, left);
        expect(sum(after)).toBe(left);
        for (const [index, lock] of after.entries()) {
          expect(lock).toBeGreaterThanOrEqual(0);
          expect(lock).toBeLessThanOrEqual(locks[index] ?? 0);
        }
      }),
    );
  });

  test('nobody loses more than the lock, and no more is paid than is short', () => {
    const call = fc.record({
      shortfall: cents,
      borrowerPosition: cents,
      reserve: cents,
      reserveDraw: fc.integer({ min: 0, max: 10_000 }),
      locks: weights,
    });
    fc.assert(
      fc.property(call, (input) => {
        const paid = callWaterfall(input);
        expect(paid.borrower + paid.reserve + sum(paid.members)).toBeLessThanOrEqual(input.shortfall);
        for (const [index, loss] of paid.members.entries()) expect(loss).toBeLessThanOrEqual(input.locks[index] ?? 0);
        expect(paid.reserve).toBeLessThanOrEqual(Math.floor((input.reserve * input.reserveDraw) / 10_000));
      }),
    );
  });

  test('the whole fee is earned at the end, and earning never goes back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_00 }), fc.integer({ min: 1, max: 72 }), (fee, months) => {
        const earned = Array.from({ length: months + 1 }, (_, month) => earnedFee(fee, months, month));
        expect([earned[0], earned.at(-1)]).toEqual([0, fee]);
        expect(earned).toEqual([...earned].sort((a, b) => a - b));
      }),
    );
  });

  test('the short formula of the fee is the schedule of equal principals', () => {
    const balances = [1200, 1100, 1000, 900, 800, 700, 600, 500, 400, 300, 200, 100].map(
      (shillings) => shillings * 100,
    );
    expect(guaranteeFeeOfSchedule(balances, 401)).toBe(guaranteeFee(1_200_00, 401, 12));
  });

  test('the largest pool is still exact', () => {
    const most = 9_007_199_254_740_991;
    expect(weightedExposure(most, 10_000)).toBe(most);
    expect(sum(allocate(most, [1, 1]))).toBe(most);
  });
});

describe('the examples on a pool’s page', () => {
  const terms: PoolTerms = {
    minContribution: 1_000_00,
    minContributionPerc: 2_000,
    minMemberPeriodDays: 90,
    baseRisk: 300,
    riskWeightFactor: 150,
    minTrustScore: 60,
  };

  test('three borrowers in three pools, each dearer the fuller the pool and the lower the trust', () => {
    const examples = priceExamples(terms, defaultPoolSettings, 50_000_00);
    expect(
      examples.map(({ trustScore, utilisationAfter, riskPercentage: rate, fee }) => [
        trustScore,
        utilisationAfter,
        rate,
        fee,
      ]),
    ).toEqual([
      [60, 3_000, 480, 260_00],
      [60, 8_000, 720, 390_00],
      [60, 10_000, 960, 520_00],
      [80, 3_000, 390, 211_25],
      [80, 8_000, 585, 316_88],
      [80, 10_000, 780, 422_50],
      [100, 3_000, 300, 162_50],
      [100, 8_000, 450, 243_75],
      [100, 10_000, 600, 325_00],
    ]);
  });

  test('a pool that asks for full trust shows one borrower', () => {
    expect(priceExamples({ ...terms, minTrustScore: 100 }, defaultPoolSettings, 50_000_00)).toHaveLength(3);
  });

  test('prices no more than one borrower can have of the pool', () => {
    const amountAt = (equity: number) => priceExamples(terms, defaultPoolSettings, equity)[0]?.amount;
    expect(amountAt(14_862_00)).toBe(2_900_00);
    expect(amountAt(50_000_00)).toBe(10_000_00);
    expect(amountAt(0)).toBe(10_000_00);
  });
});
