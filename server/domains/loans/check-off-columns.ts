import { type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Row } from './check-off-file.ts';

/** Where the phone and the amount stand in every line, by the headings; the list begins after so many lines. */
export interface Columns {
  readonly phone: number;
  readonly amount: number;
  readonly after: number;
}

/** A title and an empty line may stand above the headings. */
const HEADINGS_WITHIN = 10;
const PHONE = /\b(?:phone|mobile|tel|telephone|cell ?phone|msisdn|simu)\b/i;
const AMOUNT =
  /\b(?:amount|amt|kiasi|deductions?|makato|instal+ments?|remittance|total|jumla|ksh|kes|shillings?|shilingi)\b/i;
/** The words that stand for the amount, where other columns have sums too. */
const THE_AMOUNT = /^(?:amount|kiasi)\b/i;

/** The columns that the headings of a list name; null for a list without them. Two that could be the same are not guessed. */
export function columnsOf(rows: readonly Row[]): Columns | { readonly problem: Sentence } | null {
  for (const [index, { cells }] of rows.slice(0, HEADINGS_WITHIN).entries()) {
    const named = (words: RegExp) => [...(cells ?? []).keys()].filter((column) => words.test(cells?.[column] ?? ''));
    const phones = named(PHONE);
    const sums = named(AMOUNT).filter((column) => !phones.includes(column));
    if (phones.length === 0 || sums.length === 0) continue;
    const the = named(THE_AMOUNT).filter((column) => sums.includes(column));
    const amounts = sums.length > 1 && the.length === 1 ? the : sums;
    const [phone, amount] = [phones[0], amounts[0]];
    if (phones.length === 1 && amounts.length === 1 && phone !== undefined && amount !== undefined) {
      return { phone, amount, after: index + 1 };
    }
    return {
      problem: sentence(
        'Two columns could be the phone or the amount. Leave one column headed Phone and one headed Amount.',
      ),
    };
  }
  return null;
}

export const isColumns = (found: Columns | { readonly problem: Sentence }): found is Columns => 'phone' in found;

/** A cell as a spreadsheet names it: B3. */
export function sheetCell(column: number, line: number): string {
  const letter = (n: number): string =>
    (n < 26 ? '' : letter(Math.floor(n / 26) - 1)) + String.fromCharCode(65 + (n % 26));
  return `${letter(column)}${line}`;
}
