import { z } from 'zod';
import type { Tx } from '../../db/tx.ts';
import { notify } from '../notifications/notify.ts';
import { crockfordCode, inGroups } from './codes.rules.ts';
import { messages } from './identity.messages.ts';
import type { IdentityDependencies } from './identity.types.ts';

/** 40 random bits: the request that brings the code names no person, so it alone must be beyond guessing. */
export const RESET_CODE_LENGTH = 8;
const CODE_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
const CODES_PER_DAY = 10;

const payloadSchema = z.object({ id: z.uuid() });

/**
 * What becomes of a request for a reset code: when the pair belongs to an account that has had fewer than ten codes in
 * a day, a code goes out by SMS; otherwise nothing happens. Either way the request is forgotten.
 */
export async function sendResetCode(
  { database, passwords }: Pick<IdentityDependencies, 'database' | 'passwords'>,
  payload: unknown,
): Promise<void> {
  const { id } = payloadSchema.parse(payload);
  const code = crockfordCode(RESET_CODE_LENGTH, (length) => database.randomBytes(length));
  const codeHash = await passwords.hashCode(code);
  await database.transaction(async (tx) => {
    const userId = await takeRequest(tx, id);
    if (userId === null || (await codesOfTheDay(tx, userId)) >= CODES_PER_DAY) return;
    const expiresAt = new Date(tx.now.getTime() + CODE_MS);
    const [person] = await tx.sql<{ recovery_phone: string }[]>`
      insert into reset_codes (id, user_id, code_hash, created_at, expires_at)
      values (${tx.newId()}, ${userId}, ${codeHash}, ${tx.now}, ${expiresAt})
      returning (select recovery_phone from users where id = user_id) as recovery_phone`;
    if (!person) throw new Error('a reset code of nobody');
    await notify(tx, {
      userId,
      phone: person.recovery_phone,
      template: 'reset_code',
      text: messages.resetCode(inGroups(code)),
      secret: true,
      sendBefore: expiresAt,
    });
  });
}

/** Deletes the request, so that it is carried out once, and locks its person, so that their codes are counted in turn. */
async function takeRequest(tx: Tx, id: string): Promise<string | null> {
  const [request] = await tx.sql<{ id_number: string; phone: string; created_at: Date }[]>`
    delete from reset_requests where id = ${id} returning id_number, phone, created_at`;
  if (!request || tx.now.getTime() - request.created_at.getTime() > CODE_MS) return null;
  const [person] = await tx.sql<{ id: string }[]>`
    select id from users where id_number = ${request.id_number} and recovery_phone = ${request.phone}
    for no key update`;
  return person?.id ?? null;
}

async function codesOfTheDay(tx: Tx, userId: string): Promise<number> {
  const since = new Date(tx.now.getTime() - DAY_MS);
  const [row] = await tx.sql<{ count: number }[]>`
    select count(*)::int as count from reset_codes where user_id = ${userId} and created_at > ${since}`;
  return row?.count ?? 0;
}
