import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { listLoanProducts } from '@ushirika/contract/loans';
import type {
  listPoolContracts,
  listPoolDisputes,
  listPoolMembers,
  listPoolRequests,
  listPoolReviews,
  listPools,
  listPoolWithdrawals,
  poolDetailsOf,
  quoteGuarantee,
  readPoolContract,
  readPoolRequest,
  readTrustScore,
} from '@ushirika/contract/pools';
import { call } from '../api/call.ts';
import { usePages } from '../api/pages.ts';
import { refresh } from '../api/queries.ts';
import { useSacco, useSession } from '../session/session.ts';

/** After an act that may have moved money: pools, and the wallet. */
export const refreshPools = () => refresh(['Pool', 'Client']);

const useViewer = () => useSession()?.user.id;

/** Months of the longest loan that a sacco offers, where it is the chosen one; else unknown. The key is that of the loans' own list. */
export function useLongestLoan(saccoId: string | undefined): number | undefined {
  const chosen = useSacco()?.id;
  const { data } = useQuery({
    queryKey: ['Client', 'loans', 'products', chosen],
    queryFn: ({ signal }) => call<typeof listLoanProducts>('GET', '/loans/products', { signal }),
    enabled: chosen !== undefined && chosen === saccoId,
  });
  if (!data || chosen !== saccoId) return undefined;
  const months = data.products.filter(({ is_offered }) => is_offered).map(({ max_months }) => max_months);
  return months.length > 0 ? Math.max(...months) : undefined;
}

/** Guarantor pools, newest first; those that members of one sacco may join where it is named. */
export function usePools(sacco?: string) {
  const viewer = useViewer();
  return usePages(['Pool', 'list', { sacco, viewer }], (cursor, signal) =>
    call<typeof listPools>('GET', '/guarantors/pools', {
      query: { sacco, open: sacco ? 'yes' : undefined, cursor },
      signal,
    }),
  );
}

/** The pools of all saccos in which one has money. */
export function useMyPools() {
  return usePages(['Pool', 'mine', useViewer()], (cursor, signal) =>
    call<typeof listPools>('GET', '/guarantors/pools', { query: { mine: 'yes', limit: 100, cursor }, signal }),
  );
}

/** The pools of one sacco alone, which votes can be about. */
export function usePoolsOfSacco(sacco: string) {
  const viewer = useViewer();
  return useQuery({
    queryKey: ['Pool', 'of-sacco', sacco, viewer],
    queryFn: ({ signal }) =>
      call<typeof listPools>('GET', '/guarantors/pools', { query: { sacco, limit: 100 }, signal }),
    enabled: sacco !== '',
    select: ({ results }) => results,
  });
}

/** One pool, for whoever is signed in. Nothing is asked without its id. */
export function usePoolDetails(id: string) {
  const viewer = useViewer();
  return useQuery({
    queryKey: ['Pool', 'one', id, viewer],
    queryFn: ({ signal }) =>
      call<typeof poolDetailsOf>('GET', '/guarantors/pools/{id}/details', { params: { id }, signal }),
    enabled: viewer !== undefined && id !== '',
  });
}

/** The members of a pool, for its members and stewards. */
export function usePoolMembers(pool: string) {
  return usePages(['Pool', 'members', pool], (cursor, signal) =>
    call<typeof listPoolMembers>('GET', '/guarantors/pool/members', { query: { pool, cursor }, signal }),
  );
}

/** One's own trust score. */
export function useTrustScore() {
  return useQuery({
    queryKey: ['Pool', 'trust', useViewer()],
    queryFn: ({ signal }) => call<typeof readTrustScore>('GET', '/guarantors/trust-score', { signal }),
  });
}

export interface Wanted {
  readonly pool: string;
  /** Shillings as they were typed, and whole months. */
  readonly amount: string;
  readonly months: number;
}

/** What a guarantee would be now; the last answer stays while the next one is on its way. */
export function useQuote(wanted: Wanted | null) {
  return useQuery({
    queryKey: ['Pool', 'quote', wanted],
    queryFn: ({ signal }) => {
      if (!wanted) throw new Error('nothing is wanted');
      const { pool, amount, months } = wanted;
      return call<typeof quoteGuarantee>('POST', '/guarantors/pools/quote', {
        body: { pool, amount, period_months: months },
        signal,
      });
    },
    enabled: wanted !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

type Status = 'open' | 'over';

/** One's own requests for guarantees, newest first; `recent`: those that wait, and those that were declined lately. */
export function usePoolRequests(status?: Status | 'recent') {
  return usePages(['Pool', 'requests', status, useViewer()], (cursor, signal) =>
    call<typeof listPoolRequests>('GET', '/guarantors/pools/requests', { query: { status, cursor }, signal }),
  );
}

export function usePoolRequest(id: string) {
  return useQuery({
    queryKey: ['Pool', 'request', id],
    queryFn: ({ signal }) =>
      call<typeof readPoolRequest>('GET', '/guarantors/pools/requests/{id}', { params: { id }, signal }),
  });
}

/** Guarantees that one has, or that one's own money backs. */
export function usePoolContracts(as: 'borrower' | 'backer', status?: Status) {
  return usePages(['Pool', 'contracts', as, status, useViewer()], (cursor, signal) =>
    call<typeof listPoolContracts>('GET', '/guarantors/pools/contracts', { query: { as, status, cursor }, signal }),
  );
}

export function usePoolContract(id: string) {
  return useQuery({
    queryKey: ['Pool', 'contract', id],
    queryFn: ({ signal }) =>
      call<typeof readPoolContract>('GET', '/guarantors/pools/contracts/{id}', { params: { id }, signal }),
  });
}

/** One's own notices of withdrawal, from one pool or from all. */
export function usePoolWithdrawals(pool?: string) {
  return usePages(['Pool', 'withdrawals', pool, useViewer()], (cursor, signal) =>
    call<typeof listPoolWithdrawals>('GET', '/guarantors/pools/withdrawals', { query: { pool, cursor }, signal }),
  );
}

/** Requests that wait for one's voice as a steward. */
export function usePoolReviews() {
  return usePages(['Pool', 'reviews', useViewer()], (cursor, signal) =>
    call<typeof listPoolReviews>('GET', '/guarantors/pools/reviews', { query: { cursor }, signal }),
  );
}

/** Demands that a pool disputes, for the sacco's supervisory committee; not asked for without a sacco. */
export function usePoolDisputes(sacco: string | undefined) {
  return useQuery({
    queryKey: ['Pool', 'disputes', sacco],
    queryFn: ({ signal }) =>
      call<typeof listPoolDisputes>('GET', '/sacco/pool-disputes', { query: { limit: 100 }, signal }),
    enabled: sacco !== undefined,
  });
}
