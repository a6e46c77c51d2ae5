import type { VoteView } from '@ushirika/contract/voting';

/** The addresses of the pages of votes in the client area; the public ones are in ../paths.ts. */
export const votingPaths = {
  votes: (view?: VoteView) => `/client/voting-proposals${view ? `?view=${view}` : ''}`,
  /** Of a kind and of what it is about, where they are known. */
  newVote: (kind?: string, about?: string) =>
    `/client/voting-proposals/new${kind ? `?kind=${kind}${about ? `&product=${encodeURIComponent(about)}` : ''}` : ''}`,
  bylaws: (version?: number) => `/client/voting-proposals/by-laws${version ? `?version=${version}` : ''}`,
  /** The steps of a vote, and what of it is secret. */
  how: () => '/client/voting-proposals/how',
  vote: (id: string) => `/client/voting-proposals/${encodeURIComponent(id)}`,
} as const;
