import { describe, expect, test } from 'vitest';
import { classOf, noticeDue, penaltyOfDay, provisionOf, withinDuplum } from './arrears.rules.ts';
import { dayAfter } from './schedule.rules.ts';

describe('penalty', () => {
  const late = { dueOn: '2026-03-02', unpaid: 8_884_88 };

  test('runs from the sixth day on, at 12 % a year of the overdue instalment', () => {
    expect(penaltyOfDay(late, 100, '2026-03-07')).toBe(0);
    // 888,488 x 12 % / 365 = 292.10 cents.
    expect(penaltyOfDay(late, 100, '2026-03-08')).toBe(292);
    expect(penaltyOfDay(late, 0, '2026-03-08')).toBe(0);
  });

  test('a year of it is 12 % of the instalment: simple, no penalty on a penalty, and no cent is lost', () => {
    let sum = 0;
    for (let day = 1; day <= 370; day += 1) sum += penaltyOfDay(late, 100, dayAfter(late.dueOn, day));
    // floor(888,488 x 0.12).
    expect(sum).toBe(106_618);
  });
});

describe('in duplum', () => {
  test('interest and penalty since the default stop at the principal of that day, interest first', () => {
    expect(withinDuplum({ interest: 50, penalty: 20 }, null)).toEqual({ interest: 50, penalty: 20 });
    const default_ = (accruedSince: number) => ({ principalAtDefault: 1_000, accruedSince });
    expect(withinDuplum({ interest: 50, penalty: 20 }, default_(0))).toEqual({ interest: 50, penalty: 20 });
    expect(withinDuplum({ interest: 50, penalty: 20 }, default_(940))).toEqual({ interest: 50, penalty: 10 });
    expect(withinDuplum({ interest: 50, penalty: 20 }, default_(980))).toEqual({ interest: 20, penalty: 0 });
    expect(withinDuplum({ interest: 50, penalty: 20 }, default_(1_000))).toEqual({ interest: 0, penalty: 0 });
  });
});

describe('classification', () => {
  test('by days past due: 0, 1 to 30, 31 to 180, 181 to 360, more', () => {
    const bounds = [0, 1, 30, 31, 180, 181, 360, 361, 4_000];
    expect(bounds.map((days) => classOf(days))).toEqual([
      'performing',
      'watch',
      'watch',
      'substandard',
      'substandard',
      'doubtful',
      'doubtful',
      'loss',
      'loss',
    ]);
  });

  test('is the one that was kept, or a worse one', () => {
    expect([0, 180, 361].map((days) => classOf(days, 'doubtful'))).toEqual(['doubtful', 'doubtful', 'loss']);
  });

  test('1, 5, 25, 50 and 100 % of the principal are set aside, rounded up', () => {
    const classes = ['performing', 'watch', 'substandard', 'doubtful', 'loss'] as const;
    expect(classes.map((each) => provisionOf(92_115_12, each))).toEqual([
      92_116, 460_576, 2_302_878, 4_605_756, 9_211_512,
    ]);
    expect(provisionOf(0, 'loss')).toBe(0);
  });
});

describe('notices', () => {
  test('fall due on days 1, 7, 30, 60 and 90, each once and in order', () => {
    expect([0, 1, 40].map((days) => noticeDue(days, 0))).toEqual([null, 'missed', 'missed']);
    expect([6, 7].map((days) => noticeDue(days, 1))).toEqual([null, 'first']);
    expect([29, 30].map((days) => noticeDue(days, 2))).toEqual([null, 'formal']);
    expect([59, 60].map((days) => noticeDue(days, 3))).toEqual([null, 'second']);
    expect([89, 90].map((days) => noticeDue(days, 4))).toEqual([null, 'default_due']);
    expect(noticeDue(400, 5)).toBe(null);
  });
});
