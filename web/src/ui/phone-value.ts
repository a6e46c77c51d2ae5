import { readPhone } from '@ushirika/contract/phone';
import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The most digits that the field takes (spec 9). */
const DIGITS_MAX = 17;

export const hasTooManyDigits = (typed: string): boolean => (typed.match(/\p{Nd}/gu) ?? []).length > DIGITS_MAX;

/**
 * The value that is sent for a number typed beside a chosen country: `+254712345678` where it can be read. Otherwise the typed text with
 * the country's code, so that the server names the fault.
 */
export function phoneValue(typed: string, country: CountryCode): string {
  const read = readPhone(typed, country);
  if ('digits' in read) return `+${read.digits}`;
  const isWithCountry = country === 'KE' || typed.trim() === '' || /^\s*(?:\+|00)/.test(typed);
  return isWithCountry ? typed : `+${getCountryCallingCode(country)} ${typed}`;
}

/** The country of a number that was typed with its code, where it is another than the chosen one; else the chosen one. */
export function countryTyped(typed: string, country: CountryCode): CountryCode {
  const value = phoneValue(typed, country);
  if (!value.startsWith('+') || value.startsWith(`+${getCountryCallingCode(country)}`)) return country;
  return parsePhoneNumberFromString(value)?.country ?? country;
}
