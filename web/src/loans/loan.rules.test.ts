import type { LoanDetail, LoanProduct } from '@ushirika/contract/loans';
import type { SaccoChange } from '@ushirika/contract/sacco-changes';
import { describe, expect, test } from 'vitest';
import {
  barsOf,
  centsTyped,
  decidingPart,
  dueLater,
  inEqualParts,
  isPaidAhead,
  isPaidBeforeItsMonth,
  isStillAsked,
  isToSend,
  keptTerms,
  repaidOf,
  stagesOf,
  stoppedLoans,
  typedCents,
} from './loan.rules.ts';
import { guaranteeShown, stateToGuarantor } from './loan-words.ts';

test('an amount is read as it is typed, with or without its thousands apart', () => {
  expect(['12,500.50', '12500.5', ' 7 ', '0', '-5', '1.234', 'ten', ''].map(centsTyped)).toEqual([
    1_250_050,
    1_250_050,
    700,
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('an amount stands in a field without needless cents', () => {
  expect([1_250_050, 1_250_000, 5].map(typedCents)).toEqual(['12500.50', '12500', '0.05']);
});

test('an address with a loan that is stopped chooses no other one', () => {
  const offered = [
    { id: 'dear', min_amount: 1_000, max_amount: 50_000, min_months: 1, max_months: 24 },
  ] as LoanProduct[];
  const kept = (address: string) => keptTerms(new URLSearchParams(address), offered, 20_500);
  expect(kept('product=cheap&amount=5000&months=6')).toEqual({ product: 'cheap', amount: '5000', months: '6' });
  expect(kept('')).toEqual({ product: 'dear', amount: '20000', months: '12' });
});

test('a loan that two officials have stopped is named until it is offered again, with the day where nobody votes on it', () => {
  const change = (product: string, undo_at: string | null, vote: { id: string } | null = null) =>
    ({ kind: 'loan_product', undo_at, vote, after: { product, name: product } }) as unknown as SaccoChange;
  const day = '2026-12-09T09:00:00Z';
  const changes = [change('short', day), change('school', day, { id: 'vote' }), change('old', null, { id: 'vote' })];
  expect(stoppedLoans([...changes, change('never', null)], [{ id: 'old' }])).toEqual([
    { id: 'short', name: 'short', until: day },
    { id: 'school', name: 'school', until: null },
  ]);
});

test('what is to be covered is shared in whole shillings, and adds up to the cent', () => {
  expect(inEqualParts(5_000_000, 3)).toEqual([1_666_600, 1_666_600, 1_666_800]);
  expect(inEqualParts(10_050, 2)).toEqual([5_000, 5_050]);
  expect(inEqualParts(10_000, 0)).toEqual([]);
  for (const parts of [1, 2, 3, 7, 10]) {
    expect(inEqualParts(1_234_567, parts).reduce((sum, part) => sum + part, 0)).toBe(1_234_567);
  }
});

test('a loan is at one stage, with those before it done and those after it to come', () => {
  expect(stagesOf('approved').map(({ state }) => state)).toEqual(['done', 'done', 'now', 'later', 'later']);
  expect(stagesOf('in_arrears').at(-1)).toEqual({ key: 'repayment', state: 'now' });
  expect(stagesOf('closed').every(({ state }) => state === 'done')).toBe(true);
  expect(stagesOf('rejected')).toEqual([]);
});

test('an application that is covered waits for its borrower to send it, and not for guarantors', () => {
  const covered = { state: 'guarantors_pending', may: ['ask_guarantors', 'submit'] } as const;
  const open = { ...covered, may: ['ask_guarantors'] } as const;
  const stepOf = (loan: Parameters<typeof isToSend>[0]) => stagesOf(loan.state, isToSend(loan))[0];
  expect(stepOf({ ...covered, may: [...covered.may] })).toEqual({ key: 'sending', state: 'now' });
  expect(stepOf({ ...open, may: [...open.may] })).toEqual({ key: 'guarantors', state: 'now' });
  expect(stepOf({ state: 'submitted', may: ['submit'] })).toEqual({ key: 'guarantors', state: 'done' });
  expect(stateToGuarantor('guarantors_pending', true)).toBe('Waits for the borrower to send it');
  expect(stateToGuarantor('guarantors_pending', false)).toBe('Waits for guarantors');
});

test('a guarantee of which nothing is pledged any more is released', () => {
  expect(guaranteeShown({ state: 'live', pledged: 0 })).toBe('released');
  expect(guaranteeShown({ state: 'live', pledged: 1 })).toBe('live');
  expect(guaranteeShown({ state: 'asked', pledged: 0 })).toBe('asked');
});

test('the largest instalment is the highest bar', () => {
  const bars = barsOf([
    { number: 1, principal: 60, interest: 40, total: 100 },
    { number: 2, principal: 45, interest: 5, total: 50 },
  ]);
  expect(bars).toEqual([
    { number: 1, principal: 0.6, interest: 0.4 },
    { number: 2, principal: 0.45, interest: 0.05 },
  ]);
  expect(barsOf([])).toEqual([]);
});

test('the smallest part of a limit decides it', () => {
  expect(decidingPart([{ amount: 300 }, { amount: 120 }, { amount: 120 }, { amount: 900 }])).toEqual({ amount: 120 });
  expect(decidingPart([])).toBeUndefined();
});

test('an offer is asked about until its last moment, and what is repaid is of the principal alone', () => {
  const answer_by = '2026-07-15T06:00:00Z';
  const isAsked = (state: 'proposed' | 'refused', at: string) => isStillAsked({ state, answer_by }, Date.parse(at));
  expect([isAsked('proposed', '2026-07-15T05:59:59Z'), isAsked('proposed', answer_by)]).toEqual([true, false]);
  expect(isAsked('refused', '2026-07-01T06:00:00Z')).toBe(false);
  // 900 of 1,000 are owed of the principal, and 150 of interest and penalty.
  expect(repaidOf({ amount: 1000, principal_owed: 900 })).toBe(100);
});

test('an instalment is paid in advance where it was paid before its day, and not on it, after it or not yet', () => {
  const of = (paid_on: string | null) =>
    isPaidAhead({ due_on: '2026-05-02', paid_on } as LoanDetail['schedule'][number]);
  expect(['2026-04-02', '2026-05-01', '2026-05-02', '2026-05-03', null].map(of)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('what is left after an instalment is not told where it was paid before its month began', () => {
  const schedule = [
    { due_on: '2026-04-02', paid_on: '2026-03-20' },
    { due_on: '2026-05-02', paid_on: '2026-04-25' },
    { due_on: '2026-06-02', paid_on: '2026-04-25' },
    { due_on: '2026-07-02', paid_on: null },
  ] as LoanDetail['schedule'];
  expect(schedule.map((_, place) => isPaidBeforeItsMonth(schedule, place))).toEqual([false, false, true, false]);
});

describe('A payment before the month of the next instalment', () => {
  const loan = (next: string, overdue = 0) =>
    ({
      overdue,
      disbursed_at: '2026-07-29T09:00:00Z',
      next_due: { date: next, amount: 1_066.19 },
      schedule: ['2026-08-28', '2026-09-28', '2026-10-28', '2026-11-28', '2026-12-28'].map((due_on) => ({ due_on })),
    }) as unknown as LoanDetail;
  test('leaves that instalment due', () => {
    expect(dueLater(loan('2026-12-28'), '2026-11-25')).toBe('2026-12-28');
  });
  test('is none from the day on which the instalment before it was due, and none while one is overdue', () => {
    expect(dueLater(loan('2026-12-28'), '2026-11-28')).toBeNull();
    expect(dueLater(loan('2026-11-28'), '2026-11-25')).toBeNull();
    expect(dueLater(loan('2026-12-28', 50), '2026-11-25')).toBeNull();
    expect(dueLater(loan('2026-08-28'), '2026-07-30')).toBeNull();
  });
});
