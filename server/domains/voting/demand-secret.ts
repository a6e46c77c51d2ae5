import { Refusal } from '@ushirika/contract/refusal';
import { demandsNeeded } from '@ushirika/contract/secret-ballots';
import type { Tx } from '../../db/tx.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { makeKey } from './ballot-keys.ts';
import { addEvent, lockProposal, type ProposalRow, stateAt } from './proposal-rows.ts';

/**
 * Somebody on the roll asks for a secret ballot, before voting begins. Once one in ten has asked, it is one, and stays one. Asked
 * already is asked.
 * @throws Refusal `not_found`, `not_on_roll`, `vote_conflict`
 */
export async function demandSecret(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly id: string; readonly saccoId: string },
): Promise<void> {
  await lockSacco(tx, input.saccoId);
  const row = await lockProposal(tx, input);
  const [place] = await tx.sql<{ handle: Buffer }[]>`
    select handle from proposal_roll where proposal_id = ${row.id} and member_id = ${actor.userId}`;
  if (!place) throw new Refusal(row.published_at === null ? 'vote_conflict' : 'not_on_roll');
  if (row.ballot === 'secret') return;
  if (stateAt(row, tx.now) !== 'published' || row.round !== 1) throw new Refusal('vote_conflict');
  const asked = await tx.sql`
    insert into secret_demands (proposal_id, handle) values (${row.id}, ${place.handle}) on conflict do nothing`;
  if (asked.count > 0) await count(tx, row);
}

async function count(tx: Tx, row: ProposalRow): Promise<void> {
  const given = row.secret_demands + 1;
  const isEnough = given >= demandsNeeded(row.roll_size ?? 0);
  await tx.sql`
    update proposals set secret_demands = ${given}, ballot = ${isEnough ? 'secret' : 'open'} where id = ${row.id}`;
  if (!isEnough) return;
  await makeKey(tx, row.id, row.round);
  await addEvent(tx, row.id, { kind: 'made_secret' });
}
