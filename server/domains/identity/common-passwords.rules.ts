import { dictionary } from '@zxcvbn-ts/language-common';

/** Some 49,000 passwords from leaks, the commonest first, in small letters. */
const leaked: readonly string[] = dictionary['passwords-common'];
const leakedAtAll = new Set(leaked);
/** Words that people dress up with a digit and a sign until a rule lets them pass. */
const DRESSED_UP = 10_000;
const commonWords = new Set(leaked.slice(0, DRESSED_UP).filter((word) => /^\p{L}{3,}$/u.test(word)));
/** What somebody who guesses in this country tries first, with whatever year. */
const FIRST_GUESSES = new Set(
  'password kenya nairobi mombasa kisumu nakuru eldoret mpesa safaricom sacco chama karibu jambo harambee mungu yesu jesus welcome admin qwerty'.split(
    ' ',
  ),
);

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

/**
 * Whether a password is among those that are tried first (ASVS 6.2.4): leaked as it is or without its signs, or a
 * common word with a tail such as `1!` or `@123`. Signs that stand for letters are read as them.
 */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFKC').toLowerCase();
  const withoutSigns = folded.replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (leakedAtAll.has(folded) || leakedAtAll.has(withoutSigns)) return true;
  const [, head = '', core = '', tail = ''] = /^([^\p{L}]*)(.*\p{L})([^\p{L}]*)$/su.exec(folded) ?? [];
  const readings = [core, head + core].map((text) =>
    text.replaceAll(/./gsu, (symbol) => LOOK_ALIKES[symbol] ?? symbol).replaceAll(/[^\p{L}]/gu, ''),
  );
  const added = (head + tail).replaceAll(/\D/g, '');
  const isYear = /^(19|20)?\d\d$/.test(added);
  return readings.some((word) => (commonWords.has(word) && isFirstTail(added)) || (FIRST_GUESSES.has(word) && isYear));
}

/** No digit, one or two, a digit again and again, or counted up from one. */
function isFirstTail(digits: string): boolean {
  return digits.length <= 2 || /^(\d)\1*$/.test(digits) || '1234567890'.startsWith(digits);
}
