import { LOAN_METHODS } from '@ushirika/contract/loans';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amountForInstalment,
  daysBetween,
  daysInterest,
  instalmentOf,
  monthsAfter,
  type Schedule,
  scheduleOf,
  trueMonthlyRate,
  trueRateOfTerms,
  trueRatesOfTerms,
} from './schedule.rules.ts';

const loan = { amount: 100_000_00, rate: 100, months: 12, from: '2026-01-15', wholeShillings: false } as const;
const anyLoan = fc.record({
  method: fc.constantFrom(...LOAN_METHODS),
  rate: fc.integer({ min: 0, max: 500 }),
  amount: fc.integer({ min: 1, max: 10_000_000_000 }),
  months: fc.integer({ min: 1, max: 120 }),
  wholeShillings: fc.boolean(),
  from: fc.integer({ min: 0, max: 800 }).map((day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)),
});

const totals = ({ instalments }: Schedule) => instalments.map(({ principal, interest }) => principal + interest);
const principalOf = (instalments: readonly { principal: number }[]) =>
  instalments.reduce((sum, { principal }) => sum + principal, 0);

describe('100,000 at 1 % for 12 months (domain.md 4.1)', () => {
  test('annuity', () => {
    const schedule = scheduleOf({ ...loan, method: 'annuity' });
    expect(schedule.instalments[0]).toMatchObject({ interest: 1_000_00, principal: 7_884_88 });
    expect(schedule.instalments[1]).toMatchObject({ interest: 921_15, principal: 7_963_73 });
    expect(totals(schedule).slice(0, 11)).toEqual(Array.from({ length: 11 }, () => 8_884_88));
    expect(totals(schedule).at(-1)).toBe(8_884_85);
    expect(schedule).toMatchObject({ instalment: 8_884_88, totalInterest: 6_618_53 });
  });

  test('equal principal', () => {
    const schedule = scheduleOf({ ...loan, method: 'equal_principal' });
    expect(totals(schedule)[0]).toBe(9_333_33);
    expect(totals(schedule).at(-1)).toBe(8_416_66);
    expect(schedule.totalInterest).toBe(6_500_00);
  });

  test('flat, and its true rate', () => {
    const schedule = scheduleOf({ ...loan, method: 'flat' });
    expect(totals(schedule)[0]).toBe(9_333_33);
    expect(schedule.totalInterest).toBe(12_000_00);
    expect(trueMonthlyRate(loan.amount, totals(schedule))).toBe(1.7881);
    expect((trueMonthlyRate(loan.amount, totals(schedule)) * 12).toFixed(2)).toBe('21.46');
    expect(trueRateOfTerms({ method: 'flat', rate: 100, feeRate: 0 }, 12)).toBe(1.7881);
    expect(trueRateOfTerms({ method: 'annuity', rate: 100, feeRate: 0 }, 12)).toBe(1);
    // What the fee takes off the money that arrives is a cost of the loan too.
    expect(trueRateOfTerms({ method: 'annuity', rate: 100, feeRate: 100 }, 12)).toBe(1.1594);
  });

  test('a rate by the year is reckoned as published: 13 % over 12 months, 4.5 % over 60 (field case M7)', () => {
    const byTheYear = (percent: number) =>
      ({ method: 'annuity', rate: (percent * 100) / 12, wholeShillings: false }) as const;
    expect(instalmentOf(byTheYear(13), 100_000_00, 12)).toBe(8_931_73);
    expect(instalmentOf(byTheYear(4.5), 100_000_00, 60)).toBe(1_864_30);
    expect(trueRateOfTerms({ ...byTheYear(13), feeRate: 0 }, 12)).toBe(1.0833);
  });

  test('the true rate depends on the months: a fee weighs most on the shortest loan, flat interest on one in between', () => {
    const range = { from: 1, to: 24 };
    const fee = { method: 'annuity', rate: 100, feeRate: 100 } as const;
    expect(trueRatesOfTerms(fee, range)).toEqual({ least: trueRateOfTerms(fee, 24), most: trueRateOfTerms(fee, 1) });
    const flat = { method: 'flat', rate: 500, feeRate: 0 } as const;
    const { least, most } = trueRatesOfTerms(flat, range);
    expect(least).toBe(5);
    expect(most).toBeGreaterThan(trueRateOfTerms(flat, 24));
  });
});

