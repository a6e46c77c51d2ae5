import { expect, test } from 'vitest';
import { poolLimitsMean, poolTermsMean } from './pool-means.ts';

const pool = {
  ...{ equity: 35_000, reserve: 800, me: { position: 6_000 }, settings: { rate_cap: 30 } },
  price_examples: [{ amount: 10_000 }],
};
const terms = {
  ...{ min_contribution: 1_000, min_contribution_perc: 20, min_member_period: 30 },
  ...{ base_risk_percentage: 4, risk_weight_factor: 1.5, min_trust_score: 60 },
};

test('a member of a pool reads that the position stays, that nothing more must be left in, and what a guarantee would cost', () => {
  const after = { ...terms, min_contribution: 2_000, min_contribution_perc: 25, base_risk_percentage: 3 };
  expect(poolTermsMean({ before: terms, after }, pool)).toEqual([
    'Your position of Ksh.\u00a06,000.00 stays as it is. What must be left in when you withdraw a part does not rise for you.',
    'Whoever joins from then on puts in Ksh.\u00a02,000.00 at least. Now it is Ksh.\u00a01,000.00.',
    'For a guarantee of Ksh.\u00a010,000.00 the borrower needs Ksh.\u00a02,500.00 of their own in the pool. Now it is Ksh.\u00a02,000.00.',
    // 3% and 4% × 1.375 for a score of 75: 4.13% and 5.5%, × 13 / 24.
    'A guarantee of Ksh.\u00a010,000.00 for 12 months costs Ksh.\u00a0223.71 once, for a trust score of 75 in a quiet pool. Now it is Ksh.\u00a0297.92.',
  ]);
});

test('of a small pool the example is a guarantee that it can give', () => {
  const small = { ...pool, equity: 37_000, price_examples: [{ amount: 7_400 }] };
  expect(poolTermsMean({ before: terms, after: { ...terms, base_risk_percentage: 3 } }, small)).toEqual([
    'A guarantee of Ksh.\u00a07,400.00 for 12 months costs Ksh.\u00a0165.54 once, for a trust score of 75 in a quiet pool. Now it is Ksh.\u00a0220.46.',
  ]);
  expect(poolLimitsMean({ before: { max_cover: 80 }, after: { max_cover: 50 } }, small)).toEqual([
    'Of a loan of Ksh.\u00a07,400.00 the pool could guarantee Ksh.\u00a03,700.00. Now it is Ksh.\u00a05,920.00.',
  ]);
});

test('whoever has nothing in the pool reads of no position, and what does not change is not said', () => {
  const after = { ...terms, min_contribution: 500, min_member_period: 60, min_trust_score: 50 };
  expect(poolTermsMean({ before: terms, after }, { ...pool, me: null })).toEqual([
    'Whoever joins puts in Ksh.\u00a0500.00 at least, and whoever withdraws a part leaves as much. Now it is Ksh.\u00a01,000.00.',
    'Nobody may ask for a guarantee before 60 days in the pool. Now it is 30 days.',
    'Nobody is guaranteed below a trust score of 50. Now it is 60.',
  ]);
  // A field that is not filled in yet has not changed.
  expect(poolTermsMean({ before: terms, after: { base_risk_percentage: 4 } }, pool)).toEqual([]);
});

test('of other limits members read what the pool of today could guarantee, and how long a notice takes', () => {
  const limits = { exposure_multiple: 0.8, notice_days: 30, fee_members: 70, auto_limit: 50_000, auto_limit_share: 5 };
  const after = { ...limits, exposure_multiple: 1, notice_days: 14, fee_members: 75, auto_limit_share: 10 };
  expect(poolLimitsMean({ before: limits, after }, pool)).toEqual([
    'With what is in the pool today it could guarantee Ksh.\u00a035,000.00 at most. Now it is Ksh.\u00a028,000.00.',
    'Of each Ksh. 100 of fees members get Ksh.\u00a075.00. Now it is Ksh.\u00a070.00.',
    'Whoever gives notice after that waits 14 days for the money. Now it is 30 days.',
    'Guarantees up to Ksh.\u00a03,500.00 would be approved without the stewards. Now it is Ksh.\u00a01,750.00.',
  ]);
});
