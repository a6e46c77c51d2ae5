import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { foldTyped } from '@ushirika/contract/typed';
import type { Row } from './check-off-file.ts';

/** Where the phone, the amount and perhaps the name stand in every line, by the headings; the list begins after so many lines. */
export interface Columns {
  /** The columns of the member's name; none where the list has no names. */
  readonly names: readonly number[];
  readonly phone: number;
  readonly amount: number;
  readonly after: number;
}

/** A title and an empty line may stand above the headings. */
const HEADINGS_WITHIN = 10;
const PHONE = /\b(?:phone|mobile|tel|telephone|cell ?phone|msisdn|simu)\b/i;
const AMOUNT =
  /\b(?:amount|amt|kiasi|deductions?|makato|contributions?|michango|mchango|repayments?|payments?|malipo|marejesho|instal+ments?|remittance|total|jumla|ksh|kes|shillings?|shilingi)\b/i;
/** The words that head the member's name. */
const NAME = /\b(?:(?:sur|fore)?names?|employees?|members?|jina|majina|mfanyakazi|mwanachama)\b/i;
/** Columns beside which a name is of somebody else, or which have numbers of the member. */
const NO_NAME =
  /\b(?:kin|guarantors?|next|employer|payroll|bank|branch|company|user|number|no|id|code|mdhamini|wadhamini|jamaa|ndugu|mwajiri|benki|nambari|namba)\b/i;
/** The words that stand for the amount, where other columns have sums too. */
const THE_AMOUNT = /^(?:amount|kiasi)\b/i;
/** Words that head columns of other things: such a column is never the member's phone nor the amount. */
const ELSE =
  /\b(?:kin|guarantors?|next|staff|employee|employer|payroll|salary|balance|date|year|spouse|emergency|id|mdhamini|wadhamini|jamaa|ndugu|mfanyakazi|mwajiri|mshahara|salio|tarehe|mwaka|kitambulisho)\b/i;

/**
 * The digits of a Kenyan mobile number in its usual forms, `254712345678`; null for anything else. Nearly all phones of a list have these
 * forms, and this is quick.
 */
export function kenyanDigits(text: string): string | null {
  const kenyan = /^(?:\+?254|0)?([17]\d{8})$/.exec(foldTyped(text).replace(/^'|[ -]/g, ''));
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
    const named = (words: RegExp) =>
      [...(cells ?? []).keys()].filter(
        (column) => words.test(cells?.[column] ?? '') && !ELSE.test(cells?.[column] ?? ''),
      );
    const phones = named(PHONE);
    const sums = named(AMOUNT).filter((column) => !phones.includes(column));
    if (phones.length === 0 || sums.length === 0) {
      if (isHeadings(cells ?? [text], index)) problem ??= phones.length === 0 ? NO_PHONE : NO_AMOUNT;
      continue;
    }
    const the = named(THE_AMOUNT).filter((column) => sums.includes(column));
    const amounts = sums.length > 1 && the.length === 1 ? the : sums;
    const [phone, amount] = [phones[0], amounts[0]];
    if (phones.length === 1 && amounts.length === 1 && phone !== undefined && amount !== undefined) {
      const names = [...(cells ?? []).keys()].filter((column) => {
        const head = cells?.[column] ?? '';
        return column !== phone && column !== amount && NAME.test(head) && !NO_NAME.test(head);
      });
      return { names, phone, amount, after: index + 1 };
    }
    return {
      problem: sentence(
        'Two columns could be the phone or the amount. Leave one column headed Phone and one headed Amount.',
      ),
    };
  }
  return problem && { problem };
}

const NO_PHONE = sentence('The list needs the members’ phone numbers, in a column headed Phone.');
const NO_AMOUNT = sentence('The list needs the amounts, in a column headed Amount.');

/** Whether a line has words only, or a word that heads a column. The word for a total heads none. */
function isHeadings(cells: readonly string[], index: number): boolean {
  const words = cells.filter((cell) => /\p{L}/u.test(cell) && !/\p{Nd}/u.test(cell));
  if (index === 0 && words.length > 0 && !/\p{Nd}/u.test(cells.join(''))) return true;
  return words.some((cell) => !isSum(cell) && [PHONE, AMOUNT, ELSE].some((heading) => heading.test(cell)));
}

/** Whether a cell says that the sum of the list stands beside it. */
export const isSum = (cell: string): boolean => /^(?:grand |sub)?(?:total|sum|jumla)\b/i.test(cell);

export const isColumns = (found: Columns | { readonly problem: Sentence }): found is Columns => 'phone' in found;

/** A cell as a spreadsheet names it: B3. */
export function sheetCell(column: number, line: number): string {
  const letter = (n: number): string =>
    (n < 26 ? '' : letter(Math.floor(n / 26) - 1)) + String.fromCharCode(65 + (n % 26));
  return `${letter(column)}${line}`;
}
