import type { VotingProposal } from '@ushirika/contract/voting';
import { useProfile } from '../identity/profile.queries.ts';
import type { UseWaiting, WaitingThing } from '../layouts/waiting-thing.ts';
import { say } from '../words/say.ts';
import { isOfBoard } from './board.ts';
import { useNewestVotes } from './voting.queries.ts';
import { votingPaths } from './voting-paths.ts';
import { leftWords } from './voting-words.ts';

/** Open votes in which one has not voted; for the board, drafts of another official that wait for a signature. */
export const useWaiting: UseWaiting = ({ sacco, isMember, isOfficial }) => {
  const { data: profile } = useProfile();
  const { data: open } = useNewestVotes(isMember ? sacco : undefined, 'open');
  const signs = isOfficial && isOfBoard(profile, sacco);
  const { data: coming } = useNewestVotes(signs ? sacco : undefined, 'coming');
  if ((isMember && !open) || (signs && !coming)) return undefined;
  const toVote =
    open?.results.filter(({ may, my }) => may.includes('vote') && my.choice === null && !my.has_token) ?? [];
  const toSign = coming?.results.filter(({ may }) => may.includes('sign')) ?? [];
  return [
    ...toVote.map((vote) => thing(vote, say('Vote: {title}', { title: vote.title }), say('Vote'))),
    ...toSign.map((vote) => thing(vote, say('A draft waits for your signature: {title}', { title: vote.title }))),
  ];
};

function thing({ id, closes_at }: VotingProposal, title: string, act?: string): WaitingThing {
  return {
    key: id,
    icon: 'ballot',
    title,
    words: closes_at ? leftWords(closes_at) : say('It is published once you sign.'),
    to: votingPaths.vote(id),
    dueAt: closes_at ?? undefined,
    ...(act ? { act } : {}),
  };
}
