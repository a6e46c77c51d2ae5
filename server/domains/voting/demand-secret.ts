import { Refusal } from '@ushirika/contract/refusal';
import { demandsNeeded } from '@ushirika/contract/secret-ballots';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { makeKey } from './ballot-keys.ts';
import { addEvent, lockProposal, type ProposalRow, stateAt } from './proposal-rows.ts';

/**
 * Somebody on the roll asks for a secret ballot, before voting begins. Once one in ten has asked, it is one, and stays one. A second
 * call changes nothing. The proposal's lock is enough: nothing else of the sacco is read or written.
 * @throws Refusal `not_found`, `not_on_roll`, `vote_conflict`, also where the ballot is secret already
 */
export async function demandSecret(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly id: string; readonly saccoId: string },
): Promise<void> {
  const row = await lockProposal(tx, input);
  const [place] = await tx.sql<{ handle: Buffer }[]>`
    select handle from proposal_roll where proposal_id = ${row.id} and member_id = ${actor.userId}`;
  if (!place) throw new Refusal(row.published_at === null ? 'vote_conflict' : 'not_on_roll');
  const [asked] = await tx.sql`
    select from secret_demands where proposal_id = ${row.id} and handle = ${place.handle}`;
  if (asked) return;
  if (stateAt(row, tx.now) !== 'published' || row.round !== 1) throw new Refusal('vote_conflict');
  if (row.ballot === 'secret') throw new Refusal('vote_conflict', { message: SECRET_ALREADY });
  await tx.sql`insert into secret_demands (proposal_id, handle) values (${row.id}, ${place.handle})`;
  await count(tx, row);
}

const SECRET_ALREADY = sentence('The ballot of this vote is secret already.');

async function count(tx: Tx, row: ProposalRow): Promise<void> {
  const given = row.secret_demands + 1;
  const isEnough = given >= demandsNeeded(row.roll_size ?? 0);
  await tx.sql`
    update proposals set secret_demands = ${given}, ballot = ${isEnough ? 'secret' : 'open'} where id = ${row.id}`;
  if (!isEnough) return;
  await makeKey(tx, row.id, row.round);
  await addEvent(tx, row.id, { kind: 'made_secret' });
}
