import { useQuery } from '@tanstack/react-query';
import type { listSessions } from '@ushirika/contract/identity';
import { call } from '../api/call.ts';

/** The devices that are signed in, newest first. */
export function useDevices() {
  return useQuery({
    queryKey: ['User', 'sessions'],
    queryFn: ({ signal }) => call<typeof listSessions>('GET', '/client/sessions', { signal }),
  });
}
