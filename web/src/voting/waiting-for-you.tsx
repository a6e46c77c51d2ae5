import type { VotingProposal } from '@ushirika/contract/voting';
import type { UseWaiting, WaitingThing } from '../layouts/waiting-thing.ts';
import { say } from '../words/say.ts';
import { useNewestVotes } from './voting.queries.ts';
import { votingPaths } from './voting-paths.ts';
import { leftWords, voteNamed } from './voting-words.ts';

/** Open votes in which one has not voted, and drafts that one may sign. Both are for members, officials among them. */
export const useWaiting: UseWaiting = ({ sacco, isMember }) => {
  const asks = isMember ? sacco : undefined;
  const { data: open } = useNewestVotes(asks, 'open');
  const { data: coming } = useNewestVotes(asks, 'coming');
  if (isMember && (!open || !coming)) return undefined;
  const toVote =
    open?.results.filter(({ may, my }) => may.includes('vote') && my.choice === null && !my.has_token) ?? [];
  const toSign = coming?.results.filter(({ may }) => may.includes('sign')) ?? [];
  return [
    ...toVote.map((vote) => ({ ...thing(vote, say('Vote on {vote}', { vote: voteNamed(vote) })), act: say('Vote') })),
    ...toSign.map((draft) => thing(draft, draftWords(draft))),
  ];
};

/** The words for a draft: one of the board waits for this very official, one of a member for any members who want a vote on it. */
const draftWords = (draft: VotingProposal): string =>
  draft.is_of_board
    ? say('A draft waits for your signature: {vote}', { vote: voteNamed(draft) })
    : say('A member asks for {vote}', { vote: voteNamed(draft) });

function thing(vote: VotingProposal, title: string): WaitingThing {
  return {
    key: vote.id,
    icon: 'ballot',
    title,
    words: vote.pool ? `${vote.pool.name} · ${dueWords(vote)}` : dueWords(vote),
    to: votingPaths.vote(vote.id),
    dueAt: vote.closes_at ?? undefined,
  };
}

function dueWords({ closes_at, is_of_board, waits_for, signatures: { given, needed } }: VotingProposal): string {
  if (closes_at) return leftWords(closes_at);
  if (waits_for) return say('It can be published once vote {number} is over.', { number: waits_for.number });
  if (is_of_board) return say('It is published once you sign.');
  return say('A member’s draft: {given} of {needed} signatures', { given, needed });
}
