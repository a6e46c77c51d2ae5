import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';
import { fastHash } from './codes.rules.ts';
import { devicesIn, withDevice } from './device.rules.ts';
import type { Origin } from './identity.types.ts';

const TOKEN_BYTES = 32;
/** Of one person; the one that signed in longest ago is forgotten first. */
const DEVICES_MAX = 10;

/** The devices that a request's cookie names, hashed. */
export function devicesOf({ deviceCookie }: Pick<Origin, 'deviceCookie'>): string[] {
  return devicesIn(deviceCookie ?? null).map(fastHash);
}

/** Which of these devices the person has signed in on, the latest first; null: none of them. */
export async function knownDeviceOf(
  sql: Database['sql'] | Tx['sql'],
  userId: string,
  devices: readonly string[],
): Promise<string | null> {
  if (devices.length === 0) return null;
  const [known] = await sql<{ token_hash: string }[]>`
    select token_hash from known_devices where user_id = ${userId} and token_hash = any (${[...devices]}::text[])
    order by signed_in_at desc limit 1`;
  return known?.token_hash ?? null;
}

/**
 * A person has proved themselves on this device: it gets a new token for them, in the place of the one that it had, and
 * keeps those of others who sign in on it. The token opens nothing: it only says where failures are counted.
 */
export async function knowDevice(tx: Tx, userId: string, origin: Origin): Promise<void> {
  const tokens = devicesIn(origin.deviceCookie ?? null);
  const hashes = tokens.map(fastHash);
  const old = await tx.sql<{ token_hash: string }[]>`
    delete from known_devices where user_id = ${userId} and token_hash = any (${hashes}::text[]) returning token_hash`;
  const token = tx.database.randomBytes(TOKEN_BYTES).toString('base64url');
  await tx.sql`
    insert into known_devices (user_id, token_hash, signed_in_at) values (${userId}, ${fastHash(token)}, ${tx.now})`;
  await tx.sql`
    delete from known_devices where user_id = ${userId} and token_hash not in (
      select token_hash from known_devices where user_id = ${userId} order by signed_in_at desc limit ${DEVICES_MAX})`;
  const gone = new Set(old.map(({ token_hash }) => token_hash));
  const others = tokens.filter((_token, index) => !gone.has(hashes[index] ?? ''));
  tx.afterCommit(() => origin.keepDevice?.(withDevice(others, token)));
}

/** Which person signed in on this device last, as its cookie says; null where nobody has. */
export async function ownerOfDevice(sql: Database['sql'], devices: readonly string[]): Promise<string | null> {
  if (devices.length === 0 || !isGuarded('known_devices_apart')) return null;
  const [owner] = await sql<{ user_id: string }[]>`
    select user_id from known_devices where token_hash = ${devices.at(-1) ?? ''} limit 1`;
  return owner?.user_id ?? null;
}

/** After a reset with a code from the owner's phone: whoever had signed in before is a stranger. */
export async function forgetDevices(tx: Tx, userId: string): Promise<void> {
  await tx.sql`delete from known_devices where user_id = ${userId}`;
}
