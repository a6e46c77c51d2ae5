import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import type { LogFacts } from '@ushirika/contract/proofs';
import { toBase64, utf8 } from '@ushirika/verifier/bytes';
import { keyChangeText, type VerifierKey } from '@ushirika/verifier/note';
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

/** The keyring does not open the key that signs the logs. The message is all that an operator needs. */
export class UnopenedKey extends Error {
  constructor(sealedBy: string) {
    super(
      `The key of the logs is sealed with the key ${sealedBy}, which does not open it: it must be in SECRETS_KEY, or in secrets.key of DATA_DIR.\n` +
        'Put that key back. Where it is lost for good, `npm run operator -- log rotate-key lost` makes a new key of the logs.',
    );
  }
}

/** The current key, locked, so that one process signs at a time; the first call makes one. @throws UnopenedKey */
export async function currentKey(tx: Tx, keyring: Keyring): Promise<LogKey> {
  const row = (await lockedKey(tx)) ?? (await makeKey(tx, keyring));
  return { id: row.id, publicKey: row.public_key, sign: signerOf(row, keyring) };
}

/** @throws UnopenedKey */
function signerOf(row: KeyRow, keyring: Keyring): LogKey['sign'] {
  const secret = createPrivateKey({ key: opened(row, keyring), format: 'der', type: 'pkcs8' });
  return (message) => sign(null, message, secret);
}

function opened({ sealed_key: bytes, sealed_by: keyId }: KeyRow, keyring: Keyring): Buffer {
  try {
    return keyring.open({ keyId, bytes }, BELONGS_TO);
  } catch {
    throw new UnopenedKey(keyId);
  }
}

async function lockedKey({ sql }: Tx): Promise<KeyRow | undefined> {
  const [row] = await sql<KeyRow[]>`
    select id, public_key, sealed_key, sealed_by from log_keys where retired_at is null for update`;
  return row;
}

/**
 * Makes a key, seals it and stores it. Where another process is first, its key is taken.
 * @param before the key that signs for it; null for none
 */
async function makeKey(tx: Tx, keyring: Keyring, before: LogKey['sign'] | null = null): Promise<KeyRow> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const sealed = keyring.seal(
    privateKey.export({ format: 'der', type: 'pkcs8' }),
    BELONGS_TO,
    tx.database.randomBytes(NONCE_BYTES),
  );
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const signed = before?.(utf8(keyChangeText(raw))) ?? null;
  await tx.sql`
    insert into log_keys (public_key, sealed_key, sealed_by, created_at, signed_by_last)
    values (${raw}, ${sealed.bytes}, ${sealed.keyId}, ${tx.now}, ${signed})
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

/** Since when each key signs, until when it did, and the signature of the one before it, the current one first. */
export async function keyDatesOf({ sql }: Pick<Database, 'sql'>): Promise<LogFacts['key_dates']> {
  const rows = await sql<{ created_at: Date; retired_at: Date | null; signed_by_last: Buffer | null }[]>`
    select created_at, retired_at, signed_by_last from log_keys order by id desc`;
  return rows.map(({ created_at, retired_at, signed_by_last }) => ({
    since: created_at.toISOString(),
    until: retired_at?.toISOString() ?? null,
    signed_by_last: signed_by_last && toBase64(signed_by_last),
  }));
}

/**
 * Retires the key that signs, and makes another, in one transaction; the platform's log says so. The old key signs for the new one, unless it is lost.
 * @returns the new key, by its public half, and whether the old one signed for it
 * @throws UnopenedKey where the old one is not lost and the keyring cannot open it
 */
export const rotateLogKey = (
  database: Database,
  keyring: Keyring,
  { isLost }: { isLost: boolean },
): Promise<{ key: string; isSigned: boolean }> =>
  database.transaction(async (tx) => {
    const before = await lockedKey(tx);
    const signer = before && !isLost ? signerOf(before, keyring) : null;
    if (before) await tx.sql`update log_keys set retired_at = ${tx.now} where id = ${before.id}`;
    const { public_key } = await makeKey(tx, keyring, signer);
    const facts = { retired: before?.public_key.toString('base64') ?? null, key: public_key.toString('base64') };
    await tx.sql`select log_platform_event('key_rotated', ${tx.now}, ${JSON.stringify(facts)}::text::jsonb)`;
    return { key: facts.key, isSigned: signer !== null };
  });
