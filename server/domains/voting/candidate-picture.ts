import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { lockProposal } from './proposal-rows.ts';
import { mayStand } from './stand-for-election.ts';

interface Nomination {
  readonly id: string;
  readonly saccoId: string;
}

/**
 * Whoever stands for an election, as long as members may stand; the election is locked then. Asked before a picture is drawn too.
 * @returns the number of the candidate
 * @throws Refusal `not_found`, `vote_conflict`
 */
export async function standing(tx: Tx, actor: { readonly userId: string }, of: Nomination): Promise<string> {
  const row = await lockProposal(tx, of);
  const [candidate] = await tx.sql<{ id: string }[]>`
    select id from election_candidates where proposal_id = ${row.id} and member_id = ${actor.userId} and withdrawn_at is null`;
  if (!candidate || !mayStand(row, tx.now)) {
    throw new Refusal('vote_conflict', {
      message: sentence('Only who stands for this election shows a picture, while members may stand.'),
    });
  }
  return candidate.id;
}

/** Keeps the picture of a candidate in place of the one before. @throws what `standing` throws */
export async function setCandidatePicture(
  tx: Tx,
  actor: { readonly userId: string },
  { picture, ...of }: Nomination & { readonly picture: Buffer },
): Promise<void> {
  const candidate = await standing(tx, actor, of);
  await tx.sql`
    insert into candidate_pictures (candidate_id, webp, created_at) values (${candidate}, ${picture}, ${tx.now})
    on conflict (candidate_id) do update set webp = excluded.webp, created_at = excluded.created_at`;
}

/** The picture of a candidate in a vote of the sacco. @throws Refusal `not_found` */
export async function candidatePicture({ sql }: Database, { id, saccoId }: Nomination): Promise<Buffer> {
  const [found] = await sql<{ webp: Buffer }[]>`
    select f.webp from candidate_pictures f join election_candidates c on c.id = f.candidate_id
    join proposals p on p.id = c.proposal_id where c.id = ${id} and p.sacco_id = ${saccoId} and c.withdrawn_at is null`;
  if (!found) throw new Refusal('not_found', { message: sentence('There is no such picture.') });
  return found.webp;
}
