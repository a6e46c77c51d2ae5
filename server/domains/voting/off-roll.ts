import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { type OffRollReason, ROLL_MEMBER_DAYS } from '@ushirika/contract/voting-rules';
import type { Tx } from '../../db/tx.ts';

const DAY_MS = 86_400_000;

/** Who joined later is new to a roll that is made now; an ID card whose check ended earlier, or had stood for less than 30 days, does not count. */
export const rollSince = (now: Date): Date => new Date(now.getTime() - ROLL_MEMBER_DAYS * DAY_MS);

/** Of some people, those who would be on the roll of a vote that is published now. Asked of the platform. */
export async function wouldVoteAmong(tx: Tx, saccoId: string, userIds: readonly string[]): Promise<string[]> {
  const rows = await tx.sql<{ id: string }[]>`
    select id from unnest(${[...userIds]}::uuid[]) id where would_vote(${saccoId}, ${rollSince(tx.now)}, id)`;
  return rows.map(({ id }) => id);
}

/** A draft of members is drafted and signed by those who could vote on it, were it published now. @throws Refusal `vote_conflict` */
export async function refuseOffRoll(tx: Tx, saccoId: string, userId: string): Promise<void> {
  if ((await wouldVoteAmong(tx, saccoId, [userId])).length > 0) return;
  throw new Refusal('vote_conflict', {
    message: sentence(
      'Only who could vote on it drafts and signs: whoever joined 30 days ago or more, has confirmed their phone, and whose ID card an official has seen.',
    ),
  });
}

/** Why somebody is not on a roll, as the second half of a sentence. */
export function offRollSaid(reason: OffRollReason): Sentence {
  const words: Record<OffRollReason, Sentence> = {
    operator: sentence('operators of Ushirika do not vote.'),
    new: sentence('you joined less than 30 days ago.'),
    card: sentence('no official of this sacco has seen your ID card.'),
    phone: sentence('you have not confirmed your phone.'),
    suspended: sentence('two operators have suspended your account.'),
    second_account: sentence('another account that looks like yours is on it.'),
  };
  return words[reason];
}
