import { LOAN_METHODS, type Surplus } from '@ushirika/contract/loans';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Accrual,
  type Allocation,
  accruedOf,
  accrueTo,
  allocatePayment,
  dueNow,
  type OwedInstalment,
  type OwedLoan,
  payoffOf,
  unpaidOf,
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
  paidInterest: number;
  accrual: Accrual;
  instalments: OwedInstalment[];
}

function paidOut(terms: Terms, amount: number, months: number, from: string): Life {
  const { instalments } = scheduleOf({ ...terms, amount, months, from });
  const rows = instalments.map((each) => ({ ...each, moved: 0, paidPrincipal: 0, paidInterest: 0 }));
  const period = rows[0] as ScheduledInstalment;
  return {
    terms,
    amount,
    principal: amount,
    interest: 0,
    penalty: 0,
    prepaid: 0,
    paidInterest: 0,
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
  accrual,
  instalments: instalments.filter((each) => unpaidOf(each) > 0 || each.number >= accrual.period.number),
});

function pay(life: Life, amount: number, day: string, surplus: Surplus = 'shorten'): Allocation {
  wait(life, day);
  const paid = allocatePayment(owedOf(life), { amount, day, surplus });
  life.principal -= paid.principal + paid.prepaid;
  life.interest -= paid.interest;
  life.paidInterest += paid.interest;
  life.penalty -= paid.penalty;
  life.prepaid += paid.prepaid;
  life.accrual = paid.accrual ?? life.accrual;
  const { rest, payments } = paid;
  const isKept = ({ number, dueOn }: OwedInstalment) =>
    rest === null ||
    dueOn <= day ||
    (paid.isPaidOff && payments.some((each) => each.number === number)) ||
    number <= (rest.at(-1)?.number ?? 0);
  life.instalments = life.instalments.filter(isKept).map((each) => {
    const anew = rest?.find(({ number }) => number === each.number);
    const of = paid.payments.find(({ number }) => number === each.number);
    if (anew || !of) return anew ?? each;
    const paidInterest = each.paidInterest + of.interest;
    const atEnd = paid.isPaidOff ? { interest: paidInterest, moved: 0 } : {};
    return { ...each, ...atEnd, paidPrincipal: each.paidPrincipal + of.principal, paidInterest };
  });
  return paid;
}

/** The rest that is due of each instalment, and its day. */
const dues = ({ instalments }: Life) =>
  instalments.filter((each) => unpaidOf(each) > 0).map((each) => [each.dueOn, unpaidOf(each)] as const);

/** Lives on by paying each instalment on its day. Returns what interest the loan has cost then. */
function liveOn(life: Life): number {
  for (let guard = 0; life.principal > 0; guard += 1) {
    const next = life.instalments.find((each) => unpaidOf(each) > 0);
    if (!next || guard > 200) throw new Error('A loan is owed that has nothing due.');
    pay(life, unpaidOf(next), next.dueOn);
  }
  return life.paidInterest;
}

const annuity = { method: 'annuity', rate: 100, wholeShillings: false } as const;

