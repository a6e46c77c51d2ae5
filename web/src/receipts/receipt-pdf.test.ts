import { expect, test } from 'vitest';
import { inLines } from './paper.ts';
import { receiptPdf } from './receipt-pdf.ts';

const paper = {
  mark: 'In the books',
  what: '12 shares of Ng’ombe na Njiwa Sacco',
  amount: '−\u00a0Ksh.\u00a01,200.00',
  facts: [
    ['When', 'Friday, November 20, 2026, 14:05'],
    ['Entry in the books', '1042'],
  ],
} as const;

const fileOf = (of: Parameters<typeof receiptPdf>[0] = paper) => String.fromCharCode(...receiptPdf(of, 'Receipt'));
/** What a reader of the file finds on its page. */
const textIn = (file: string) =>
  [...file.matchAll(/<([0-9a-f]+)> Tj/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'));

test('a receipt is a PDF with all that stands on it, as text', () => {
  const file = fileOf();
  expect(file.startsWith('%PDF-1.4\n')).toBe(true);
  expect(textIn(file)).toEqual([
    'Ushirika',
    'In the books',
    '12 shares of Ng\x92ombe na Njiwa Sacco',
    '\x96 Ksh. 1,200.00',
    'When',
    'Friday, November 20, 2026, 14:05',
    'Entry in the books',
    '1042',
  ]);
});

test('each part of the file is where its table says', () => {
  const file = fileOf();
  const table = Number(/startxref\n(\d+)/.exec(file)?.[1]);
  expect(file.slice(table, table + 4)).toBe('xref');
  const starts = [...file.slice(table).matchAll(/^(\d{10}) 00000 n /gm)].map(([, at]) => Number(at));
  expect(starts.map((at) => file.slice(at, at + 7))).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => `${n} 0 obj`));
  const [, length, content = ''] = /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(file) ?? [];
  expect(content.length).toBe(Number(length));
});

test('a long order makes a longer page, and nothing stands below its end', () => {
  const facts = Array.from({ length: 60 }, (_, index) => [`${index} at`, 'Ksh. 98.00'] as const);
  const file = fileOf({ ...paper, facts });
  const lowest = Math.min(...[...file.matchAll(/ ([\d.-]+) Td/g)].map(([, y]) => Number(y)));
  expect(lowest).toBeGreaterThan(20);
});

test('words are broken into lines that fit, and a word that is too long is broken', () => {
  const fits = (text: string) => text.length;
  expect(inLines('twelve shares of a sacco', 13, fits)).toEqual(['twelve shares', 'of a sacco']);
  expect(inLines('a 0123456789abcdef', 10, fits)).toEqual(['a', '0123456789', 'abcdef']);
});
