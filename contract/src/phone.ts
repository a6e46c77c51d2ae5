import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** At most fifteen digits, whatever a country's own plan would let pass; as the tables have it. */
const E164 = /^\+[1-9]\d{5,14}$/;

/**
 * A phone number as E.164 digits without the plus (`254712345678`), or null when it is none.
 * Kenyan short forms (`0712 345 678`, `712345678`) are taken for Kenyan numbers.
 */
export function phoneDigits(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > 30) return null;
  const international = /^(\+|254\d{9}$)/.test(trimmed.replace(/[\s-]/g, '')) && !trimmed.startsWith('+');
  const parsed = parsePhoneNumberFromString(international ? `+${trimmed}` : trimmed, 'KE');
  if (!parsed?.isPossible()) return null;
  // `00712 345 678` is read as +254 0712 345 678, which is possible by its length and nobody's number.
  const isItself = parsePhoneNumberFromString(parsed.number)?.number === parsed.number;
  return isItself && E164.test(parsed.number) ? parsed.number.slice(1) : null;
}

/** Whether mobile money can go to these digits: a Kenyan mobile number; which network it is only M-Pesa knows. */
export function isKenyanMobile(digits: string): boolean {
  return /^254[17]\d{8}$/.test(digits);
}

/** Digits for a log or another person's eyes: `254712***678`. */
export function maskPhone(digits: string): string {
  return `${digits.slice(0, 6)}***${digits.slice(-3)}`;
}
