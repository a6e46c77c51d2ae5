import { useQuery } from '@tanstack/react-query';
import type { listPoolMembers, listPools, poolDetailsOf } from '@ushirika/contract/pools';
import { call } from '../api/call.ts';
import { usePages } from '../api/pages.ts';
import { useSession } from '../session/session.ts';

/** Guarantor pools, newest first; those that members of one sacco may join where it is named. */
export function usePools(sacco?: string) {
  const viewer = useSession()?.user.id;
  return usePages(['Pool', 'list', { sacco, viewer }], (cursor, signal) =>
    call<typeof listPools>('GET', '/guarantors/pools', {
      query: { sacco, open: sacco ? 'yes' : undefined, cursor },
      signal,
    }),
  );
}

/** One pool, for whoever is signed in. */
export function usePoolDetails(id: string) {
  const viewer = useSession()?.user.id;
  return useQuery({
    queryKey: ['Pool', 'one', id, viewer],
    queryFn: ({ signal }) =>
      call<typeof poolDetailsOf>('GET', '/guarantors/pools/{id}/details', { params: { id }, signal }),
    enabled: viewer !== undefined,
  });
}

/** The members of a pool, for its members and stewards. */
export function usePoolMembers(pool: string) {
  return usePages(['Pool', 'members', pool], (cursor, signal) =>
    call<typeof listPoolMembers>('GET', '/guarantors/pool/members', { query: { pool, cursor }, signal }),
  );
}
