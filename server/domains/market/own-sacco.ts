import { Refusal } from '@ushirika/contract/refusal';
import type { Database } from '../../db/tx.ts';

/** SQL, for a statement that runs as a person: whether PostgreSQL counts the sacco of a parameter among that person's. */
export const isOwnSacco = (parameter: '$1' | '$2') => `${parameter}::uuid = any ((select my_saccos())::uuid[])`;

/**
 * The platform reads for people what all of a sacco see alike. Who is let in, the door has asked; this is the wall behind
 * it, which PostgreSQL holds (decision 110).
 * @throws Refusal `not_a_member` where the sacco is none of the person's who asks
 */
export async function assertOwnSacco(database: Database, saccoId: string): Promise<void> {
  const statement = `select ${isOwnSacco('$1')} as is_own`;
  const [row] = await database.sql.unsafe<{ is_own: boolean }[]>(statement, [saccoId], { prepare: true });
  assertIsOwn(row?.is_own);
}

export function assertIsOwn(isOwn: boolean | undefined): void {
  if (!isOwn) throw new Refusal('not_a_member');
}
