import type { LoanFigures } from '@ushirika/contract/loans';

type Day = Pick<LoanFigures['days'][number], 'day' | 'state'>;

const DAY_MS = 86_400_000;

/** The first day before today whose run is not done, and how many there are since; null where none is late. Newest day first. */
export function lateSince(days: readonly Day[], today: string): { first: string; count: number } | null {
  const open = days.findLast(({ day, state }) => day < today && state !== 'done');
  const lastDone = days.find(({ state }) => state === 'done');
  const first = open?.day ?? (lastDone ? dayAfter(lastDone.day) : today);
  const count = Math.round((Date.parse(today) - Date.parse(first)) / DAY_MS);
  return count > 0 ? { first, count } : null;
}

const dayAfter = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