describe('a payment', () => {
  test('of the instalment on its day pays that one, and accrues nothing ahead', () => {
    const life = paidOut(annuity, 100_000_00, 12, '2026-01-15');
    expect(pay(life, 8_884_88, '2026-02-15')).toMatchObject({
      interest: 1_000_00,
      principal: 7_884_88,
      prepaid: 0,
      payments: [{ number: 1, isPaid: true }],
      rest: null,
    });
    expect(life).toMatchObject({ principal: 92_115_12, interest: 0 });
  });

  test('of the coming instalment a few days early meets it: nothing is due on its day, and the rest of the month costs less', () => {
    const life = paidOut(annuity, 100_000_00, 12, '2026-01-15');
    // 27 of 31 days; then 4 days on what is left.
    expect(pay(life, 8_884_88, '2026-02-11')).toMatchObject({
      interest: 870_96,
      principal: 8_884_88 - 870_96,
      prepaid: 0,
      payments: [{ number: 1, isPaid: true }],
    });
    expect(dueNow(owedOf(life), '2026-02-15')).toBe(0);
    expect(dues(life)[0]).toEqual(['2026-03-15', 8_884_88]);
    wait(life, '2026-02-15');
    expect(life.interest).toBe(118_69);
    expect(liveOn(life)).toBeLessThan(6_618_53);
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
      // Five days' interest of the instalment under way, then principal.
      [3, 135_72, 805_79],
    ]);
    expect(at(overdue)).toMatchObject({ penalty: 50_00, interest: 1_921_15, prepaid: 0, rest: null });
  });

  test('of more than is due shortens the loan, or lowers its instalment', () => {
    const shorter = paidOut(annuity, 100_000_00, 12, '2026-01-15');
    const paid = pay(shorter, 8_884_88 + 40_000_00, '2026-02-15');
    expect(paid).toMatchObject({ prepaid: 40_000_00, isPaidOff: false });
    expect(paid.rest?.map(unpaidOf)).toEqual([
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
    expect(new Set(rest.slice(0, -1).map(unpaidOf))).toEqual(new Set([5_026_72]));
  });

  test('in two parts on one day costs the interest to that day and no more (field case M2)', () => {
    const life = paidOut(annuity, 100_000_00, 12, '2026-03-02');
    expect(pay(life, 99_000_00, '2026-03-04')).toMatchObject({ interest: 64_51, isPaidOff: false });
    expect(pay(life, 100_000_00, '2026-03-04')).toMatchObject({ amount: 1_064_51, interest: 0, isPaidOff: true });
    expect(life.paidInterest).toBe(64_51);
  });

  test('in part before its day leaves the rest of the instalment for its day', () => {
    const life = paidOut(annuity, 100_000_00, 12, '2026-01-15');
    pay(life, 5_000_00, '2026-02-05');
    expect(dues(life).slice(0, 2)).toEqual([
      ['2026-02-15', 3_884_88],
      ['2026-03-15', 8_884_88],
    ]);
    pay(life, 3_884_88, '2026-02-10');
    expect(dues(life)[0]).toEqual(['2026-03-15', 8_884_88]);
  });

  test('lowered in the middle of a month, no instalment is larger than the others', () => {
    const life = paidOut(annuity, 100_000_00, 12, '2026-01-15');
    pay(life, 8_884_88 + 20_000_00, '2026-02-01', 'lower_instalment');
    const sums = dues(life).map(([, cents]) => cents);
    expect(sums).toHaveLength(11);
    expect(new Set(sums.slice(0, -1)).size).toBe(1);
    expect(sums.at(-1)).toBeLessThanOrEqual(sums[0] ?? 0);
    expect(sums[0]).toBeLessThan(8_884_88);
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
});

describe('three instalments paid on the first day on which one is due (field case M14)', () => {
  const paid = (surplus: Surplus) => {
    const life = paidOut(annuity, 100_000_00, 12, '2026-03-02');
    pay(life, 3 * 8_884_88, '2026-04-02', surplus);
    return life;
  };
  // 100,000 less 7,884.88 of the first and 17,769.76 in advance.
  const LEFT = 74_345_36;

  test('excuse the next two: the third is the usual sum, and has the interest of three months on what was left', () => {
    const life = paid('excuse');
    expect(life.principal).toBe(LEFT);
    expect(dues(life)[0]).toEqual(['2026-07-02', 8_884_88]);
    wait(life, '2026-05-02');
    expect(life.interest).toBe(743_45);
    wait(life, '2026-07-02');
    expect(life.interest).toBe(3 * 743_45);
    expect(pay(life, 8_884_88, '2026-07-02')).toMatchObject({ interest: 3 * 743_45 });
    expect(liveOn(life)).toBeLessThan(6_618_53);
  });

  test('shorten: the next is due as ever, and the last comes earlier', () => {
    const life = paid('shorten');
    expect(dues(life)[0]).toEqual(['2026-05-02', 8_884_88]);
    expect(dues(life).at(-1)?.[0]).toBe('2027-01-02');
    expect(liveOn(life)).toBeLessThan(6_618_53);
  });

  test('excuse, then lower: what is paid of the next one counts for its sum, and the last is no larger than the others', () => {
    const life = paidOut(annuity, 100_000_00, 12, '2026-03-02');
    pay(life, 15_000_00, '2026-03-02', 'excuse');
    expect(dues(life)[0]).toEqual(['2026-05-02', 2 * 8_884_88 - 15_000_00]);
    pay(life, 10_000_00, '2026-03-02', 'lower_instalment');
    const sums = dues(life).map(([, cents]) => cents);
    expect(sums).toHaveLength(11);
    // Of the second 6,115.12 is paid.
    expect(sums[0]).toBe((sums[1] ?? 0) - (15_000_00 - 8_884_88));
    expect(new Set(sums.slice(1, -1)).size).toBe(1);
    expect(sums.at(-1)).toBeLessThanOrEqual(sums[1] ?? 0);
  });

  test('lower: as many instalments as before, each of the same smaller sum', () => {
    const life = paid('lower_instalment');
    const sums = dues(life).map(([, cents]) => cents);
    expect(sums).toHaveLength(11);
    expect(new Set(sums.slice(0, -1))).toEqual(new Set([7_170_91]));
  });
});

test('a flat loan costs the same each month, whatever was paid: it only ends earlier', () => {
  const life = paidOut({ ...annuity, method: 'flat' }, 100_000_00, 12, '2026-01-15');
  // The first 14 of 31 days of the month.
  expect(pay(life, 30_000_00, '2026-01-29')).toMatchObject({ interest: 451_61 });
  expect(dues(life)[0]).toEqual(['2026-03-15', 9_333_34]);
  expect(life.instalments.map(({ interest }) => interest)).toEqual(life.instalments.map(() => 1_000_00));
  wait(life, '2026-02-15');
  expect(life.interest).toBe(1_000_00 - 451_61);
  expect(liveOn(life)).toBe(10_000_00);
});

test('interest accrues day by day to exactly the interest of the period', () => {
  const [period] = scheduleOf({ ...annuity, amount: 100_000_00, months: 12, from: '2026-01-15' }).instalments;
  if (!period) throw new Error('A schedule has instalments.');
  expect(accruedOf(period, '2026-01-15')).toBe(0);
  expect(accruedOf(period, '2026-01-16')).toBe(32_25);
  expect(accruedOf(period, '2026-02-14')).toBe(967_74);
  expect(accruedOf(period, '2026-02-15')).toBe(1_000_00);
});

const anySurplus = fc.constantFrom<Surplus>('shorten', 'lower_instalment', 'excuse');
const anyStart = fc.record({
  method: fc.constantFrom(...LOAN_METHODS),
  rate: fc.integer({ min: 0, max: 500 }),
  amount: fc.integer({ min: 1, max: 200_000_00 }),
  months: fc.integer({ min: 1, max: 36 }),
  wholeShillings: fc.boolean(),
});
type Start = Terms & { readonly amount: number; readonly months: number };

test('whatever a loan lives through: amounts add up, nothing is negative, and it can always be paid off', () => {
  const act = fc.record({
    days: fc.integer({ min: 0, max: 70 }),
    amount: fc.integer({ min: 1, max: 30_000_00 }),
    surplus: anySurplus,
    penalty: fc.constantFrom(0, 0, 0, 12_34),
  });
  fc.assert(
    fc.property(anyStart, fc.array(act, { maxLength: 25 }), ({ amount, months, ...terms }, acts) => {
      let day = '2026-01-28';
      const life = paidOut(terms, amount, months, day);
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
        expect(Math.min(paid.penalty, paid.interest, paid.principal, paid.prepaid)).toBeGreaterThanOrEqual(0);
        expect(Math.min(life.principal, life.interest, life.penalty)).toBeGreaterThanOrEqual(0);
        for (const row of life.instalments) {
          expect(row.paidPrincipal).toBeLessThanOrEqual(row.principal);
          expect(row.paidInterest + row.moved).toBeLessThanOrEqual(row.interest);
          expect(row.paidInterest).toBeGreaterThanOrEqual(0);
        }
        const kept = life.instalments.reduce((sum, { principal }) => sum + principal, 0);
        expect(kept + life.prepaid).toBe(amount);
        const unpaid = life.instalments.reduce((sum, row) => sum + row.principal - row.paidPrincipal, 0);
        expect(unpaid).toBe(life.principal);
        // All interest that is owed, or that the instalments still bring, is due with one of them.
        const coming = life.instalments.filter(({ number }) => number > life.accrual.period.number);
        const { period, accrued } = life.accrual;
        const left = coming.reduce((sum, { interest }) => sum + interest, period.interest - accrued);
        const toCome = life.principal > 0 ? left : 0;
        const due = life.instalments.reduce((sum, row) => sum + row.interest - row.moved - row.paidInterest, 0);
        expect(due).toBe(life.interest + toCome);
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

/** A life in which each payment has its day, up to a day on which the loan is paid off. */
function livedWith(
  { amount, months, ...terms }: Start,
  payments: readonly { readonly day: string; readonly amount: number }[],
  surplus: Surplus,
): Life {
  const life = paidOut(terms, amount, months, '2026-01-28');
  for (const each of payments) if (life.principal > 0) pay(life, each.amount, each.day, surplus);
  return life;
}

test('what is paid on a day may come in parts, in any order: the loan is the same then', () => {
  fc.assert(
    fc.property(
      anyStart,
      anySurplus,
      fc.array(fc.integer({ min: 1, max: 20_000_00 }), { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 0, max: 3 }),
      (start, surplus, parts, days, before) => {
        const day = dayAfter('2026-01-28', days);
        const earlier = Array.from({ length: before }, (_, index) => ({
          day: dayAfter('2026-01-28', Math.floor((days * index) / 4)),
          amount: 1_234_56 * (index + 1),
        }));
        const sum = parts.reduce((total, each) => total + each, 0);
        const atOnce = livedWith(start, [...earlier, { day, amount: sum }], surplus);
        const inParts = livedWith(start, [...earlier, ...parts.map((amount) => ({ day, amount }))], surplus);
        expect([inParts.principal, inParts.interest, inParts.paidInterest]).toEqual([
          atOnce.principal,
          atOnce.interest,
          atOnce.paidInterest,
        ]);
        if (atOnce.principal > 0) expect(inParts).toEqual(atOnce);
      },
    ),
    { numRuns: 600 },
  );
});

const somePayments = fc.array(
  fc.record({ day: fc.integer({ min: 0, max: 400 }), amount: fc.integer({ min: 1, max: 20_000_00 }) }),
  { minLength: 1, maxLength: 8 },
);
type SomePayments = readonly { readonly day: number; readonly amount: number }[];

/** The interest of a loan with these payments, which is paid off on day 500. */
function interestWith(start: Start, payments: SomePayments, surplus: Surplus): number {
  const inOrder = payments.toSorted((one, other) => one.day - other.day);
  const all = [...inOrder, { day: 500, amount: Number.MAX_SAFE_INTEGER }];
  return livedWith(
    start,
    all.map(({ day, amount }) => ({ day: dayAfter('2026-01-28', day), amount })),
    surplus,
  ).paidInterest;
}

/** Each payment, the one that pays off too, may round half a cent up in one life and down in the other. */
const roundings = (payments: SomePayments) => payments.length + 1;

test('who pays earlier never pays more, where the instalments keep their sums', () => {
  const kept = fc.constantFrom<Surplus>('shorten', 'excuse');
  fc.assert(
    fc.property(anyStart, kept, somePayments, fc.nat(), fc.nat(), (start, surplus, payments, pick, earlier) => {
      const at = pick % payments.length;
      const moved = payments.map((each, index) => (index === at ? { ...each, day: earlier % (each.day + 1) } : each));
      const [before, after] = [payments, moved].map((some) => interestWith(start, some, surplus));
      expect(after).toBeLessThanOrEqual((before ?? 0) + roundings(payments));
    }),
    { numRuns: 600 },
  );
});

// Lower instalments pay the loan back more slowly, which is what their interest is for.
test('who pays in advance never pays more than who does not, also with lower instalments', () => {
  fc.assert(
    fc.property(anyStart, anySurplus, somePayments, (start, surplus, payments) => {
      const without = interestWith(start, [], surplus);
      expect(interestWith(start, payments, surplus)).toBeLessThanOrEqual(without + roundings(payments));
    }),
    { numRuns: 600 },
  );
});

test('no instalment grows by a shilling by what is paid in advance', () => {
  fc.assert(
    fc.property(
      anyStart,
      anySurplus,
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 1, max: 60_000_00 }),
      (start, surplus, days, amount) => {
        const life = livedWith(start, [], surplus);
        const until = dayAfter('2026-01-28', days);
        for (const [dueOn, cents] of dues(life)) if (dueOn < until) pay(life, cents, dueOn);
        if (life.principal === 0) return;
        const before = new Map(dues(life));
        pay(life, amount, until, surplus);
        for (const [dueOn, cents] of dues(life)) expect(cents).toBeLessThanOrEqual((before.get(dueOn) ?? 0) + 99);
      },
    ),
    { numRuns: 600 },
  );
});

const sumOf = ({ principal, interest, moved }: OwedInstalment) => principal + interest - moved;

/** An act of a borrower: a choice with a payment in advance, an instalment on its day, or one that is late. */
const anyAct = fc.record({
  days: fc.integer({ min: 0, max: 40 }),
  amount: fc.integer({ min: 1, max: 30_000_00 }),
  act: fc.constantFrom('shorten', 'lower_instalment', 'excuse', 'exact', 'late'),
} as const);

test('whatever is chosen in turns: none but a smaller last one outgrows the first schedule, or is raised by lowering', () => {
  fc.assert(
    fc.property(anyStart, fc.array(anyAct, { maxLength: 12 }), (start, acts) => {
      const life = livedWith(start, [], 'shorten');
      const first = new Map(dues(life));
      let day = '2026-01-28';
      for (const { days, amount, act } of acts) {
        const [next] = dues(life);
        if (!next) return;
        const [dueOn, cents] = next;
        day = act === 'exact' && dueOn > day ? dueOn : dayAfter(day, act === 'late' ? days + 31 : days);
        wait(life, day);
        const before = new Map(dues(life));
        const isChosen = act !== 'exact' && act !== 'late';
        pay(life, isChosen ? amount : cents, day, isChosen ? act : 'shorten');
        const now = life.instalments.filter((each) => unpaidOf(each) > 0);
        const last = now.at(-1);
        for (const each of now) {
          // A last one that was smaller than the others rises to their lower sum at most.
          const others = each === last ? now.slice(0, -1).map(sumOf) : [];
          const noRoom = each === last ? Math.max(0, -each.moved) : 0;
          // An instalment below one shilling is paid with the one before.
          expect(sumOf(each)).toBeLessThanOrEqual(Math.max(first.get(each.dueOn) ?? 0, ...others) + noRoom + 99);
          const most = Math.max(before.get(each.dueOn) ?? 0, ...others) + 99;
          if (act === 'lower_instalment') expect(unpaidOf(each)).toBeLessThanOrEqual(most);
        }
        const { period, accrued } = life.accrual;
        const behind = life.instalments.filter(({ number }) => number > period.number);
        const toCome = behind.reduce((sum, { interest }) => sum + interest, period.interest - accrued);
        const asked = now.reduce((sum, each) => sum + unpaidOf(each), 0);
        if (life.principal > 0) expect(asked).toBe(life.principal + life.interest + toCome);
      }
    }),
    { numRuns: 1_500 },
  );
});
