import { z } from 'zod';
import { check } from './checks.ts';
import { hasLink, type NameRule, nameOf } from './names.ts';
import { asSeen, hasControls, plainBlanks, plainDashes } from './signs.ts';

/**
 * Texts that people write and others read: what no text has in it, and what one that is sent to all members of a sacco has not
 * either (docs/decisions/202).
 */

export const isPlain = (text: string): boolean => !hasControls(text);
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

/** More is not looked at: a text that is longer than this is refused for its length. */
const READ_MAX = 1_000;

/** From a plus, 254 or a zero nine digits or more, also with blanks, dots, hyphens or brackets between them; and nine in a row, of any script. */
const PHONE = /(?:\+|(?<!\p{Nd})(?:254|0))(?:[ ().-]{0,3}\p{Nd}){8}|\p{Nd}{9}/u;
const DATES =
  /(?<![\p{Nd}.])(?:\p{Nd}{1,2}[./-]\p{Nd}{1,2}[./-](?:19|20)\p{Nd}{2}|(?:19|20)\p{Nd}{2}-\p{Nd}{2}-\p{Nd}{2})(?!\.?\p{Nd})/gu;
/** Parts of a whole, times and sections; four parts would be an address of the internet. */
const WITH_DOTS =
  /(?<![\p{L}\p{Nd}.])\p{Nd}+(?:\.\p{Nd}+){1,2} ?(?:am|pm|m|k|kg|x|%)?(?![\p{L}\p{Nd}]|\.[\p{L}\p{Nd}])/giu;

const asRead = (text: string): string => plainDashes(plainBlanks(asSeen(text.slice(0, READ_MAX))));

/**
 * A web address or a phone number in a text, as people write them. It stops no thief, who finds another way to write them: what we say in our
 * own name has no such text in it (decision 202).
 */
export function contactIn(text: string): 'address' | 'number' | null {
  const read = asRead(text).replace(DATES, ' ; ');
  if (PHONE.test(read)) return 'number';
  return hasLink(read.replace(WITH_DOTS, ' ; ')) ? 'address' : null;
}

/** Marks that end a quotation, or look like it. */
const DOUBLE_QUOTES = /["“”„‟«»″‶〝〞〟＂❝❞ˮʺ״🙶🙷]+|['’‘‚‛`´]{2,}/gu;

/** Something to read: a letter or a digit, and no letter with more accents than any has. */
const hasWords = (text: string): boolean => /[\p{L}\p{Nd}]/u.test(asRead(text)) && !/\p{M}{5}/u.test(text);
const NO_WORDS = check('Write it in words.');
const NO_ADDRESS = check('All members are told it: write no web address. After a full stop there is a space.');
const NO_NUMBER = check('All members are told it: write no phone number. An amount has commas: 1,500,000.');

/**
 * A line that all members of a sacco read below the name of whoever wrote it, without a web address or a phone. Double quotation marks in it are made
 * single ones: a page has it in double ones.
 */
export const toldToMembers = <T extends z.ZodString>(text: T) =>
  text
    .refine(isOneLine, NOT_ONE_LINE)
    .refine(hasWords, NO_WORDS)
    .refine((line) => contactIn(line) !== 'address', { error: NO_ADDRESS })
    .refine((line) => contactIn(line) !== 'number', { error: NO_NUMBER })
    .transform((line) => line.replace(DOUBLE_QUOTES, "'"));

/** A name of a sacco, a pool or an employer: strangers read it before anybody has looked at it. It has too few digits for a phone. */
export const groupName = (rule: Omit<NameRule, 'kind'>) => nameOf({ ...rule, kind: 'group' });
/** A name of a loan product. */
export const productName = (longest: number) =>
  plainLine(longest)
    .min(3, check('Write three characters or more.'))
    .refine((name) => contactIn(name) === null, check('A name has no web address and no phone number in it.'));
