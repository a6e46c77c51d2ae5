import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { unwrapped } from '@ushirika/contract/typed';
import type { Row } from './check-off-file.ts';

/** Where the phone, the amount and perhaps the name stand in every line, by the headings; the list begins after so many lines. */
export interface Columns {
  /** The columns of the member's name; none where the list has no names. */
  readonly names: readonly number[];
  readonly phone: number;
  readonly amount: number;
  /** So many columns have headings. */
  readonly width: number;
  readonly after: number;
}

/** A title and an empty line may stand above the headings. */
const HEADINGS_WITHIN = 10;
const PHONE =
  /\b(?:phones?|mobile|tel|telephone|cell|cellphone|msisdn|simu|contacts?|mpesa (?:no|number|phone|namba|nambari))\b/i;
const PAID =
  /^(?:deductions?|deducted|makato|contributions?|michango|mchango|repayments?|payments?|malipo|marejesho|instal+ments?|remittance|remitted)$/i;
const CURRENCY = /^(?:kshs?|kes|shs?|shillings?|shilingi|pesa)$/i;
const SUM = /^(?:amount|amt|kiasi|total|jumla)$/i;
/** Words beside those of a sum that leave it the amount. */
const BESIDE_SUM =
  /^(?:in|to|be|the|of|for|this|per|month|monthly|january|february|march|april|may|june|july|august|september|october|november|december|januari|februari|machi|aprili|mei|juni|julai|agosti|septemba|oktoba|novemba|desemba|20\d\d|pay|paid|payable|due|kulipwa|savings|akiba|shares|hisa|sacco|mpesa|staff|employees?|members?|mwanachama|ya|za|la|cha|kwa|mwezi|huu)$/i;
const DEBT = /^(?:loans?|mkopo|mikopo)$/i;
/** The words that head the member's name. */
const NAME = /\b(?:(?:sur|fore)?names?|employees?|members?|jina|majina|mfanyakazi|mwanachama)\b/i;
/** Columns beside which a name is of somebody else, or which have numbers of the member. */
const NO_NAME =
  /\b(?:kin|guarantors?|next|employer|payroll|bank|branch|company|user|number|no|id|code|mdhamini|wadhamini|jamaa|ndugu|mwajiri|benki|nambari|namba)\b/i;
/** Words that head columns of other things: such a column is never the member's phone nor the amount. */
const ELSE =
  /\b(?:kin|guarantors?|next|employer|payroll|salary|gross|net|balance|date|year|(?<!\b(?:of|for|the|this|per) )months?|type|spouse|emergency|person|address|email|id|mdhamini|wadhamini|jamaa|ndugu|mwajiri|mshahara|salio|tarehe|mwaka|aina|kitambulisho)\b|^mwezi\b/i;

/** The words of a heading: `phone_number`, `PhoneNumber` and `Phone Number` are one. */
const heading = (cell: string): string =>
  cell
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/[^\p{L}\p{Nd}-]+/gu, ' ')
    .replace(/\bm[ -]?pesa\b/gi, 'mpesa')
    .trim();

const isOf = (kinds: readonly RegExp[]) => (word: string) => kinds.some((kind) => kind.test(word));
const isSumWord = isOf([PAID, CURRENCY, SUM]);

/** Whether a heading is of sums: one of its words says so. */
const isOfSums = (head: string): boolean => head.split(' ').some(isSumWord);

/** Whether a heading of sums can only be what is paid for the member: it has no word that is not known, and names no debt alone. */
function isAmountAlone(head: string): boolean {
  const words = head.split(' ');
  const known = words.some((word) => PAID.test(word)) ? [BESIDE_SUM, DEBT] : [BESIDE_SUM];
  return words.every((word) => isSumWord(word) || isOf(known)(word));
}

