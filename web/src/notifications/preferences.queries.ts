import { useQuery } from '@tanstack/react-query';
import type { getPreferences } from '@ushirika/contract/notifications';
import { call } from '../api/call.ts';

/** Language and notification choices as the server keeps them. */
export function usePreferences() {
  return useQuery({
    queryKey: ['User', 'preferences'],
    queryFn: ({ signal }) => call<typeof getPreferences>('GET', '/client/preferences', { signal }),
  });
}
