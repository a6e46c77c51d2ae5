import type { Database } from '../../db/tx.ts';

/**
 * The secret part of the callback addresses. It is generated once and stored, because M-Pesa uses the addresses after a
 * restart. It is hexadecimal: M-Pesa refuses addresses with certain words, which other letters could form.
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
