import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FLOAT_ASKS_MAX, isFloatHour, judgeFloat, nextFloatAsk } from './float.rules.ts';

const still = {
  floatCents: 500_000,
  ownFundsCents: 100_000,
  chargesCents: 1_300,
  comingCents: 0,
  leavingCents: 0,
  takenInCents: 0,
  paidOutCents: 0,
};

test('M-Pesa should hold the float and our own funds, less the charges that the platform paid', () => {
  expect(judgeFloat(598_700, still)).toMatchObject({ verdict: 'agrees', expectedCents: 598_700, differenceCents: 0 });
  expect(judgeFloat(598_699, still)).toMatchObject({ verdict: 'differs', differenceCents: -1 });
});

test('payments in may explain that M-Pesa holds more, payouts that it holds less, and neither the opposite', () => {
  expect(judgeFloat(598_800, { ...still, comingCents: 100 })).toMatchObject({ verdict: 'under_way' });
  expect(judgeFloat(598_801, { ...still, comingCents: 100 })).toMatchObject({ verdict: 'differs' });
  expect(judgeFloat(598_699, { ...still, comingCents: 100 })).toMatchObject({ verdict: 'differs' });
  expect(judgeFloat(598_600, { ...still, leavingCents: 100 })).toMatchObject({ verdict: 'under_way' });
  expect(judgeFloat(598_701, { ...still, leavingCents: 100 })).toMatchObject({ verdict: 'differs' });
});

test('no difference is reported, whichever of the payments under way M-Pesa has carried out', () => {
  const payment = fc.record({ cents: fc.integer({ min: 1, max: 25_000_000 }), isDone: fc.boolean() });
  const payments = fc.array(payment, { maxLength: 8 });
  fc.assert(
    fc.property(payments, payments, payments, payments, (coming, leaving, takenIn, paidOut) => {
      const sum = (of: typeof coming) => of.reduce((total, { cents }) => total + cents, 0);
      const done = (of: typeof coming) => sum(of.filter(({ isDone }) => isDone));
      const figures = {
        ...still,
        comingCents: sum(coming),
        leavingCents: sum(leaving),
        takenInCents: sum(takenIn),
        paidOutCents: sum(paidOut),
      };
      const mpesa = 598_700 + done(coming) - done(leaving) - done(takenIn) + done(paidOut);
      expect(judgeFloat(mpesa, figures).verdict).not.toBe('differs');
    }),
  );
});

test('the day’s comparison begins at three in the morning in Nairobi, and its last question is on the same day', () => {
  expect(isFloatHour(new Date('2026-03-01T23:59:59Z'))).toBe(false);
  expect(isFloatHour(new Date('2026-03-02T00:00:00Z'))).toBe(true);
  let at = new Date('2026-03-02T00:00:00Z');
  for (let asks = 1; asks <= FLOAT_ASKS_MAX; asks += 1) at = nextFloatAsk(asks, at);
  expect(at.getTime()).toBeLessThan(new Date('2026-03-02T21:00:00Z').getTime());
});
