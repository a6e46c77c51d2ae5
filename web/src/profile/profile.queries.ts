import { queryOptions, useQuery } from '@tanstack/react-query';
import type { getProfile } from '@ushirika/contract/identity';
import { call } from '../api/call.ts';
import { type StoredSession, useSession } from '../session/session.ts';

/** The profile of who is signed in, with the wallet; nothing is asked while nobody is. */
export function useProfile() {
  const session = useSession();
  return useQuery(profileOf(session));
}

/** The same as a query of its own, for who reads it in another way. */
export function profileOf(session: StoredSession | null) {
  return queryOptions({
    queryKey: ['Client', 'profile', session?.user.id],
    queryFn: ({ signal }) => call<typeof getProfile>('GET', '/client/', { signal }),
    enabled: session !== null,
  });
}
