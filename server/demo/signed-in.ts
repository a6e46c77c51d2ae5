import type { Tx } from '../db/tx.ts';
import { endSessions, openSession } from '../domains/identity/open-session.ts';
import type { DemoPerson } from './people.ts';
import type { Cast } from './scene.ts';

/** Acts in a session that has just begun with the password, and ends it. */
export async function signedIn<T>(
  tx: Tx,
  cast: Cast,
  person: DemoPerson,
  act: (actor: { readonly userId: string; readonly sessionId: string }) => Promise<T>,
): Promise<T> {
  const { userId } = cast.person(person);
  const origin = { address: '127.0.0.1', userAgent: 'Mozilla/5.0 (Linux; Android 14) Chrome/130 Mobile' };
  await openSession(tx, { userId, origin, hasSecondFactor: false });
  const [session] = await tx.sql<{ id: string }[]>`
    select id from sessions where user_id = ${userId} and ended_at is null order by id desc limit 1`;
  const done = await act({ userId, sessionId: session?.id ?? '' });
  await endSessions(tx, userId, 'logout');
  return done;
}
