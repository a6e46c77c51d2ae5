import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';

/** No operator decides about a sacco that they founded, are a member of or hold an office in, with this account or another one that looks like theirs. */
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
  const isTheirs = userId === sacco.created_by || own !== undefined || (await isOfAnotherAccount(tx, userId, sacco.id));
  if (!isTheirs || !isGuarded('own_sacco')) return;
  throw new Refusal('not_allowed', { message: sentence('Another operator must decide about a sacco of yours.') });
}

async function isOfAnotherAccount(tx: Tx, userId: string, saccoId: string): Promise<boolean> {
  const [found] = await tx.sql<
    { belongs: boolean }[]
  >`select belongs_as_another_account(${saccoId}, ${userId}) as belongs`;
  return found?.belongs === true;
}

/**
 * Nor about the account of an official of such a sacco: whoever is suspended decides nothing in it.
 * @throws Refusal `not_allowed`
 */
export async function refuseOfficialOfOwnSacco(
  tx: Tx,
  actor: { readonly userId: string },
  official: { readonly userId: string },
): Promise<void> {
  const saccos = await tx.sql<{ id: string; created_by: string }[]>`
    select s.id, s.created_by from saccos s
    where s.state in ('active', 'suspended') and exists (
      select from offices o
      where o.sacco_id = s.id and o.user_id = ${official.userId} and o.ended_at is null and o.until > ${tx.now})
    order by s.id`;
  for (const sacco of saccos) await refuseOwnSacco(tx, actor, sacco);
}
