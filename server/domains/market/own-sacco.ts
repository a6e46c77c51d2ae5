import { Refusal } from '@ushirika/contract/refusal';
import type { Database } from '../../db/tx.ts';

/**
 * SQL for a statement that runs as a person: whether PostgreSQL counts the sacco of a parameter among that person's.
 */
export const isOwnSacco = (parameter: '$1' | '$2') => `${parameter}::uuid = any ((select my_saccos())::uuid[])`;

/**
 * Checks in PostgreSQL that the sacco is one of the person's who asks, before the platform reads for them what all its
 * members may see. `admit.ts` has checked it already; this is a second check, by another mechanism (decision 110).
 * @throws Refusal `not_a_member` where it is not
 */
export async function assertOwnSacco(database: Database, saccoId: string): Promise<void> {
  const statement = `select ${isOwnSacco('$1')} as is_own`;
  const [row] = await database.sql.unsafe<{ is_own: boolean }[]>(statement, [saccoId], { prepare: true });
  assertIsOwn(row?.is_own);
}

export function assertIsOwn(isOwn: boolean | undefined): void {
  if (!isOwn) throw new Refusal('not_a_member');
}
