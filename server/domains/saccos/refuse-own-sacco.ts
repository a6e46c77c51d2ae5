import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';

/** No operator decides about a sacco that they founded, are a member of or hold an office in. */
export async function refuseOwnSacco(
  tx: Tx,
  actor: { readonly userId: string },
  sacco: { readonly id: string; readonly created_by: string },
): Promise<void> {
  const { userId } = actor;
  const [own] = await tx.sql`
    select from offices where sacco_id = ${sacco.id} and user_id = ${userId} and ended_at is null
    union all
    select from memberships where sacco_id = ${sacco.id} and user_id = ${userId} and state <> 'exited'`;
  if ((userId !== sacco.created_by && !own) || !isGuarded('own_sacco')) return;
  throw new Refusal('not_allowed', { message: sentence('Another operator must decide about a sacco of yours.') });
}
