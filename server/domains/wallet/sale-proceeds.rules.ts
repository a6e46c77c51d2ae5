import { PROCEEDS_HELD_HOURS } from '@ushirika/contract/constants';
import type { Cents } from '@ushirika/contract/money';

export const HOLD_MS = PROCEEDS_HELD_HOURS * 3_600_000;
/** Sales of one quarter of an hour are held and released together. */
export const QUARTER_MS = 15 * 60_000;

/** What a person's sales brought in the quarter of an hour that starts at `startsAt`. */
export interface Proceeds {
  readonly startsAt: Date;
  readonly cents: Cents;
}

export interface HeldProceeds {
  readonly cents: Cents;
  /** From then on all of it may be withdrawn; some of it may be before. */
  readonly until: Date;
}

/**
 * The part of the proceeds of the last 24 hours that may not be withdrawn yet: all above the small sum. Null where
 * there is none.
 * @param received oldest first
 */
export function heldOf(received: readonly Proceeds[], now: Date, smallSumCents: Cents): HeldProceeds | null {
  const freeAt = ({ startsAt }: Proceeds) => new Date(startsAt.getTime() + QUARTER_MS + HOLD_MS);
  const young = received.filter((each) => freeAt(each) > now);
  const sum = young.reduce((total, { cents }) => total + cents, 0);
  if (sum <= smallSumCents) return null;
  // The oldest are released first. Once the rest is at most the small sum, all is free.
  let left = sum;
  const last = young.find(({ cents }) => {
    left -= cents;
    return left <= smallSumCents;
  });
  return { cents: sum - smallSumCents, until: freeAt(last as Proceeds) };
}
