import { useQueries, useQuery } from '@tanstack/react-query';
import type { getProfile } from '@ushirika/contract/identity';
import type { readSacco } from '@ushirika/contract/saccos';
import { call } from '../api/call.ts';
import { useSession } from '../session/session.ts';

/** The saccos that who is signed in holds an office in; a founder is chair. Undefined until all are read or have failed. */
export function useOwnOffices() {
  const viewer = useSession()?.user.id;
  const { data: profile } = useQuery({
    queryKey: ['Client', 'offices', viewer],
    queryFn: ({ signal }) => call<typeof getProfile>('GET', '/client/', { signal }),
    enabled: viewer !== undefined,
  });
  const ids = new Set(profile?.roles.flatMap(({ sacco, office }) => (sacco && office ? [sacco] : [])));
  const read = useQueries({
    queries: [...ids].map((id) => ({
      queryKey: ['Sacco', 'one', id, viewer],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call<typeof readSacco>('GET', '/sacco/{id}', { params: { id }, signal }),
    })),
  });
  if (!profile || read.some(({ isPending }) => isPending)) return undefined;
  return read.flatMap(({ data }) => (data ? [data] : []));
}
