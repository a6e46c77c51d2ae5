import { createElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { momentWords } from '../saccos/moment-words.ts';
import { LongDate } from '../ui/figures.tsx';
import { textOf } from '../ui/test-text.ts';
import { chooseLanguage } from './say.ts';

afterEach(async () => {
  await chooseLanguage('en');
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a date stands in the language of its page', async () => {
  vi.stubGlobal('document', { documentElement: {} });
  const shown = () => textOf(createElement(LongDate, { iso: '2026-11-20T11:05:00Z', time: true }));
  expect(shown()).toBe('Friday, November 20, 2026, 14:05');
  await chooseLanguage('sw');
  expect(shown()).toBe('Ijumaa, 20 Novemba 2026, 14:05');
});

test('a time of another year says its year: in Nairobi, where it begins three hours earlier', () => {
  vi.stubGlobal('document', { documentElement: {} });
  vi.useFakeTimers({ now: Date.parse('2025-12-31T21:30:00Z') });
  expect(momentWords('2026-11-24T07:15:00Z')).toBe('Tue 24 Nov, 10:15');
  expect(momentWords('2025-12-31T22:00:00Z')).toBe('Thu 1 Jan, 01:00');
  expect(momentWords('2025-01-13T08:00:00Z')).toBe('Mon 13 Jan 2025, 11:00');
});
