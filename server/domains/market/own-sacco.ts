import { Refusal } from '@ushirika/contract/refusals';
import type { Database } from '../../db/tx.ts';

/** In a statement that runs as a person: whether PostgreSQL counts the sacco of `$2` among that person's. */
export const IS_OWN_SACCO = '$2 = any ((select my_saccos())::uuid[])';

/**
 * The platform reads for people what all of a sacco see alike. Who is let in, the door has asked; this is the wall behind
 * it, which PostgreSQL holds (decision 110).
 * @throws Refusal `not_a_member` where the sacco is none of the person's who asks
 */
export async function assertOwnSacco(database: Database, saccoId: string): Promise<void> {
  const [row] = await database.sql<{ is_own: boolean }[]>`
    select ${saccoId}::uuid = any ((select my_saccos())::uuid[]) as is_own`;
  assertIsOwn(row?.is_own);
}

export function assertIsOwn(isOwn: boolean | undefined): void {
  if (!isOwn) throw new Refusal('not_a_member');
}
