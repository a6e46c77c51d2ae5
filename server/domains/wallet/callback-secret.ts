import type { Database } from '../../db/tx.ts';

/**
 * The secret part of the call-back address, made once and kept: addresses given to M-Pesa must outlive a restart. Hex,
 * since M-Pesa refuses addresses with certain words in them, which other letters could make.
 */
export async function callbackSecret(database: Database): Promise<string> {
  return database.transaction(async (tx) => {
    const made = database.randomBytes(24).toString('hex');
    await tx.sql`
      insert into platform_secrets (name, value, created_at) values ('mpesa_callback', ${made}, ${tx.now})
      on conflict (name) do nothing`;
    const [row] = await tx.sql<{ value: string }[]>`select value from platform_secrets where name = 'mpesa_callback'`;
    if (!row) throw new Error('The call-back secret is not there.');
    return row.value;
  });
}
