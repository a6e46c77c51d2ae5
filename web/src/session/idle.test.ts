import { expect, test } from 'vitest';
import { idleLeftMs } from './idle.ts';

const hour = 3_600_000;

test('an hour after the last act the session is idle, and not a moment before', () => {
  expect(idleLeftMs(hour - 1, 0, 0)).toBe(1);
  expect(idleLeftMs(hour, 0, 0)).toBe(0);
});

test('an act in another tab keeps this one signed in', () => {
  expect(idleLeftMs(hour, 0, 30 * 60_000)).toBe(30 * 60_000);
  expect(idleLeftMs(hour, 30 * 60_000, 0)).toBe(30 * 60_000);
});
