import { useQuery } from '@tanstack/react-query';
import type { readStandingOrder } from '@ushirika/contract/savings';
import { call } from '../api/call.ts';
import { useSacco } from '../session/session.ts';

/** One's standing order in the chosen sacco, or null. */
export function useStandingOrder() {
  const sacco = useSacco();
  return useQuery({
    queryKey: ['Client', 'standing-order', sacco?.id],
    queryFn: async ({ signal }) => {
      const answer = await call<typeof readStandingOrder>('GET', '/sacco/savings/standing-order', { signal });
      return answer.standing_order;
    },
    enabled: sacco !== null,
  });
}
