import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { destroyKeys } from './ballot-keys.ts';
import { addEvent, lockProposal, stateAt, tellRoll } from './proposal-rows.ts';

/**
 * Whoever drafted it takes it back, until voting begins. Taken back already is taken back. Those who were told of it are told that it
 * does not come.
 * @throws Refusal `not_found`, `vote_conflict`, also for anybody else
 */
export async function cancelProposal(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly id: string; readonly saccoId: string; readonly reason: string },
): Promise<void> {
  await lockSacco(tx, input.saccoId);
  const row = await lockProposal(tx, input);
  if (row.drafted_by !== actor.userId) {
    throw new Refusal('vote_conflict', { message: sentence('Only whoever drafted this takes it back.') });
  }
  const state = stateAt(row, tx.now);
  if (state === 'cancelled') return;
  if (state !== 'draft' && state !== 'published') throw new Refusal('vote_conflict');
  await tx.sql`update proposals set cancelled_at = ${tx.now} where id = ${row.id}`;
  await destroyKeys(tx, row.id);
  await addEvent(tx, row.id, { kind: 'cancelled', byId: actor.userId, text: input.reason });
  if (row.published_at !== null) await tellRoll(tx, row.id, 'cancelled');
}
