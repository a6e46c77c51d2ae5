import { nairobiDay } from '@ushirika/contract/time';

/** A calendar month in Nairobi: `2026-12`. */
export function nairobiMonth(at: Date): string {
  return nairobiDay(at).slice(0, 7);
}

/** The day of the month in Nairobi. */
export function nairobiDayOfMonth(at: Date): number {
  return Number(nairobiDay(at).slice(8));
}

/** The month after: `2026-12` → `2027-01`. */
export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}

/** The first month in which a new order is carried out: this one while its day is still to come, else the next. */
export function firstMonthOf(day: number, now: Date): string {
  return day > nairobiDayOfMonth(now) ? nairobiMonth(now) : monthAfter(nairobiMonth(now));
}

interface Run {
  readonly month: string;
  readonly state: 'waiting' | 'paid' | 'skipped';
}

/** The next day on which an order is tried, from its latest month. */
export function nextDayOf(
  order: { readonly day: number; readonly firstMonth: string },
  run: Run | null,
  now: Date,
): string {
  const thisMonth = nairobiMonth(now);
  const today = nairobiDay(now);
  if (run?.month === thisMonth && run.state === 'waiting') {
    const tomorrow = nairobiDay(new Date(now.getTime() + 86_400_000));
    if (tomorrow.slice(0, 7) === thisMonth) return tomorrow;
  }
  const isDone = run?.month === thisMonth;
  const month = [order.firstMonth, isDone ? monthAfter(thisMonth) : thisMonth].sort().at(-1) ?? thisMonth;
  const date = `${month}-${String(order.day).padStart(2, '0')}`;
  // Due earlier this month and not tried yet: the next run takes it.
  return date < today ? today : date;
}
