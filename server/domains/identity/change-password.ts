import { Refusal } from '@ushirika/contract/refusal';
import { notify } from '../notifications/notify.ts';
import { proveCurrentPassword } from './authenticate.ts';
import { identitySms } from './identity.sms.ts';
import type { IdentityDependencies } from './identity.types.ts';
import { endSessions } from './open-session.ts';
import { hashOfNewPassword } from './register.ts';
import { forgetPendingSecondFactor } from './second-factor.ts';

/**
 * Changes a signed-in person's password. Their other sessions end, codes that were on their way no longer work.
 * @throws Refusal `too_many_requests`, `current_password_wrong`, `password_too_weak` (also for the same again), `unavailable`
 */
export async function changePassword(
  deps: Pick<IdentityDependencies, 'database' | 'passwords'>,
  actor: { readonly userId: string; readonly sessionId: string },
  input: { readonly currentPassword: string; readonly password: string },
): Promise<void> {
  const provenHash = await proveCurrentPassword(deps, actor.userId, input.currentPassword);
  const passwordHash = await hashOfNewPassword(deps.passwords, input.password, provenHash);
  await deps.database.transaction(async (tx) => {
    // A reset that came meanwhile has the last word: its lock is awaited first, and only then its hash is read.
    await tx.sql`select id from users where id = ${actor.userId} for no key update`;
    const changed = await tx.sql`
      update users set password_hash = ${passwordHash}, password_changed_at = ${tx.now}, updated_at = ${tx.now}
      where id = ${actor.userId} and password_hash_of(id) = ${provenHash}`;
    if (changed.count === 0) throw new Refusal('current_password_wrong');
    await tx.sql`
      update reset_codes set burnt_at = ${tx.now}
      where user_id = ${actor.userId} and used_at is null and burnt_at is null`;
    await forgetPendingSecondFactor(tx, actor.userId);
    await endSessions(tx, actor.userId, 'password_changed', { but: actor.sessionId });
    await notify(tx, { userId: actor.userId, sms: identitySms.passwordChanged(), causedBy: actor.userId });
  });
}
