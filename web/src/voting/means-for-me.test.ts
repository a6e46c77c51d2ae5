import { expect, test } from 'vitest';
import { meansFor } from './means-for-me.tsx';

const before = { reg_fee: 500, min_shares: 3, share_value: 100 };
const to = (more: Partial<typeof before>) => ({ before, after: { ...before, ...more } });

test('a member with three shares reads what the two that a minimum of five asks for would cost, and until when there is time', () => {
  expect(meansFor(3, to({ min_shares: 5, share_value: 120 }), '2026-06-01T06:00:00.000Z')).toEqual([
    'You hold 3 shares now.',
    'The minimum would be 5: you would have to buy 2 more, for Ksh.\u00a0240.00 from the sacco.',
    'You would keep your full rights until Monday, June 1, 2026 in any case.',
    'At the new share value your shares come to Ksh.\u00a0360.00; now they come to Ksh.\u00a0300.00.',
  ]);
});

test('whoever holds enough, or pays no fee again, reads that', () => {
  expect(meansFor(5, to({ min_shares: 5, reg_fee: 700 }), null)).toEqual([
    'You hold 5 shares now.',
    'You hold enough for the new minimum.',
    'You have paid your registration fee, and pay nothing again.',
  ]);
});
