import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { addEvent, lockProposal, type ProposalRow, stateAt } from './proposal-rows.ts';

/**
 * The person whom a vote is about answers it. Everybody reads the same when voting begins: from then on the words stay as they are. The
 * proposal's lock is enough.
 * @throws Refusal `not_found`, `vote_conflict`, also for anybody else
 */
export async function answerVote(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly id: string; readonly saccoId: string; readonly words: string },
): Promise<void> {
  const row = await lockProposal(tx, input);
  if (row.about_id !== actor.userId) throw new Refusal('vote_conflict', { message: NOT_YOU });
  if (!mayAnswer(row, tx.now)) throw new Refusal('vote_conflict', { message: TOO_LATE });
  const [before] = await tx.sql<{ words: string }[]>`select words from proposal_answers where proposal_id = ${row.id}`;
  if (before?.words === input.words) return;
  await tx.sql`
    insert into proposal_answers (proposal_id, words, answered_at) values (${row.id}, ${input.words}, ${tx.now})
    on conflict (proposal_id) do update set words = excluded.words, answered_at = excluded.answered_at`;
  if (!before) await addEvent(tx, row.id, { kind: 'answered', byId: actor.userId });
}

const NOT_YOU = sentence('Only the person whom this vote is about answers it.');
const TOO_LATE = sentence('This vote is answered from its publication until voting begins.');

/** Whether the person whom a vote is about may answer it now. Whoever offers to be a steward wrote it. */
export const mayAnswer = (row: ProposalRow, now: Date): boolean =>
  row.about_id !== null && row.change_kind !== 'pool_steward' && stateAt(row, now) === 'published';
