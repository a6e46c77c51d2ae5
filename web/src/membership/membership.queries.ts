import { useQuery } from '@tanstack/react-query';
import type { readExit } from '@ushirika/contract/membership';
import { call } from '../api/call.ts';
import { useSacco } from '../session/session.ts';

/** Where one's latest exit from the chosen sacco stands, and what a notice of this moment would end and wait for. */
export function useExit() {
  const sacco = useSacco();
  return useQuery({
    queryKey: ['Client', 'exit', sacco?.id],
    queryFn: ({ signal }) =>
      call<typeof readExit>('GET', '/sacco/members/exit', { query: { sacco: sacco?.id }, signal }),
    enabled: sacco !== null,
  });
}
