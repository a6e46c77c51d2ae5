import { Refusal } from '@ushirika/contract/refusals';

/**
 * For what decides who can get back into an account: while money is held, it stays as it is. Whoever reset the password
 * may have read the code over a shoulder; what the owner resets it with once more must not be the thief's by then.
 * @throws Refusal `account_held` with Retry-After
 */
export function refuseWhileHeld(heldUntil: Date | null, now: Date): void {
  if (heldUntil === null || heldUntil <= now) return;
  throw new Refusal('account_held', {
    retryAfterSeconds: Math.ceil((heldUntil.getTime() - now.getTime()) / 1000),
    extra: { held_until: heldUntil.toISOString() },
  });
}
