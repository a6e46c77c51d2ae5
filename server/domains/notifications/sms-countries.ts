import { isKenyanMobile } from '@ushirika/contract/phone';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Countries by their two letters, as SMS_COUNTRIES has them. */
export type SmsCountries = readonly CountryCode[];

/** Kenya and its neighbours but Somalia, whose numbers are much used to earn from messages that are sent to them. */
export const DEFAULT_SMS_COUNTRIES: SmsCountries = ['KE', 'UG', 'TZ', 'RW', 'ET', 'SS'];

/** `KE,UG` as countries, or null when one of them is none. */
export function parseSmsCountries(text: string): SmsCountries | null {
  const codes = text.split(',').map((code) => code.trim().toUpperCase());
  return codes.every((code): code is CountryCode => isSupportedCountry(code)) ? [...new Set(codes)] : null;
}

/**
 * Whether we send SMS to these digits (E.164 without the plus): a mobile number of one of the countries. Numbers that
 * earn their holder money by being texted, of satellites, or that belong to no country are none.
 */
export function isReached(digits: string, countries: SmsCountries): boolean {
  // New ranges of Kenya's networks come before the library knows them.
  if (isKenyanMobile(digits)) return countries.includes('KE');
  const number = parsePhoneNumberFromString(`+${digits}`);
  if (!number?.country || !countries.includes(number.country)) return false;
  const type = number.getType();
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE';
}

/** What whoever enters another number reads. */
export function notReachedSentence(countries: SmsCountries): Sentence {
  return sentence('We can send SMS to mobile numbers of {countries} only. Use one of those: your codes go there.', {
    countries: { countries },
  });
}
