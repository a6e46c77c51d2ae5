import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Fragment } from 'postgres';
import { isGuarded } from '#faults';
import type { Database, Tx } from '../../db/tx.ts';

/** No operator decides about a sacco that they founded, are a member of or hold an office in, with this account or another one that looks like theirs. */
export async function refuseOwnSacco(
  tx: Tx,
  actor: { readonly userId: string },
  sacco: { readonly id: string },
): Promise<void> {
  const [found] = await tx.sql<{ is_theirs: boolean }[]>`
    select ${isOwnSacco(tx, tx.sql`${sacco.id}::uuid`, actor.userId)} as is_theirs`;
  if (found?.is_theirs !== true || !isGuarded('own_sacco')) return;
  throw new Refusal('not_allowed', { message: sentence('Another operator must decide about a sacco of yours.') });
}

/** The same as a condition. @param saccoId a column or value of type uuid */
export const isOwnSacco = ({ sql }: Pick<Tx, 'sql'> | Pick<Database, 'sql'>, saccoId: Fragment, userId: string) =>
  (sql as Tx['sql'])`(
    exists (select from saccos own where own.id = ${saccoId} and own.created_by = ${userId})
    or exists (select from offices own where own.sacco_id = ${saccoId} and own.user_id = ${userId} and own.ended_at is null)
    or exists (select from memberships own where own.sacco_id = ${saccoId} and own.user_id = ${userId} and own.state <> 'exited')
    or belongs_as_another_account(${saccoId}, ${userId}))`;

/**
 * Nor about the account of an official of such a sacco: whoever is suspended decides nothing in it.
 * @throws Refusal `not_allowed`
 */
export async function refuseOfficialOfOwnSacco(
  tx: Tx,
  actor: { readonly userId: string },
  official: { readonly userId: string },
): Promise<void> {
  const saccos = await tx.sql<{ id: string }[]>`
    select s.id from saccos s
    where s.state in ('active', 'suspended') and exists (
      select from offices o
      where o.sacco_id = s.id and o.user_id = ${official.userId} and o.ended_at is null and o.until > ${tx.now})
    order by s.id`;
  for (const sacco of saccos) await refuseOwnSacco(tx, actor, sacco);
}
