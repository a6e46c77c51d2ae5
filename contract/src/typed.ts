/*
 * Numbers as people type and paste them. One reading for every field of the pages and for the server; `typed-cases.ts` has examples.
 * Nothing here loads zod or a numbering plan: first views import it.
 */

/** Marks that programs put around what is copied, and that nobody sees. The one that turns letters round (U+202E) is not among them. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202d\u2060-\u2064\u2066-\u206f\ufeff]|[\ufe00-\ufe0f]/g;

export const withoutUnseen = (text: string): string => text.replace(UNSEEN, '');

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
  return withoutUnseen(text)
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u0a66-\u0a6f\u0ae6-\u0aef\u1369-\u1371]/g, digitOf)
    .replace(/[\p{Pd}\u2212\u2043]/gu, '-')
    .replace(/[‘’‛`´]/g, "'")
    .replace(/[\s\u2800]+/g, ' ')
    .trim();
}

const CURRENCY = String.raw`(?:k\.? ?shs?|kes|shs?|shilingi|shillings?)`;
const DIGITS = String.raw`\d{1,13}|[1-9]\d{0,2}(?:,\d{3}){1,4}|[1-9]\d{0,2}(?: \d{3}){1,4}|[1-9]\d{0,2}(?:'\d{3}){1,4}`;
const AMOUNT = new RegExp(
  String.raw`^(-?)(?:${CURRENCY}[.:]* ?)?(${DIGITS})(\.\d{1,2})?(?: ?(?:/[=-]|${CURRENCY}\.?(?: ?/[=-])?))?$`,
  'i',
);
const READ_MAX = 60;

/**
 * An amount of shillings as a plain decimal: `KES 2,500.00`, `2500/=` and `2 500` are `2500.00`, `2500` and `2500`. Null for everything that
 * could be two amounts (`1,50`, `1.500`), and for another currency.
 */
export function plainAmount(text: string): string | null {
  if (text.length > READ_MAX) return null;
  const typed = foldTyped(text)
    .replace(/\u066b/g, '.')
    .replace(/\u066c/g, ',')
    .replace(/^'/, '');
  const [, sign, digits, cents = ''] = AMOUNT.exec(typed) ?? [];
  return digits === undefined ? null : `${sign}${digits.replace(/[ ,']/g, '')}${cents}`;
}

/**
 * The number of an identity document in one form: in upper case, and without the blanks, hyphens, dots, commas and unseen marks that people
 * and programs put between its signs.
 */
export const plainId = (text: string): string =>
  foldTyped(text)
    .replace(/[ .,'-]/g, '')
    .replace(/[a-z]/g, (letter) => letter.toUpperCase());

/** Words that people write before the number of a national ID: `ID No.`, `Nambari ya Kitambulisho:`, `KE`. */
const ID_WORDS =
  /^(?:(?:NATIONAL|ID|NO|NUMBER|CARD|NAMBARI(?:YA)?|NAMBA(?:YA)?|KITAMBULISHO(?:CHATAIFA)?|KENYA|KEN?)[:#/]*)+(?=0*\d{6,8}$)/;

/**
 * An ID number as it is compared and kept, so that one document is one account. `plainId` reads it. Words before six to eight digits, and
 * zeros before five digits or more, are left out.
 */
export const foldId = (text: string): string =>
  plainId(text)
    .replace(ID_WORDS, '')
    .replace(/^0+(?=\d{5,}$)/, '');

/** An amount as it is sent: plain where it can be read, else as it was typed, for the server to refuse. */
export const amountToSend = (typed: string): string => plainAmount(typed) ?? typed;

/** Cents of an amount above zero that is being typed, without or with a point at its end; null where it cannot be read. */
export function centsTyped(typed: string): number | null {
  const cents = Math.round(Number(plainAmount(typed.trim().replace(/(?<=\d)\.$/, '')) ?? 0) * 100);
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
