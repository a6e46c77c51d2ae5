import { PROCEEDS_HELD_HOURS, SMALL_SUM_A_DAY } from '@ushirika/contract/constants';
import { formatShillings } from '@ushirika/contract/format';
import { formatCount } from '../ui/figures.tsx';
import { say } from '../words/say.ts';

/**
 * The time when the proceeds of a sale can leave the platform, said before the sale. `receivedCents`: the proceeds; null before they are
 * known.
 */
export function ProceedsNote({ receivedCents }: { receivedCents: number | null }) {
  return (
    <p className="text-small text-ink-2">
      {say('What you are paid is yours to spend here at once.')} {receivedCents !== null && toMpesa(receivedCents)}
    </p>
  );
}

function toMpesa(receivedCents: number): string {
  if (receivedCents <= 100 * SMALL_SUM_A_DAY) return say('All of it can go to M-Pesa today.');
  return say('To M-Pesa {x} of it can go today, and the rest after {n} hours.', {
    x: formatShillings(SMALL_SUM_A_DAY),
    n: formatCount(PROCEEDS_HELD_HOURS),
  });
}
