import type { SavingsMethod } from '@ushirika/contract/dividend-rules';
import type { DividendYear } from '@ushirika/contract/dividends';
import type { TagTone } from '../ui/card.tsx';
import { currentLanguage, say } from '../words/say.ts';

/** How savings are weighted, in a few words. */
export function methodWords(method: SavingsMethod): string {
  if (method === 'month_of') return say('Each saving counts from its own month');
  if (method === 'lowest_balance') return say('The lowest balance of each month counts');
  return say('Each saving counts from the month after it');
}

export const stateWords: Readonly<Record<DividendYear['state'], () => readonly [string, TagTone]>> = {
  closed: () => [say('No dividend declared yet'), 'plain'],
  declared: () => [say('Declared'), 'ochre'],
  paid: () => [say('Paid'), 'forest'],
};

/** A percentage, `10.5%`. */
export const percent = (rate: number): string => `${rate}%`;

/** A day of the calendar, the same everywhere. */
export const dayWords = (day: string) =>
  new Intl.DateTimeFormat(currentLanguage() === 'sw' ? 'sw-KE' : 'en-GB', {
    dateStyle: 'medium',
    timeZone: 'UTC',
  }).format(Date.parse(`${day}T00:00:00Z`));
