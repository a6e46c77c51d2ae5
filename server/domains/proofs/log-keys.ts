import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import type { VerifierKey } from '@ushirika/verifier/note';
import type { Database, Tx } from '../../db/tx.ts';
import type { Keyring } from '../identity/keyring.ts';

const BELONGS_TO = 'log_keys';
const NONCE_BYTES = 12;

/** The key that signs checkpoints now. */
export interface LogKey {
  readonly id: number;
  readonly publicKey: Buffer;
  readonly sign: (message: Uint8Array) => Buffer;
}

interface KeyRow {
  readonly id: number;
  readonly public_key: Buffer;
  readonly sealed_key: Buffer;
  readonly sealed_by: string;
}

/** The current key, locked, so that one process signs at a time; the first call makes one. @throws where the keyring cannot open it */
export async function currentKey(tx: Tx, keyring: Keyring): Promise<LogKey> {
  const row = (await lockedKey(tx)) ?? (await makeKey(tx, keyring));
  const der = keyring.open({ keyId: row.sealed_by, bytes: row.sealed_key }, BELONGS_TO);
  const secret = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return { id: row.id, publicKey: row.public_key, sign: (message) => sign(null, message, secret) };
}

async function lockedKey({ sql }: Tx): Promise<KeyRow | undefined> {
  const [row] = await sql<KeyRow[]>`
    select id, public_key, sealed_key, sealed_by from log_keys where retired_at is null for update`;
  return row;
}

/** Makes a key, seals it and stores it. Where another process is first, its key is taken. */
async function makeKey(tx: Tx, keyring: Keyring): Promise<KeyRow> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const sealed = keyring.seal(
    privateKey.export({ format: 'der', type: 'pkcs8' }),
    BELONGS_TO,
    tx.database.randomBytes(NONCE_BYTES),
  );
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  await tx.sql`
    insert into log_keys (public_key, sealed_key, sealed_by, created_at)
    values (${raw}, ${sealed.bytes}, ${sealed.keyId}, ${tx.now})
    on conflict ((true)) where retired_at is null do nothing`;
  const row = await lockedKey(tx);
  if (!row) throw new Error('The key of the logs was not stored.');
  return row;
}

/** The keys that ever signed checkpoints of a log, the current one first, under its origin. */
export async function keysOf({ sql }: Pick<Database, 'sql'>, origin: string): Promise<VerifierKey[]> {
  const rows = await sql<{ public_key: Buffer }[]>`select public_key from log_keys order by id desc`;
  return rows.map(({ public_key }) => ({ name: origin, type: 'log', publicKey: Uint8Array.from(public_key) }));
}

/** Since when each key signs, and until when it did, the current one first. */
export async function keyDatesOf({ sql }: Pick<Database, 'sql'>): Promise<{ since: string; until: string | null }[]> {
  const rows = await sql<{ created_at: Date; retired_at: Date | null }[]>`
    select created_at, retired_at from log_keys order by id desc`;
  return rows.map(({ created_at, retired_at }) => ({
    since: created_at.toISOString(),
    until: retired_at?.toISOString() ?? null,
  }));
}

/** Retires the key that signs, and makes another, in one transaction; the platform's log says so. @returns the new key, by its public half */
export const rotateLogKey = (database: Database, keyring: Keyring): Promise<string> =>
  database.transaction(async (tx) => {
    const before = await lockedKey(tx);
    if (before) await tx.sql`update log_keys set retired_at = ${tx.now} where id = ${before.id}`;
    const { public_key } = await makeKey(tx, keyring);
    const facts = { retired: before?.public_key.toString('base64') ?? null, key: public_key.toString('base64') };
    await tx.sql`select log_platform_event('key_rotated', ${tx.now}, ${JSON.stringify(facts)}::text::jsonb)`;
    return facts.key;
  });
