import { Refusal } from '@ushirika/contract/refusal';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';
import { proveCurrentPassword } from './authenticate.ts';
import type { IdentityDependencies } from './identity.types.ts';

/** How long a password that was entered vouches for its session: signing in is to enter it. */
export const PROOF_MS = 15 * 60_000;

interface Session {
  readonly userId: string;
  readonly sessionId: string;
}

/**
 * A signed-in person enters the password once more. Returns until when that holds for this session.
 * @throws Refusal `too_many_requests`, `current_password_wrong`, `unavailable`, `session_ended`
 */
export async function provePassword(
  deps: Pick<IdentityDependencies, 'database' | 'passwords'>,
  actor: Session,
  input: { readonly currentPassword: string },
): Promise<Date> {
  const provenHash = await proveCurrentPassword(deps, actor.userId, input.currentPassword);
  return deps.database.transaction(async (tx) => {
    // A password that was changed in between has the last word, and has ended this session.
    const proven = await tx.sql`
      update sessions set proven_at = ${tx.now}
      where id = ${actor.sessionId} and ended_at is null and password_hash_of(user_id) = ${provenHash}`;
    if (proven.count === 0) throw new Refusal('session_ended');
    return new Date(tx.now.getTime() + PROOF_MS);
  });
}

/**
 * For what a stolen session must not do: refuses unless the password was entered in this session a short while ago. A
 * request that waited while its session was ended is refused too.
 * @throws Refusal `proof_required`
 */
export async function requireProof(tx: Tx, actor: Session): Promise<void> {
  if (!(await isProven(tx, actor)) && isGuarded('fresh_password')) throw new Refusal('proof_required');
}

/** Whether the password was entered in this session a short while ago, and the session has not ended since. */
export async function isProven(tx: Tx, { sessionId }: Pick<Session, 'sessionId'>): Promise<boolean> {
  const [proven] = await tx.sql`
    select 1 from sessions where id = ${sessionId} and ended_at is null and proven_at > ${provenSince(tx.now)}`;
  return proven !== undefined;
}

/** The same of many sessions, in one statement. */
export async function provenAmong(tx: Tx, sessionIds: readonly string[]): Promise<(id: string | undefined) => boolean> {
  const rows = await tx.sql<{ id: string }[]>`
    select id from sessions
    where id = any (${texts([...new Set(sessionIds)])}::uuid[]) and ended_at is null and proven_at > ${provenSince(tx.now)}`;
  const proven = new Set(rows.map(({ id }) => id));
  return (id) => (id !== undefined && proven.has(id)) || !isGuarded('fresh_password');
}

/** After when a password has to have been entered to vouch for its session. */
export const provenSince = (now: Date): Date => new Date(now.getTime() - PROOF_MS);
