import { isPossiblePhoneNumber } from 'react-phone-number-input/input';

/**
 * A number as somebody of that country types it whole, `254712345678`, though the code stands before the field already: the
 * field makes `+254254712345678` of it. Returned is what was meant; a number that can be one stays as it is.
 * @param code the country's calling code, `254`
 */
export function withoutDoubledCode(number: string | undefined, code: string): string | undefined {
  const doubled = `+${code}${code}`;
  if (!number?.startsWith(doubled) || isPossiblePhoneNumber(number)) return number;
  const meant = `+${code}${number.slice(doubled.length)}`;
  return isPossiblePhoneNumber(meant) ? meant : number;
}
