import { LOAN_METHODS } from '@ushirika/contract/loans';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Accrual,
  type Allocation,
  accruedOf,
  accrueTo,
  allocatePayment,
  type OwedInstalment,
  type OwedLoan,
  payoffOf,
} from './repayment.rules.ts';
import { dayAfter, type ScheduledInstalment, scheduleOf, type Terms } from './schedule.rules.ts';

/** A loan as its rows keep it, in memory. */
interface Life {
  readonly terms: Terms;
  readonly amount: number;
  principal: number;
  interest: number;
  penalty: number;
  prepaid: number;
  accrual: Accrual;
  instalments: OwedInstalment[];
}

function paidOut(terms: Terms, amount: number, months: number, from: string): Life {
  const { instalments } = scheduleOf({ ...terms, amount, months, from });
  const rows = instalments.map((each) => ({ ...each, paidPrincipal: 0, paidInterest: 0 }));
  const period = rows[0] as ScheduledInstalment;
  return {
    terms,
    amount,
    principal: amount,
    interest: 0,
    penalty: 0,
    prepaid: 0,
    accrual: { period, accrued: 0 },
    instalments: rows,
  };
}

function wait(life: Life, day: string): void {
  const following = life.instalments.filter(({ number }) => number > life.accrual.period.number);
  const { added, accrual } = accrueTo(life.accrual, following, day);
  life.interest += added;
  life.accrual = accrual;
}

const owedOf = ({ terms, principal, penalty, interest, instalments, accrual }: Life): OwedLoan => ({
  ...terms,
  principal,
  penalty,
  interest,
  instalments: instalments.filter(
    (each) =>
      each.paidPrincipal + each.paidInterest < each.principal + each.interest || each.number >= accrual.period.number,
  ),
});

function pay(life: Life, amount: number, day: string, surplus: 'shorten' | 'lower_instalment' = 'shorten'): Allocation {
  wait(life, day);
  const paid = allocatePayment(owedOf(life), { amount, day, surplus });
  life.principal -= paid.principal + paid.prepaid;
  life.interest += paid.accruedNow - paid.interest;
  life.penalty -= paid.penalty;
  life.prepaid += paid.prepaid;
  life.accrual = { ...life.accrual, accrued: life.accrual.accrued + paid.accruedNow };
  const last = life.accrual.period.number;
  life.instalments = life.instalments.map((each) => {
    const of = paid.payments.find(({ number }) => number === each.number);
    if (!of) return each;
    return { ...each, paidPrincipal: each.paidPrincipal + of.principal, paidInterest: each.paidInterest + of.interest };
  });
  if (paid.rest !== null) {
    const kept = life.instalments.filter(({ number }) => number <= last);
    life.instalments = [...kept, ...paid.rest.map((each) => ({ ...each, paidPrincipal: 0, paidInterest: 0 }))];
  }
  return paid;
}

const annuity = { method: 'annuity', rate: 100 } as const;

describe('a payment', () => {
  test('of the instalment on its day pays that one, and accrues nothing ahead', () => {
    const life = paidOut(annuity, 100_000_00, 12, '2026-01-15');
    expect(pay(life, 8_884_88, '2026-02-15')).toMatchObject({
      interest: 1_000_00,
      accruedNow: 0,
      principal: 7_884_88,
      prepaid: 0,
      payments: [{ number: 1, isPaid: true }],
      rest: null,
    });
    expect(life).toMatchObject({ principal: 92_115_12, interest: 0 });
  });

  test('that comes early pays the interest of the whole period, which accrues at that moment', () => {
    const life = paidOut(annuity, 100_000_00, 12, '2026-01-15');
    expect(pay(life, 8_884_88, '2026-01-20')).toMatchObject({ interest: 1_000_00, accruedNow: 1_000_00 - 161_29 });
    wait(life, '2026-02-15');
    expect(life.interest).toBe(0);
  });

  test('pays penalty, then the interest and the principal that are due, then the instalment under way', () => {
    const life = paidOut(annuity, 100_000_00, 12, '2026-01-15');
    life.penalty = 50_00;
    wait(life, '2026-03-20');
    const owed = owedOf(life);
    const at = (amount: number) => allocatePayment(owed, { amount, day: '2026-03-20', surplus: 'shorten' });
    expect(at(30_00)).toMatchObject({ penalty: 30_00, interest: 0, principal: 0 });
    expect(at(550_00)).toMatchObject({ penalty: 50_00, interest: 500_00, payments: [{ number: 1, interest: 500_00 }] });
    const shares = (amount: number) =>
      at(amount).payments.map(({ number, interest, principal }) => [number, interest, principal]);
    expect(shares(50_00 + 1_000_00 + 921_15 + 100_00)).toEqual([
      [1, 1_000_00, 100_00],
      [2, 921_15, 0],
    ]);
    const overdue = 50_00 + 2 * 8_884_88;
    expect(shares(overdue + 841_51 + 100_00)).toEqual([
      [1, 1_000_00, 7_884_88],
      [2, 921_15, 7_963_73],
      [3, 841_51, 100_00],
    ]);
    expect(at(overdue)).toMatchObject({ penalty: 50_00, interest: 1_921_15, accruedNow: 0, prepaid: 0 });
  });

  test('of more than is due shortens the loan, or lowers its instalment', () => {
    const shorter = paidOut(annuity, 100_000_00, 12, '2026-01-15');
    const paid = pay(shorter, 8_884_88 + 40_000_00, '2026-02-15');
    expect(paid).toMatchObject({ prepaid: 40_000_00, isPaidOff: false });
    expect(paid.rest?.map(({ principal, interest }) => principal + interest)).toEqual([
      8_884_88,
      8_884_88,
      8_884_88,
      8_884_88,
      8_884_88,
      8_884_88,
      expect.any(Number),
    ]);
    expect(paid.rest?.[0]).toMatchObject({ number: 2, startsOn: '2026-02-15', interest: 521_15 });
    const lower = paidOut(annuity, 100_000_00, 12, '2026-01-15');
    const rest = pay(lower, 8_884_88 + 40_000_00, '2026-02-15', 'lower_instalment').rest ?? [];
    expect(rest).toHaveLength(11);
    expect((rest[0]?.principal ?? 0) + (rest[0]?.interest ?? 0)).toBe(5_026_72);
  });

  test('that pays the loan off costs interest to this day only', () => {
    const life = paidOut(annuity, 100_000_00, 12, '2026-01-15');
    pay(life, 8_884_88, '2026-02-15');
    wait(life, '2026-02-22');
    // 92,115.12 at 1 %: 921.15 for 28 days, of which 7 are over.
    expect(payoffOf(owedOf(life))).toEqual({
      amount: 92_115_12 + 230_28,
      principal: 92_115_12,
      interest: 230_28,
      penalty: 0,
      saved: 6_618_53 - 1_000_00 - 230_28,
    });
    const paid = pay(life, 1_000_000_00, '2026-02-22');
    expect(paid).toMatchObject({
      amount: 92_345_40,
      isPaidOff: true,
      principal: 7_963_73,
      prepaid: 84_151_39,
      rest: [],
    });
    expect(life).toMatchObject({ principal: 0, interest: 0 });
  });

  test('after a default takes no more interest than may still be charged', () => {
    const life = paidOut(annuity, 100_000_00, 12, '2026-01-15');
    wait(life, '2026-01-25');
    const paid = allocatePayment(
      { ...owedOf(life), room: 10_00 },
      { amount: 5_000_00, day: '2026-01-25', surplus: 'shorten' },
    );
    expect(paid).toMatchObject({ interest: 322_58 + 10_00, accruedNow: 10_00, principal: 5_000_00 - 332_58 });
  });
});

