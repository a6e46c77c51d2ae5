import { CHECK_OFF_LINES_MAX } from '@ushirika/contract/check-offs';
import { type Cents, centsFromShillings } from '@ushirika/contract/money';
import { phoneDigits } from '@ushirika/contract/phone';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { foldId, unwrapped } from '@ushirika/contract/typed';
import { type Columns, columnsOf, isColumns, isMobile, isSum, kenyanDigits, sheetCell } from './check-off-columns.ts';
import { cellsOfLines, type Row, readFileOfList } from './check-off-file.ts';

/** Less pays nobody’s instalment: it would only be a way to send members a notice. */
const LINE_CENTS_MIN = 1_00;
/** More than this is nobody's instalments of a month: it is a slip of the finger. */
const LINE_CENTS_MAX: Cents = 1_000_000_00;
/** Phones that are not written as Kenyan ones take long to read: so many of a list are read. */
const OTHER_PHONES_MAX = 1_000;
/** The longest text of a line that is read: it has room for names, spaces and quotes. */
const LINE_LENGTH_MAX = 200;
/** After so many lines others have their turn: a long list takes seconds. */
const LINES_AT_ONCE = 1_000;

/** One line as it was written, with the number by which its writer finds it. */
export interface TypedLine {
  readonly line: number;
  readonly text: string;
  /** The number in the place of the phone, where it has the form of an ID number and not that of a mobile phone. */
  readonly id?: string;
}

export interface ReadLine extends TypedLine {
  readonly phone: string;
  readonly amountCents: Cents;
  /** Where a spreadsheet has its phone: B3. */
  readonly cell: string;
  /** The name beside the phone; empty where the list has none. */
  readonly name: string;
}

export interface Wrong extends TypedLine {
  readonly why: Sentence;
  /** The cell that is wrong, as a spreadsheet names it; null where it is the whole line. */
  readonly cell: string | null;
}

export interface ReadList {
  readonly lines: readonly ReadLine[];
  readonly wrong: readonly Wrong[];
  /** Nothing of a list that is too long is read. */
  readonly isTooLong: boolean;
  /** The fault of the file or of its columns, so that no line was read. */
  readonly problem: Sentence | null;
}

const nothing = (more: Partial<ReadList>): ReadList => ({
  lines: [],
  wrong: [],
  isTooLong: false,
  problem: null,
  ...more,
});

/** Reads a list from a file: a workbook, or text of any kind that a spreadsheet saves. */
export async function readList(bytes: Buffer): Promise<ReadList> {
  const file = await readFileOfList(bytes);
  if ('problem' in file) return nothing({ problem: file.problem });
  return 'text' in file ? readLines(file.text) : readRows(file.rows);
}

/** Reads a list as a table program or a person writes it: the phone number and the amount, without or with a line of headings. */
export async function readLines(text: string): Promise<ReadList> {
  if (isTooLong(text)) return nothing({ isTooLong: true });
  const typed = typedLines(text);
  const rows: Row[] = [];
  for (let from = 0; from < typed.length; from += LINES_AT_ONCE) {
    if (from > 0) await new Promise(setImmediate);
    rows.push(...cellsOfLines(typed.slice(from, from + LINES_AT_ONCE)));
  }
  return readRows(rows);
}

/** Whether there are more line ends than a list with headings has. Only they are counted: a file may hold millions. */
function isTooLong(text: string): boolean {
  let left = CHECK_OFF_LINES_MAX + 1;
  for (const _ of text.matchAll(/\r\n|\n|\r/g)) {
    if (left === 0) return true;
    left -= 1;
  }
  return false;
}

