import { expect, test } from 'vitest';
import { ago } from './ago.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');

test('a time that has passed is told in the largest unit that fits', () => {
  expect(ago('2026-11-20T11:59:31Z', noon, 'en')).toBe('now');
  expect(ago('2026-11-20T11:58:59Z', noon, 'en')).toBe('1 minute ago');
  expect(ago('2026-11-20T09:01:00Z', noon, 'en')).toBe('2 hours ago');
  expect(ago('2026-11-19T11:00:00Z', noon, 'en')).toBe('yesterday');
  expect(ago('2026-11-10T12:00:00Z', noon, 'en')).toBe('10 days ago');
});

test('a time to come is told as well', () => {
  expect(ago('2026-11-20T12:05:00Z', noon, 'en')).toBe('in 5 minutes');
  expect(ago('2026-12-04T11:59:59Z', noon, 'en')).toBe('in 14 days');
});
