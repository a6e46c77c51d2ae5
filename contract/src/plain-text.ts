import { z } from 'zod';
import { check } from './checks.ts';
import { hasLink } from './names.ts';

/**
 * Texts that people write and others read: what no text has in it, and what one that is sent to all members of a sacco has not
 * either (docs/decisions/202).
 */

/**
 * What no text has: control characters but for line ends and tabs, which PostgreSQL cannot all hold; and what nobody sees or
 * what turns the direction of the letters around it. Joiners stay: names and pictures of several scripts need them.
 */
const CONTROLS = /(?![\t\n\r])\p{Cc}|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u2800\ufeff]/u;
export const isPlain = (text: string): boolean => !CONTROLS.test(text);
export const NOT_PLAIN = check('There are characters in it that a text cannot have.');

export const plainText = (longest: number) => z.string().trim().max(longest).refine(isPlain, NOT_PLAIN);
/** `least` as JSON Schema counts, and as PostgreSQL does: some characters take two places in a string here. */
export const textOf = (least: number, longest: number, says: string) =>
  plainText(longest)
    .min(least, says)
    .refine((text) => [...text].length >= least, says);
export const plainWords = (longest: number, says = check('Write three characters or more.')) =>
  textOf(3, longest, says);
/** A reason that somebody else reads, of 10 to 300 characters. */
export const fullReason = textOf(10, 300, check('Write the reason in 10 characters or more.'));
export const isOneLine = (text: string): boolean => !/[\t\n\r\u2028\u2029]/.test(text);
export const NOT_ONE_LINE = check('Write it on one line.');
export const plainLine = (longest: number) => plainText(longest).refine(isOneLine, NOT_ONE_LINE);

/** Seven digits or more, as phones and tills have them. An O and an l between digits are read as digits. */
const LONG_NUMBERS = /(?<!\p{L})[\doOlI](?:(?: ?[-–] ?|[ ./])?[\doOlI]){6,}(?!\p{L})/gu;
const LEAST_DIGITS = 5;
/** Long numbers that are none: a day, and two years. */
const DAYS = /^(?:(?:19|20)\d\d(?: ?[-–/] ?(?:19|20)\d\d|-\d\d-\d\d)|\d{1,2}[-./]\d{1,2}[-./](?:19|20)\d\d)$/u;
const NUMBER_TO_PAY = /(?:\btill|pay ?bill|buy goods|lipa na)\b[^.]{0,20}?\d{5}/iu;
const CODE_TO_DIAL = /\*\d{2,}[*\d]*#/u;
/** A number of a section: 4.2.1. Four parts are an address of the internet. */
const SECTIONS = /(?<![\p{Nd}.])\p{Nd}{1,2}\.\p{Nd}{1,2}\.\p{Nd}{1,2}(?![\p{Nd}.])/gu;

/** A text as people read it: forms of one letter made one, dots that are written out or look otherwise made dots. */
const asRead = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[。․‧·•∙⋅・]/gu, '.')
    .replace(/\s*[([{<]\s*(?:dot|nukta)\s*[)\]}>]\s*/giu, '.')
    .replace(/\s+(?:dot|nukta)\s+(?=(?:com|co|ke|org|net|info|me|ly|app|africa)\b)/giu, '.')
    .replace(/\p{Nd}/gu, asciiDigit);

/** The digit of any script as one of 0 to 9: each script has its ten in a row. */
function asciiDigit(digit: string): string {
  const place = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (before < 9 && /\p{Nd}/u.test(String.fromCodePoint(place - before - 1))) before += 1;
  return String(before);
}

const isLongNumber = (number: string): boolean =>
  !DAYS.test(number) && (number.match(/\d/gu) ?? []).length >= LEAST_DIGITS;

/**
 * Whether a text sends its reader to somebody: a web address, a phone, a code to dial, a till or a paybill. Whoever wants to be
 * understood by a person can still be; what counts is that nothing in it can be dialled, pressed or paid to as it stands.
 */
export function leadsAway(text: string): boolean {
  const read = asRead(text);
  return (
    hasLink(read.replace(SECTIONS, ' ')) ||
    CODE_TO_DIAL.test(read) ||
    NUMBER_TO_PAY.test(read) ||
    (read.match(LONG_NUMBERS) ?? []).some(isLongNumber)
  );
}

const NOWHERE = check(
  'All members are told it: write no web address, no phone number and no number to pay to. After a full stop there is a space.',
);

/** A line that all members of a sacco are told, in its sacco's name: it leads nobody anywhere. */
export const toldToMembers = <T extends z.ZodString>(text: T) =>
  text.refine(isOneLine, NOT_ONE_LINE).refine((line) => !leadsAway(line), { error: NOWHERE });
