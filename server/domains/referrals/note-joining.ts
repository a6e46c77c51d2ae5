import type { Tx } from '../../db/tx.ts';
import { texts } from '../../ledger/sql-arrays.ts';

/** Called in the transaction in which people join saccos (the fee is paid): their referrals turn from Lead to Joined. */
export async function noteJoining(tx: Tx, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  await tx.sql`
    update referrals set status = 'joined', joined_at = ${tx.now}
    where referred_id = any(${texts(userIds)}::uuid[]) and status = 'lead'`;
}
