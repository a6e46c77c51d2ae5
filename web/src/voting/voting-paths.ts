import type { VoteView } from '@ushirika/contract/voting';

/** The addresses of the pages of votes in the client area; the public ones are in ../paths.ts. */
export const votingPaths = {
  votes: (view?: VoteView) => `/client/voting-proposals${view ? `?view=${view}` : ''}`,
  newVote: () => '/client/voting-proposals/new',
  vote: (id: string) => `/client/voting-proposals/${encodeURIComponent(id)}`,
} as const;
