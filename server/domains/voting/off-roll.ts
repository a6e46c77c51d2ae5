import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { type OffRollReason, ROLL_MEMBER_DAYS } from '@ushirika/contract/voting-rules';
import type { Tx } from '../../db/tx.ts';
import { poolRollSince } from '../pools/pools-that-vote.ts';

const DAY_MS = 86_400_000;

/** Who joined later is new to a roll that is made now; an ID card whose check ended earlier, or had stood for less than 30 days, does not count. */
export const rollSince = (now: Date): Date => new Date(now.getTime() - ROLL_MEMBER_DAYS * DAY_MS);

/** Whose vote it is: the members of a sacco, or of one pool of it. */
export interface Electorate {
  readonly sacco_id: string;
  readonly pool_id: string | null;
}

/** Of some people, those who would be on the roll of a vote that is published now. Asked of the platform. */
export async function wouldVoteAmong(
  tx: Tx,
  { sacco_id, pool_id }: Electorate,
  userIds: readonly string[],
): Promise<string[]> {
  const asked = tx.sql`unnest(${[...userIds]}::uuid[]) id`;
  const rows =
    pool_id === null
      ? await tx.sql<{ id: string }[]>`select id from ${asked} where would_vote(${sacco_id}, ${rollSince(tx.now)}, id)`
      : await tx.sql<{ id: string }[]>`
          select id from ${asked} where would_vote_in_pool(${pool_id}, ${poolRollSince(tx.now)}, id)`;
  return rows.map(({ id }) => id);
}

/** A draft of members is drafted and signed by those who could vote on it, were it published now. @throws Refusal `vote_conflict` */
export async function refuseOffRoll(tx: Tx, electorate: Electorate, userId: string): Promise<void> {
  if ((await wouldVoteAmong(tx, electorate, [userId])).length > 0) return;
  if (electorate.pool_id !== null && (await wouldVoteAmong(tx, { ...electorate, pool_id: null }, [userId])).length > 0)
    throw new Refusal('vote_conflict', { message: NOT_IN_POOL });
  throw new Refusal('vote_conflict', {
    message: sentence(
      'Only who could vote on it drafts and signs: whoever joined 30 days ago or more, has confirmed their phone, and whose ID card an official has seen.',
    ),
  });
}

const NOT_IN_POOL = sentence(
  'Only who could vote on it drafts and signs: whoever has money in the pool that is not under notice, and joined it 30 days ago or more.',
);

/** Why somebody is not on a roll, as the second half of a sentence. */
export function offRollSaid(reason: OffRollReason): Sentence {
  const words: Record<OffRollReason, Sentence> = {
    operator: sentence('operators of Ushirika do not vote.'),
    new: sentence('you joined less than 30 days ago.'),
    card: sentence('no official of this sacco has seen your ID card.'),
    phone: sentence('you have not confirmed your phone.'),
    suspended: sentence('two operators have suspended your account.'),
    second_account: sentence('another account that looks like yours is on it.'),
    no_rights: sentence('you have money in the pool, but not the full rights of a member of its sacco.'),
  };
  return words[reason];
}
