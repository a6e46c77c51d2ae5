import { PASSWORD_LENGTH_MIN } from '@ushirika/contract/constants';
import { say } from '../words/say.ts';

export interface PasswordRule {
  readonly words: string;
  readonly met: boolean;
}

/** The live checklist under a new password. The uppercase letter is listed, and not enforced (spec 5). */
export function passwordRules(password: string): readonly PasswordRule[] {
  return [
    { words: say('At least 8 characters'), met: password.length >= PASSWORD_LENGTH_MIN },
    { words: say('At least one letter'), met: /\p{L}/u.test(password) },
    { words: say('At least one uppercase letter'), met: /\p{Lu}/u.test(password) },
    { words: say('At least one digit'), met: /\d/.test(password) },
    { words: say('At least one special character'), met: /[^\p{L}\p{N}]/u.test(password) },
  ];
}

/** The referral code in a page's query string: the text after the equals sign, up to the next parameter. */
export function referralCodeIn(search: string): string {
  const at = search.indexOf('=');
  if (at < 0) return '';
  const text = search.slice(at + 1).split('&', 1)[0] ?? '';
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return text;
  }
}
