import { Refusal, sentenceOf } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { asSystem } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';
import { notify } from '../notifications/notify.ts';
import { countValue } from '../notifications/sms-values.ts';
import { refuseWhileHeld } from './account-hold.rules.ts';
import { proofKey, proveCurrentPassword } from './authenticate.ts';
import { crockfordCode, fastHash, inGroups, readCrockford } from './codes.rules.ts';
import { identitySms } from './identity.sms.ts';
import type { IdentityDependencies } from './identity.types.ts';
import type { Keyring } from './keyring.ts';
import { endSessions } from './open-session.ts';
import { missingKeys, openSecret, type SealedRow, sealSecret } from './sealed-secrets.ts';
import { PROOF_RULE } from './throttle.rules.ts';
import { forgiveAttempts, reserveAttempt } from './throttles.ts';
import { acceptedStep, base32, otpauthUri } from './totp.rules.ts';

const SECRET_BYTES = 20;
/** So long a secret that was shown waits for its first code. */
export const PENDING_MS = 15 * 60_000;
const RECOVERY_CODES = 10;
/** 80 random bits: no slow hash is needed to keep them. */
const RECOVERY_CODE_LENGTH = 16;

interface Session {
  readonly userId: string;
  readonly sessionId: string;
}

type Needs = Pick<IdentityDependencies, 'database' | 'passwords' | 'keyring'>;

export async function holdsSecondFactor(sql: Database['sql'] | Tx['sql'], userId: string): Promise<boolean> {
  const [row] = await sql`select 1 from second_factors where user_id = ${userId} and state = 'on'`;
  return row !== undefined;
}

/** Whether a code of the app, or a recovery code, is accepted; it is used up by that. */
export async function acceptOtp(tx: Tx, keyring: Keyring, userId: string, typed: string): Promise<boolean> {
  const [factor] = await tx.sql<(SealedRow & { last_step: number | null })[]>`
    select user_id, secret, key_id, last_step from second_factors where user_id = ${userId} and state = 'on' for update`;
  if (!factor) return false;
  const step = acceptedStep(openSecret(keyring, factor), typed, tx.now, factor.last_step);
  if (step !== null) {
    await tx.sql`update second_factors set last_step = ${step} where user_id = ${userId}`;
    return true;
  }
  return acceptRecoveryCode(tx, userId, typed);
}

async function acceptRecoveryCode(tx: Tx, userId: string, typed: string): Promise<boolean> {
  const code = readCrockford(typed, RECOVERY_CODE_LENGTH);
  if (code === null) return false;
  const used = await tx.sql`
    update recovery_codes set used_at = ${tx.now}
    where user_id = ${userId} and code_hash = ${recoveryHash(userId, code)} and used_at is null`;
  if (used.count === 0) return false;
  const [unused] = await tx.sql<{ left: number }[]>`
    select count(*)::int as left from recovery_codes where user_id = ${userId} and used_at is null`;
  const sms = identitySms.recoveryCodeUsed(countValue(unused?.left ?? 0));
  await notify(tx, { userId, sms, causedBy: userId });
  return true;
}

function recoveryHash(userId: string, code: string): string {
  return fastHash(`${userId}:${code}`);
}

/**
 * Begins to set up the app. Not while money is held, as after a reset of the password: an app of a thief's would shut the
 * owner out, since a reset does not take it off.
 * @throws Refusal `account_held`, `current_password_wrong`, `too_many_requests`, `second_factor_conflict` when it is on
 *   already
 */
export async function enrolSecondFactor(
  deps: Needs,
  actor: Session,
  input: { readonly currentPassword: string },
): Promise<{ secret: string; uri: string }> {
  await refuseWhenHeld(deps.database, actor.userId);
  const provenHash = await proveCurrentPassword(deps, actor.userId, input.currentPassword);
  // A key that another process has and this one does not: what is sealed here would not open there. It is asked as the
  // platform, since a person sees no row but their own.
  const missing = await asSystem(() => missingKeys(deps.database, deps.keyring));
  if (missing.length > 0) throw new Error('This process has other keys than the one that sealed before: SECRETS_KEY');
  const secret = deps.database.randomBytes(SECRET_BYTES);
  return deps.database.transaction(async (tx) => {
    const { id_number: idNumber, password_hash: passwordHash } = await lockUnheld(tx, actor.userId);
    if (passwordHash !== provenHash) throw new Refusal('current_password_wrong');
    const { keyId, bytes } = sealSecret(deps.keyring, tx, actor.userId, secret);
    const written = await tx.sql`
      insert into second_factors (user_id, secret, key_id, state, created_at)
      values (${actor.userId}, ${bytes}, ${keyId}, 'pending', ${tx.now})
      on conflict (user_id) do update
      set secret = excluded.secret, key_id = excluded.key_id, created_at = excluded.created_at, last_step = null
      where second_factors.state = 'pending'`;
    if (written.count === 0) throw conflict(sentence('The authenticator app is on already.'));
    return { secret: base32(secret), uri: otpauthUri(secret, idNumber) };
  });
}

async function refuseWhenHeld(database: Database, userId: string): Promise<void> {
  const [person] = await database.sql<{ payout_held_until: Date | null }[]>`
    select payout_held_until from users where id = ${userId}`;
  refuseWhileHeld(person?.payout_held_until ?? null, database.now());
}

