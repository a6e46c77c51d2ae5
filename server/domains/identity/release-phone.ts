import { z } from 'zod';
import type { Database } from '../../db/tx.ts';
import { notifyAll } from '../notifications/notify.ts';
import { messages } from './identity.messages.ts';

const payloadSchema = z.object({ phone: z.string() });
const CLAIMS_MAX = 100;

/**
 * Somebody has confirmed a number: those who had written it into their profiles without confirming it are told that it is
 * gone. Twice comes to the same: whoever was told is not told again of that number.
 */
export async function releasePhone(database: Database, payload: unknown): Promise<void> {
  const { phone } = payloadSchema.parse(payload);
  await database.transaction(async (tx) => {
    const claims = await tx.sql<{ id: string }[]>`
      select id from users
      where phone = ${phone} and phone_confirmed_at is null and phone_is_anothers(phone, id)
        and (phone_lost_told is null or phone_lost_told <> phone)
      order by id limit ${CLAIMS_MAX} for no key update`;
    await tx.sql`
      update users set phone_lost_told = phone where id = any (${claims.map(({ id }) => id)}::uuid[])`;
    const text = messages.phoneLost(phone);
    await notifyAll(
      tx,
      claims.map(({ id: userId }) => ({ userId, template: 'phone_lost', text, causedBy: null })),
    );
  });
}
