import { describe, expect, test } from 'vitest';
import {
  CHECK_OFF_LONG_LISTS_RULE,
  countAttempt,
  LOGIN_RULE,
  RESET_CODE_RULE,
  type ThrottleRule,
  type ThrottleState,
} from './throttle.rules.ts';

const start = Date.parse('2026-03-02T06:00:00Z');
const at = (minutes: number) => new Date(start + minutes * 60_000);

/** How many of these attempts, at these minutes, are let through, and what the last one is told. */
function attempts(rule: ThrottleRule, minutes: readonly number[]) {
  let state: ThrottleState | null = null;
  let admitted = 0;
  let retryAfterSeconds = 0;
  for (const minute of minutes) {
    const counted = countAttempt(state, at(minute), rule);
    if (counted.admitted) {
      admitted += 1;
      state = counted.state;
    } else retryAfterSeconds = counted.retryAfterSeconds;
  }
  return { admitted, retryAfterSeconds };
}

const times = (count: number, minute: number) => Array<number>(count).fill(minute);

describe('throttling of guesses', () => {
  test('ten failures for an ID number in 15 minutes are the last for 15 minutes', () => {
    expect(attempts(LOGIN_RULE, times(12, 0))).toEqual({ admitted: 10, retryAfterSeconds: 900 });
    expect(attempts(LOGIN_RULE, [...times(10, 0), 14.9]).admitted).toBe(10);
    expect(attempts(LOGIN_RULE, [...times(10, 0), 15]).admitted).toBe(11);
  });

  test('nine failures every 15 minutes are counted together: whoever is patient has no more guesses', () => {
    // The tenth locks for 15 minutes; after it there are nine more, and the tenth locks for 30.
    expect(attempts(LOGIN_RULE, [...times(9, 0), ...times(9, 15), ...times(9, 30)]).admitted).toBe(19);
    const patient = Array.from({ length: 96 }, (_, quarter) => times(9, 15 * quarter)).flat();
    // Seven locks begin in a day, each twice as long as the one before.
    expect(attempts(LOGIN_RULE, patient).admitted).toBe(70);
    const days = Array.from({ length: 30 * 96 }, (_, quarter) => times(9, 15 * quarter)).flat();
    expect(attempts(LOGIN_RULE, days).admitted).toBe(70 + 29 * 10);
  });

  test('no 15 minutes hold more than ten failures, wherever they begin', () => {
    expect(attempts(LOGIN_RULE, [0, ...times(8, 14.9), ...times(10, 15)]).admitted).toBe(10);
  });

  test('a day of quiet forgets failures that locked nothing', () => {
    expect(attempts(LOGIN_RULE, [...times(9, 0), ...times(9, 1440)]).admitted).toBe(18);
  });

  test('each lock lasts twice as long as the one before, and never longer than a day', () => {
    const waits: number[] = [];
    let state: ThrottleState | null = null;
    let minute = 0;
    for (let round = 0; round < 9; round += 1) {
      for (let n = 0; n < 10; n += 1) {
        const counted = countAttempt(state, at(minute), LOGIN_RULE);
        if (counted.admitted) state = counted.state;
      }
      const refused = countAttempt(state, at(minute), LOGIN_RULE);
      if (refused.admitted) throw new Error('the eleventh attempt was let through');
      waits.push(refused.retryAfterSeconds / 60);
      minute += refused.retryAfterSeconds / 60;
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 960, 1440, 1440]);
  });

  test('a day of quiet after a lock forgets how many there were', () => {
    expect(attempts(LOGIN_RULE, [...times(10, 0), ...times(11, 15 + 1440)])).toEqual({
      admitted: 20,
      retryAfterSeconds: 900,
    });
  });

  test('of long lists of check-offs thirty are read in an hour, and the next ones an hour later', () => {
    const rule = CHECK_OFF_LONG_LISTS_RULE;
    expect(attempts(rule, times(31, 0))).toEqual({ admitted: 30, retryAfterSeconds: 3600 });
    expect(attempts(rule, [...times(30, 0), ...times(30, 59)]).admitted).toBe(30);
    expect(attempts(rule, [...times(30, 0), ...times(31, 60)]).admitted).toBe(60);
    // An hour that meets two of these hours.
    expect(attempts(rule, [0, ...times(28, 59), ...times(31, 60)]).admitted).toBe(59);
  });

  test('five wrong reset codes lock a known device for 15 minutes, each time the same', () => {
    expect(attempts(RESET_CODE_RULE, times(6, 0))).toEqual({ admitted: 5, retryAfterSeconds: 900 });
    expect(attempts(RESET_CODE_RULE, [...times(6, 0), ...times(6, 15)])).toEqual({
      admitted: 10,
      retryAfterSeconds: 900,
    });
  });
});
