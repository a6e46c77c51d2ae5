import { useQuery } from '@tanstack/react-query';
import type {
  findPeople,
  listHeldReferrals,
  listMoneyExceptions,
  listOperatorActions,
  listOperatorPools,
  listOperatorSaccos,
  listSuspensions,
  platformHealth,
} from '@ushirika/contract/operator';
import type { PoolReview } from '@ushirika/contract/pools';
import type { listProposals } from '@ushirika/contract/proposals';
import type { SaccoState } from '@ushirika/contract/saccos';
import { call } from '../api/call.ts';
import { usePages } from '../api/pages.ts';
import { queryClient } from '../api/queries.ts';
import { profileOf } from '../identity/profile.queries.ts';
import { useSession } from '../session/session.ts';

const HEALTH_EVERY_MS = 15_000;
const ROLES_STALE_MS = 300_000;

/** Whether the person is an operator of the platform; undefined until it is known. Works outside of NotedData, too. */
export function useIsOperator(): boolean | undefined {
  const session = useSession();
  const { data } = useQuery({ ...profileOf(session), staleTime: ROLES_STALE_MS }, queryClient);
  return data?.roles.some(({ role }) => role === 'operator');
}

/** Saccos as operators see them, newest first: those in a state, those that have too few officials, or all. */
export function useOperatorSaccos(choice: SaccoState | 'too_few' | 'all', search: string) {
  const officials = choice === 'too_few' ? choice : undefined;
  const status = choice === 'too_few' || choice === 'all' ? undefined : choice;
  return usePages(['Sacco', 'operator', { choice, search }], (cursor, signal) =>
    call<typeof listOperatorSaccos>('GET', '/operator/saccos', {
      query: { status, officials, search: search || undefined, cursor },
      signal,
    }),
  );
}

export function useMoneyExceptions(status: 'suspense' | 'resolved') {
  return usePages(['Client', 'operator', 'exceptions', status], (cursor, signal) =>
    call<typeof listMoneyExceptions>('GET', '/operator/deposits', { query: { status, cursor }, signal }),
  );
}

/** What one operator proposed and another is to confirm, or what became of it. */
export function useProposals(status: 'open' | 'closed') {
  return usePages(['Client', 'operator', 'proposals', status], (cursor, signal) =>
    call<typeof listProposals>('GET', '/operator/proposals', { query: { status, cursor }, signal }),
  );
}

export function useHeldReferrals() {
  return usePages(['Client', 'operator', 'referrals'], (cursor, signal) =>
    call<typeof listHeldReferrals>('GET', '/operator/referrals', { query: { cursor }, signal }),
  );
}

/** Who has exactly this ID number or phone. Each search is kept in the log, so that none is made without being asked for. */
export function useFoundPeople(sought: string) {
  return useQuery({
    queryKey: ['Client', 'operator', 'people', sought],
    queryFn: ({ signal }) => call<typeof findPeople>('POST', '/operator/people/search', { body: { sought }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  });
}

export function useSuspensions() {
  return usePages(['Client', 'operator', 'suspensions'], (cursor, signal) =>
    call<typeof listSuspensions>('GET', '/operator/suspensions', { query: { cursor }, signal }),
  );
}

/** Guarantor pools by where their review stands. */
export function useOperatorPools(review: PoolReview) {
  return usePages(['Pool', 'operator', review], (cursor, signal) =>
    call<typeof listOperatorPools>('GET', '/operator/pools', { query: { review, cursor }, signal }),
  );
}

/** How the platform is doing; asked again while the page is open. */
export function usePlatformHealth() {
  return useQuery({
    queryKey: ['Client', 'operator', 'health'],
    queryFn: ({ signal }) => call<typeof platformHealth>('GET', '/operator/health', { signal }),
    refetchInterval: HEALTH_EVERY_MS,
  });
}

export function useOperatorActions() {
  return usePages(['Client', 'operator', 'actions'], (cursor, signal) =>
    call<typeof listOperatorActions>('GET', '/operator/actions', { query: { cursor }, signal }),
  );
}