/** Whether a heading says "amount" and no more, perhaps with the currency: it wins over other sums. */
function isTheAmount(head: string): boolean {
  const words = head.split(' ').filter((word) => !CURRENCY.test(word) && !/^in$/i.test(word));
  return words.length === 1 && /^(?:amount|amt|kiasi)$/i.test(words[0] ?? '');
}

/**
 * The digits of a Kenyan mobile number in its usual forms, `254712345678`; null for anything else. Nearly all phones of a list have these
 * forms, and this is quick.
 */
export function kenyanDigits(text: string): string | null {
  const kenyan = /^(?:\+?254|0)?([17]\d{8})$/.exec(unwrapped(text).replace(/[ -]/g, ''));
  return kenyan ? `254${kenyan[1]}` : null;
}

export const isMobile = (cell = ''): boolean => cell.length <= 40 && kenyanDigits(cell) !== null;

/**
 * The columns that the headings of a list name; null for a list without them. A list with headings needs one for the phone and one for the
 * amount: nothing is guessed.
 */
export function columnsOf(rows: readonly Row[]): Columns | { readonly problem: Sentence } | null {
  let problem: Sentence | null = null;
  for (const [index, { cells, text }] of rows.slice(0, HEADINGS_WITHIN).entries()) {
    if (cells?.some(isMobile)) continue;
    const heads = (cells ?? []).map(heading);
    const headed = (is: (head: string) => boolean) =>
      [...heads.keys()].filter((column) => is(heads[column] ?? '') && !ELSE.test(heads[column] ?? ''));
    const phones = headed((head) => PHONE.test(head));
    const sums = headed(isOfSums).filter((column) => !phones.includes(column));
    const the = headed(isTheAmount);
    const amounts = the.length === 1 ? the : sums;
    const [phone, amount] = [phones[0], amounts[0]];
    if (phone === undefined || amount === undefined) {
      if (isHeadings(cells ?? [text], index)) problem ??= phone === undefined ? NO_PHONE : NO_AMOUNT;
      continue;
    }
    if (phones.length > 1 || amounts.length > 1) return { problem: TWO_COLUMNS };
    if (!isAmountAlone(heads[amount] ?? '')) return { problem: NO_AMOUNT };
    const isName = (head: string) => NAME.test(head) && !NO_NAME.test(head);
    const names = [...heads.keys()].filter(
      (column) => column !== phone && column !== amount && isName(heads[column] ?? ''),
    );
    const width = heads.findLastIndex((head) => head !== '') + 1;
    return { names, phone, amount, width, after: index + 1 };
  }
  return problem && { problem };
}

const TWO_COLUMNS = sentence(
  'Two columns could be the phone or the amount. Leave one column headed Phone and one headed Amount.',
);
const NO_PHONE = sentence('The list needs the members’ phone numbers, in a column headed Phone.');
const NO_AMOUNT = sentence('The list needs the amounts, in a column headed Amount.');

/** Whether a line has words only, or a word that heads a column. The word for a total heads none. */
function isHeadings(cells: readonly string[], index: number): boolean {
  const words = cells.filter((cell) => /\p{L}/u.test(cell) && !/\p{Nd}/u.test(cell));
  if (index === 0 && words.length > 0 && !/\p{Nd}/u.test(cells.join(''))) return true;
  return words
    .map(heading)
    .some((head) => !isSum(head) && (isOfSums(head) || isOf([PHONE, ELSE, NAME, /\bstaff\b/i])(head)));
}

/** Whether a cell says that the sum of the list stands beside it. */
export const isSum = (cell: string): boolean => /^(?:grand |sub[ -]?)?(?:totals?|sums?|jumla)\b/i.test(cell);

export const isColumns = (found: Columns | { readonly problem: Sentence }): found is Columns => 'phone' in found;

/** A cell as a spreadsheet names it: B3. */
export function sheetCell(column: number, line: number): string {
  const letter = (n: number): string =>
    (n < 26 ? '' : letter(Math.floor(n / 26) - 1)) + String.fromCharCode(65 + (n % 26));
  return `${letter(column)}${line}`;
}
