import { expect, test } from 'vitest';
import { formatLongDate, formatLongDateTime } from './format.ts';

const at = '2026-11-20T21:30:00Z';

test('a long date has weekday, month, day and year, as they are in Nairobi', () => {
  expect(formatLongDate(at)).toBe('Saturday, November 21, 2026');
  expect(formatLongDateTime(at)).toBe('Saturday, November 21, 2026, 00:30');
});

test('in Swahili a long date is Swahili', () => {
  expect(formatLongDate(at, 'sw')).toBe('Jumamosi, 21 Novemba 2026');
  expect(formatLongDateTime(new Date(at), 'sw')).toBe('Jumamosi, 21 Novemba 2026, 00:30');
});