/** Lines with something in them. Excel's own first line, `sep=;`, is none. */
function typedLines(text: string): TypedLine[] {
  const all = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  // A tab at the beginning or end is an empty cell.
  const numbered = all.map((each, index) => ({ line: index + 1, text: each.replace(/^[^\S\t]+|[^\S\t]+$/g, '') }));
  return numbered.filter((each) => /[^\s,;"]/.test(each.text) && !(each.line === 1 && /^sep=.$/i.test(each.text)));
}

async function readRows(all: readonly Row[]): Promise<ReadList> {
  const filled = all.filter(({ text }) => text !== '');
  const columns = columnsOf(filled);
  if (columns !== null && !isColumns(columns)) return nothing({ problem: columns.problem });
  const rows = columns ? withoutFoot(filled.slice(columns.after), columns) : filled;
  if (rows.length > CHECK_OFF_LINES_MAX) return nothing({ isTooLong: true });
  const lines: ReadLine[] = [];
  const wrong: Wrong[] = [];
  const others = { left: OTHER_PHONES_MAX };
  for (const [index, row] of rows.entries()) {
    if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) await new Promise(setImmediate);
    const { line, text } = row;
    if (columns && isTotal(row, columns)) continue;
    const read = readRow(row, columns, others);
    if ('why' in read) wrong.push({ line, text, cell: null, ...read });
    else lines.push({ line, text, ...read });
  }
  return nothing({ lines, wrong });
}

/** The sum of a list: a line without a phone that says so. */
function isTotal({ cells }: Row, { phone }: Columns): boolean {
  const isSaid = cells?.some(isSum) ?? false;
  return isSaid && (cells?.[phone] === '' || /^\D*$/.test(cells?.[phone] ?? ''));
}

/** The lines of a list without what is written below them: lines without digits for a phone and for an amount. */
function withoutFoot(rows: readonly Row[], { phone, amount }: Columns): readonly Row[] {
  const isFoot = ({ cells }: Row) => cells !== null && !/\p{Nd}/u.test(`${cells[phone] ?? ''}${cells[amount] ?? ''}`);
  return rows.slice(0, rows.findLastIndex((row) => !isFoot(row)) + 1);
}

type Faulty = { readonly why: Sentence; readonly cell?: string; readonly id?: string };
type Read = Omit<ReadLine, 'line' | 'text'> | Faulty;

const FORM = sentence('Write the phone number and the amount, with one comma between them.');
const SHORTENED = sentence(
  'The spreadsheet has shortened this number. Show the column as whole numbers or as text, and save the list again.',
);

function readRow(row: Row, columns: Columns | null, others: { left: number }): Read {
  if (row.text.length > LINE_LENGTH_MAX || row.cells === null) return { why: FORM };
  const places = columns ?? placesIn(row.cells);
  if ('why' in places) return places;
  if (columns && isCutWrongly(row, row.cells, columns)) return { why: COMMA_WITHIN };
  const [phoneText = '', amountText = ''] = [row.cells[places.phone], row.cells[places.amount]];
  const cell = sheetCell(places.phone, row.line);
  const phone = phoneOf(phoneText, others);
  const id = idOf(phoneText);
  if (typeof phone !== 'string') return { ...phone, cell, ...id };
  const amountCents = centsFromShillings(row.separator === ';' ? withPoint(amountText) : amountText);
  if (isShortened(amountText)) return { why: SHORTENED, cell: sheetCell(places.amount, row.line) };
  if (amountCents === null || amountCents < LINE_CENTS_MIN) {
    const why = sentence('Write the amount in shillings, 1 at least, such as 2500 or 2500.50.');
    return { why, cell: sheetCell(places.amount, row.line) };
  }
  return amountCents > LINE_CENTS_MAX
    ? { why: sentence('One line is Ksh. 1,000,000 at most.'), cell: sheetCell(places.amount, row.line) }
    : { phone, amountCents, cell, name: nameIn(row.cells, columns), ...id };
}

const COMMA_WITHIN = sentence(
  'A comma stands within a cell. Write amounts without it, such as 12500, or put the cell between quotation marks.',
);

/**
 * Whether commas may stand within cells of a line of text: it has a cell to the right of all headings, or its amount and the cell after it could be one
 * amount, `12,500.00`.
 */
function isCutWrongly({ text, separator }: Row, cells: readonly string[], { amount, width }: Columns): boolean {
  if (separator === null) return false;
  const [sum = '', next = ''] = cells.slice(amount, amount + 2);
  const isInTwo = /(?<!\d)\d{1,3}$/.test(sum) && /^\d{3}(?!\d)/.test(next) && text.includes(`${sum},${next}`);
  return isInTwo || cells.findLastIndex((cell) => cell !== '') >= width;
}

/** Where semicolons stand between cells, a comma before one or two digits at the end is a point: `2500,50`, `1.200,50`. */
const withPoint = (text: string): string =>
  /^[^,]*,\d{1,2}$/.test(text) && !/\.(?!\d{3}(?!\d))/.test(text) ? text.replaceAll('.', '').replace(',', '.') : text;

/** The name of a line by its headings. A cell with digits is a number of the member, and without headings no cell is said to be a name. */
const nameIn = (cells: readonly string[], columns: Columns | null): string =>
  (columns?.names ?? [])
    .map((column) => cells[column] ?? '')
    .filter((cell) => !/\p{Nd}/u.test(cell))
    .join(' ');

/**
 * Finds the phone and the amount in a line without headings. Two cells are in this order. Among more cells only one may be a mobile phone,
 * and only one after it an amount. A cell that could be both is not guessed.
 */
function placesIn(cells: readonly string[]): { phone: number; amount: number } | Faulty {
  const filled = [...cells.keys()].filter((index) => cells[index] !== '');
  const [first, second] = filled;
  if (first === undefined || second === undefined) return { why: FORM };
  if (filled.length === 2 && !isMobile(cells[second])) return { phone: first, amount: second };
  const phones = filled.filter((index) => isMobile(cells[index]));
  const amounts = filled.filter((index) => !phones.includes(index) && isAmount(cells[index]));
  const [phone, amount] = [phones[0], amounts[0]];
  if (phones.length === 1 && amounts.length === 1 && phone !== undefined && amount !== undefined && phone < amount)
    return { phone, amount };
  return {
    why: sentence(
      'It is not clear which cell is the phone and which the amount. Put a first line above the list: Phone, Amount.',
    ),
  };
}

const isAmount = (cell = ''): boolean => (centsFromShillings(cell) ?? Number.POSITIVE_INFINITY) <= LINE_CENTS_MAX;
const isShortened = (cell: string): boolean => /^\d(?:[.,]\d+)?e\+?\d+$/i.test(cell.trim());

function phoneOf(text: string, others: { left: number }): string | Faulty {
  const kenyan = kenyanDigits(text);
  if (kenyan) return kenyan;
  if (isShortened(text)) return { why: SHORTENED };
  if (others.left === 0) {
    return { why: sentence('More than 1,000 phone numbers of the list are not Kenyan. This one was not read.') };
  }
  others.left -= 1;
  return phoneDigits(text) ?? { why: sentence('That is not a phone number.') };
}

/** An ID number has seven or eight digits and no nought before them; a mobile phone has nine after its nought. */
function idOf(text: string): { id?: string } {
  const id = foldId(text);
  return /^\d{7,8}$/.test(id) && !/^[0+]/.test(unwrapped(text)) ? { id } : {};
}

/** What is wrong with a list as a whole. */
export function wholeProblem({ lines, wrong, isTooLong, problem }: ReadList): Sentence | null {
  if (problem) return problem;
  if (isTooLong) return sentence('A list has 250,000 lines at most.');
  return lines.length + wrong.length === 0 ? sentence('The list is empty. Write one line for each member.') : null;
}
