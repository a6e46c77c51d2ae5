import { expect, test } from 'vitest';
import { lateSince } from './late-since.ts';

const done = (day: string) => ({ day, state: 'done' as const });

test('no run is late while that of yesterday is done and that of today is yet to come', () => {
  expect(lateSince([done('2026-11-23'), done('2026-11-22')], '2026-11-24')).toBeNull();
  expect(lateSince([{ day: '2026-11-24', state: 'running' }, done('2026-11-23')], '2026-11-24')).toBeNull();
  expect(lateSince([], '2026-11-24')).toBeNull();
});

test('a run that is cut off, and all that never began since, are late', () => {
  expect(lateSince([{ day: '2026-11-21', state: 'running' }, done('2026-11-20')], '2026-11-24')).toEqual({
    first: '2026-11-21',
    count: 3,
  });
  expect(lateSince([done('2026-11-20')], '2026-11-24')).toEqual({ first: '2026-11-21', count: 3 });
});
