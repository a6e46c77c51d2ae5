import { createElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { LongDate } from '../ui/figures.tsx';
import { textOf } from '../ui/test-text.ts';
import { chooseLanguage } from './say.ts';

afterEach(async () => {
  await chooseLanguage('en');
  vi.unstubAllGlobals();
});

test('a date stands in the language of its page', async () => {
  vi.stubGlobal('document', { documentElement: {} });
  const shown = () => textOf(createElement(LongDate, { iso: '2026-11-20T11:05:00Z', time: true }));
  expect(shown()).toBe('Friday, November 20, 2026, 14:05');
  await chooseLanguage('sw');
  expect(shown()).toBe('Ijumaa, 20 Novemba 2026, 14:05');
});
