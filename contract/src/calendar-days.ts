const DAY_MS = 86_400_000;
/** Nairobi is three hours ahead of UTC, all year. */
const nairobiDayNumber = (at: Date | number): number => Math.floor((Number(at) + 3 * 3_600_000) / DAY_MS);

/**
 * Days of the Nairobi calendar from one moment to another: 0 on the same day, 1 for tomorrow, below zero for the past. Days that are left
 * are counted by this function wherever a date stands beside them, so that both say the same.
 */
export const calendarDays = (from: Date | number, to: Date | number): number =>
  nairobiDayNumber(to) - nairobiDayNumber(from);

/** The calendar day in Nairobi, `2026-11-20`: what a due date or a daily limit counts by. */
export function nairobiDay(at: Date): string {
  return new Date(at.getTime() + 3 * 3_600_000).toISOString().slice(0, 10);
}
