import type { Tx } from '../../db/tx.ts';
import { authenticate } from './authenticate.ts';
import type { IdentityDependencies, Origin } from './identity.types.ts';
import { endSessions } from './open-session.ts';
import { withdrawAttempt } from './throttles.ts';

/** Ends the session of the request. */
export async function logOut(tx: Tx, actor: { readonly sessionId: string }): Promise<void> {
  await tx.sql`
    update sessions set ended_at = ${tx.now}, end_reason = 'logout'
    where id = ${actor.sessionId} and ended_at is null`;
}

/**
 * Ends every session of the person whose ID number and password these are. Returns how many.
 * @throws Refusal `too_many_requests`, `invalid_credentials`, `unavailable`
 */
export async function logOutEverywhere(
  deps: Pick<IdentityDependencies, 'database' | 'passwords'>,
  input: { readonly idNumber: string; readonly password: string },
  origin: Origin,
): Promise<number> {
  const { person, throttleKey } = await authenticate(deps, input, origin);
  // No more than this attempt: whoever has the password alone takes back no failure before it.
  await withdrawAttempt(deps.database, throttleKey);
  return deps.database.transaction((tx) => endSessions(tx, person.id, 'logout_everywhere'));
}
