/*
 * Numbers as people type and paste them. One reading for every field of the pages and for the server; `typed-cases.ts` has examples.
 * Nothing here loads zod or a numbering plan: first views import it.
 */

import { plainApostrophes, plainBlanks, plainDashes, withoutUnseen } from './signs.ts';

/** The noughts of digits that are written here: Arabic, Persian, Devanagari, Gurmukhi, Gujarati. */
const NOUGHTS = [0x660, 0x6f0, 0x966, 0xa66, 0xae6] as const;
/** The Ethiopic digits of one to nine begin after it; there is no nought, and ten has a sign of its own, which is not read. */
const BEFORE_ETHIOPIC_ONE = 0x1368;

function digitOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  if (code > BEFORE_ETHIOPIC_ONE) return String(code - BEFORE_ETHIOPIC_ONE);
  return String(code - (NOUGHTS.find((nought) => code >= nought && code < nought + 10) ?? code));
}

/**
 * A typed number in ordinary signs: digits of other scripts, wide letters, blanks and dashes are made ASCII, and marks that nobody sees
 * are left out. A sign that stands for a digit in small (², ①) stays, so that it is refused.
 */
export function foldTyped(text: string): string {
  const folded = withoutUnseen(text)
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u0a66-\u0a6f\u0ae6-\u0aef\u1369-\u1371]/g, digitOf);
  return plainBlanks(plainApostrophes(plainDashes(folded)));
}

/** A typed number in ordinary signs without the quotation marks of programs around it: `="0712345678"`, `'2500`. */
export const unwrapped = (text: string): string =>
  foldTyped(text)
    .replace(/^=?['"“”]+|['"“”]*;?$/g, '')
    .trim();

const CURRENCY = String.raw`(?:k\.? ?shs?|kes|shs?|shilingi|(?:kenyan? )?shillings?|bob)`;
const DIGITS = String.raw`\d{1,13}|[1-9]\d{0,2}(?:,\d{3}){1,4}|[1-9]\d{0,2}(?: \d{3}){1,4}|[1-9]\d{0,2}(?:'\d{3}){1,4}`;
const AMOUNT = new RegExp(
  String.raw`^(-?)(?:${CURRENCY}[.:]* ?)?(${DIGITS})(?:\.|(\.\d{1,2}))?(?: ?(?:/[=-]|${CURRENCY}\.?(?: ?/[=-])?))?(?: (?:only|tu)\.?)?$`,
  'i',
);
const READ_MAX = 60;

/**
 * An amount of shillings as a plain decimal: `KES 2,500.00`, `2500/=` and `2 500` are `2500.00`, `2500` and `2500`. Null for everything that
 * could be two amounts (`1,50`, `1.500`), and for another currency.
 */
export function plainAmount(text: string): string | null {
  if (text.length > READ_MAX) return null;
  const typed = unwrapped(text)
    .replace(/\u066b/g, '.')
    .replace(/\u066c/g, ',');
  const [, sign, digits, cents = ''] = AMOUNT.exec(typed) ?? [];
  return digits === undefined ? null : `${sign}${digits.replace(/[ ,']/g, '')}${cents}`;
}

const PERCENT = /^(?:asilimia )?(\d{1,3})(?:\.|(\.\d{1,4}))?(?: ?(?:%|per ?cent|asilimia))?$/i;

/**
 * A percentage as a plain decimal: `5 %`, `5 percent` and `asilimia 5` are `5`. Null for everything that could be two (`1,5`), for a sign before
 * it, and for more than four decimals.
 */
export function plainPercent(text: string): string | null {
  if (text.length > READ_MAX) return null;
  const typed = unwrapped(text)
    .replace(/\u066b/g, '.')
    .replace(/ ?\u066a/g, '%');
  const [, digits, decimals = ''] = PERCENT.exec(typed) ?? [];
  return digits === undefined ? null : `${digits}${decimals}`;
}

/** Hundredths of a percent of a typed percentage with two decimals at most; null for anything else. */
export function percentHundredths(text: string): number | null {
  const plain = plainPercent(text);
  return plain === null || /\.\d{3}/.test(plain) ? null : Math.round(Number(plain) * 100);
}

const PASSPORT_WORDS = /^(?:PASSPORT|PASIPOTI)(?:NUMBER|NAMBARI|NAMBA|NO|NA)?[:#/]*(?=[A-Z0-9]{6,})/;

/**
 * The number of an identity document in one form: in upper case, and without the blanks, hyphens, dots, commas and unseen marks that people
 * and programs put between its signs. `12345678.0` is `12345678`; any other dot or comma before less than three digits stays, and is refused.
 */
export const plainId = (text: string): string =>
  unwrapped(text)
    .replace(/^na[.:]+/i, '')
    .replace(/[ '-]/g, '')
    .replace(/[.,]0{1,2}$/, '')
    .replace(/[.,](?!\d{1,2}(?!\d))/g, '')
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replace(PASSPORT_WORDS, '');

/** Words that people write before the number of a document: `ID No.`, `Nambari ya Kitambulisho:`, `Alien ID`, `KE`. */
const ID_WORDS =
  /^(?:(?:NATIONAL|ALIEN|MAISHA|ID|NO|NUMBER|CARD|NAMBARI(?:YA)?|NAMBA(?:YA)?|KITAMBULISHO(?:CHATAIFA)?(?:NA(?=[:#/\d]))?|KENYA|KEN?)[:#/]*)+(?=0*\d{6,8}$)/;

/**
 * An ID number as it is compared and kept, so that one document is one account. `plainId` reads it. Words before it, and zeros before five
 * digits or more, are left out.
 */
export const foldId = (text: string): string =>
  plainId(text)
    .replace(ID_WORDS, '')
    .replace(/^0+(?=\d{5,}$)/, '');

/** An amount as it is sent: plain where it can be read, else as it was typed, for the server to refuse. */
export const amountToSend = (typed: string): string => plainAmount(typed) ?? typed;

/** Cents of an amount above zero that is being typed; null where it cannot be read. */
export function centsTyped(typed: string): number | null {
  const cents = Math.round(Number(plainAmount(typed) ?? 0) * 100);
  return cents > 0 && cents < 1e11 ? cents : null;
}

/** The longest text in which a code is sought: it has room for the SMS. */
export const CODE_TYPED_MAX = 500;
const CODES = /(?<![\dA-Z-])[\dA-Z]{4}(?:[ -][\dA-Z]{4}){1,3}(?![\dA-Z-])/g;

/**
 * A code as it was sent, without the blanks, hyphens and unseen marks of typing and pasting. Out of a whole SMS of ours its one code in
 * groups of four is taken.
 */
export function plainCode(typed: string): string {
  const text = foldTyped(typed);
  const codes = /^ushirika:/i.test(text) ? (text.match(CODES) ?? []) : [];
  return ((codes.length === 1 && codes[0]) || text).replace(/[ -]/g, '');
}
