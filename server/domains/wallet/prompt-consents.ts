import { isKenyanMobile } from '@ushirika/contract/phone';
import { Refusal, sentenceOf } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { plainCode } from '@ushirika/contract/typed';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { digitCode, fastHash } from '../identity/codes.rules.ts';
import { notify, sendAsked } from '../notifications/notify.ts';
import { accountValue, codeValue } from '../notifications/sms-values.ts';
import { walletSms } from './wallet.sms.ts';

/*
 * Consent to send prompts to another person's phone. The phone's holder gives it once, by handing over a code from an
 * SMS.
 */

const CODE_DIGITS = 8;
const CODE_MS = 10 * 60_000;
const TRIES_MAX = 5;
const DAY_MS = 86_400_000;
/** Codes in a day: to one phone, from all askers; and of one person, to all phones. */
const CODES_TO_PHONE = 3;
const CODES_OF_PERSON = 5;

type Actor = { readonly userId: string };

/**
 * Sends a code to another phone, whose holder may hand it over. The SMS has the wallet's account number and no text
 * that a person wrote. Runs as the platform, because requests of other people to that phone are counted.
 * @throws Refusal `phone_unconfirmed`, `phone_not_kenyan`, `payer_known` or `too_many_requests`
 */
export async function askPayer(tx: Tx, { userId }: Actor, { phone }: { readonly phone: string }): Promise<Date> {
  const [user] = await tx.sql<{ is_confirmed: boolean; account_number: string; may_prompt: boolean }[]>`
    select phone_confirmed_at is not null as is_confirmed, account_number, may_prompt(id, ${phone})
    from users where id = ${userId} for no key update`;
  if (!user) throw new Refusal('session_ended');
  // A person without a confirmed phone may not send SMS to others.
  if (!user.is_confirmed) throw new Refusal('phone_unconfirmed');
  if (!isKenyanMobile(phone)) throw new Refusal('phone_not_kenyan');
  if (user.may_prompt) throw new Refusal('payer_known');
  await refuseTooManyCodes(tx, userId, phone);
  const id = tx.newId();
  const code = digitCode(CODE_DIGITS, (length) => tx.database.randomBytes(length));
  const expiresAt = new Date(tx.now.getTime() + CODE_MS);
  await tx.sql`
    insert into prompt_consents (id, user_id, phone, code_hash, created_at, expires_at)
    values (${id}, ${userId}, ${phone}, ${fastHash(`${id}:${code}`)}, ${tx.now}, ${expiresAt})`;
  const sms = walletSms.payerCode(
    accountValue(inThrees(user.account_number)),
    codeValue(`${code.slice(0, 4)} ${code.slice(4)}`),
  );
  const owner = await ownerOf(tx, phone);
  await sendAsked(tx, { ...(owner ? { userId: owner } : {}), phone, sms, causedBy: userId, sendBefore: expiresAt });
  return expiresAt;
}

async function refuseTooManyCodes(tx: Tx, userId: string, phone: string): Promise<void> {
  await tx.sql`
    insert into prompted_phones as p (phone, last_at) values (${phone}, ${tx.now})
    on conflict (phone) do update set last_at = excluded.last_at`;
  const since = new Date(tx.now.getTime() - DAY_MS);
  const [sent] = await tx.sql<{ to_phone: number; of_person: number }[]>`
    select
      (select count(*)::int from prompt_consents where phone = ${phone} and created_at > ${since}) as to_phone,
      (select count(*)::int from prompt_consents where user_id = ${userId} and created_at > ${since}) as of_person`;
  const message =
    sent && sent.of_person >= CODES_OF_PERSON
      ? sentence('You have asked five times for a code to another phone today. Try again tomorrow.')
      : sent && sent.to_phone >= CODES_TO_PHONE && isGuarded('codes_to_other_phones')
        ? sentence('That phone has had three such codes today. Try again tomorrow.')
        : null;
  if (message) throw new Refusal('too_many_requests', { message, retryAfterSeconds: DAY_MS / 1000 });
}

/**
 * Checks the code that the phone's holder handed over. The try is counted before the check; only the newest code is
 * valid.
 * @throws Refusal `phone_code_invalid`
 */
