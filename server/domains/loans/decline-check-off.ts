import type { Tx } from '../../db/tx.ts';
import { lockPayersCheckOff } from './check-off-rows.ts';
import { tellOfficials } from './tell-of-check-offs.ts';

/** Whoever was named as the payer says no. @throws Refusal `not_found`, `check_off_conflict` */
export async function declineCheckOff(
  tx: Tx,
  payer: { readonly userId: string },
  input: { readonly id: string; readonly reason: string },
): Promise<void> {
  const row = await lockPayersCheckOff(tx, payer, input.id);
  await tx.sql`
    update check_offs set state = 'declined', ended_at = ${tx.now}, ended_by = ${payer.userId}, reason = ${input.reason}
    where id = ${row.id}`;
  await tellOfficials(tx, payer.userId, row, 'declined');
}
