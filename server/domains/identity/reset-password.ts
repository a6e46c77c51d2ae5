import { Refusal, sentenceOf } from '@ushirika/contract/refusal';
import type { Tx } from '../../db/tx.ts';
import { networkOf } from '../../network-of.ts';
import { notify } from '../notifications/notify.ts';
import { loginKey, proofKey } from './authenticate.ts';
import { readCrockford } from './codes.rules.ts';
import { identitySms } from './identity.sms.ts';
import type { IdentityDependencies, Origin } from './identity.types.ts';
import { devicesOf, forgetDevices, knowDevice, ownerOfDevice } from './known-devices.ts';
import { endSessions } from './open-session.ts';
import { hashOfNewPassword, refuseWeakPassword } from './register.ts';
import { forgetPendingSecondFactor } from './second-factor.ts';
import { RESET_CODE_LENGTH } from './send-reset-code.ts';
import { RESET_CODE_EVERYWHERE_RULE, RESET_CODE_OF_NETWORK_RULE, RESET_CODE_RULE } from './throttle.rules.ts';
import { forgiveAttempts, reserveAttempt, withdrawAttempt } from './throttles.ts';

/** Where wrong codes from all networks together are counted. */
const EVERYWHERE = 'reset:everywhere';

export const PAYOUT_HOLD_MS = 24 * 3_600_000;

/**
 * Sets a new password with a code from an SMS. Ends every session, holds withdrawals for 24 hours, tells the owner.
 * @throws Refusal `password_too_weak` (also for the password of now), `too_many_requests` (100 wrong codes from one network, or five on a known device, in 15 minutes),
 *   `reset_code_invalid`, `unavailable`
 */
export async function resetPassword(
  { database, passwords }: Pick<IdentityDependencies, 'database' | 'passwords'>,
  input: { readonly resetCode: string; readonly password: string },
  origin: Origin,
): Promise<void> {
  refuseWeakPassword(input.password);
  // On a known device they count for whoever signed in there: strangers on the same network lock nobody out who did.
  const owner = await ownerOfDevice(database.sql, devicesOf(origin));
  const key = owner === null ? `reset:${networkOf(origin.address)}` : `reset-known:${owner}`;
  await reserveAttempt(database, key, owner === null ? RESET_CODE_OF_NETWORK_RULE : RESET_CODE_RULE);
  await reserveAttempt(database, EVERYWHERE, RESET_CODE_EVERYWHERE_RULE);
  const code = readCrockford(input.resetCode, RESET_CODE_LENGTH);
  if (code === null) throw codeInvalid();
  const heard = async <T>(hashed: Promise<T>): Promise<T> =>
    hashed.catch(async (error) => {
      if (!(error instanceof Refusal && error.code === 'password_too_weak')) await withdrawBoth(database, key);
      throw error;
    });
  const codeHash = await heard(passwords.hashCode(code));
  const currentHash = await passwordOfCode(database, codeHash);
  // The same password counts as a wrong code: a thief with a code could find out the password of now.
  const passwordHash = await heard(hashOfNewPassword(passwords, input.password, currentHash));
  await database.transaction(async (tx) => {
    const userId = await useCode(tx, codeHash);
    await replacePassword(tx, userId, passwordHash);
    // Who has the owner's phone in hand is the owner, here and on no device of before.
    await forgetDevices(tx, userId);
    await knowDevice(tx, userId, origin);
  });
  // A right code does not count, and does not clear the wrong ones before it: one's own codes buy no more guesses.
  await withdrawBoth(database, key);
}

async function withdrawBoth(database: IdentityDependencies['database'], key: string): Promise<void> {
  await withdrawAttempt(database, key);
  await withdrawAttempt(database, EVERYWHERE);
}

/** The hash of the password that a code would replace. One that is changed meanwhile takes the code with it. */
async function passwordOfCode(database: IdentityDependencies['database'], codeHash: string): Promise<string> {
  const [found] = await database.sql<{ password_hash: string }[]>`
    select u.password_hash from reset_codes c join users u on u.id = c.user_id
    where c.code_hash = ${codeHash} and c.used_at is null and c.burnt_at is null and c.expires_at > ${database.now()}`;
  if (!found) throw codeInvalid();
  return found.password_hash;
}

async function useCode(tx: Tx, codeHash: string): Promise<string> {
  const [used] = await tx.sql<{ user_id: string }[]>`
    update reset_codes set used_at = ${tx.now}
    where code_hash = ${codeHash} and used_at is null and burnt_at is null and expires_at > ${tx.now}
    returning user_id`;
  if (!used) throw codeInvalid();
  return used.user_id;
}

async function replacePassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  const heldUntil = new Date(tx.now.getTime() + PAYOUT_HOLD_MS);
  // The code came to the recovery phone: whoever has used it has that phone in hand.
  const [person] = await tx.sql<{ id_number: string }[]>`
    update users
    set password_hash = ${passwordHash}, password_changed_at = ${tx.now}, payout_held_until = ${heldUntil},
        phone_confirmed_at = case when phone = recovery_phone then coalesce(phone_confirmed_at, ${tx.now}::timestamptz)
                                  else phone_confirmed_at end,
        recovery_phone_confirmed_at = coalesce(recovery_phone_confirmed_at, ${tx.now}::timestamptz),
        updated_at = ${tx.now}
    where id = ${userId}
      -- While the code was on its way somebody else may have confirmed that number: it is theirs, and the code is void.
      and not phone_is_anothers(recovery_phone, id)
    returning id_number`;
  if (!person) throw codeInvalid();
  await tx.sql`
    update reset_codes set burnt_at = ${tx.now}
    where user_id = ${userId} and used_at is null and burnt_at is null`;
  await forgetPendingSecondFactor(tx, userId);
  await endSessions(tx, userId, 'password_reset');
  for (const key of [loginKey(person.id_number, null), proofKey(userId)]) await forgiveAttempts(tx, key);
  await notify(tx, { userId, sms: identitySms.passwordReset(), causedBy: userId });
}

function codeInvalid(): Refusal {
  return new Refusal('reset_code_invalid', { errors: { reset_code: [sentenceOf('reset_code_invalid')] } });
}
