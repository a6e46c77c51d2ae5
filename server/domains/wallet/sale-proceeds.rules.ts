import { PROCEEDS_HELD_HOURS } from '@ushirika/contract/constants';
import type { Cents } from '@ushirika/contract/money';

export const HOLD_MS = PROCEEDS_HELD_HOURS * 3_600_000;
/** Sales of one quarter of an hour are held together, and free together. */
export const QUARTER_MS = 15 * 60_000;

/** What sales of the quarter that starts then brought. */
export interface Proceeds {
  readonly startsAt: Date;
  readonly cents: Cents;
}

export interface HeldProceeds {
  readonly cents: Cents;
  /** From when on all of it may leave; some may before. */
  readonly until: Date;
}

/**
 * What of the proceeds of sales may not leave yet: those of the last 24 hours, but for the small sum. Null where none is.
 * @param received oldest first
 */
export function heldOf(received: readonly Proceeds[], now: Date, smallSumCents: Cents): HeldProceeds | null {
  const freeAt = ({ startsAt }: Proceeds) => new Date(startsAt.getTime() + QUARTER_MS + HOLD_MS);
  const young = received.filter((each) => freeAt(each) > now);
  const sum = young.reduce((total, { cents }) => total + cents, 0);
  if (sum <= smallSumCents) return null;
  // The oldest come free first: what is left then is small enough one day.
  let left = sum;
  const last = young.find(({ cents }) => {
    left -= cents;
    return left <= smallSumCents;
  });
  return { cents: sum - smallSumCents, until: freeAt(last as Proceeds) };
}
