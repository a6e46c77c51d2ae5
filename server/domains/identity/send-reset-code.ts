import { z } from 'zod';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { trySendAsked } from '../notifications/notify.ts';
import { codeValue } from '../notifications/sms-values.ts';
import { crockfordCode, inGroups } from './codes.rules.ts';
import { identitySms } from './identity.sms.ts';
import type { IdentityDependencies } from './identity.types.ts';
import { knownDeviceOf } from './known-devices.ts';
import { whoseId } from './whose-id.ts';

/** 40 random bits: the request that brings the code names no person, so it alone must be beyond guessing. */
export const RESET_CODE_LENGTH = 8;
const CODE_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
const CODES_PER_DAY = 10;
/** So many of them for devices where the owner has not signed in before: strangers do not use up all. */
const CODES_PER_DAY_ELSEWHERE = 5;

const payloadSchema = z.object({ id: z.uuid() });

/**
 * What becomes of a request for a reset code: when the pair belongs to an account that has had fewer than ten codes in
 * a day, and fewer than five of them for strangers' devices if it comes from one, a code goes out by SMS; otherwise
 * nothing happens. Either way the request is forgotten.
 */
export async function sendResetCode(
  { database, passwords }: Pick<IdentityDependencies, 'database' | 'passwords'>,
  payload: unknown,
): Promise<void> {
  const { id } = payloadSchema.parse(payload);
  const code = crockfordCode(RESET_CODE_LENGTH, (length) => database.randomBytes(length));
  const codeHash = await passwords.hashCode(code);
  await database.transaction(async (tx) => {
    const asked = await takeRequest(tx, id);
    if (asked === null || !(await mayHaveOne(tx, asked))) return;
    const { userId, phone, askedFrom } = asked;
    const expiresAt = new Date(tx.now.getTime() + CODE_MS);
    const sms = identitySms.resetCode(codeValue(inGroups(code)));
    const until = await trySendAsked(tx, { userId, phone, sms, causedBy: userId, sendBefore: expiresAt });
    if (until !== null) return;
    await tx.sql`
      insert into reset_codes (id, user_id, code_hash, asked_from, created_at, expires_at)
      values (${tx.newId()}, ${userId}, ${codeHash}, ${askedFrom}, ${tx.now}, ${expiresAt})`;
  });
}

interface Asked {
  readonly userId: string;
  readonly phone: string;
  readonly askedFrom: 'known_device' | 'elsewhere';
}

/** Deletes the request, so that it is carried out once, and locks its person, so that their codes are counted in turn. */
async function takeRequest(tx: Tx, id: string): Promise<Asked | null> {
  const [request] = await tx.sql<{ id_number: string; phone: string; devices: string[]; created_at: Date }[]>`
    delete from reset_requests where id = ${id} returning id_number, phone, devices, created_at`;
  if (!request || tx.now.getTime() - request.created_at.getTime() > CODE_MS) return null;
  const [person] = await tx.sql<{ id: string; phone: string; is_proven: boolean; is_anothers: boolean }[]>`
    select id, recovery_phone as phone, phone_is_anothers(recovery_phone, id) as is_anothers,
      recovery_phone_confirmed_at is not null or (phone = recovery_phone and phone_confirmed_at is not null) as is_proven
    from users u ${whoseId(tx, request.id_number, tx.sql`and u.recovery_phone = ${request.phone}`)}
    for no key update`;
  // A number that somebody else has confirmed since is theirs.
  if (!person || (!person.is_proven && person.is_anothers)) return null;
  const known = isGuarded('known_devices_apart') ? await knownDeviceOf(tx.sql, person.id, request.devices) : null;
  const { id: userId, phone } = person;
  return { userId, phone, askedFrom: known === null ? 'elsewhere' : 'known_device' };
}

async function mayHaveOne(tx: Tx, { userId, askedFrom }: Asked): Promise<boolean> {
  const since = new Date(tx.now.getTime() - DAY_MS);
  const [sent] = await tx.sql<{ all: number; elsewhere: number }[]>`
    select count(*)::int as all, count(*) filter (where asked_from = 'elsewhere')::int as elsewhere
    from reset_codes where user_id = ${userId} and created_at > ${since}`;
  const { all, elsewhere } = sent ?? { all: 0, elsewhere: 0 };
  return all < CODES_PER_DAY && (askedFrom === 'known_device' || elsewhere < CODES_PER_DAY_ELSEWHERE);
}
