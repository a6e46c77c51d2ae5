import decode from 'qr/decode.js';
import { encode } from 'uqr';
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

test('a sentence below the facts stands on the page, and programs find what is held for them in the file', () => {
  const file = String.fromCharCode(
    ...receiptPdf({ ...paper, note: 'It says what was booked.' }, 'Receipt', [], '/Held (a-b_1)'),
  );
  expect(textIn(file).at(-1)).toBe('It says what was booked.');
  expect(file).toMatch(/<< \/Title <[0-9a-f]+> \/Creator <[0-9a-f]+> \/Held \(a-b_1\) >>/);
});

test('words are broken into lines that fit, and a word that is too long is broken', () => {
  const fits = (text: string) => text.length;
  expect(inLines('twelve shares of a sacco', 13, fits)).toEqual(['twelve shares', 'of a sacco']);
  expect(inLines('a 0123456789abcdef', 10, fits)).toEqual(['a', '0123456789', 'abcdef']);
});

test('a QR code on the page is read again, and stands below all text', () => {
  const address = 'https://ushirika.test/verify#r=abc-123';
  const file = String.fromCharCode(...receiptPdf(paper, 'Receipt', encode(address, { border: 0 }).data));
  const squares = [...file.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) [\d.]+ re$/gm)].map(([, ...numbers]) =>
    numbers.map(Number),
  );
  const [, height = 0] = /MediaBox \[0 0 420 (\d+)\]/.exec(file)?.map(Number) ?? [];
  const pixels = new Uint8ClampedArray(420 * height * 4).fill(255);
  for (const [x = 0, y = 0, side = 0] of squares) {
    for (let row = Math.round(y); row < Math.round(y + side); row += 1) {
      for (let column = Math.round(x); column < Math.round(x + side); column += 1) {
        pixels.fill(0, ((height - 1 - row) * 420 + column) * 4, ((height - 1 - row) * 420 + column) * 4 + 3);
      }
    }
  }
  expect(decode({ data: pixels, width: 420, height })).toBe(address);
  const lowestText = Math.min(...[...file.matchAll(/Tf [\d.]+ ([\d.]+) Td/g)].map(([, y]) => Number(y)));
  expect(Math.max(...squares.map(([, y = 0, side = 0]) => y + side))).toBeLessThan(lowestText);
});
