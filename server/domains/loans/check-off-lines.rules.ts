import { CHECK_OFF_LINES_MAX } from '@ushirika/contract/check-offs';
import type { Cents } from '@ushirika/contract/money';
import { phoneDigits } from '@ushirika/contract/phone';
import { type Sentence, sentence } from '@ushirika/contract/sentence';

/** More than this is nobody's instalments of a month: it is a slip of the finger. */
export /** Less pays nobody’s instalment: it would only be a way to send members a notice. */
const LINE_CENTS_MIN = 1_00;
const LINE_CENTS_MAX: Cents = 1_000_000_00;
/** Phones that are not written as Kenyan ones take long to read: so many of a list are read. */
const OTHER_PHONES_MAX = 1_000;
/** The longest text of a line that is read: it has room for spaces and quotes. */
const LINE_LENGTH_MAX = 200;
/** After so many lines others have their turn: a long list takes seconds. */
const LINES_AT_ONCE = 5_000;

/** One line as it was written, with the number by which its writer finds it. */
export interface TypedLine {
  readonly line: number;
  readonly text: string;
}

export interface ReadLine extends TypedLine {
  readonly phone: string;
  readonly amountCents: Cents;
}

export interface Wrong extends TypedLine {
  readonly why: Sentence;
}

export interface ReadList {
  readonly lines: readonly ReadLine[];
  readonly wrong: readonly Wrong[];
  /** Nothing of a list that is too long is read. */
  readonly isTooLong: boolean;
}

/** Reads a list as a table program or a person writes it: the phone number and the amount, without or with a line of headings. */
export async function readLines(text: string): Promise<ReadList> {
  if (isTooLong(text)) return { lines: [], wrong: [], isTooLong: true };
  const typed = typedLines(text);
  const lines: ReadLine[] = [];
  const wrong: Wrong[] = [];
  const others = { left: OTHER_PHONES_MAX };
  for (const [index, each] of typed.entries()) {
    if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) await new Promise(setImmediate);
    const read = readLine(each.text, others);
    if ('why' in read) wrong.push({ ...each, why: read.why });
    else lines.push({ ...each, ...read });
  }
  return { lines, wrong, isTooLong: typed.length > CHECK_OFF_LINES_MAX };
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

/** Lines with something in them; a first line without a digit has headings. */
function typedLines(text: string): TypedLine[] {
  const all = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const numbered = all.map((each, index) => ({ line: index + 1, text: each.trim() }));
  const filled = numbered.filter((each) => /[^\s,;"]/.test(each.text));
  return filled[0] && !/\d/.test(filled[0].text) ? filled.slice(1) : filled;
}

type Read = { readonly phone: string; readonly amountCents: Cents } | { readonly why: Sentence };

function readLine(text: string, others: { left: number }): Read {
  const [phoneText, amountText, ...more] = text.length > LINE_LENGTH_MAX ? [] : cellsOf(text);
  if (phoneText === undefined || amountText === undefined || more.length > 0) {
    return { why: sentence('Write the phone number and the amount, with one comma between them.') };
  }
  const phone = phoneOf(phoneText, others);
  if (typeof phone !== 'string') return phone;
  const amountCents = centsOf(amountText);
  if (amountCents === null || amountCents < LINE_CENTS_MIN) {
    return { why: sentence('Write the amount in shillings, 1 at least, such as 2500 or 2500.50.') };
  }
  return amountCents > LINE_CENTS_MAX
    ? { why: sentence('One line is Ksh. 1,000,000 at most.') }
    : { phone, amountCents };
}

/** The cells of a line: between tabs, else semicolons, else commas. In quotes a comma belongs to the amount. */
function cellsOf(text: string): string[] {
  const between = text.includes('\t') ? '\t' : text.includes(';') ? ';' : ',';
  const cells = [''];
  let isQuoted = false;
  for (const sign of text) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === between && !isQuoted) cells.push('');
    else cells[cells.length - 1] += sign;
  }
  return cells.map((cell) => cell.trim());
}

function phoneOf(text: string, others: { left: number }): string | { readonly why: Sentence } {
  const kenyan = /^(?:\+?254|0)?([17]\d{8})$/.exec(text.replaceAll(/[\s-]/g, ''));
  if (kenyan) return `254${kenyan[1]}`;
  if (others.left === 0) {
    return { why: sentence('More than 1,000 phone numbers of the list are not Kenyan. This one was not read.') };
  }
  others.left -= 1;
  return phoneDigits(text) ?? { why: sentence('That is not a phone number.') };
}

function centsOf(text: string): Cents | null {
  const parts = /^(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,2}))?$/.exec(text);
  if (!parts) return null;
  return Number((parts[1] ?? '').replaceAll(',', '')) * 100 + Number((parts[2] ?? '').padEnd(2, '0'));
}

/** What is wrong with a list as a whole. */
export function wholeProblem({ lines, wrong, isTooLong }: ReadList): Sentence | null {
  if (isTooLong) return sentence('A list has 250,000 lines at most.');
  return lines.length + wrong.length === 0 ? sentence('The list is empty. Write one line for each member.') : null;
}
