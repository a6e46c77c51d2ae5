import type { SavingsMethod } from '@ushirika/contract/dividend-rules';
import type { DividendYear } from '@ushirika/contract/dividends';
import type { TagTone } from '../ui/card.tsx';
import { say } from '../words/say.ts';

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