/** A reset or a sign-in that came meanwhile has the last word: its lock is awaited. */
async function lockUnheld(tx: Tx, userId: string): Promise<{ id_number: string; password_hash: string }> {
  const [person] = await tx.sql<{ id_number: string; payout_held_until: Date | null }[]>`
    select id_number, payout_held_until from users where id = ${userId} for no key update`;
  // Under the lock, and so in a statement of its own: what a reset left.
  const [hash] = await tx.sql<{ password_hash: string }[]>`select password_hash_of(${userId}) as password_hash`;
  if (!person || !hash) throw new Refusal('session_ended');
  refuseWhileHeld(person.payout_held_until, tx.now);
  return { ...person, ...hash };
}

/**
 * Turns the app on. This session has shown its code and goes on; the others end.
 * @throws Refusal `account_held`, `too_many_requests`, `second_factor_conflict`, `otp_not_accepted`
 */
export async function confirmSecondFactor(
  deps: Pick<Needs, 'database' | 'keyring'>,
  actor: Session,
  input: { readonly otp: string },
): Promise<string[]> {
  await refuseWhenHeld(deps.database, actor.userId);
  await reserveAttempt(deps.database, proofKey(actor.userId), PROOF_RULE);
  return deps.database.transaction(async (tx) => {
    await lockUnheld(tx, actor.userId);
    const [factor] = await tx.sql<(SealedRow & { state: string; created_at: Date })[]>`
      select user_id, secret, key_id, state, created_at from second_factors where user_id = ${actor.userId} for update`;
    if (factor?.state === 'on') throw conflict(sentence('The authenticator app is on already.'));
    const since = new Date(tx.now.getTime() - PENDING_MS);
    if (!factor || factor.created_at <= since) throw conflict(sentence('Begin again.'));
    const step = acceptedStep(openSecret(deps.keyring, factor), input.otp, tx.now, null);
    if (step === null) throw otpNotAccepted();
    await tx.sql`
      update second_factors set state = 'on', confirmed_at = ${tx.now}, last_step = ${step}
      where user_id = ${actor.userId}`;
    await tx.sql`update sessions set second_factor_at = ${tx.now} where id = ${actor.sessionId}`;
    await endSessions(tx, actor.userId, 'second_factor_changed', { but: actor.sessionId });
    await forgiveAttempts(tx, proofKey(actor.userId));
    await notify(tx, { userId: actor.userId, sms: identitySms.secondFactorOn(), causedBy: actor.userId });
    return writeRecoveryCodes(tx, actor.userId);
  });
}

/** @throws Refusal `too_many_requests`, `current_password_wrong`, `second_factor_conflict`, `otp_not_accepted` */
export async function renewRecoveryCodes(
  deps: Needs,
  actor: Session,
  input: { readonly currentPassword: string; readonly otp: string },
): Promise<string[]> {
  return afterProof(deps, actor, input, (tx) => writeRecoveryCodes(tx, actor.userId));
}

/** @throws Refusal `too_many_requests`, `current_password_wrong`, `second_factor_conflict`, `otp_not_accepted` */
export async function removeSecondFactor(
  deps: Needs,
  actor: Session,
  input: { readonly currentPassword: string; readonly otp: string },
): Promise<void> {
  await afterProof(deps, actor, input, async (tx) => {
    await forgetSecondFactor(tx, actor.userId);
    await notify(tx, { userId: actor.userId, sms: identitySms.secondFactorOff(), causedBy: actor.userId });
  });
}

/** Takes the app and its recovery codes off an account, and what sessions proved by it. */
export async function forgetSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  await tx.sql`delete from recovery_codes where user_id = ${userId}`;
  await tx.sql`update sessions set second_factor_at = null where user_id = ${userId} and ended_at is null`;
  const removed = await tx.sql`delete from second_factors where user_id = ${userId}`;
  return removed.count > 0;
}

/** What was begun and not finished is over once the password is another. */
export async function forgetPendingSecondFactor(tx: Tx, userId: string): Promise<void> {
  await tx.sql`delete from second_factors where user_id = ${userId} and state = 'pending'`;
}

async function afterProof<T>(
  deps: Needs,
  actor: Session,
  input: { readonly currentPassword: string; readonly otp: string },
  act: (tx: Tx) => Promise<T>,
): Promise<T> {
  await proveCurrentPassword(deps, actor.userId, input.currentPassword);
  await reserveAttempt(deps.database, proofKey(actor.userId), PROOF_RULE);
  return deps.database.transaction(async (tx) => {
    if (!(await holdsSecondFactor(tx.sql, actor.userId))) throw conflict(sentence('The authenticator app is not on.'));
    if (!(await acceptOtp(tx, deps.keyring, actor.userId, input.otp))) throw otpNotAccepted();
    await forgiveAttempts(tx, proofKey(actor.userId));
    return act(tx);
  });
}

async function writeRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    crockfordCode(RECOVERY_CODE_LENGTH, (length) => tx.database.randomBytes(length)),
  );
  await tx.sql`delete from recovery_codes where user_id = ${userId}`;
  await tx.sql`
    insert into recovery_codes (user_id, code_hash, created_at)
    select ${userId}, hash, ${tx.now} from unnest(${codes.map((code) => recoveryHash(userId, code))}::text[]) as hash`;
  return codes.map((code) => inGroups(code));
}

function conflict(message: Sentence): Refusal {
  return new Refusal('second_factor_conflict', { message });
}

function otpNotAccepted(): Refusal {
  return new Refusal('otp_not_accepted', { errors: { otp: [sentenceOf('otp_not_accepted')] } });
}
