import { type QueryFunctionContext, useQuery } from '@tanstack/react-query';
import {
  type ProofReceipt,
  RECEIPT_SUBJECTS,
  type ReceiptSubject,
  type readOwnTotals,
  type readProofReceipt,
  type readReceiptAbout,
} from '@ushirika/contract/proofs';
import type { ReplyOf } from '@ushirika/contract/route';
import { call } from '../api/call.ts';
import type { OwnLeaf } from '../verify/own-part.ts';

/** An entry is signed with the next head of its log, each half minute. */
const ASK_MS = 3_000;

/** A receipt; of a total with one's own part of it. */
export type OwnReceipt = ProofReceipt & { readonly own?: readonly OwnLeaf[] };
export interface FoundProof {
  /** `no_total`: no sum was taken that one could be part of. */
  readonly state: ReplyOf<typeof readProofReceipt>['state'] | 'no_total';
  readonly receipt: OwnReceipt | null;
}

const TOTALS = ['shares', 'savings', 'wallets'] as const;
export type TotalName = (typeof TOTALS)[number];
export type AboutWhat = ReceiptSubject | TotalName;
export const isTotal = (what: string): what is TotalName => (TOTALS as readonly string[]).includes(what);
export const isAbout = (what: string): what is AboutWhat =>
  isTotal(what) || (RECEIPT_SUBJECTS as readonly string[]).includes(what);

/** The receipt of a movement of one’s own; asked for again until its entry is signed. */
export const useProof = (journal: string) =>
  useReceipt(journal, ({ signal }) =>
    call<typeof readProofReceipt>('GET', '/log/receipts/{journal}', { params: { journal }, signal }),
  );

/** The receipt of a guarantee, a pool contract or a vote, by its id, or of a total, by the id of its log. */
export const useProofAbout = (what: AboutWhat, id: string) =>
  useReceipt(`${what} ${id}`, ({ signal }) =>
    isTotal(what)
      ? ownPartOf(what, id, signal)
      : call<typeof readReceiptAbout>('GET', '/log/receipts/about/{what}/{id}', { params: { what, id }, signal }),
  );

/** The newest total, with one's own accounts in it. */
async function ownPartOf(what: TotalName, log: string, signal: AbortSignal): Promise<FoundProof> {
  const { results } = await call<typeof readOwnTotals>('GET', '/log/totals/own', { query: { log }, signal });
  const own = results.find(({ total }) => total.what === what);
  if (!own) return { state: 'no_total', receipt: null };
  if (!own.total.receipt) return { state: 'being_logged', receipt: null };
  return { state: 'logged', receipt: own.leaves ? { ...own.total.receipt, own: own.leaves } : own.total.receipt };
}

function useReceipt(about: string, read: (context: QueryFunctionContext) => Promise<FoundProof>) {
  return useQuery({
    queryKey: ['Client', 'proof', about],
    queryFn: read,
    refetchInterval: ({ state }) => (state.data?.state === 'being_logged' ? ASK_MS : false),
    // A signed receipt never changes, and checking it again would hide the one on screen.
    staleTime: ({ state }) => (state.data?.state === 'logged' ? Number.POSITIVE_INFINITY : 0),
  });
}
