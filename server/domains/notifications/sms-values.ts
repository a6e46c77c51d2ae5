import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { maskPhone } from '@ushirika/contract/phone';
import type { SaccoState } from '@ushirika/contract/saccos';
import { isGuarded } from '#faults';
import { toGsmLetters } from './gsm-letters.ts';

declare const checked: unique symbol;
/**
 * What may stand in an SMS: made by a function of this file and by nothing else. A text that somebody chose is no value,
 * so that an SMS with it does not compile (decision 158).
 */
export type SmsValue = string & { readonly [checked]: true };

const value = (text: string) => text as SmsValue;

/** A code of ours: digits and capital letters, in groups. */
export function codeValue(code: string): SmsValue {
  if (!/^[0-9A-Z]{4,}([ -][0-9A-Z]{2,})*$/.test(code)) throw new Error('That is no code of ours.');
  return value(code);
}

/** `Ksh. 1,234.00`. */
export function amountValue(cents: Cents): SmsValue {
  return value(formatShillings(shillingsFromCents(cents)).replaceAll('\u00a0', ' '));
}

export function countValue(count: number): SmsValue {
  if (!Number.isSafeInteger(count)) throw new Error('Only whole numbers are counted.');
  return value(count.toLocaleString('en'));
}

/** A calendar day, such as `2026-05-02`, as it is written in each language: `2 May 2026` and `2 Mei 2026`. */
export function dayValues(day: string): { readonly en: SmsValue; readonly sw: SmsValue } {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error('That is no calendar day.');
  const said = (locale: string) =>
    value(new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`)));
  return { en: said('en-GB'), sw: said('sw') };
}

/** `254712***678`. */
export function phoneValue(digits: string): SmsValue {
  return value(maskPhone(digits));
}

/** The whole number that the operators are called on, as they have set it (SUPPORT_PHONE). */
export function supportPhoneValue(digits: string): SmsValue {
  if (!/^\d{8,15}$/.test(digits)) throw new Error('That is no phone number.');
  return value(digits);
}

/** A receipt of M-Pesa, such as `SGH7XK2L9P`. */
export function receiptValue(receipt: string): SmsValue {
  if (!/^[A-Z0-9]{8,12}$/.test(receipt)) throw new Error('That is no receipt.');
  return value(receipt);
}

/** An account number that we issued, in groups of digits. */
export function accountValue(account: string): SmsValue {
  if (!/^\d+( \d+)*$/.test(account)) throw new Error('That is no account number.');
  return value(account);
}

/** An address on our own site. */
export function linkValue(publicUrl: string, path: string): SmsValue {
  if (!/^\/[\w/?=&-]*$/.test(path)) throw new Error('That is no path of ours.');
  return value(publicUrl + path);
}

const NAME_LETTERS_MAX = 20;
/** Parts of a word that a sender of false messages would want as a name; compared without accents, as small letters. */
const NO_PART_OF_A_NAME =
  /ushirik|safari|m-?pesa|fuliza|airtel|telkom|equity|support|secur|usalama|bank|benki|mshwari|polic|polisi|offici|custom|service|huduma|operator|admin|agent|wakala|account|akaunt|lock|fung|password|nenosiri|reward|zawadi|winner|mshindi|sacco|mkopo|whatsapp|telegram|google|https|www/;
const NO_WORD_OF_A_NAME = new Set(
  'kcb kra nssf nhif sha pin siri otp code call piga tuma send pay lipa loan win shinda free bure help msaada team care desk chair cash pesa urgent haraka click bonyeza fraud'.split(
    ' ',
  ),
);

/**
 * A person's name as another person's SMS may show it, or null: then it is left out. At most two words of Latin letters,
 * 20 letters in all, none that passes for a company, an office or an order to do something.
 */
export function personValue(person: { readonly first_name: string; readonly last_name: string }): SmsValue | null {
  const whole = `${person.first_name} ${person.last_name}`.normalize('NFC').trim();
  if (!isGuarded('checked_names_in_sms')) return value(whole);
  if (whole.length > NAME_LETTERS_MAX) return null;
  if (!/^\p{Script=Latin}[\p{Script=Latin}'’-]*( \p{Script=Latin}[\p{Script=Latin}'’-]*)?$/u.test(whole)) return null;
  const plain = whole.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[ '’-]/);
  // Written together as well: `M Pesa`, `Sup-port`.
  const together = words.join('');
  const isBarred = NO_PART_OF_A_NAME.test(together) || words.some((word) => NO_WORD_OF_A_NAME.has(word));
  return isBarred ? null : value(whole);
}

/**
 * A sacco's name, once an operator has activated it: until then it is a text that its founder chose, and null. So is a
 * name that a phone would make a link of.
 */
export function saccoValue(sacco: { readonly name: string; readonly state: SaccoState }): SmsValue | null {
  if (!isGuarded('reviewed_names_in_sms')) return value(sacco.name);
  const isReviewed = sacco.state === 'active' || sacco.state === 'suspended';
  const isPlain = /^[\p{L}\p{M}\p{N} &'’().,-]{1,60}$/u.test(sacco.name) && !/[.,]\S/.test(sacco.name);
  // A name in another script has no letters in an SMS.
  return isReviewed && isPlain && !toGsmLetters(sacco.name).includes('?') ? value(sacco.name) : null;
}
