import type { Tx } from '../../db/tx.ts';

/** Gives somebody another name; an identity that was verified under the one before is verified no longer. */
export async function setName(
  tx: Tx,
  { userId, firstName, lastName }: { readonly userId: string; readonly firstName: string; readonly lastName: string },
): Promise<void> {
  await tx.sql`
    update users set first_name = ${firstName}, last_name = ${lastName}, id_verified_at = null, updated_at = ${tx.now}
    where id = ${userId} and (first_name, last_name) is distinct from (${firstName}, ${lastName})`;
}
