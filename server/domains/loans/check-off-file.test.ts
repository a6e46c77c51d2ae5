import { inWords } from '@ushirika/contract/in-words';
import { AMOUNT_CASES, PHONE_CASES } from '@ushirika/contract/typed-cases';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { readLines, readList, wholeProblem } from './check-off-lines.rules.ts';

type Cell = string | number | null;

/** A workbook as Excel writes it, with one sheet for each list of rows. */
function workbook(...sheets: Cell[][][]): Buffer {
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
      .join('')}</sheetData></worksheet>`;
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
    const { lines } = await read(`0712345678,"${typed}"`);
    const cents = Math.round(Number(amount) * 100);
    const isRead = amount !== null && cents <= 100_000_000;
    expect(lines).toEqual(isRead ? [[1, '254712345678', cents]] : []);
  });
});