export async function confirmPayer(
  database: Database,
  { userId }: Actor,
  input: { readonly phone: string; readonly code: string },
): Promise<void> {
  const now = database.now();
  const [asked] = await database.sql<{ id: string; code_hash: string }[]>`
    update prompt_consents set tries = tries + 1
    where id = (select id from prompt_consents where user_id = ${userId} and phone = ${input.phone}
                order by created_at desc, id desc limit 1)
      and tries < ${TRIES_MAX} and given_at is null and expires_at > ${now}
    returning id, code_hash`;
  const typed = plainCode(input.code);
  if (!asked || fastHash(`${asked.id}:${typed}`) !== asked.code_hash) throw codeInvalid();
  await database.transaction(async (tx) => {
    const given = await tx.sql`
      update prompt_consents set given_at = ${tx.now}
      where id = ${asked.id} and given_at is null and expires_at > ${tx.now}`;
    if (given.count === 0) throw codeInvalid();
    const owner = await ownerOf(tx, input.phone);
    if (!owner) return;
    const [user] = await tx.sql<{ account_number: string }[]>`select account_number from users where id = ${userId}`;
    const account = inThrees(user?.account_number ?? '');
    await notify(tx, {
      userId: owner,
      template: 'payer_agreed',
      causedBy: userId,
      text: sentence('Wallet {account} may now send M-Pesa prompts to your phone. You can end it in the settings.', {
        account,
      }),
    });
  });
}

/** Ends a consent: by the wallet's owner, or by the owner of the confirmed phone. Throws `not_found`. */
export async function endPayer(tx: Tx, { userId }: Actor, { id }: { readonly id: string }): Promise<void> {
  const ended = await tx.sql`
    update prompt_consents set ended_at = ${tx.now}, ended_by = ${userId}
    where id = ${id} and given_at is not null and ended_at is null
      and (user_id = ${userId}
           or phone = (select phone from users where id = ${userId} and phone_confirmed_at is not null))`;
  if (ended.count === 0) throw new Refusal('not_found');
}

interface Agreed {
  readonly id: string;
  readonly is_own: boolean;
  readonly phone: string;
  readonly name: string;
  readonly account_number: string;
  readonly given_at: Date;
}

/** The most that are listed of each kind, newest first. */
const LISTED_MAX = 100;

/**
 * The consents for the user's own wallet, and those for the user's own phone. Runs as the platform, because it shows
 * the names of other wallets' owners.
 */
export async function payersOf(database: Database, { userId }: Actor) {
  const { sql } = database;
  const rows = await sql<Agreed[]>`
    (select c.id, true as is_own, c.phone, '' as name, '' as account_number, c.given_at from prompt_consents c
     where c.user_id = ${userId} and c.given_at is not null and c.ended_at is null
     order by c.created_at desc limit ${LISTED_MAX})
    union all
    (select c.id, false, c.phone, p.first_name || ' ' || p.last_name, p.account_number, c.given_at
     from users u join prompt_consents c on c.phone = u.phone join users p on p.id = c.user_id
     where u.id = ${userId} and u.phone_confirmed_at is not null and c.user_id <> u.id
       and c.given_at is not null and c.ended_at is null
     order by c.created_at desc limit ${LISTED_MAX})`;
  const since = (at: Date) => at.toISOString();
  return {
    phones: rows.filter((row) => row.is_own).map(({ id, phone, given_at }) => ({ id, phone, since: since(given_at) })),
    wallets: rows
      .filter((row) => !row.is_own)
      .map(({ id, name, account_number, given_at }) => ({ id, name, account_number, since: since(given_at) })),
  };
}

async function ownerOf(tx: Tx, phone: string): Promise<string | null> {
  const [owner] = await tx.sql<{ id: string }[]>`
    select id from users where phone = ${phone} and phone_confirmed_at is not null`;
  return owner?.id ?? null;
}

/** In groups of three digits, as one reads it out: `804 217 350`. */
const inThrees = (digits: string) => digits.replaceAll(/(\d{3})(?=\d)/g, '$1 ');

function codeInvalid(): Refusal {
  return new Refusal('phone_code_invalid', { errors: { code: [sentenceOf('phone_code_invalid')] } });
}
