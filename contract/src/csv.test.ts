import { expect, test } from 'vitest';
import { csvCell, csvText } from './csv.ts';

test.each([
  ['-Kamau', "'-Kamau"],
  ['=1+1', "'=1+1"],
  ['+254712345678', "'+254712345678"],
  ['@SUM(A1)', "'@SUM(A1)"],
  [' =1+1', "' =1+1"],
  ['\u200b=1+1', "'\u200b=1+1"],
  ['＝1+1', "'＝1+1"],
  ['\t=1', "'\t=1"],
  ['-1,5', '"\'-1,5"'],
  ['Kamau, Jr', '"Kamau, Jr"'],
  ['Kamau; Jr', '"Kamau; Jr"'],
  ['a "b"', '"a ""b"""'],
  ['-1234.50', '-1234.50'],
  ['1234.50', '1234.50'],
  ['Wanjiru', 'Wanjiru'],
])('a spreadsheet is given no formula: %j is written %s (field case P10)', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

test('a file has a byte-order mark, and a line end after each line', () => {
  expect(
    csvText([
      ['name', 'paid'],
      ['-Kamau', '5.00'],
    ]),
  ).toBe("\ufeffname,paid\r\n'-Kamau,5.00\r\n");
});
