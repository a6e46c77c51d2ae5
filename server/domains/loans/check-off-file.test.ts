import { inWords } from '@ushirika/contract/in-words';
import { AMOUNT_CASES, PHONE_CASES } from '@ushirika/contract/typed-cases';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { readLines, readList, wholeProblem } from './check-off-lines.rules.ts';

type Cell = string | number | null;

/** A workbook as Excel writes it, with one sheet for each list of rows, and cells that are merged: B1:C1. */
function workbook(...given: (Cell[][] | string)[]): Buffer {
  const sheets = given.filter((each) => typeof each !== 'string');
  const merged = given.filter((each) => typeof each === 'string');
  const sheetXml = (rows: Cell[][]) =>
    `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows
      .map(
        (row, y) =>
          `<row r="${y + 1}">${row
            .map((value, x) => {
              const at = `${'ABCDEFGH'[x]}${y + 1}`;
              if (value === null) return '';
              return typeof value === 'number'
                ? `<c r="${at}"><v>${value}</v></c>`
                : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
            })
            .join('')}</row>`,
      )
      .join(
        '',
      )}</sheetData><mergeCells>${merged.map((cells) => `<mergeCell ref="${cells}"/>`).join('')}</mergeCells></worksheet>`;
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const parts: Record<string, string> = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relations}"><sheets>${sheets.map((_, n) => `<sheet name="Sheet${n + 1}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${sheets.map((_, n) => `<Relationship Id="rId${n + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${n + 1}.xml"/>`).join('')}</Relationships>`,
  };
  for (const [n, rows] of sheets.entries()) parts[`xl/worksheets/sheet${n + 1}.xml`] = sheetXml(rows);
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]))));
}

/** The workbook with one text of one of its parts changed. */
function changed(file: Buffer, part: string, from: string, to: string): Buffer {
  const parts = unzipSync(file);
  const xml = strFromU8(parts[`xl/${part}.xml`] ?? new Uint8Array());
  expect(xml).toContain(from);
  return Buffer.from(zipSync({ ...parts, [`xl/${part}.xml`]: strToU8(xml.replace(from, to)) }));
}

const read = async (file: Buffer | string) => {
  const list = await (typeof file === 'string' ? readLines(file) : readList(file));
  const problem = wholeProblem(list);
  return {
    lines: list.lines.map(({ line, phone, amountCents }) => [line, phone, amountCents]),
    wrong: list.wrong.map(({ line, cell, why }) => [line, cell, inWords(why, 'en')]),
    problem: problem && inWords(problem, 'en'),
  };
};
const ONE = { lines: [[1, '254712345678', 250_000]], wrong: [], problem: null };
const UNCLEAR =
  'It is not clear which cell is the phone and which the amount. Put a first line above the list: Phone, Amount.';

describe('a list is read as a spreadsheet saves it', () => {
  test.each([
    '0712345678,2500,',
    '0712345678,2500,,,',
    '0712345678;2500;;',
    '0712345678\t2,500.00\t',
    '0712345678;2,500.00',
    '712345678,2500',
    '"0712345678","2,500.00"',
    '"0712345678";"KES 2,500.00"',
    '="0712345678",2500',
    '="0712345678";="2500"',
    "'0712345678,2500/=",
    '\ufeff0712345678,2500',
  ])('%j (field case M9)', async (text) => {
    expect(await read(text)).toEqual(ONE);
    expect(await read(Buffer.from(text))).toEqual(ONE);
  });

  test('as a workbook, and as "Unicode text" of either kind (field case M10)', async () => {
    expect(await read(workbook([['0712345678', 2500]]))).toEqual(ONE);
    expect(await read(workbook([[712345678, 2500]]))).toEqual(ONE);
    expect(await read(workbook([[254712345678, 'KES 2,500.00']], []))).toEqual(ONE);
    const text = '0712345678\t2500\r\n';
    expect(await read(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual(ONE);
    expect(await read(Buffer.from(text, 'utf16le'))).toEqual(ONE);
    expect(await read(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())).toEqual(ONE);
  });

  test('in the letters of Windows', async () => {
    expect((await read(Buffer.from('Téléphone;Kiasi\n0712345678;2500', 'latin1'))).lines).toEqual([
      [2, '254712345678', 250_000],
    ]);
  });
});

describe('a name, an ID or a staff number beside the phone', () => {
  test('is passed over where the headings say which column is which, under a title and above a total', async () => {
    const rows = [
      ['County of Nairobi, May 2026', null, null, null],
      ['Staff No.', 'Name', 'Phone No.', 'Amount (KES)'],
      [4512, 'Kamau, Jr', 712345678, 2500],
      [4513, 'Amina Said', '0733 000 111', 1800.5],
      [null, 'Total', null, 4300.5],
    ];
    const lines = [
      [3, '254712345678', 250_000],
      [4, '254733000111', 180_050],
    ];
    expect(await read(workbook(rows))).toEqual({ lines, wrong: [], problem: null });
    const csv = rows.map((row) => row.map((cell) => (cell === null ? '' : `"${cell}"`)).join(',')).join('\r\n');
    expect(await read(csv)).toEqual({ lines, wrong: [], problem: null });
  });

  test('without headings is passed over only where nothing could be taken for something else', async () => {
    expect((await read('Amina Said,0712345678,2500\n12345678,0733000111,1800')).lines).toEqual([
      [1, '254712345678', 250_000],
      [2, '254733000111', 180_000],
    ]);
    expect(await read('4512,0712345678,2500')).toEqual({ lines: [], wrong: [[1, null, UNCLEAR]], problem: null });
    expect((await read('0712345678,0733000111,2500')).wrong).toEqual([[1, null, UNCLEAR]]);
  });

  test('two columns of phones or of sums are not guessed', async () => {
    for (const head of ['Phone,Mobile,Amount', 'Phone,Deduction,Total'])
      expect((await read(`${head}\n0712345678,0733000111,5`)).problem).toMatch(/^Two columns could be/);
    expect((await read('Phone,Total,Amount\n0712345678,9000,5')).lines).toEqual([[2, '254712345678', 500]]);
  });
});

describe('a first line with words has to head the phone and the amount', () => {
  test.each([
    ['Staff No,Amount\n734567890,1500', /members’ phone numbers/],
    ['Payroll No,Amount\n734567890,1500', /members’ phone numbers/],
    ['ID Number,Amount\n22915620,1500', /members’ phone numbers/],
    ['Next of kin phone,Amount\n0734567890,1500', /members’ phone numbers/],
    ['Guarantor phone,Amount\n0734567890,1500', /members’ phone numbers/],
    ['May,2026\nStaff No,Amount\n734567890,1500', /members’ phone numbers/],
    ['Phone,Staff No\n0734567890,10234', /needs the amounts/],
    ['Phone,Date\n0734567890,46355', /needs the amounts/],
    ['Phone,Salary\n0734567890,50000', /needs the amounts/],
    ['Phone,Balance\n0734567890,9000', /needs the amounts/],
    ['Phone,Year\n0734567890,2026', /needs the amounts/],
    ['Phone,Loan balance amount\n0734567890,9000', /needs the amounts/],
    ['Simu,Salio\n0734567890,9000', /needs the amounts/],
  ])('%j', async (text, sentence) => {
    expect(await read(text)).toEqual({ lines: [], wrong: [], problem: expect.stringMatching(sentence) });
  });

  test.each(['Phone,Contribution', 'Mobile,Repayment', 'Simu,Malipo', 'Phone,Next of kin phone,Amount'])(
    '%s is read',
    async (head) => {
      const between = head.includes('kin') ? ',0733000111' : '';
      expect((await read(`${head}\n0712345678${between},2500`)).lines).toEqual([[2, '254712345678', 250_000]]);
    },
  );

  test.each([
    ['Phone,Amount borrowed,Repayment\n0712345678,100000,2500', /^Two columns/],
    ['Phone,Amount outstanding,Repayment\n0712345678,100000,2500', /^Two columns/],
    ['Simu,Kiasi cha mkopo,Marejesho\n0712345678,100000,2500', /^Two columns/],
    ['Phone,Amount borrowed\n0712345678,100000', /needs the amounts/],
    ['Phone,Loan amount\n0712345678,100000', /needs the amounts/],
    ['Phone,Deduction month\n0712345678,11', /needs the amounts/],
    ['Phone,Deduction type\n0712345678,102', /needs the amounts/],
    ['Phone,Gross,Net payment\n0712345678,90000,60000', /needs the amounts/],
    ['Phone,Payment reference\n0712345678,4711', /needs the amounts/],
    ['Phone,Instalments left\n0712345678,12', /needs the amounts/],
    ['Emergency contact,Amount\n0712345678,11', /members’ phone numbers/],
  ])('a sum that may be another is not taken: %j', async (text, sentence) => {
    expect(await read(text)).toEqual({ lines: [], wrong: [], problem: expect.stringMatching(sentence) });
  });

  test.each([
    ['Phone,Deduction month,Kshs.', '11,2500'],
    ['Phone,Deduction type,Sh', '102,2500'],
    ['Phone,Gross,Net payment,KShs', '90000,60000,2500'],
    ['Simu,Pesa', '2500'],
    ['Phone,Total loans,Amount (KES)', '100000,2500'],
    ['Simu,Makato ya mwezi', '2500'],
    ['Phone,Loan repayment for May 2026', '2500'],
    ['Phone,Deduction for the month', '2500'],
    ['phone_number,amount_kes', '2500'],
    ['PhoneNumber,MonthlyDeduction', '2500'],
    ['Employee Phone,Amount', '2500'],
    ['Staff Mobile,Amount', '2500'],
    ['Contact,Amount', '2500'],
    ['M-Pesa No,Kshs.', '2500'],
    ['MPESA NUMBER,AMT', '2500'],
  ])('%s is read', async (head, rest) => {
    expect(await read(`${head}\n0712345678,${rest}`)).toMatchObject({
      lines: [[2, '254712345678', 250_000]],
      wrong: [],
    });
  });

  test('without headings the phone stands before the amount', async () => {
    for (const text of ['2026,0734567890', 'Amina Said,2026,0734567890'])
      expect(await read(text)).toEqual({ lines: [], wrong: [[1, null, UNCLEAR]], problem: null });
  });
});

describe('what is wrong is named by its line and its cell', () => {
  test.each([
    ['Name,Phone,Amount\nAmina,071234567,2500', 'B2', 'That is not a phone number.'],
    ['Name,Phone,Amount\nAmina,7.12E+08,2500', 'B2', /shortened this number/],
    ['Name,Phone,Amount\nAmina,2.54713E+11,2500', 'B2', /shortened this number/],
    ['Name,Phone,Amount\nAmina,0712345678,"1,50"', 'C2', /^Write the amount in shillings/],
    ['Name,Phone,Amount\nAmina,0712345678,', 'C2', /^Write the amount in shillings/],
  ])('%j', async (text, cell, why) => {
    expect((await read(text)).wrong).toEqual([[2, cell, expect.stringMatching(why)]]);
  });
});

describe('a comma within a cell is seen, so that no part of an amount or of a name is paid (money)', () => {
  const COMMA = /^A comma stands within a cell/;
  test.each([
    'Name,Phone,Amount\nWanjiru,0712345678,12,500.00',
    'Name,Phone,Amount\nWanjiru,0712345678,KES 12,500.00',
    'Name,Phone,Amount\nWanjiru,0712345678,1,000,000',
    'Name,Phone,Amount,Signature\nWanjiru,0712345678,12,500.00',
    'Phone,Amount,Signature,Date\n0712345678,12,500.00,,',
    'Phone,Amount,\n0712345678,12,500',
    'Phone,Name,Staff No,Amount\n0712345678,Kamau, Wanjiru,1001,2500',
  ])('%j', async (text) => {
    expect(await read(text)).toEqual({ lines: [], wrong: [[2, null, expect.stringMatching(COMMA)]], problem: null });
  });

  test.each([
    'Name,Phone,Amount\nWanjiru,0712345678,"12,500.00"',
    'Name;Phone;Amount\nWanjiru;0712345678;12,500.00',
    'Name\tPhone\tAmount\nWanjiru\t0712345678\t12,500.00',
    'Phone,Amount,Staff No\n0712345678,12500,4512,,',
    ',Phone,Amount\n1,0712345678,12500',
  ])('%j is read', async (text) => {
    expect(await read(text)).toEqual({ lines: [[2, '254712345678', 1_250_000]], wrong: [], problem: null });
  });

  test('in a workbook a note may stand beside the list', async () => {
    const rows = [
      ['Phone', 'Amount', null],
      ['0712345678', 12, 500],
    ];
    expect((await read(workbook(rows))).lines).toEqual([[2, '254712345678', 1_200]]);
  });

  test('where semicolons stand between cells a comma is a point', async () => {
    const text = '0712345678;2500,50\n0712345679;1.200,50\n0712345680;2,5\n0712345681;2,500\n0712345682;1.20,50';
    expect(await read(text)).toMatchObject({
      lines: [
        [1, '254712345678', 250_050],
        [2, '254712345679', 120_050],
        [3, '254712345680', 250],
        [4, '254712345681', 250_000],
      ],
      wrong: [[5, 'B5', expect.stringMatching(/^Write the amount/)]],
    });
  });
});

describe('the foot of a list', () => {
  test.each(['TOTALS,,2500', 'Sub-Total,,2500', 'SUBTOTAL,,2500', 'Grand Total,,2500', 'Jumla,,2500'])(
    '%j is no line of it',
    async (foot) => {
      expect(await read(`Name,Phone,Amount\nWanjiru,0712345678,2500\n${foot}`)).toEqual({
        lines: [[2, '254712345678', 250_000]],
        wrong: [],
        problem: null,
      });
    },
  );

  test('and what is written below it is passed over; a line without an amount is not', async () => {
    const foot = 'TOTALS,,2500\nPrepared by:,Jane,\nImeidhinishwa na,,\n';
    expect(await read(`Name,Phone,Amount\nWanjiru,0712345678,2500\n${foot}`)).toMatchObject({
      lines: [[2, '254712345678', 250_000]],
      wrong: [],
    });
    expect((await read('Name,Phone,Amount\nWanjiru,0712345678,\nPrepared by:,,')).wrong).toHaveLength(1);
    expect((await read('Name,Phone,Amount\nWanjiru,none,none\nKamau,0712345678,2500')).wrong).toHaveLength(1);
  });
});

describe('a number cell of a workbook', () => {
  test.each([712_000_000, 254_700_000_000, 254_712_300_000])('%d was shortened, and is not read', async (phone) => {
    const { lines, wrong } = await read(
      workbook([
        ['Phone', 'Amount'],
        [phone, 2500],
      ]),
    );
    expect({ lines, wrong }).toEqual({ lines: [], wrong: [[2, 'A2', expect.stringMatching(/shortened this number/)]] });
  });

  test('of an amount, and a phone that is text, may end in noughts', async () => {
    const rows = [
      ['Phone', 'Amount'],
      ['0712300000', 1_000_000],
    ];
    expect((await read(workbook(rows))).lines).toEqual([[2, '254712300000', 100_000_000]]);
  });
});

test('a heading that is merged over two columns heads both of them: neither is taken', async () => {
  const rows = [
    ['Phone', 'Amount', null],
    [null, 'Loan', 'Savings'],
    ['0712345678', 2500, 500],
  ];
  expect((await read(workbook(rows, 'B1:C1'))).problem).toMatch(/^Two columns could be/);
  const titled = [
    ['Amounts of May', null],
    ['Phone', 'Amount'],
    ['0712345678', 2500],
  ];
  expect((await read(workbook(titled, 'A1:B1'))).lines).toEqual([[3, '254712345678', 250_000]]);
});

describe('a workbook of which something is hidden is refused until it is shown (money)', () => {
  const rows: Cell[][] = [
    ['Phone', 'Name', 'Amount'],
    ['0712345678', 'Wanjiru', 2500],
    ['0733000111', 'Amina', 90000],
    ['0722000333', 'Otieno', 1],
  ];
  const list = workbook(rows);
  const sheet = 'worksheets/sheet1';
  const hidden = (row: number, how: string, file = list) =>
    changed(file, sheet, `<row r="${row}"`, `<row r="${row}" ${how}`);
  const columns = (xml: string) => changed(list, sheet, '<sheetData>', `<cols>${xml}</cols><sheetData>`);

  test.each([
    [
      'a hidden row',
      hidden(3, 'hidden="1"'),
      '1 row of the workbook is hidden, perhaps by a filter. Show it or delete it, and save the workbook again.',
    ],
    [
      'rows that a filter hides',
      hidden(4, 'ht="15" hidden="true"', hidden(3, "hidden='1'")),
      /^2 rows of the workbook are hidden, perhaps by a filter. Show them/,
    ],
    ['a sign in a row that could end its tag', hidden(3, 'x="/>" hidden="1"'), /^1 row /],
    [
      'a hidden column',
      columns('<col min="3" max="3" width="9" hidden="1"/>'),
      '1 column of the workbook is hidden. Show it or delete it, and save the workbook again.',
    ],
    [
      'two of three columns hidden together',
      columns('<col min="2" max="16384" hidden="true"/>'),
      /^2 columns of the workbook are hidden. Show them/,
    ],
    [
      'a hidden sheet',
      changed(workbook([], rows), 'workbook', 'sheetId="2"', 'sheetId="2" state="hidden"'),
      'A hidden sheet of the workbook has something in it. Show it or delete it, and save the workbook again.',
    ],
    [
      'a sheet that only programs can show',
      changed(workbook(rows, rows), 'workbook', 'sheetId="2"', 'sheetId="2" state="veryHidden"'),
      /^A hidden sheet/,
    ],
  ])('%s', async (_, file, sentence) => {
    const problem = typeof sentence === 'string' ? sentence : expect.stringMatching(sentence);
    expect(await read(file)).toEqual({ lines: [], wrong: [], problem });
  });

  test.each([
    ['a hidden row', hidden(5, 'hidden="1"', workbook([...rows, [null, null]]))],
    ['a hidden column', columns('<col min="4" max="16384" hidden="1"/>')],
    ['a hidden sheet', changed(workbook(rows, []), 'workbook', 'sheetId="2"', 'sheetId="2" state="hidden"')],
    ['a row that is said not to be hidden', hidden(3, 'hidden="0"')],
  ])('%s with nothing in it changes nothing', async (_, file) => {
    expect(await read(file)).toMatchObject({ lines: { length: 3 }, problem: null });
  });
});

describe('a file that cannot be read says what to save', () => {
  const bomb = () =>
    zipSync({ 'xl/workbook.xml': strToU8('<workbook/>'), 'xl/worksheets/sheet1.xml': new Uint8Array(60_000_000) });
  test.each([
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae100000000', 'hex'), /old Excel workbook/],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj'), /Save the list as an Excel workbook/],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /Save the list as an Excel workbook/],
    ['a web page', Buffer.from('<html><table><tr><td>0712345678'), /Save the list as an Excel workbook/],
    ['a zip of something else', Buffer.from(zipSync({ 'content.xml': strToU8('<x/>') })), /Save the list as an Excel/],
    ['a broken workbook', workbook([['0712345678', 1]]).subarray(0, 200), /Save the list as an Excel workbook/],
    ['a workbook that unpacks to a flood', Buffer.from(bomb()), /too large to be read/],
    ['two sheets', workbook([['0712345678', 1]], [['0733000111', 2]]), /one sheet/],
  ])('%s', async (_, file, sentence) => {
    expect((await read(file)).problem).toMatch(sentence);
  });
});

describe('the corpus of typed forms is read in lists as in fields', () => {
  test.each(PHONE_CASES.filter(([typed]) => !/[,;\t"]/.test(typed) && typed !== ''))(
    'phone %j',
    async (typed, digits) => {
      const { lines } = await read(`${typed},100`);
      expect(lines).toEqual(digits === null ? [] : [[1, digits, 10_000]]);
    },
  );
  test.each(AMOUNT_CASES.filter(([typed]) => typed !== ''))('amount %j', async (typed, amount) => {
    const { lines } = await read(`0712345678,"${typed.replaceAll('"', '""')}"`);
    const cents = Math.round(Number(amount) * 100);
    const isRead = amount !== null && cents <= 100_000_000;
    expect(lines).toEqual(isRead ? [[1, '254712345678', cents]] : []);
  });
});
