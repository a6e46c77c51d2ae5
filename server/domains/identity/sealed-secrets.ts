import type { Database, Tx } from '../../db/tx.ts';
import type { Keyring, Sealed } from './keyring.ts';

const NONCE_BYTES = 12;

export interface SealedRow {
  readonly user_id: string;
  readonly secret: Buffer;
  /** Null: not sealed yet, from before 0096. */
  readonly key_id: string | null;
}

/** The secret of an authenticator app, as it is stored. */
export function sealSecret(keyring: Keyring, tx: Tx, userId: string, secret: Buffer): Sealed {
  return keyring.seal(secret, `second_factors/${userId}`, tx.database.randomBytes(NONCE_BYTES));
}

export function openSecret(keyring: Keyring, { user_id: userId, secret, key_id: keyId }: SealedRow): Buffer {
  return keyId === null ? secret : keyring.open({ keyId, bytes: secret }, `second_factors/${userId}`);
}

/** The ids of keys that rows are sealed with and that the keyring does not have. */
export async function missingKeys(database: Pick<Database, 'sql'>, keyring: Keyring): Promise<string[]> {
  const rows = await database.sql<{ key_id: string }[]>`
    select distinct key_id from second_factors where key_id <> all(${[...keyring.keyIds]}::text[])`;
  return rows.map((row) => row.key_id);
}

/** Seals with the first key what is not sealed, or sealed with an older one. Returns how many rows. */
export async function sealAllSecrets(database: Database, keyring: Keyring): Promise<number> {
  return database.transaction(async (tx) => {
    const rows = await tx.sql<SealedRow[]>`
      select user_id, secret, key_id from second_factors
      where key_id is distinct from ${keyring.keyIds[0] ?? ''} for update`;
    for (const row of rows) {
      const { keyId, bytes } = sealSecret(keyring, tx, row.user_id, openSecret(keyring, row));
      await tx.sql`update second_factors set secret = ${bytes}, key_id = ${keyId} where user_id = ${row.user_id}`;
    }
    return rows.length;
  });
}
