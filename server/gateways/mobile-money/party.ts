import { isKenyanMobile } from '@ushirika/contract/phone';

/* A payer or receiver as M-Pesa writes it: `254708374149 - JOHN DOE`, `0712***678`, `JOHN DOE - 0712345678`, or nothing. */

/** Whether a person is the one that M-Pesa names. `not_said`: M-Pesa names nobody, or shows too few digits. */
export type Sameness = 'same' | 'another' | 'not_said';

export interface Party {
  /** The digits that M-Pesa shows, as `254712***678` or a shortcode; null where it shows none. */
  readonly number: string | null;
  readonly name: string | null;
}

/** A number has nine digits after its country. A masked one names somebody when it shows at least so many of them. */
const SHOWN_LEAST = 6;
const COUNTRY = '254';

/**
 * Compares the number that M-Pesa shows with a phone (`254712345678`), digit by digit where it shows one. Any digit that
 * differs makes it another's.
 */
export function samePhone(shown: string | null | undefined, phone: string): Sameness {
  if (shown === null || shown === undefined) return 'not_said';
  if (!shown.includes('*')) return shown === phone ? 'same' : 'another';
  const pattern = shown.split(/\*+/).join(String.raw`\d+`);
  if (!new RegExp(`^${pattern}$`).test(phone)) return 'another';
  const count = shown.replaceAll('*', '').length - (shown.startsWith(COUNTRY) ? COUNTRY.length : 0);
  return count >= SHOWN_LEAST ? 'same' : 'not_said';
}

/** Digits and stars, with single blanks between them; not within a word. */
const NUMBER_FIRST = /^\+?([\d*](?:[ -]?[\d*])*)(?![\p{L}\d*])/u;
const NUMBER_LAST = /(?<![\p{L}\d*+])\+?([\d*](?:[ -]?[\d*])*)$/u;

/** Reads a party: a number in any usual form, masked or whole, before or after a name; either may be missing. */
export function partyOf(text: string | null): Party {
  const plain = (text ?? '')
    .trim()
    .replaceAll(/(?<![\p{L}])[xX•#]{2,}(?![\p{L}])/gu, (mask) => '*'.repeat(mask.length));
  const found = NUMBER_FIRST.exec(plain) ?? NUMBER_LAST.exec(plain);
  const number = found ? shownNumber((found[1] ?? '').replaceAll(/[ -]/g, '')) : null;
  if (!found || number === null) return { number: null, name: null };
  const rest = `${plain.slice(0, found.index)} ${plain.slice(found.index + found[0].length)}`;
  return { number, name: rest.replaceAll(/^[\s:-]+|[\s:-]+$/g, '').slice(0, 100) || null };
}

/** The digits of a phone with its country, masked or whole, or those of a shortcode; null for any other number. */
function shownNumber(digits: string): string | null {
  if (/^\*+$/.test(digits)) return null;
  // A mask may be shorter than what it hides: of a masked number the first digit tells.
  const whole = digits.replace(/^0/, COUNTRY).replace(/^(?=[17])(?=.{9}$|\d*\*)/, COUNTRY);
  if (digits.includes('*')) return /^[\d*]{4,24}$/.test(whole) ? whole.replaceAll(/\*+/g, '***') : null;
  return isKenyanMobile(whole) || isShortcode(digits) ? whole : null;
}

/** Whether a number is that of an organisation. */
export function isShortcode(number: string | null): number is string {
  return number !== null && /^[1-9]\d{4,6}$/.test(number);
}

/** A shown number that is a whole phone; else null. */
export function wholePhone(number: string | null): string | null {
  return number !== null && isKenyanMobile(number) ? number : null;
}
