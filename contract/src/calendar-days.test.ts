import { expect, test } from 'vitest';
import { calendarDays } from './calendar-days.ts';

test('days that are left are those of the calendar in Nairobi: a date that is tomorrow is never two days away', () => {
  const late = new Date('2026-11-25T20:59:00Z');
  // One minute before midnight in Nairobi.
  expect(calendarDays(late, new Date('2026-11-25T20:59:59Z'))).toBe(0);
  expect(calendarDays(late, new Date('2026-11-25T21:00:00Z'))).toBe(1);
  expect(calendarDays(late, new Date('2026-11-26T20:59:59Z'))).toBe(1);
  expect(calendarDays(late, new Date('2026-11-27T12:00:00Z'))).toBe(2);
  expect(calendarDays(late, new Date('2026-11-24T20:59:59Z'))).toBe(-1);
});
