import { expect, test } from 'vitest';
import { whyNotRated } from './why-not-rated.ts';

const NOW = Date.parse('2026-05-30T12:00:00Z');

test('a new member reads when they may rate before they write anything', () => {
  expect(whyNotRated('active', '2026-05-31T09:00:00Z', NOW)).toBe(
    'Members rate their sacco after 90 days. You can from Sunday, May 31, 2026 on.',
  );
  expect(whyNotRated('active', '2026-05-30T12:00:00Z', NOW)).toBeNull();
});

test('nobody writes a rating who may not rate at all', () => {
  expect(whyNotRated('active', null, NOW)).toBe('Officials do not rate their own sacco.');
  expect(whyNotRated('provisional', '2026-01-01T09:00:00Z', NOW)).toMatch(/^Buy the minimum shares first/);
  expect(whyNotRated('leaving', '2026-01-01T09:00:00Z', NOW)).toMatch(/^You have given notice/);
});
