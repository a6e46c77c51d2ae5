import { Refusal, sentenceOf } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { plainCode } from '@ushirika/contract/typed';
import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { notify, sendAsked } from '../notifications/notify.ts';
import { codeValue, phoneValue } from '../notifications/sms-values.ts';
import { refuseWhileHeld } from './account-hold.rules.ts';
import { proveCurrentPassword } from './authenticate.ts';
import { digitCode } from './codes.rules.ts';
import { identitySms } from './identity.sms.ts';
import type { IdentityDependencies } from './identity.types.ts';
import { refuseUnreachedPhone } from './refuse-phone.ts';
import { PAYOUT_HOLD_MS } from './reset-password.ts';

const CODE_DIGITS = 8;
const CODE_MS = 10 * 60_000;
const TRIES_MAX = 5;
const CODES_PER_DAY = 10;
const DAY_MS = 86_400_000;
/** The first half of the advisory locks under which a number is confirmed. */
const CONFIRMING = 7244;

type Needs = Pick<IdentityDependencies, 'database' | 'passwords'>;

interface PhoneRow {
  phone: string;
  phone_confirmed_at: Date | null;
  recovery_phone: string;
  payout_held_until: Date | null;
}

/** Whether the phone of the profile takes the place of the one where reset codes go. */
const isReplacing = ({ phone, recovery_phone }: PhoneRow) => phone !== recovery_phone;

/**
 * Sends a code by SMS to the phone of the profile.
 * @throws Refusal `phone_already_confirmed`, `validation_failed` (no SMS reaches it), `phone_taken`, `account_held`,
 *   `too_many_requests` (three codes an hour, ten a day, for the phone and for the account), `unavailable`
 */
export async function requestPhoneConfirmation(
  { database, passwords, smsCountries }: Needs & Pick<IdentityDependencies, 'smsCountries'>,
  actor: { readonly userId: string },
): Promise<{ expiresAt: Date; isPasswordRequired: boolean }> {
  const code = digitCode(CODE_DIGITS, (length) => database.randomBytes(length));
  const codeHash = await passwords.hash(code);
  return database.transaction(async (tx) => {
    const [person] = await tx.sql<PhoneRow[]>`
      select phone, phone_confirmed_at, recovery_phone, payout_held_until
      from users where id = ${actor.userId} for no key update`;
    if (!person) throw new Refusal('session_ended');
    if (person.phone_confirmed_at) throw new Refusal('phone_already_confirmed');
    refuseUnreachedPhone(person.phone, smsCountries);
    await refuseAnothersPhone(tx, actor.userId, person.phone);
    if (isReplacing(person)) refuseWhileHeld(person.payout_held_until, tx.now);
    await refuseTooManyCodes(tx, actor.userId);
    const expiresAt = new Date(tx.now.getTime() + CODE_MS);
    await tx.sql`
      insert into phone_codes (id, user_id, phone, code_hash, created_at, expires_at)
      values (${tx.newId()}, ${actor.userId}, ${person.phone}, ${codeHash}, ${tx.now}, ${expiresAt})`;
    const sms = identitySms.phoneCode(codeValue(`${code.slice(0, 4)} ${code.slice(4)}`));
    const { userId } = actor;
    await sendAsked(tx, { userId, phone: person.phone, sms, causedBy: userId, sendBefore: expiresAt });
    return { expiresAt, isPasswordRequired: isReplacing(person) };
  });
}

async function refuseTooManyCodes(tx: Tx, userId: string): Promise<void> {
  const since = new Date(tx.now.getTime() - DAY_MS);
  const [sent] = await tx.sql<{ count: number; first: Date | null }[]>`
    select count(*)::int as count, min(created_at) as first
    from phone_codes where user_id = ${userId} and created_at > ${since}`;
  if (!sent?.first || sent.count < CODES_PER_DAY) return;
  throw new Refusal('too_many_requests', {
    message: sentence('You have asked for ten codes in a day. Try again tomorrow.'),
    retryAfterSeconds: Math.ceil((sent.first.getTime() + DAY_MS - tx.now.getTime()) / 1000),
  });
}

/**
 * Confirms the phone of the profile. Where it replaces an earlier one the password is asked for too, and withdrawals
 * are held for 24 hours: a stolen session and a phone of one's own are not enough to empty a wallet. While they are held
 * already, as after a reset of the password, none takes its place: the owner's reset codes go on going where they went.
 * Whoever confirms a number has it: those who had written it down too are told that it is gone.
 * @throws Refusal `phone_already_confirmed`, `phone_taken`, `account_held`, `current_password_wrong`,
 *   `phone_code_invalid`, `too_many_requests`
 */
