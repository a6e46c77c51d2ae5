import { z } from 'zod';

/** An instant on the wire: ISO 8601 in UTC. */
export const instant = z.iso.datetime();

export { formatLongDate, formatLongDateTime } from './format.ts';

/** The calendar day in Nairobi, `2026-11-20`: what a due date or a daily limit counts by. */
export function nairobiDay(at: Date): string {
  return new Date(at.getTime() + 3 * 3_600_000).toISOString().slice(0, 10);
}
