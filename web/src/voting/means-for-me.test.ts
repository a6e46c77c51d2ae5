import { expect, test } from 'vitest';
import { loanExample } from './loan-example.ts';
import { meansFor } from './means-for-me.tsx';

const limits = { min_amount: 1_000, max_amount: 50_000, min_months: 1, max_months: 18 };
const before = { reg_fee: 500, min_shares: 3, share_value: 100 };
const to = (more: Partial<typeof before>) => ({ before, after: { ...before, ...more } });

test('a member with three shares reads what the two that a minimum of five asks for would cost, and until when there is time', () => {
  expect(
    meansFor(3, to({ min_shares: 5, share_value: 120 }), '2026-06-01T06:00:00.000Z', { all: 14, mine: 2 }),
  ).toEqual([
    'You hold 3 shares now.',
    'The minimum would be 5: you would have to buy 2 more, for Ksh.\u00a0240.00 from the sacco.',
    'You would keep your full rights until Monday, June 1, 2026 in any case.',
    'After that you would have no vote, get no new loan and guarantee none, until you hold enough.',
    'The sacco would sell a share for Ksh.\u00a0120.00; now it sells one for Ksh.\u00a0100.00. For your shares that would be Ksh.\u00a0360.00.',
    'No money comes to you by that. What members pay one another on the market is another price.',
    'All open orders on the market are closed then: 14 now, 2 of them yours.',
  ]);
});

test('whoever holds enough, or pays no fee again, reads that', () => {
  expect(meansFor(5, to({ min_shares: 5, reg_fee: 700 }), null)).toEqual([
    'You hold 5 shares now.',
    'You hold enough for the new minimum.',
    'You have paid your registration fee, and pay nothing again.',
  ]);
});

test('of a loan an example says what it would cost now and then, and beside a flat rate what it truly is', () => {
  const loan = { method: 'annuity', monthly_rate: 1, fee_percentage: 1, ...limits };
  expect(loanExample(loan, { ...loan, method: 'flat', monthly_rate: 2 })).toEqual([
    'An example: Ksh.\u00a010,000.00 over 12 months.',
    'Interest and fee now: Ksh.\u00a0761.85. Then: Ksh.\u00a02,500.00.',
    'Truly, on the balance, that is 1% a month now, and then 3.48%.',
  ]);
  expect(loanExample(loan, { ...loan, max_months: 6 })[0]).toBe('An example: Ksh.\u00a010,000.00 over 6 months.');
  expect(loanExample({}, loan)).toEqual([
    'An example: Ksh.\u00a010,000.00 over 12 months.',
    'Interest and fee: Ksh.\u00a0761.85.',
    'Truly, on the balance, that is 1% a month.',
  ]);
});
