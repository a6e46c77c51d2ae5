import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { refuseNonOperator } from './record-identity-check.ts';

/**
 * A record that an ID card was seen is taken back: it was a mistake, or is not true. It stays, with who, when and why.
 * @param input.saccoId the sacco whose official takes it back; null for an operator, who takes any back
 * @returns whose card it was
 * @throws Refusal `not_allowed`, `not_found`, `own_card`, `identity_check_conflict`
 */
export async function withdrawIdentityCheck(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly checkId: string; readonly saccoId: string | null; readonly reason: string },
): Promise<{ readonly userId: string }> {
  const { checkId, saccoId, reason } = input;
  await (saccoId === null ? refuseNonOperator(tx, actor.userId) : refuseNonOfficial(tx, actor.userId, saccoId));
  const [check] = await tx.sql<{ user_id: string; ended_at: Date | null }[]>`
    select user_id, ended_at from identity_checks
    where id = ${checkId} and (${saccoId}::uuid is null or sacco_id = ${saccoId}::uuid) for update`;
  if (!check) throw new Refusal('not_found');
  if (check.user_id === actor.userId) {
    throw new Refusal('own_card', { message: sentence('Somebody else decides about the record of your own card.') });
  }
  if (check.ended_at !== null) {
    throw new Refusal('identity_check_conflict', { message: sentence('That record counts no more already.') });
  }
  await tx.sql`
    update identity_checks
    set ended_at = ${tx.now}, end_kind = 'withdrawn', ended_by = ${actor.userId}, end_reason = ${reason}
    where id = ${checkId}`;
  return { userId: check.user_id };
}

/** The platform writes, so PostgreSQL does not ask whose office it is at that moment: we do. */
async function refuseNonOfficial(tx: Tx, userId: string, saccoId: string): Promise<void> {
  const [held] = await tx.sql`
    select from offices
    where sacco_id = ${saccoId} and user_id = ${userId} and ended_at is null and until > ${tx.now}`;
  if (!held) throw new Refusal('not_allowed');
}
