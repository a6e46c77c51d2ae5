import { QueryClient } from '@tanstack/react-query';
import { QUERY_KEEP_MS } from '@ushirika/contract/constants';
import { onSignOut } from '../session/session.ts';
import { onLanguageChange } from '../words/say.ts';
import { CallFailure } from './failure.ts';

/** The categories of fetched data (spec 3): the first part of every query's key. */
export type Category = 'User' | 'Chart' | 'Sacco' | 'Pool' | 'Client' | 'Voting';

/** Fetched data, kept 60 seconds after its last use. Loaded with the first page that reads any. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: QUERY_KEEP_MS,
      staleTime: 5_000,
      // Asked for without a network, too: the answer is then a sentence and not an endless wait.
      networkMode: 'always',
      retry: (times, error) => times < 2 && navigator.onLine && !(error instanceof CallFailure && error.isFinal),
      refetchOnWindowFocus: true,
      // The mode above would switch this off. A query that failed without a network is asked again once there is one.
      refetchOnReconnect: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

onSignOut(() => queryClient.clear());
// The server's own sentences come in the language that was asked for.
onLanguageChange(() => void queryClient.invalidateQueries());

/** After a mutation: everything in these categories is fetched again where it is on screen. */
export async function refresh(categories: readonly Category[]): Promise<void> {
  await Promise.all(categories.map((category) => queryClient.invalidateQueries({ queryKey: [category] })));
}
