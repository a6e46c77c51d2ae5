import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  coverOf,
  limitOf,
  limitParts,
  type Pledge,
  qualifyingSavings,
  reasonAgainstGuarantor,
  releasesOf,
  savingsThatCount,
} from './loans.rules.ts';

describe('savings that count', () => {
  test('a lump sum younger than 90 days does not count, what is saved every month does', () => {
    expect(qualifyingSavings(50_000_00, [0, 0, 0, 0, 0, 0])).toBe(50_000_00);
    expect(qualifyingSavings(50_000_00, [30_000_00, 0, 0, 0, 0, 0])).toBe(20_000_00);
    expect(qualifyingSavings(50_000_00, [2_000_00, 2_000_00, 2_000_00, 2_000_00, 2_000_00, 2_000_00])).toBe(50_000_00);
    expect(qualifyingSavings(50_000_00, [32_000_00, 2_000_00, 2_000_00, 2_000_00, 2_000_00, 2_000_00])).toBe(20_000_00);
    expect(qualifyingSavings(50_000_00, [2_000_00, 2_000_00, 2_000_00, 2_000_00, 0, 2_000_00])).toBe(44_000_00);
  });

  test('what does not count yet, and what counts at once every 30 days, is known with it', () => {
    const recent = [32_000_00, 2_000_00, 2_500_00, 2_000_00, 3_000_00, 2_000_00];
    expect(savingsThatCount(50_000_00, recent)).toEqual({ counts: 19_500_00, later: 30_500_00, regular: 2_000_00 });
    // What was saved lately and taken out again leaves nothing that counts.
    expect(savingsThatCount(10_000_00, recent)).toEqual({ counts: 0, later: 10_000_00, regular: 2_000_00 });
  });
});

describe('the limit', () => {
  const input = {
    savings: 50_000_00,
    recent: [0, 0, 0, 0, 0, 0],
    otherPrincipal: 0,
    multiplier: 300,
    productMost: 500_000_00,
    coreCapital: 2_000_000_00,
    terms: { method: 'annuity', rate: 100, wholeShillings: false } as const,
    months: 12,
    netIncome: 30_000_00,
  };
  test('is the smallest of its parts', () => {
    expect(limitParts(input)).toEqual([
      { kind: 'savings', amount: 150_000_00 },
      { kind: 'product', amount: 500_000_00 },
      { kind: 'core_capital', amount: 200_000_00 },
      { kind: 'ability', amount: 225_101_54 },
    ]);
    expect(limitOf(limitParts(input))).toBe(150_000_00);
    expect(limitOf(limitParts({ ...input, otherPrincipal: 120_000_00 }))).toBe(30_000_00);
    expect(limitOf(limitParts({ ...input, netIncome: 3_000_00 }))).toBe(22_510_15);
    expect(limitOf(limitParts({ ...input, coreCapital: 100_000_00 }))).toBe(10_000_00);
    expect(limitOf(limitParts({ ...input, coreCapital: 0 }))).toBe(0);
  });
});

describe('a guarantor', () => {
  const now = new Date('2026-11-24T09:00:00Z');
  const good = {
    isBorrower: false,
    membership: 'active',
    joinedAt: new Date('2026-01-01T09:00:00Z'),
    isOfficial: false,
    isSuspended: false,
    isInArrears: false,
    liveGuarantees: 4,
    isReciprocal: false,
    isRelated: false,
    phoneConfirmed: true,
    freeSavings: 20_000_00,
  } as const;
  test.each([
    [{}, null],
    [{ isBorrower: true }, 'borrower'],
    [{ membership: 'leaving' }, 'not_active'],
    [{ membership: null }, 'not_active'],
    [{ isSuspended: true }, 'suspended'],
    [{ joinedAt: new Date('2026-06-01T09:00:00Z') }, 'too_new'],
    [{ isOfficial: true }, 'official'],
    [{ isInArrears: true }, 'in_arrears'],
    [{ liveGuarantees: 5 }, 'too_many'],
    [{ isReciprocal: true }, 'reciprocal'],
    [{ isRelated: true }, 'related'],
    [{ phoneConfirmed: false }, 'phone'],
    [{ freeSavings: 19_999_99 }, 'savings'],
  ] as const)('%o: %s', (facts, reason) => {
    expect(reasonAgainstGuarantor({ ...good, ...facts }, 20_000_00, now)).toBe(reason);
  });
});

