import type { login as loginRoute, SignedIn } from '@ushirika/contract/identity';
import { Refusal } from '@ushirika/contract/refusal';
import type { BodyOf } from '@ushirika/contract/route';
import type { Unsaid } from '@ushirika/contract/said';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { notify } from '../notifications/notify.ts';
import { type Authenticated, authenticate } from './authenticate.ts';
import { deviceOf, deviceSaid } from './device.rules.ts';
import { messages } from './identity.messages.ts';
import type { IdentityDependencies, Origin } from './identity.types.ts';
import { devicesOf, knownDeviceOf } from './known-devices.ts';
import { openSession, signedInReply, userOnWire } from './open-session.ts';
import { acceptOtp, holdsSecondFactor } from './second-factor.ts';
import { suspensionTold } from './suspension-told.ts';
import { OTP_RULE } from './throttle.rules.ts';
import { forgiveAttempts, reserveAttempt, withdrawAttempt } from './throttles.ts';

/**
 * Signs a person in.
 * @throws Refusal `user_type_not_allowed`, `too_many_requests`, `invalid_credentials`, `new_password_required`,
 *   `second_factor_required`, `second_factor_invalid`, `unavailable`
 */
export async function logIn(
  deps: Pick<
    IdentityDependencies,
    'database' | 'passwords' | 'keyring' | 'requireSecondFactor' | 'officesOf' | 'supportPhone'
  >,
  input: BodyOf<typeof loginRoute>,
  origin: Origin,
): Promise<Unsaid<SignedIn>> {
  if (input.user_type !== 'client') throw new Refusal('user_type_not_allowed');
  const authenticated = await authenticate(deps, { idNumber: input.id_number, password: input.password }, origin);
  const { person, throttleKey, otpKey } = authenticated;
  await refuseOldPassword(deps.database, person.id).catch(async (refusal) => {
    // The password was right: that is no failure.
    await withdrawAttempt(deps.database, throttleKey);
    throw refusal;
  });
  const hasSecondFactor = await holdsSecondFactor(deps.database.sql, person.id);
  if (hasSecondFactor) {
    // The password was right: that is no failure, whatever becomes of the code, which is counted by itself.
    await withdrawAttempt(deps.database, throttleKey);
    if (input.otp === undefined) throw new Refusal('second_factor_required');
    await reserveAttempt(deps.database, otpKey, OTP_RULE);
  }
  const mustEnrol = !hasSecondFactor && deps.requireSecondFactor && (await holdsOffice(deps, person.id));
  return deps.database.transaction((tx) =>
    admitPerson(tx, deps, authenticated, { origin, otp: hasSecondFactor ? input.otp : undefined, mustEnrol }),
  );
}

/**
 * Lets a person in who has shown the password and, where an app is on, a code that was counted before: `otp`. A person whose account is
 * suspended is let in too, to read, vote and pay, and is told so. To others it is an account like any other.
 */
async function admitPerson(
  tx: Tx,
  { keyring, supportPhone }: Pick<IdentityDependencies, 'keyring' | 'supportPhone'>,
  { person, throttleKey, otpKey }: Authenticated,
  input: { readonly origin: Origin; readonly otp: string | undefined; readonly mustEnrol: boolean },
): Promise<Unsaid<SignedIn>> {
  const { origin, otp, mustEnrol } = input;
  // A reset that came between the hash and this moment has the last word: its lock is awaited, its hash compared.
  const [current] = await tx.sql<{ password_hash: string }[]>`
    select password_hash from users where id = ${person.id} for no key update`;
  if (current?.password_hash !== person.password_hash) throw new Refusal('invalid_credentials');
  // Asked again under the lock: a suspension awaits it, and has ended all sessions that were there.
  await refuseOldPassword(tx, person.id);
  const hasSecondFactor = await holdsSecondFactor(tx.sql, person.id);
  if (hasSecondFactor) {
    if (otp === undefined) throw new Refusal('second_factor_required');
    if (!(await acceptOtp(tx, keyring, person.id, otp))) throw new Refusal('second_factor_invalid');
    await forgiveAttempts(tx, otpKey);
  }
  await forgiveAttempts(tx, throttleKey);
  const suspended = await suspensionTold(tx.sql, { userId: person.id, now: tx.now, supportPhone });
  const isNewDevice = (await knownDeviceOf(tx.sql, person.id, devicesOf(origin))) === null;
  const session = await openSession(tx, { userId: person.id, origin, hasSecondFactor });
  if (isNewDevice) {
    await notify(tx, {
      userId: person.id,
      template: 'new_device',
      text: messages.newDevice(deviceSaid(deviceOf(origin.userAgent))),
      causedBy: person.id,
    });
  }
  return signedInReply(
    sentence('Welcome back, {name}', { name: person.first_name }),
    session,
    userOnWire(person),
    mustEnrol,
    suspended,
  );
}

/**
 * A password of before a suspension opens no session, also once the suspension is over: it may be a thief's. The code of a reset goes to
 * the owner's phone. A suspended person changes no password, so a newer one comes from there.
 */
async function refuseOldPassword({ sql }: Pick<Tx, 'sql'> | Pick<Database, 'sql'>, userId: string): Promise<void> {
  if (!isGuarded('new_password_after_suspension')) return;
  const [old] = await (sql as Tx['sql'])`
    select from users u join account_suspensions a on a.user_id = u.id and a.suspended_at >= u.password_changed_at
    where u.id = ${userId} limit 1`;
  if (old) throw new Refusal('new_password_required');
}

async function holdsOffice(
  deps: Pick<IdentityDependencies, 'database' | 'officesOf'>,
  userId: string,
): Promise<boolean> {
  const [operator] = await deps.database.sql`
    select 1 from operators where user_id = ${userId} and revoked_at is null`;
  return operator !== undefined || (await deps.officesOf(userId)).length > 0;
}
