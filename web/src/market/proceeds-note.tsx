import { PROCEEDS_HELD_HOURS, SMALL_SUM_A_DAY } from '@ushirika/contract/constants';
import { formatShillings } from '@ushirika/contract/format';
import { useProfile } from '../identity/profile.queries.ts';
import { formatCount } from '../ui/figures.tsx';
import { say } from '../words/say.ts';

/** The time when the proceeds of a sale can leave the platform, said before the sale. */
export function ProceedsNote() {
  const isSpent = Boolean(useProfile().data?.proceeds_held);
  return <p className="text-small text-ink-2">{proceedsWords(isSpent)}</p>;
}

/** `isSpent`: the small sum of the day is used up by earlier proceeds, so that all of these stay. */
export function proceedsWords(isSpent: boolean): string {
  const n = formatCount(PROCEEDS_HELD_HOURS);
  const toMpesa = isSpent
    ? say('It can go to M-Pesa {n} hours after the sale.', { n })
    : say(
        'Of what you are paid within {n} hours, {x} can go to M-Pesa at once, and the rest {n} hours after the sale.',
        {
          x: formatShillings(SMALL_SUM_A_DAY),
          n,
        },
      );
  return `${say('What you are paid is yours to spend here at once.')} ${toMpesa}`;
}