describe('cover', () => {
  test('own savings fill what pledges leave, and three guarantors are needed unless own savings or a pool suffice', () => {
    const asked = { amount: 100_000_00, minGuarantors: 3, pool: 0 };
    expect(coverOf({ ...asked, own: 100_000_00, pledges: [] })).toMatchObject({ isCovered: true, ownUsed: 100_000_00 });
    expect(coverOf({ ...asked, own: 40_000_00, pledges: [60_000_00] })).toMatchObject({
      isCovered: false,
      toCover: 0,
      guarantorsNeeded: 2,
    });
    expect(coverOf({ ...asked, own: 40_000_00, pledges: [20_000_00, 20_000_00, 20_000_00] })).toMatchObject({
      isCovered: true,
      ownUsed: 40_000_00,
    });
    expect(coverOf({ ...asked, own: 39_999_99, pledges: [20_000_00, 20_000_00, 20_000_00] })).toMatchObject({
      toCover: 1,
    });
    expect(coverOf({ ...asked, pool: 80_000_00, own: 20_000_00, pledges: [] })).toMatchObject({ isCovered: true });
  });
});

describe('the release of pledges', () => {
  const pledges: Pledge[] = [
    { kind: 'self', start: 40_000_00, pledged: 40_000_00 },
    { kind: 'member', start: 40_000_00, pledged: 40_000_00 },
    { kind: 'member', start: 20_000_00, pledged: 20_000_00 },
  ];
  test('members first and by their pledges, then one’s own savings', () => {
    expect(releasesOf(pledges, 70_000_00, 100_000_00)).toEqual([0, 20_000_00, 10_000_00]);
    expect(releasesOf(pledges, 25_000_00, 100_000_00)).toEqual([15_000_00, 40_000_00, 20_000_00]);
    expect(releasesOf(pledges, 0, 100_000_00)).toEqual([40_000_00, 40_000_00, 20_000_00]);
  });
  test('waits for Kes 100, but not at the end', () => {
    expect(releasesOf(pledges, 99_900_01, 100_000_00)).toEqual([0, 0, 0]);
    expect(releasesOf(pledges, 99_900_00, 100_000_00)).toEqual([0, 66_67, 33_33]);
    expect(releasesOf([{ kind: 'member', start: 100_00, pledged: 50 }], 0, 100_000_00)).toEqual([50]);
  });
  test('never gives back more than is pledged, and in the end gives back all', () => {
    const pledge = fc.record({
      kind: fc.constantFrom('member' as const, 'self' as const),
      start: fc.integer({ min: 1, max: 1e8 }),
    });
    fc.assert(
      fc.property(
        fc.array(pledge, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 1e9 }),
        fc.array(fc.integer({ min: 1, max: 1e8 }), { maxLength: 20 }),
        (given, principal, payments) => {
          let held: Pledge[] = given.map((each) => ({ ...each, pledged: each.start }));
          let left = principal;
          for (const payment of [...payments, principal]) {
            left = Math.max(0, left - payment);
            const released = releasesOf(held, left, principal);
            held = held.map((each, index) => ({ ...each, pledged: each.pledged - (released[index] ?? 0) }));
            for (const each of held) expect(each.pledged).toBeGreaterThanOrEqual(0);
            const sum = held.reduce((total, { pledged }) => total + pledged, 0);
            const start = held.reduce((total, each) => total + each.start, 0);
            expect(BigInt(sum) * BigInt(principal)).toBeGreaterThanOrEqual(BigInt(start) * BigInt(left));
          }
          expect(held.every(({ pledged }) => pledged === 0)).toBe(true);
        },
      ),
    );
  });
});
