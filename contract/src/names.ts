import { z } from 'zod';
import { check, issueOf } from './checks.ts';
import { type Sentence, sentence } from './sentence.ts';
import { hasUnseen, plainApostrophes, plainBlanks, plainDashes, withoutUnseen } from './signs.ts';

/**
 * Names that other people read: of saccos, of pools, of people. One form for each name, and nothing in it that deceives a
 * reader or leads somewhere (docs/decisions/162).
 */

/** `group` for saccos and pools, which may have digits and a few signs more. */
export type NameKind = 'group' | 'person';

export interface NameRule {
  readonly kind: NameKind;
  readonly least: number;
  readonly most: number;
  /** What the form calls it: "First name". */
  readonly label: Sentence;
}

/** More is not even looked at. */
const READ_MAX = 400;
/** Digits that a group's name may have: a year and a number, and never a phone number. */
const DIGITS_MAX = 6;
/** Marks in a row that no letter has in itself. */
const MARKS_MAX = 2;

/** What a name is made of, each kind. The blank is the only one there is. */
const SIGNS: Readonly<Record<NameKind, RegExp>> = {
  group: /^[\p{L}\p{M}\p{Nd} '.,&()+/-]*$/u,
  person: /^[\p{L}\p{M} '.-]*$/u,
};

const PERSONS = sentence("letters, ' - . and /");
const GROUPS = sentence('letters, digits and . , & ( ) + / -');

/** The scripts that people write today (Unicode Standard Annex 31, table 5), each as the set of letters of one name. */
const SCRIPTS = [
  ['Latin'],
  ['Arabic'],
  ['Ethiopic'],
  ['Gujarati'],
  ['Devanagari'],
  ['Gurmukhi'],
  ['Han', 'Hiragana', 'Katakana', 'Bopomofo'],
  ['Hangul', 'Han'],
  ...['Armenian', 'Bengali', 'Cyrillic', 'Georgian', 'Greek', 'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam'],
  ...['Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
].map((scripts) => {
  const letters = [scripts].flat().map((script) => `\\p{Script_Extensions=${script}}`);
  return new RegExp(`^[${letters.join('')}\\p{Script_Extensions=Common}\\p{Script_Extensions=Inherited}]*$`, 'u');
});

/**
 * Latin letters of living alphabets: the blocks up to Latin Extended-B without the click letters, which look like signs;
 * Latin Extended Additional; and the African letters among the phonetic ones. The others look like ordinary ones in small.
 */
const ORDINARY_LATIN = /^[\0-\u01bf\u01c4-\u024f\u1e00-\u1effɓɖɗɛəɣɩɔʃʊʋʒ]*$/u;
const LATIN = /\p{Script=Latin}/gu;
/** Letters of no script: they look like quotes, colons and dashes. */
const OF_NO_SCRIPT = /(?=\p{L})\p{Script_Extensions=Common}/u;

const STACK = new RegExp(`\\p{Mn}{${MARKS_MAX + 1}}`, 'u');

const LINKS = [
  // A dot with a word behind it: `evil.example`, `t.co`. Initials (A.I.C) and numbers (No.5) are none.
  /\.(?!\p{Nd}+(?![\p{L}\p{Nd}]))[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}-]/u,
  /(?:^|[^\p{L}])(?:https?|www)(?![\p{L}])/iu,
  /\/\//u,
  // Two dots between digits: an address of the internet.
  /\p{Nd}\.\p{Nd}+\.\p{Nd}/u,
];

/** Whether something in it reads as a web address. */
export const hasLink = (text: string): boolean => LINKS.some((link) => link.test(text.normalize('NFKC')));

/** A dot with a name right behind it: J.Kamau, Dr.Kamau, John.Kamau. With a small letter behind a word it is a web address. */
const DOT_WITHIN = /(?<=(?<![\p{L}\p{M}])\p{L}\p{M}*\.)(?=\p{L})|(?<=\p{L}\p{M}*\.)(?=\p{Lu}\p{M}*\p{L})/gu;
/** The comma before what stands behind a surname: Kamau, Jr. */
const BEFORE_SUFFIX = / ?, ?(?=(?:jn?r|sn?r|ii|iii|iv|ph\.?d|md|esq|[ce]bs|[em]gh|mbs|ogw|hsc|sc)\.?$)| ?,$/iu;

/**
 * A name as it is kept: compatibility forms composed (NFKC), without marks that nobody sees, one kind of apostrophe, hyphen and blank, none
 * at the ends. In a person's name a dot has a blank behind it, a stroke none around it, and a suffix no comma before it.
 */
export function tidyName(text: string, kind: NameKind = 'group'): string {
  const name = plainBlanks(
    plainDashes(plainApostrophes(withoutUnseen(text)))
      .normalize('NFKC')
      .replace(/\u1361/g, ' '),
  );
  return kind === 'person'
    ? name
        .replace(DOT_WITHIN, ' ')
        .replace(/ ?\/ ?/g, '/')
        .replace(BEFORE_SUFFIX, ' ')
        .trim()
    : name;
}

/**
 * What stands against a name, as a sentence for its field; null where nothing does.
 * @param text as it was typed
 */
export function nameProblem(text: string, rule: NameRule): Sentence | null {
  const { kind, label } = rule;
  const name = tidyName(text, kind);
  const long = lengthProblem(name, rule);
  if (long) return long;
  if (hasUnseen(name)) return sentence('{label} has characters that cannot be seen. Type it anew.', { label });
  if (hasLink(name)) {
    return sentence('{label} cannot have a web address in it. After a dot there is a space.', { label });
  }
  if (kind === 'person' && /\p{Nd}/u.test(name)) return sentence('{label} has no digits.', { label });
  const odd = oddSign(name, kind);
  if (odd !== undefined) {
    const signs = kind === 'person' ? PERSONS : GROUPS;
    return sentence('{label} cannot have “{sign}” in it. Use {signs}.', { label, sign: odd, signs });
  }
  if ((name.match(/\p{Nd}/gu) ?? []).length > DIGITS_MAX) {
    return sentence('{label} may have {most} digits at most.', { label, most: DIGITS_MAX });
  }
  if (!/\p{L}/u.test(name)) return sentence('{label} has letters.', { label });
  if (/^\p{M}/u.test(name) || STACK.test(name))
    return sentence('{label} has too many accents on one letter.', { label });
  if (!SCRIPTS.some((script) => script.test(name)) || !ORDINARY_LATIN.test((name.match(LATIN) ?? []).join(''))) {
    return sentence('{label} mixes the letters of two alphabets. Type it anew in one of them.', { label });
  }
  return null;
}

/** The first sign that a name of this kind cannot have where it stands. A stroke stands between two names: Otieno/Ouma. */
function oddSign(name: string, kind: NameKind): string | undefined {
  const isOdd = (sign: string) => !SIGNS[kind].test(sign) || OF_NO_SCRIPT.test(sign);
  if (kind === 'group') return [...name].find(isOdd);
  const odd = [...name].find((sign) => sign !== '/' && isOdd(sign));
  return odd ?? (/(?<![\p{L}\p{M}.])\/|\/(?!\p{L})/u.test(name) ? '/' : undefined);
}

function lengthProblem(name: string, { kind, label, least, most }: NameRule): Sentence | null {
  // As the database counts: a letter outside the basic plane is one.
  const length = [...name].length;
  if (length === 0 && kind === 'person') return sentence('{label} is required.', { label });
  if (length < least) return sentence('{label} has at least {least} letters.', { label, least });
  if (length > most) return sentence('{label} has at most {most} letters.', { label, most });
  return null;
}

/** A name in a request: it comes in as it was typed and leaves as it is kept. */
export const nameOf = (rule: NameRule) =>
  z
    .string({ error: check('{label} is required.', { label: rule.label }) })
    .max(READ_MAX, check('{label} has at most {most} letters.', { label: rule.label, most: rule.most }))
    .transform((text, context): string => {
      const problem = nameProblem(text, rule);
      if (problem === null) return tidyName(text, rule.kind);
      context.addIssue(issueOf(problem));
      return z.NEVER;
    });