test('interest accrues day by day to exactly the interest of the period', () => {
  const [period] = scheduleOf({ ...annuity, amount: 100_000_00, months: 12, from: '2026-01-15' }).instalments;
  if (!period) throw new Error('A schedule has instalments.');
  expect(accruedOf(period, '2026-01-15')).toBe(0);
  expect(accruedOf(period, '2026-01-16')).toBe(32_25);
  expect(accruedOf(period, '2026-02-14')).toBe(967_74);
  expect(accruedOf(period, '2026-02-15')).toBe(1_000_00);
});

test('whatever a loan lives through: amounts add up, nothing is negative, and it can always be paid off', () => {
  const act = fc.record({
    days: fc.integer({ min: 0, max: 70 }),
    amount: fc.integer({ min: 1, max: 30_000_00 }),
    surplus: fc.constantFrom('shorten' as const, 'lower_instalment' as const),
    penalty: fc.constantFrom(0, 0, 0, 12_34),
  });
  const start = fc.record({
    method: fc.constantFrom(...LOAN_METHODS),
    rate: fc.integer({ min: 0, max: 500 }),
    amount: fc.integer({ min: 1, max: 200_000_00 }),
    months: fc.integer({ min: 1, max: 36 }),
  });
  fc.assert(
    fc.property(start, fc.array(act, { maxLength: 25 }), ({ method, rate, amount, months }, acts) => {
      let day = '2026-01-28';
      const life = paidOut({ method, rate }, amount, months, day);
      let paidInterest = 0;
      for (const each of acts) {
        if (life.principal === 0) break;
        day = dayAfter(day, each.days);
        wait(life, day);
        life.penalty += each.penalty;
        const before = { principal: life.principal, penalty: life.penalty };
        const paid = pay(life, each.amount, day, each.surplus);
        paidInterest += paid.interest;
        expect(paid.amount).toBe(paid.penalty + paid.interest + paid.principal + paid.prepaid);
        expect(paid.amount).toBeLessThanOrEqual(each.amount);
        expect(paid.isPaidOff).toBe(life.principal === 0);
        if (paid.principal + paid.prepaid > 0) expect(paid.penalty).toBe(before.penalty);
        expect(
          Math.min(paid.penalty, paid.interest, paid.principal, paid.prepaid, paid.accruedNow),
        ).toBeGreaterThanOrEqual(0);
        expect(Math.min(life.principal, life.interest, life.penalty)).toBeGreaterThanOrEqual(0);
        for (const row of life.instalments) {
          expect(row.paidPrincipal).toBeLessThanOrEqual(row.principal);
          expect(row.paidInterest).toBeLessThanOrEqual(row.interest);
        }
        const kept = life.instalments.reduce((sum, { principal }) => sum + principal, 0);
        expect(kept + life.prepaid).toBe(amount);
        const unpaid = life.instalments.reduce((sum, row) => sum + row.principal - row.paidPrincipal, 0);
        expect(unpaid).toBe(life.principal);
      }
      if (life.principal === 0) return;
      const last = pay(life, Number.MAX_SAFE_INTEGER, day);
      paidInterest += last.interest;
      expect([life.principal, life.interest, life.penalty]).toEqual([0, 0, 0]);
      expect(paidInterest).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 400 },
  );
});
