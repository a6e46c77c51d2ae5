import type { Tx } from '../../db/tx.ts';

/** Marks a person's notifications as read: those named (other people's are passed over), or all. */
export async function readNotifications(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly ids?: readonly string[] | undefined },
): Promise<void> {
  const named = input.ids ? tx.sql`and id = any(${[...input.ids]}::uuid[])` : tx.sql``;
  await tx.sql`
    update notifications set read_at = ${tx.now}
    where user_id = ${actor.userId} and read_at is null ${named}`;
}
