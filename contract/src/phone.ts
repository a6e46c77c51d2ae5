import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { unwrapped } from './typed.ts';

/** At most fifteen digits, whatever a country's own plan would let pass; as the tables have it. */
const E164 = /^\+[1-9]\d{5,14}$/;
/** The calling codes of the countries around; a whole number in each has nine digits after it. */
const NEIGHBOURS = /^(254|256|255|250|251|211)0?([1-9]\d{8})$/;
const IS_NEIGHBOUR = /^\+(?:254|256|255|250|251|211)/;

/**
 * - `kenyan_length`: a Kenyan number with a digit too many or too few.
 * - `kenyan_start`: a Kenyan number of the right length whose first digits no Kenyan network has.
 * - `no_country`: digits that are no Kenyan number, without the code of a country.
 * - `none`: anything else.
 */
export type PhoneProblem = 'kenyan_length' | 'kenyan_start' | 'no_country' | 'none';
export type ReadPhone = { readonly digits: string } | { readonly problem: PhoneProblem };

const LINK = /^(?:https?:\/\/)?(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?phone=)(\+?\d+)(?:[/?&#].*)?$/i;
const LABEL =
  /^(?:[📞☎📱] ?)?(?:(?:callto|sms|tel|(?:tele|cell ?)?phone|ph|mobile|mob|cell|contacts?|simu|rununu|whatsapp|m-?pesa|nambari|namba|number|no|na|ya|yangu|my)[ .:]+)*(?=[(+\d])/iu;
/** A network or a kind of phone behind the number. */
const BEHIND = / ?\((?:safaricom|airtel|telkom|equitel|faiba|m-?pesa|mobile|cell|home|office|work|whatsapp|simu)\)$/i;
const AROUND = /^[<[]+|[>\],;.]+$/g;
/** A whole number as a spreadsheet writes it: nine digits, or twelve with the country, and `.0`. */
const WHOLE_FLOAT = /^(\+?\d{12}|[1-9]\d{8})[.,]0{1,2}$/;
/** A number with one dot or comma before its last or its last two digits is a fraction: its digits are not a phone's. */
const FRACTION = /^[^.,]*[.,]\d{1,2}$/;
const TRUNK_NOUGHT = /^(\(?(?:\+|00)[\d ]{1,5}\)?[ .-]*)\( ?0 ?\)/;
const READ_MAX = 60;

/**
 * A phone number in any form in which it is typed or pasted, as E.164 digits without the plus (`254712345678`). A number without the code of
 * a country is of `country`; whatever could be somebody else's is not read.
 */
export function readPhone(text: string, country: CountryCode = 'KE'): ReadPhone {
  if (text.length > READ_MAX) return { problem: 'none' };
  const typed = unwrapped(text)
    .replace(LINK, '$1')
    .replace(BEHIND, '')
    .replace(AROUND, '')
    .replace(LABEL, '')
    .replace(WHOLE_FLOAT, '$1')
    .replace(TRUNK_NOUGHT, '$1')
    // A stroke stands between an area or network and its number; behind a number it begins another.
    .replace(/^(0\d{2,3}) ?\/ ?(?=\d{6})/, '$1');
  const bare = FRACTION.test(typed) ? '' : typed.replace(/[ ().,·•-]/g, '');
  if (!/^\+?\d{1,20}$/.test(bare)) return { problem: 'none' };
  const abroad = /^(?:\+|\+?00)([1-9]\d*)$/.exec(bare)?.[1];
  if (abroad !== undefined) return international(abroad, bare);
  const [, code, rest] = NEIGHBOURS.exec(bare) ?? [];
  if (code !== undefined) return international(`${code}${rest}`, bare);
  return country === 'KE' ? kenyan(bare) : taken(bare, country, 'none');
}

/** The digits of `readPhone`, or null where it reads none. */
export function phoneDigits(text: string, country: CountryCode = 'KE'): string | null {
  const read = readPhone(text, country);
  return 'digits' in read ? read.digits : null;
}

function international(digits: string, bare: string): ReadPhone {
  if (digits.startsWith('254')) return kenyan(digits);
  // `00712 345 678` is a Kenyan number with a nought too many.
  return taken(`+${digits}`, undefined, /^00[17]\d{8}$/.test(bare) ? 'kenyan_length' : 'none');
}

/** A number of Kenya, with or without 254 and the nought. Mobile numbers have nine digits after it, lines seven to nine. */
function kenyan(bare: string): ReadPhone {
  const national = bare.replace(/^254(?=\d)|^0254(?=[17]\d{8}$)/, '').replace(/^0/, '');
  if (/^(?:[17]\d{8}|[2-6]\d{6,8})$/.test(national)) {
    return /^0254/.test(bare) && !/^[17]/.test(national) ? { problem: 'kenyan_length' } : { digits: `254${national}` };
  }
  if (/^254[089]\d{8}$/.test(bare)) return { problem: 'kenyan_start' };
  const isMeant = /^(?:254|0[17])/.test(bare) || /^[17]\d{7,9}$/.test(bare);
  return { problem: isMeant ? 'kenyan_length' : bare.length >= 9 ? 'no_country' : 'none' };
}

/** A number by the plan of its country; it has to be itself when it is read again, as it will be stored. */
function taken(number: string, country: CountryCode | undefined, problem: PhoneProblem): ReadPhone {
  const parsed = parsePhoneNumberFromString(number, country);
  if (!parsed?.isPossible() || !E164.test(parsed.number)) return { problem };
  const isItself = parsePhoneNumberFromString(parsed.number)?.number === parsed.number;
  const isWhole = !IS_NEIGHBOUR.test(parsed.number) || /^\+\d{3}[1-9]\d{8}$/.test(parsed.number);
  return isItself && isWhole ? { digits: parsed.number.slice(1) } : { problem };
}

/** Whether mobile money can go to these digits: a Kenyan mobile number; which network it is only M-Pesa knows. */
export function isKenyanMobile(digits: string): boolean {
  return /^254[17]\d{8}$/.test(digits);
}

/** Digits for a log or another person's eyes: `254712***678`. */
export function maskPhone(digits: string): string {
  return `${digits.slice(0, 6)}***${digits.slice(-3)}`;
}
