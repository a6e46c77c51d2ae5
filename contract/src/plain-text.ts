import { z } from 'zod';
import { check } from './checks.ts';
import { hasLink, type NameRule, nameOf } from './names.ts';

/**
 * Texts that people write and others read: what no text has in it, and what one that is sent to all members of a sacco has not
 * either (docs/decisions/202).
 */

/**
 * What no text has: control characters but for line ends and tabs, which PostgreSQL cannot all hold; and what nobody sees or
 * what turns the direction of the letters around it. Joiners stay: names and pictures of several scripts need them.
 */
const CONTROLS =
  /(?![\t\n\r])\p{Cc}|\p{Bidi_Control}|[\u00ad\u115f\u1160\u180e\u200b\u2060-\u206f\u2800\u3164\ufeff\uffa0]/u;
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

/** More is not looked at: a text that is longer than this is refused for its length. */
const READ_MAX = 1_000;
/** What stands for a number or a date in a text before its other numbers are looked at. No pattern goes across it. */
const DONE = ' ; ';

/** Amounts, parts, times, years, dates and sections: what numbers are in ordinary sentences. The order matters. */
const ORDINARY_NUMBERS = [
  /\b(?:ksh|kes|shs?|shilingi)\.? ?\p{Nd}[\p{Nd},]*(?:\.\p{Nd}+)?/giu,
  /(?<![\p{Nd}.,])\p{Nd}{1,3}(?:,\p{Nd}{3})+(?!,? ?\p{Nd})/gu,
  /(?<![\p{Nd}.])(?:\p{Nd}{1,2}[./-]\p{Nd}{1,2}[./-](?:19|20)\p{Nd}{2}|(?:19|20)\p{Nd}{2}-\p{Nd}{2}-\p{Nd}{2})(?!\.?\p{Nd})/gu,
  /(?<![\p{Nd}.])(?:19|20)\p{Nd}{2}(?: ?[/-] ?(?:19|20)?\p{Nd}{2})*(?![\p{Nd}/-])/gu,
  // A section, 4.2.1: four parts would be an address of the internet.
  /(?<![\p{Nd}.])\p{Nd}{1,2}(?:\.\p{Nd}{1,2}){2}(?!\.?\p{Nd})/gu,
  /(?<![\p{Nd}.])\p{Nd}+\.\p{Nd}+ ?(?:am|pm|m|k|kg|x|%)?(?![\p{L}\p{Nd}.])/giu,
];

/** A digit, or a letter that is typed for one. */
const D = String.raw`[\p{Nd}oOlI]`;
/** Between two digits of one number. */
const GAP = '[ .,/():_-]{0,3}';
/** Phones: from a plus, 254 or a zero nine digits or more; the nine of a Kenyan mobile phone; and nine in a row, of any script. */
const PHONES = [
  new RegExp(String.raw`(?:\+|(?<![\p{L}\p{Nd}])(?:254|[0oO])(?=${GAP}${D}))(?:${GAP}${D}){8,}`, 'u'),
  new RegExp(String.raw`(?<![\p{L}\p{Nd}])[17lI](?:${GAP}${D}){8}(?!${GAP}\p{Nd})`, 'u'),
  /\p{Nd}{9,}/u,
];
const LEAST_DIGITS = 5;
const CODE_TO_DIAL = /[*#] ?\p{Nd}[\p{Nd}* ]{1,30}#/u;
const NUMBER_TO_PAY = [
  /\b(?:till|pay[ -]?bill|buy goods)\b,?(?: ?(?:no|number|nambari|namba|na)\b)?[ .:#-]{0,3}\p{Nd}(?:[ -]?\p{Nd}){4,6}(?!\p{Nd})/iu,
  /\b(?:till|pay[ -]?bill)(?: ?(?:no|number|nambari|namba)\b[ .:#-]{0,3}|: ?)\p{Nd}(?:[ ,-]?\p{Nd}){4,6}(?!\p{Nd})/iu,
  /\b(?:lipa|m-?pesa|(?:send|pay|deposit|transfer)(?: it| money)? to|tuma(?: pesa)? kwa|malipo)\b[^;]{0,25}?(?<!\p{Nd})\p{Nd}{5,7}(?!\p{Nd})/iu,
  /(?<!\p{Nd})\p{Nd}{5,7}(?!\p{Nd})[^;]{0,15}\b(?:till (?:no|number)|pay[ -]?bill|(?:our|my|the) till)\b/iu,
];

/** A text as people read it: forms of one letter are made one, and so are signs that look alike or cannot be seen. */
const asRead = (text: string): string =>
  text
    .slice(0, READ_MAX)
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Me}]/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Pd}−]/gu, '-')
    .replace(/[。․‧·•∙⋅・]/gu, '.')
    .replace(/ ?[([{<] ?(?:dot|nukta|\.) ?[)\]}>] ?/giu, '.')
    .replace(/ (?:dot|nukta) (?=(?:com|co|ke|org|net|info|me|ly|app|africa)\b)/giu, '.');

const hasPhone = (text: string): boolean =>
  PHONES.some((phone) => (phone.exec(text)?.[0].match(/\p{Nd}/gu) ?? []).length >= LEAST_DIGITS);

/** What in a text sends its reader to somebody: a web address; or a number to dial or to pay to. A number in words is neither. */
export function contactIn(text: string): 'address' | 'number' | null {
  const read = asRead(text);
  const rest = ORDINARY_NUMBERS.reduce((left, ordinary) => left.replace(ordinary, DONE), read);
  if (hasLink(rest)) return 'address';
  const isPaidTo = NUMBER_TO_PAY.some((pattern) => pattern.test(rest) || pattern.test(read));
  return CODE_TO_DIAL.test(read) || isPaidTo || hasPhone(rest) ? 'number' : null;
}

/** Marks that end a quotation, or look like it. */
const DOUBLE_QUOTES = /["“”„‟«»″‶〝〞〟＂❝❞ˮʺ״🙶🙷]+|['’‘‚‛`´]{2,}/gu;

/** Something to read: a letter or a digit, and no letter with more accents than any has. */
const hasWords = (text: string): boolean => /[\p{L}\p{Nd}]/u.test(asRead(text)) && !/\p{M}{5}/u.test(text);
const NO_WORDS = check('Write it in words.');
const NO_ADDRESS = check('All members are told it: write no web address. After a full stop there is a space.');
const NO_NUMBER = check(
  'All members are told it: write no phone number and no number to pay to. An amount has commas: 1,500,000.',
);

/**
 * A line that all members of a sacco are told in its name, without anything by which they could reach somebody. They read it in double quotation
 * marks: those in it are made single ones, so that it ends where the last one stands.
 */
export const toldToMembers = <T extends z.ZodString>(text: T) =>
  text
    .refine(isOneLine, NOT_ONE_LINE)
    .refine(hasWords, NO_WORDS)
    .refine((line) => contactIn(line) !== 'address', { error: NO_ADDRESS })
    .refine((line) => contactIn(line) !== 'number', { error: NO_NUMBER })
    .transform((line) => line.replace(DOUBLE_QUOTES, "'"));

const isName = (name: string): boolean => contactIn(name) === null;
const NO_NAME = check('A name has no phone number and no number to pay to in it.');

/** A name of a sacco, a pool or an employer: strangers read it before anybody has looked at it. */
export const groupName = (rule: Omit<NameRule, 'kind'>) =>
  nameOf({ ...rule, kind: 'group' }).refine(isName, { error: NO_NAME });
/** A name of a loan product. */
export const productName = (longest: number) =>
  plainLine(longest).min(3, check('Write three characters or more.')).refine(isName, { error: NO_NAME });
