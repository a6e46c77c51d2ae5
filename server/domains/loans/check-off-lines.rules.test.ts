import { inWords } from '@ushirika/contract/in-words';
import { describe, expect, test } from 'vitest';
import { readLines, wholeProblem } from './check-off-lines.rules.ts';

const read = async (text: string) => {
  const { lines, wrong } = await readLines(text);
  return {
    lines: lines.map(({ line, phone, amountCents }) => [line, phone, amountCents]),
    wrong: wrong.map(({ line, why }) => [line, inWords(why, 'en')]),
  };
};

describe('a list', () => {
  test('is read as a table program or a person writes it', async () => {
    const text = [
      '\ufeffSimu,Kiasi',
      '0712345678, 2500',
      '254712345679,1800.5',
      '',
      '+254 712 345 680;"1,234.56"',
      '712345681\t3,000.00',
      '0110000000,1.00',
      ',',
    ];
    expect(await read(text.join('\r\n'))).toEqual({
      lines: [
        [2, '254712345678', 250_000],
        [3, '254712345679', 180_050],
        [5, '254712345680', 123_456],
        [6, '254712345681', 300_000],
        [7, '254110000000', 100],
      ],
      wrong: [],
    });
  });

  test('has every wrong line named with its number', async () => {
    const form = 'Write the phone number and the amount, with one comma between them.';
    const unclear =
      'It is not clear which cell is the phone and which the amount. Put a first line above the list: Phone, Amount.';
    const shortened =
      'The spreadsheet has shortened this number. Show the column as whole numbers or as text, and save the list again.';
    const amount = 'Write the amount in shillings, 1 at least, such as 2500 or 2500.50.';
    const lines = [
      '0712345678',
      '0712345678,1,200',
      '2.54713E+11,500',
      '0712345678,0',
      '0712345678,-5',
      '0712345678,1.234',
      '0712345678,12,00',
      '0712345678;1e9',
      '0712345678,1000000.01',
    ];
    expect((await read(lines.join('\n'))).wrong).toEqual([
      [1, form],
      [2, unclear],
      [3, shortened],
      [4, amount],
      [5, amount],
      [6, amount],
      [7, unclear],
      [8, shortened],
      [9, 'One line is Ksh. 1,000,000 at most.'],
    ]);
  });

  test('of nothing, or of headings alone, is empty; one that is too long is refused as a whole', async () => {
    for (const text of ['', '\n , \n', 'Phone,Amount']) {
      const problem = wholeProblem(await readLines(text));
      expect(problem && inWords(problem, 'en')).toBe('The list is empty. Write one line for each member.');
    }
    const long = wholeProblem(await readLines('0712345678,1\n'.repeat(250_001)));
    expect(long && inWords(long, 'en')).toBe('A list has 250,000 lines at most.');
  });

  test('of millions of empty lines is too long: nothing of it is read', async () => {
    expect(await readLines('\n'.repeat(8 * 1_024 * 1_024))).toMatchObject({ lines: [], wrong: [], isTooLong: true });
  });

  test('of 250,000 lines with headings and a line end after the last is not too long', async () => {
    const read = await readLines(`Phone,Amount\r\n${'0712345678,1\r\n'.repeat(250_000)}`);
    expect(read.lines).toHaveLength(250_000);
    expect(wholeProblem(read)).toBeNull();
  });

  test('has no line of more than two hundred characters', async () => {
    const { lines, wrong } = await read(`0712345678,${' '.repeat(200)}5\n0712345678,${' '.repeat(100)}5`);
    expect(lines).toEqual([[2, '254712345678', 500]]);
    expect(wrong).toHaveLength(1);
  });

  test('with phones of other countries is read, a thousand of them at most, and those after are told why not', async () => {
    const { lines, wrong } = await read('+44 7400 123456,5\n'.repeat(1_001));
    expect(lines).toHaveLength(1_000);
    expect(lines[0]).toEqual([1, '447400123456', 500]);
    expect(wrong).toEqual([
      [1_001, 'More than 1,000 phone numbers of the list are not Kenyan. This one was not read.'],
    ]);
  });
});
