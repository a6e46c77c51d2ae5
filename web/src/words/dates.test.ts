import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { LongDate } from '../ui/figures.tsx';
import { textOf } from '../ui/test-text.ts';
import { timeWords } from '../voting/voting-words.ts';
import { chooseLanguage } from './say.ts';

afterEach(async () => {
  vi.stubGlobal('document', { documentElement: {} });
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

test('a vote says its days in the long form', () => {
  const vote = { state: 'open', kind: 'resolution', closes_at: '2026-11-24T07:15:00Z', opens_at: null, eta: null };
  expect(timeWords(vote as Parameters<typeof timeWords>[0])).toBe('Until Tuesday, November 24, 2026, 10:15');
});

test('pages and tickets write dates in the long form alone, but for the chart, the tape and the months of loans', () => {
  const source = join(import.meta.dirname, '..');
  const own = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && /DateTimeFormat\(/.test(readFileSync(join(source, name), 'utf8')),
  );
  expect(own.filter((name) => !name.includes('.test.')).sort()).toEqual([
    'dividends/dividend-words.ts',
    'dividends/reckoning.tsx',
    'loans/loan-words.ts',
    'loans/member-search.tsx',
    'market/market-words.ts',
    'market/price-chart.tsx',
  ]);
});
