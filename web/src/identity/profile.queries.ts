import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ClientProfile, getProfile } from '@ushirika/contract/identity';
import { call } from '../api/call.ts';
import { currentSession, type StoredSession, storeUpdatedPerson, useSession } from '../session/session.ts';

/** The profile of who is signed in, with the wallet; nothing is asked while nobody is. */
export function useProfile() {
  const session = useSession();
  return useQuery(profileOf(session));
}

/** The same as a query of its own, for who reads it in another way. */
export function profileOf(session: StoredSession | null) {
  return queryOptions({
    queryKey: ['Client', 'profile', session?.user.id],
    queryFn: async ({ signal }) => {
      const profile = await call<typeof getProfile>('GET', '/client/', { signal });
      // Another official may have confirmed a new name since this browser signed in.
      if (isRenamed(currentSession(), profile)) storeUpdatedPerson(profile.user);
      return profile;
    },
    enabled: session !== null,
  });
}

function isRenamed(session: StoredSession | null, { user }: ClientProfile): boolean {
  if (session?.user.id !== user.id) return false;
  return session.user.first_name !== user.first_name || session.user.last_name !== user.last_name;
}
