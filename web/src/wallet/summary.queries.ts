import { useQuery } from '@tanstack/react-query';
import type { ReplyOf } from '@ushirika/contract/route';
import type { readSummary } from '@ushirika/contract/summary';
import { call } from '../api/call.ts';
import { useSession } from '../session/session.ts';

export type Summary = ReplyOf<typeof readSummary>;
/** How the person stands in one sacco. */
export type Standing = Summary['saccos'][number];

/** Everything of one's own at a glance. */
export function useSummary() {
  const session = useSession();
  return useQuery({
    queryKey: ['Client', 'summary', session?.user.id],
    queryFn: ({ signal }) => call<typeof readSummary>('GET', '/client/summary', { signal }),
    enabled: session !== null,
  });
}
