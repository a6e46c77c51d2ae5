import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  guarantorsPay,
  guarantorsRefund,
  ownSavingsTaken,
  type RecoveryFacts,
  recoverySteps,
} from './recovery.rules.ts';

describe('the waterfall', () => {
  test('a shortfall of 40,000 with pledges of 50, 30 and 20 thousand is 20,000, 12,000 and 8,000', () => {
    expect(guarantorsPay(40_000_00, [50_000_00, 30_000_00, 20_000_00])).toEqual([20_000_00, 12_000_00, 8_000_00]);
  });

  test('nobody pays more than the pledge, and no cent is lost or made', () => {
    expect(guarantorsPay(150_000_00, [50_000_00, 30_000_00, 20_000_00])).toEqual([50_000_00, 30_000_00, 20_000_00]);
    expect(guarantorsPay(100, [1, 1, 1])).toEqual([1, 1, 1]);
    expect(guarantorsPay(100, [])).toEqual([]);
    const pledges = fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(pledges, fc.integer({ min: 0, max: 50_000_000 }), (each, shortfall) => {
        const paid = guarantorsPay(shortfall, each);
        const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
        expect(sum(paid)).toBe(Math.min(shortfall, sum(each)));
        for (const [index, value] of paid.entries()) expect(value).toBeLessThanOrEqual(each[index] ?? 0);
      }),
    );
  });

  test('the borrower’s own savings pay principal first, the pledged ones before the others', () => {
    const owed = { principal: 10_000, interest: 500, penalty: 100 };
    expect(ownSavingsTaken(owed, { held: 1_000, free: 500 })).toEqual({
      principal: 1_500,
      interest: 0,
      penalty: 0,
      fromHeld: 1_000,
      fromFree: 500,
    });
    expect(ownSavingsTaken(owed, { held: 4_000, free: 50_000 })).toEqual({
      principal: 10_000,
      interest: 500,
      penalty: 100,
      fromHeld: 4_000,
      fromFree: 6_600,
    });
  });

  test('no more of the own savings is taken than is said: less of the free ones first, then of the held ones', () => {
    const owed = { principal: 10_000, interest: 500, penalty: 100 };
    const taken = (most: number) => {
      const { fromHeld, fromFree, principal } = ownSavingsTaken(owed, { held: 4_000, free: 5_000 }, most);
      return [fromHeld, fromFree, principal];
    };
    expect(taken(20_000)).toEqual([4_000, 5_000, 9_000]);
    expect(taken(6_000)).toEqual([4_000, 2_000, 6_000]);
    expect(taken(3_000)).toEqual([3_000, 0, 3_000]);
  });

  test('what the borrower pays later goes to the guarantors in proportion to what they paid', () => {
    expect(guarantorsRefund(10_000_00, [20_000_00, 12_000_00, 8_000_00])).toEqual([5_000_00, 3_000_00, 2_000_00]);
    expect(guarantorsRefund(90_000_00, [20_000_00, 12_000_00, 8_000_00])).toEqual([20_000_00, 12_000_00, 8_000_00]);
  });
});

describe('the order of a recovery', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 5, 1) + day * 86_400_000);
  const late: RecoveryFacts = {
    state: 'in_arrears',
    daysPastDue: 90,
    secondNoticeAt: at(60),
    guarantorsNoticeAt: at(30),
    hasGuarantors: true,
    isPoolBacked: false,
    finalNoticeAt: null,
    offeredUntil: null,
    done: {},
    principal: 40_000_00,
  };
  const states = (facts: RecoveryFacts, day: number) =>
    recoverySteps(facts, at(day)).map(({ kind, state }) => `${kind} ${state}`);

  test('a default is decided from day 90 on, after the notices and 30 days after the guarantors were told', () => {
    expect(states(late, 90)[0]).toBe('default now');
    expect(states({ ...late, daysPastDue: 89 }, 90)[0]).toBe('default later');
    expect(states({ ...late, guarantorsNoticeAt: at(65) }, 94)[0]).toBe('default later');
    expect(states({ ...late, guarantorsNoticeAt: at(65) }, 95)[0]).toBe('default now');
    expect(states({ ...late, guarantorsNoticeAt: null }, 95)[0]).toBe('default later');
    expect(states({ ...late, guarantorsNoticeAt: null, hasGuarantors: false }, 95)[0]).toBe('default now');
    expect(states({ ...late, secondNoticeAt: null }, 95)[0]).toBe('default later');
  });

  test('nothing is taken before the final notice and its 14 days, then one step after the other', () => {
    const decided: RecoveryFacts = { ...late, state: 'defaulted', done: { default: at(90) } };
    expect(states(decided, 91)).toEqual([
      'default done',
      'final_notice now',
      'own_deposits later',
      'pool not_needed',
      'guarantors later',
      'write_off later',
    ]);
    const noticed: RecoveryFacts = {
      ...decided,
      finalNoticeAt: at(91),
      done: { ...decided.done, final_notice: at(91) },
    };
    expect(states(noticed, 104)[2]).toBe('own_deposits later');
    // Nor while borrower and guarantors are asked about a new schedule.
    const offered = recoverySteps({ ...noticed, offeredUntil: at(109) }, at(105))[2];
    expect(offered).toMatchObject({ kind: 'own_deposits', state: 'later', from: at(109) });
    expect(states(noticed, 105).slice(2)).toEqual([
      'own_deposits now',
      'pool not_needed',
      'guarantors later',
      'write_off later',
    ]);
    const own: RecoveryFacts = {
      ...noticed,
      state: 'recovering',
      isPoolBacked: true,
      done: { ...noticed.done, own_deposits: at(105) },
    };
    expect(states(own, 105).slice(3)).toEqual(['pool now', 'guarantors later', 'write_off later']);
    const pool: RecoveryFacts = { ...own, done: { ...own.done, pool: at(106) } };
    expect(states(pool, 106).slice(4)).toEqual(['guarantors now', 'write_off later']);
    expect(states({ ...pool, principal: 0 }, 106).slice(4)).toEqual(['guarantors not_needed', 'write_off now']);
    const all: RecoveryFacts = { ...pool, done: { ...pool.done, guarantors: at(107) } };
    expect(states(all, 107)[5]).toBe('write_off now');
  });
});