describe('the same loan in whole shillings: each instalment is rounded up, and the last takes the rest', () => {
  const whole = { ...loan, wholeShillings: true } as const;

  test('annuity', () => {
    const schedule = scheduleOf({ ...whole, method: 'annuity' });
    expect(totals(schedule)).toEqual([...Array.from({ length: 11 }, () => 8_885_00), 8_883_46]);
    expect(schedule.instalments[0]).toMatchObject({ interest: 1_000_00, principal: 7_885_00 });
    expect(schedule.instalment).toBe(8_885_00);
    expect(instalmentOf({ ...whole, method: 'annuity' }, 100_000_00, 12)).toBe(8_885_00);
    // No cent of an instalment more is bearable than in whole shillings.
    expect(amountForInstalment({ ...whole, method: 'annuity' }, 8_884_99, 12)).toBe(
      amountForInstalment({ ...whole, method: 'annuity' }, 8_884_00, 12),
    );
  });

  test('equal principal', () => {
    expect(totals(scheduleOf({ ...whole, method: 'equal_principal' })).slice(0, 3)).toEqual([
      9_334_00, 9_250_00, 9_167_00,
    ]);
  });

  test('flat', () => {
    const schedule = scheduleOf({ ...whole, method: 'flat' });
    expect(totals(schedule)).toEqual([...Array.from({ length: 11 }, () => 9_334_00), 9_326_00]);
    expect(schedule.totalInterest).toBe(12_000_00);
  });

  test('whatever the loan: the principal adds up, and each instalment but the last is in whole shillings', () => {
    fc.assert(
      fc.property(anyLoan, (input) => {
        const schedule = scheduleOf({ ...input, wholeShillings: true });
        expect(principalOf(schedule.instalments)).toBe(input.amount);
        expect(
          totals(schedule)
            .slice(0, -1)
            .filter((cents) => cents % 1_00 !== 0),
        ).toEqual([]);
      }),
    );
  });
});

test('instalments fall due on the day of the month of the payment, no later than the 28th', () => {
  expect(monthsAfter('2026-01-15', 1)).toBe('2026-02-15');
  expect(monthsAfter('2026-12-05', 1)).toBe('2027-01-05');
  expect(monthsAfter('2026-01-31', 1)).toBe('2026-02-28');
  expect(monthsAfter('2024-01-31', 1)).toBe('2024-02-28');
});

test('a first period that is no month costs its days, of 365', () => {
  const { instalments } = scheduleOf({ ...loan, method: 'annuity', from: '2026-01-31' });
  expect(instalments[0]).toMatchObject({ startsOn: '2026-01-31', dueOn: '2026-02-28', interest: 920_55 });
  expect(daysInterest(100_000_00, 100, 28)).toBe(920_55);
  expect(instalments[1]).toMatchObject({ startsOn: '2026-02-28', dueOn: '2026-03-28' });
  expect(scheduleOf({ ...loan, method: 'flat', from: '2026-01-31' }).instalments[0]?.interest).toBe(920_55);
});

test('a loan without interest is its amount in equal parts', () => {
  const schedule = scheduleOf({ ...loan, method: 'annuity', rate: 0, amount: 100_00, months: 3 });
  expect(totals(schedule)).toEqual([33_33, 33_33, 33_34]);
});

test('whatever the loan: principal adds up, nothing is negative, each period begins where the last one ended', () => {
  fc.assert(
    fc.property(anyLoan, (input) => {
      const { instalments, instalment, totalInterest } = scheduleOf(input);
      expect(principalOf(instalments)).toBe(input.amount);
      expect(instalments.length).toBeLessThanOrEqual(input.months);
      expect(totalInterest).toBe(instalments.reduce((sum, { interest }) => sum + interest, 0));
      instalments.forEach((each, index) => {
        expect(each.number).toBe(index + 1);
        expect(Math.min(each.principal, each.interest)).toBeGreaterThanOrEqual(0);
        expect(each.principal + each.interest).toBeLessThanOrEqual(instalment);
        expect(each.startsOn).toBe(index === 0 ? input.from : instalments[index - 1]?.dueOn);
        expect(daysBetween(each.startsOn, each.dueOn)).toBeGreaterThan(0);
        expect(daysBetween(each.startsOn, each.dueOn)).toBeLessThanOrEqual(31);
      });
    }),
  );
});

test('whatever the loan: no instalment is below one shilling, of flat interest no cent is lost', () => {
  fc.assert(
    fc.property(anyLoan, (input) => {
      const { instalments } = scheduleOf(input);
      const least = Math.min(...instalments.map(({ principal, interest }) => principal + interest));
      expect(least).toBeGreaterThanOrEqual(Math.min(100, input.amount));
      const flat = scheduleOf({ ...input, method: 'flat', from: '2026-01-15' });
      expect(flat.totalInterest).toBe(Math.round((input.amount * input.rate * input.months) / 10_000));
    }),
    { examples: [[{ ...loan, method: 'annuity', amount: 3_00 }]], numRuns: 300 },
  );
});

test('what an ability allows has an instalment within it, and a cent more of instalment allows no less', () => {
  fc.assert(
    fc.property(anyLoan, fc.integer({ min: 1, max: 1_000_000_00 }), ({ months, ...terms }, most) => {
      const amount = amountForInstalment(terms, most, months);
      expect(instalmentOf(terms, amount, months)).toBeLessThanOrEqual(most);
      expect(amountForInstalment(terms, most + 1, months)).toBeGreaterThanOrEqual(amount);
    }),
  );
});
