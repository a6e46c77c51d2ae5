import { Refusal } from '@ushirika/contract/refusal';
import type { RefusalCode } from '@ushirika/contract/refusals';
import type { Sentence } from '@ushirika/contract/sentence';

/**
 * The refusal of what rests for a day after a reset of the password or a new phone, until `heldUntil`: with Retry-After, and
 * the hour itself. Null where nothing is held.
 */
export function refusalOfHold(
  code: Extract<RefusalCode, 'payout_held' | 'account_held'>,
  heldUntil: Date | null,
  now: Date,
  message?: Sentence,
): Refusal | null {
  if (heldUntil === null || heldUntil <= now) return null;
  return new Refusal(code, {
    ...(message === undefined ? {} : { message }),
    retryAfterSeconds: Math.ceil((heldUntil.getTime() - now.getTime()) / 1000),
    extra: { held_until: heldUntil.toISOString() },
  });
}

/**
 * For what decides who can get back into an account: while money is held, it stays as it is. Whoever reset the password
 * may have read the code over a shoulder; what the owner resets it with once more must not be the thief's by then.
 * @throws Refusal `account_held` with Retry-After
 */
export function refuseWhileHeld(heldUntil: Date | null, now: Date): void {
  const refusal = refusalOfHold('account_held', heldUntil, now);
  if (refusal) throw refusal;
}
