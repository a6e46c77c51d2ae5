import type { Tx } from '../../db/tx.ts';

/** Gives somebody another name; the database ends what was read of the one before (end_identity_of_renamed). */
export async function setName(
  tx: Tx,
  { userId, firstName, lastName }: { readonly userId: string; readonly firstName: string; readonly lastName: string },
): Promise<void> {
  await tx.sql`
    update users set first_name = ${firstName}, last_name = ${lastName}, updated_at = ${tx.now}
    where id = ${userId} and (first_name, last_name) is distinct from (${firstName}, ${lastName})`;
}
