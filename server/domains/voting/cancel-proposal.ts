import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { ProposalState } from '@ushirika/contract/voting-rules';
import type { Tx } from '../../db/tx.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { destroyKeys } from './ballot-keys.ts';
import { addEvent, lockProposal, type ProposalRow, stateAt, tellRoll } from './proposal-rows.ts';

/**
 * Whoever drafted it takes it back, until voting on its first round begins. A second call changes nothing. Those who were told of it are
 * told that it does not come.
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
  if (!mayTakeBack(state, row)) throw new Refusal('vote_conflict');
  await tx.sql`update proposals set cancelled_at = ${tx.now} where id = ${row.id}`;
  await destroyKeys(tx, row.id);
  await addEvent(tx, row.id, { kind: 'cancelled', byId: actor.userId, text: input.reason });
  if (row.published_at !== null) await tellRoll(tx, row.id, 'cancelled');
}

/** Between its rounds a vote is `published` again: by then members have voted. */
export const mayTakeBack = (state: ProposalState, { round }: Pick<ProposalRow, 'round'>): boolean =>
  state === 'draft' || (state === 'published' && round === 1);
