import type { ExitStatus } from '@ushirika/contract/membership';
import { say } from '../words/say.ts';

/** When a notice of leaving ends, by the days of the Nairobi calendar that are left. */
export function noticeEnds({ days_left: n }: Pick<ExitStatus, 'days_left'>): string {
  if (n === 0) return say('Your notice ends today');
  return say('Your notice ends {n, plural, one {tomorrow} other {in # days}}', { n });
}
