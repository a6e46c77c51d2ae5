import type { Trading } from '@ushirika/contract/market';
import { formatCount } from '../ui/figures.tsx';
import { say } from '../words/say.ts';

/** Nothing sells in a closed market. How long shares take to sell: the median, in days, of the orders to sell that were filled. Null where none was. */
export function timeToSell(days: number | null, trading?: Trading): string | null {
  if (trading === 'closed') return say('The market is closed');
  if (days === null) return null;
  if (days < 1) return say('Usually sells the same day');
  return days < 1.5
    ? say('about a day')
    : say('about {n} {n, plural, one {day} other {days}}', { n: formatCount(Math.round(days)) });
}
