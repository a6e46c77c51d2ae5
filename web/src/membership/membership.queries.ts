import { useQuery } from '@tanstack/react-query';
import type { readExit } from '@ushirika/contract/membership';
import { call } from '../api/call.ts';
import { useSacco } from '../session/session.ts';

/** Where one's latest exit from the chosen sacco stands; null when none was ever requested. */
export function useExit() {
  const sacco = useSacco();
  return useQuery({
    queryKey: ['Client', 'exit', sacco?.id],
    queryFn: async ({ signal }) => {
      const answer = await call<typeof readExit>('GET', '/sacco/members/exit', { query: { sacco: sacco?.id }, signal });
      return answer.exit;
    },
    enabled: sacco !== null,
  });
}
