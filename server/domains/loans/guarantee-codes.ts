import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { plainCode } from '@ushirika/contract/typed';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { digitCode, fastHash } from '../identity/codes.rules.ts';
import { sendAsked } from '../notifications/notify.ts';
import { codeValue, type SmsValue } from '../notifications/sms-values.ts';
import type { Sms } from '../notifications/sms-words.ts';

const CODE_DIGITS = 8;
const CODE_MS = 10 * 60_000;
const TRIES_MAX = 5;
const CODES_PER_DAY = 5;
const DAY_MS = 86_400_000;

/**
 * Sends the code that signs terms of a guarantee to the guarantor's own confirmed phone. The row of the guarantee is locked before.
 * @param words the SMS, which says what is signed
 * @returns when the code ends
 * @throws Refusal `phone_unconfirmed`, `too_many_requests`
 */
export async function sendGuaranteeCode(
  tx: Tx,
  { userId }: { readonly userId: string },
  input: { readonly guaranteeId: string; readonly termsHash: string; readonly words: (code: SmsValue) => Sms },
): Promise<Date> {
  const [user] = await tx.sql<{ phone: string; phone_confirmed_at: Date | null; sent: number }[]>`
    select phone, phone_confirmed_at, (
      select count(*)::int from loan_guarantee_codes
      where guarantee_id = ${input.guaranteeId} and created_at > ${new Date(tx.now.getTime() - DAY_MS)}) as sent
    from users where id = ${userId}`;
  if (!user?.phone_confirmed_at) throw new Refusal('phone_unconfirmed');
  if (user.sent >= CODES_PER_DAY) {
    throw new Refusal('too_many_requests', {
      message: sentence('You have asked for five codes for this guarantee in a day. Try again tomorrow.'),
      retryAfterSeconds: DAY_MS / 1000,
    });
  }
  const id = tx.newId();
  const code = digitCode(CODE_DIGITS, (length) => tx.database.randomBytes(length));
  const expiresAt = new Date(tx.now.getTime() + CODE_MS);
  await tx.sql`
    insert into loan_guarantee_codes (id, guarantee_id, code_hash, terms_hash, created_at, expires_at)
    values (${id}, ${input.guaranteeId}, ${fastHash(`${id}:${code}`)}, ${input.termsHash}, ${tx.now}, ${expiresAt})`;
  const sms = input.words(codeValue(`${code.slice(0, 4)} ${code.slice(4)}`));
  await sendAsked(tx, { userId, phone: user.phone, sms, causedBy: userId, sendBefore: expiresAt });
  return expiresAt;
}

/**
 * Counts a try of the newest code, in a transaction of its own: a refusal does not take it back.
 * @returns which code it was, where it is right
 */
export async function tryCode(
  database: Database,
  input: { readonly guaranteeId: string; readonly code: string },
): Promise<string | null> {
  const [tried] = await database.sql<{ id: string; code_hash: string }[]>`
    update loan_guarantee_codes set tries = tries + 1
    where id = (select id from loan_guarantee_codes where guarantee_id = ${input.guaranteeId}
                order by created_at desc, id desc limit 1)
      and tries < ${TRIES_MAX} and used_at is null and expires_at > ${database.now()}
    returning id, code_hash`;
  const typed = plainCode(input.code);
  return tried && fastHash(`${tried.id}:${typed}`) === tried.code_hash ? tried.id : null;
}

/** @throws Refusal `otp_not_accepted` where the code was not right, or is over, used, or for other terms */
export async function useCode(tx: Tx, codeId: string | null, termsHash: string): Promise<void> {
  const used = await tx.sql`
    update loan_guarantee_codes set used_at = ${tx.now}
    where id = ${codeId} and terms_hash = ${termsHash} and used_at is null and expires_at > ${tx.now}`;
  if (used.count === 0 && isGuarded('loans.guarantee_code')) throw new Refusal('otp_not_accepted');
}
