import { Refusal } from '@ushirika/contract/refusal';
import type { Tx } from '../../db/tx.ts';

/**
 * Signs one of the person's devices out.
 * @throws Refusal `not_found` when it is not there, has ended, or is somebody else's
 */
export async function endSession(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly id: string },
): Promise<void> {
  const ended = await tx.sql`
    update sessions set ended_at = ${tx.now}, end_reason = 'ended_by_owner'
    where id = ${input.id} and user_id = ${actor.userId} and ended_at is null and expires_at > ${tx.now}`;
  if (ended.count === 0) throw new Refusal('not_found');
}
