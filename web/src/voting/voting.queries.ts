import { useQuery } from '@tanstack/react-query';
import type {
  listPublicVotes,
  listVotingProposals,
  readPublicVote,
  readVoteBallots,
  readVoteIssued,
  readVoteRoll,
  readVotingProposal,
  VoteView,
} from '@ushirika/contract/voting';
import { addressOf, call } from '../api/call.ts';
import { CallFailure } from '../api/failure.ts';
import { usePages } from '../api/pages.ts';
import { refresh } from '../api/queries.ts';
import { currentLanguage } from '../words/say.ts';

/** Others sign and vote, and time passes, while a page is open. */
const ASK_MS = 60_000;
/** A roll of many members on a slow line. */
const FILE_MS = 120_000;

/** The key of what the pages of votes fetch. */
export const votingKey = (...parts: readonly (string | number | undefined)[]) => ['Voting', ...parts];

/** Votes of the chosen sacco. */
export function useVotes(sacco: string | undefined, view: VoteView) {
  return usePages(['Voting', 'list', sacco, view], (cursor, signal) =>
    call<typeof listVotingProposals>('GET', '/voting/proposals', { query: { view, cursor }, signal }),
  );
}

/** The newest votes of a view, without a way to more; not asked for without a sacco. */
export function useNewestVotes(sacco: string | undefined, view: VoteView) {
  return useQuery({
    queryKey: ['Voting', 'newest', sacco, view],
    queryFn: ({ signal }) =>
      call<typeof listVotingProposals>('GET', '/voting/proposals', {
        query: { view, limit: 50 },
        signal,
      }),
    enabled: sacco !== undefined,
  });
}

/** One vote as its member reads it. */
export function useVote(sacco: string | undefined, id: string) {
  return useQuery({
    queryKey: ['Voting', 'one', sacco, id],
    queryFn: ({ signal }) =>
      call<typeof readVotingProposal>('GET', '/voting/proposals/{id}', { params: { id }, signal }),
    refetchInterval: ASK_MS,
  });
}

/** Published votes of all saccos, for everybody. */
export function usePublicVotes() {
  return usePages(['Voting', 'public'], (cursor, signal) =>
    call<typeof listPublicVotes>('GET', '/voting/public', { query: { cursor }, saccoId: null, signal }),
  );
}

export function usePublicVote(id: string) {
  return useQuery({
    queryKey: ['Voting', 'public', id],
    queryFn: ({ signal }) =>
      call<typeof readPublicVote>('GET', '/voting/public/{id}', { params: { id }, saccoId: null, signal }),
  });
}

type FilePath = (typeof readVoteRoll | typeof readVoteBallots | typeof readVoteIssued)['path'];

/** Where everybody may download the roll or the ballots. */
export const addressOfFile = (path: FilePath, id: string): string => addressOf(path, { params: { id } });

/** The roll or the ballots as text. @throws CallFailure */
export async function readVoteFile(path: FilePath, id: string): Promise<string> {
  try {
    const response = await fetch(addressOfFile(path, id), {
      headers: { 'accept-language': currentLanguage() },
      signal: AbortSignal.timeout(FILE_MS),
    });
    if (!response.ok) throw CallFailure.fromAnswer(response.status, await response.json().catch(() => null));
    return await response.text();
  } catch (error) {
    throw error instanceof CallFailure ? error : CallFailure.fromThrown(error);
  }
}

export const refreshVotes = (): Promise<void> => refresh(['Voting']);