export async function confirmPhone(
  deps: Needs,
  actor: { readonly userId: string },
  input: { readonly code: string; readonly currentPassword?: string | undefined },
): Promise<void> {
  const { database, passwords } = deps;
  const [person] = await database.sql<PhoneRow[]>`
    select phone, phone_confirmed_at, recovery_phone, payout_held_until from users where id = ${actor.userId}`;
  if (!person) throw new Refusal('session_ended');
  if (person.phone_confirmed_at) throw new Refusal('phone_already_confirmed');
  if (isReplacing(person)) {
    refuseWhileHeld(person.payout_held_until, database.now());
    if (input.currentPassword === undefined) throw passwordMissing();
    await proveCurrentPassword(deps, actor.userId, input.currentPassword);
  }
  const code = await countTry(database, actor.userId, person.phone);
  const typed = plainCode(input.code);
  if (!code || !(await passwords.verify(typed, code.code_hash))) throw codeInvalid();
  await database.transaction(async (tx) => {
    // A reset that came meanwhile has the last word: its lock is awaited.
    const [current] = await tx.sql<{ payout_held_until: Date | null }[]>`
      select payout_held_until from users where id = ${actor.userId} for no key update`;
    if (current && isReplacing(person)) refuseWhileHeld(current.payout_held_until, tx.now);
    const used = await tx.sql`
      update phone_codes set used_at = ${tx.now}
      where id = ${code.id} and used_at is null and expires_at > ${tx.now}`;
    if (used.count === 0) throw codeInvalid();
    await markConfirmed(tx, actor.userId, person);
  });
}

async function markConfirmed(tx: Tx, userId: string, person: PhoneRow): Promise<void> {
  const isReplacement = isReplacing(person);
  const heldUntil = new Date(tx.now.getTime() + PAYOUT_HOLD_MS);
  // The phone that is replaced learns of it, if it was confirmed; otherwise the list is enough.
  const text = identitySms.phoneConfirmed(phoneValue(person.phone));
  if (isReplacement) await notify(tx, { userId, sms: text, causedBy: userId });
  else await notify(tx, { userId, template: text.template, text: text.words, causedBy: userId });
  // Of two accounts that confirm one number at once, one has it.
  await tx.sql`select pg_advisory_xact_lock(${CONFIRMING}, hashtext(${person.phone}))`;
  await refuseAnothersPhone(tx, userId, person.phone);
  const confirmed = await tx.sql`
    update users
    set phone_confirmed_at = ${tx.now}, recovery_phone = phone, recovery_phone_confirmed_at = ${tx.now},
        updated_at = ${tx.now},
        payout_held_until = case when ${isReplacement} then greatest(payout_held_until, ${heldUntil}::timestamptz)
                                 else payout_held_until end
    where id = ${userId} and phone = ${person.phone} and recovery_phone = ${person.recovery_phone}`;
  if (confirmed.count === 0) throw codeInvalid();
  await enqueue(tx, 'release_phone', { phone: person.phone });
}

async function refuseAnothersPhone(tx: Tx, userId: string, phone: string): Promise<void> {
  const [row] = await tx.sql<{ is_anothers: boolean }[]>`select phone_is_anothers(${phone}, ${userId}) as is_anothers`;
  if (row?.is_anothers) throw new Refusal('phone_taken');
}

/** Counts a try before it is judged, so that tries at once are no more than tries in turn. The newest code counts. */
async function countTry(
  database: IdentityDependencies['database'],
  userId: string,
  phone: string,
): Promise<{ id: string; code_hash: string } | null> {
  const now = database.now();
  const [code] = await database.sql<{ id: string; code_hash: string }[]>`
    update phone_codes set tries = tries + 1
    where id = (select id from phone_codes where user_id = ${userId} and phone = ${phone}
                order by created_at desc, id desc limit 1)
      and tries < ${TRIES_MAX} and used_at is null and expires_at > ${now}
    returning id, code_hash`;
  return code ?? null;
}

function passwordMissing(): Refusal {
  const message = sentence('Enter your password to confirm a new phone number.');
  return new Refusal('current_password_wrong', { message, errors: { current_password: [message] } });
}

function codeInvalid(): Refusal {
  return new Refusal('phone_code_invalid', { errors: { code: [sentenceOf('phone_code_invalid')] } });
}
