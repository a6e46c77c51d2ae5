import { formatLongDate, formatLongDateTime } from '@ushirika/contract/format';
import { currentLanguage } from './say.ts';

/** The long form of a date in Nairobi, in the person's language. */
export function longDate(iso: string): string {
  return formatLongDate(iso, currentLanguage());
}

/** The same with the time. */
export function longDateTime(iso: string): string {
  return formatLongDateTime(iso, currentLanguage());
}
