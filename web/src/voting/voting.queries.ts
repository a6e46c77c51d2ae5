import { useQuery } from '@tanstack/react-query';
import type { changeComplaintTerms } from '@ushirika/contract/complaints';
import type {
  changeLendingAuthority,
  changeLoanProduct,
  listAllLoanProducts,
  listDeskLoanProducts,
} from '@ushirika/contract/loans';
import type { setMarketTerms } from '@ushirika/contract/market';
import type { changeReferralTerms } from '@ushirika/contract/referrals';
import type {
  listPublicVotes,
  listVotingProposals,
  readBylaws,
  readPublicVote,
  readVoteBallots,
  readVoteIssued,
  readVoteRoll,
  readVoteRules,
  readVotingProposal,
  readWayOfChanges,
  VoteView,
} from '@ushirika/contract/voting';
import { addressOf, call } from '../api/call.ts';
import { CallFailure } from '../api/failure.ts';
import { usePages } from '../api/pages.ts';
import { refresh } from '../api/queries.ts';
import { currentLanguage } from '../words/say.ts';
import type { ChangeBody } from './terms-frame.tsx';

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

/** Whether terms are changed by vote, or by two officials still. Asked by officials alone. */
export function useWayOfChanges(sacco: string | undefined, isOfficial: boolean) {
  return useQuery({
    queryKey: ['Voting', 'way', sacco],
    queryFn: ({ signal }) => call<typeof readWayOfChanges>('GET', '/voting/way-of-changes', { signal }),
    enabled: sacco !== undefined && isOfficial,
  });
}

/** The rules of the sacco's votes that hold now. */
export function useVoteRules(sacco: string | undefined) {
  return useQuery({
    queryKey: ['Voting', 'rules', sacco],
    queryFn: ({ signal }) => call<typeof readVoteRules>('GET', '/voting/rules', { signal }),
    enabled: sacco !== undefined,
  });
}

/** The by-laws of a day or of a version, and all versions. */
export function useBylaws(sacco: string | undefined, choice: { readonly on?: string; readonly version?: number } = {}) {
  return useQuery({
    queryKey: ['Voting', 'by-laws', sacco, choice],
    queryFn: ({ signal }) => call<typeof readBylaws>('GET', '/voting/by-laws', { query: choice, signal }),
    enabled: sacco !== undefined,
  });
}

const deskProducts = (sacco: string, isOfficial: boolean) => ({
  queryKey: ['Sacco', 'desk-products', sacco],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call<typeof listDeskLoanProducts>('GET', '/sacco/loan-products', { saccoId: sacco, signal }),
  enabled: isOfficial,
});

/** All loans of a sacco, also those that it does not offer now. Officials read them at their desk: some of them are no members. */
export function useAllProducts(sacco: string, isOfficial: boolean) {
  const desk = useQuery({ ...deskProducts(sacco, isOfficial), select: ({ products }) => products });
  const all = useQuery({
    queryKey: ['Sacco', 'all-products', sacco],
    queryFn: ({ signal }) => call<typeof listAllLoanProducts>('GET', '/loans/all-products', { saccoId: sacco, signal }),
    enabled: !isOfficial,
    select: ({ products }) => products,
  });
  return isOfficial ? desk : all;
}

/** Who decides how much about loans, for officials. */
export function useAuthority(sacco: string, isOfficial: boolean) {
  return useQuery({ ...deskProducts(sacco, isOfficial), select: ({ authority }) => authority });
}

/** Where fewer than three members can vote yet: one official proposes, another one confirms. */
export async function proposeToOfficials(change: ChangeBody): Promise<string> {
  const { message } = await proposed(change);
  await refresh(['Sacco', 'Client', 'Chart']);
  return message;
}

function proposed(change: ChangeBody) {
  if (change.kind === 'market_terms') {
    return call<typeof setMarketTerms>('PUT', '/sacco/market-terms', { body: change.values });
  }
  if (change.kind === 'loan_product') {
    return call<typeof changeLoanProduct>('PUT', '/sacco/loan-products', { body: change.values });
  }
  if (change.kind === 'lending_authority') {
    return call<typeof changeLendingAuthority>('PUT', '/sacco/lending-authority', { body: change.values });
  }
  if (change.kind === 'complaint_terms') {
    return call<typeof changeComplaintTerms>('PUT', '/sacco/complaint-terms', { body: change.values });
  }
  if (change.kind === 'referral_terms') {
    return call<typeof changeReferralTerms>('PUT', '/sacco/referral-terms', { body: change.values });
  }
  throw new Error('Members alone change the terms of a sacco.');
}

export const refreshVotes = (): Promise<void> => refresh(['Voting', 'Pool']);
