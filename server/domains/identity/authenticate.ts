import { foldId } from '@ushirika/contract/identity';
import { Refusal, sentenceOf } from '@ushirika/contract/refusal';
import { isGuarded } from '#faults';
import type { IdentityDependencies, Origin, PersonRow } from './identity.types.ts';
import { devicesOf } from './known-devices.ts';
import { LOGIN_RULE, PROOF_RULE } from './throttle.rules.ts';
import { reserveAttempt, withdrawAttempt } from './throttles.ts';
import { whoseId } from './whose-id.ts';

export interface Authenticated {
  readonly person: PersonRow;
  /** Where the attempt was counted: forgive it once all is well. */
  readonly throttleKey: string;
  /** Where codes of the second factor are counted, for whoever is asked for one. */
  readonly otpKey: string;
}

/**
 * Whose ID number and password these are. An unknown ID number takes the same statements, the same hash and the same
 * words as a wrong password. Failures count by ID number. On a device where the owner has signed in before they count
 * apart: a stranger's guesses do not lock the owner out there, even from the same network.
 * @throws Refusal `too_many_requests`, `invalid_credentials`, `unavailable`
 */
export async function authenticate(
  { database, passwords }: Pick<IdentityDependencies, 'database' | 'passwords'>,
  input: { readonly idNumber: string; readonly password: string },
  origin: Origin,
): Promise<Authenticated> {
  const devices = devicesOf(origin);
  const [found] = await database.sql<(PersonRow & { known_device: string | null })[]>`
    select u.id, u.id_number, u.first_name, u.last_name, u.phone, u.phone_confirmed_at, u.recovery_phone, u.email,
      u.password_hash,
      (select k.token_hash from known_devices k where k.user_id = u.id and k.token_hash = any (${devices}::text[])
       order by k.signed_in_at desc limit 1) as known_device
    from users u ${whoseId(database, input.idNumber)}`;
  const knownDevice = isGuarded('known_devices_apart') ? (found?.known_device ?? null) : null;
  const throttleKey = loginKey(found?.id_number ?? foldId(input.idNumber), knownDevice);
  await reserveAttempt(database, throttleKey, LOGIN_RULE);
  const isRight = await judged(
    () => passwords.verify(input.password, found?.password_hash ?? null),
    () => withdrawAttempt(database, throttleKey),
  );
  if (!found || !isRight) throw new Refusal('invalid_credentials');
  return { person: found, throttleKey, otpKey: otpKey(found.id, knownDevice) };
}

/**
 * Where failures to sign in are counted. What is typed for an ID number is any text: the two kinds of key begin
 * otherwise, so that no text makes a stranger's failures count where the owner's own do.
 */
export function loginKey(idNumber: string, knownDevice: string | null): string {
  return knownDevice === null ? `login:${idNumber}` : `login-known:${idNumber}@${knownDevice}`;
}

/** Where wrong codes at sign-in are counted: by themselves, so that nothing but a right code forgives them. */
export function otpKey(userId: string, knownDevice: string | null): string {
  return knownDevice === null ? `otp:${userId}` : `otp:${userId}@${knownDevice}`;
}

/**
 * Asks a signed-in person for the current password once more. Returns the hash that it was found to match: what is
 * changed on the strength of it compares that hash again, in its transaction.
 * @throws Refusal `too_many_requests`, `current_password_wrong`, `unavailable`, `session_ended`
 */
export async function proveCurrentPassword(
  { database, passwords }: Pick<IdentityDependencies, 'database' | 'passwords'>,
  userId: string,
  password: string,
): Promise<string> {
  const key = proofKey(userId);
  await reserveAttempt(database, key, PROOF_RULE);
  const [row] = await database.sql<
    { password_hash: string | null }[]
  >`select password_hash_of(${userId}) as password_hash`;
  if (!row?.password_hash) throw new Refusal('session_ended');
  const { password_hash: hash } = row;
  const isRight = await judged(
    () => passwords.verify(password, hash),
    () => withdrawAttempt(database, key),
  );
  if (!isRight) {
    throw new Refusal('current_password_wrong', {
      errors: { current_password: [sentenceOf('current_password_wrong')] },
    });
  }
  await withdrawAttempt(database, key);
  return hash;
}

export function proofKey(userId: string): string {
  return `proof:${userId}`;
}

/** When the judge could not be heard (`unavailable`), the attempt does not count. */
async function judged(judge: () => Promise<boolean>, withdraw: () => Promise<void>): Promise<boolean> {
  try {
    return await judge();
  } catch (error) {
    await withdraw();
    throw error;
  }
}
