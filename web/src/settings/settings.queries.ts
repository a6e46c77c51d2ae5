import { useQuery } from '@tanstack/react-query';
import type { listSessions } from '@ushirika/contract/identity';
import type { getPreferences } from '@ushirika/contract/notifications';
import { call } from '../api/call.ts';

/** Language and notification choices as the server keeps them. */
export function usePreferences() {
  return useQuery({
    queryKey: ['User', 'preferences'],
    queryFn: ({ signal }) => call<typeof getPreferences>('GET', '/client/preferences', { signal }),
  });
}

/** The devices that are signed in, newest first. */
export function useDevices() {
  return useQuery({
    queryKey: ['User', 'sessions'],
    queryFn: ({ signal }) => call<typeof listSessions>('GET', '/client/sessions', { signal }),
  });
}
