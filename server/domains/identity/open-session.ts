import type { SignedIn, User } from '@ushirika/contract/identity';
import type { Unsaid } from '@ushirika/contract/said';
import type { Sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { fastHash } from './codes.rules.ts';
import { deviceOf } from './device.rules.ts';
import type { Origin, PersonRow } from './identity.types.ts';
import { knowDevice } from './known-devices.ts';

const SESSION_MS = 12 * 3_600_000;
export const SESSION_IDLE_MS = 3_600_000;
const TOKEN_BYTES = 32;

export type EndReason =
  | 'logout'
  | 'logout_everywhere'
  | 'ended_by_owner'
  | 'password_reset'
  | 'password_changed'
  | 'second_factor_changed'
  | 'operator_revoked'
  | 'suspended';

/** Opens a session. The token is in the answer and nowhere else: the row has its hash. */
export async function openSession(
  tx: Tx,
  input: { readonly userId: string; readonly origin: Origin; readonly hasSecondFactor: boolean },
): Promise<{ token: string; expiresAt: Date }> {
  const token = tx.database.randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(tx.now.getTime() + SESSION_MS);
  const { address, userAgent } = input.origin;
  await tx.sql`
    insert into sessions (id, user_id, token_hash, device, address, second_factor_at, proven_at, created_at, last_seen_at,
                          expires_at)
    values (${tx.newId()}, ${input.userId}, ${fastHash(token)}, ${deviceOf(userAgent)}, ${address.slice(0, 100)},
            ${input.hasSecondFactor ? tx.now : null}, ${tx.now}, ${tx.now}, ${tx.now}, ${expiresAt})`;
  await knowDevice(tx, input.userId, input.origin);
  return { token, expiresAt };
}

/** Ends a person's live sessions, all or all but one, from the next request on. Returns how many. */
export async function endSessions(
  tx: Tx,
  userId: string,
  reason: EndReason,
  options: { readonly but?: string } = {},
): Promise<number> {
  const but = options.but === undefined ? tx.sql`` : tx.sql`and id <> ${options.but}`;
  const ended = await tx.sql`
    update sessions set ended_at = ${tx.now}, end_reason = ${reason}
    where user_id = ${userId} and ended_at is null ${but}`;
  return ended.count;
}

/** The person as the wire names them. */
export function userOnWire(person: Omit<PersonRow, 'password_hash' | 'phone_confirmed_at' | 'recovery_phone'>): User {
  return {
    id: person.id,
    first_name: person.first_name,
    last_name: person.last_name,
    id_number: person.id_number,
    phone_number: person.phone,
    email: person.email,
  };
}

export function signedInReply(
  message: Sentence,
  session: { readonly token: string; readonly expiresAt: Date },
  user: User,
  mustEnrol: boolean,
  suspended: SignedIn['suspended'] = null,
): Unsaid<SignedIn> {
  return {
    success: true,
    message,
    token: session.token,
    expires_at: session.expiresAt.toISOString(),
    user,
    second_factor_enrolment_required: mustEnrol,
    suspended,
  };
}
