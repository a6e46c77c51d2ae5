import { useQuery } from '@tanstack/react-query';
import type { readLog, readLogTotals } from '@ushirika/contract/proofs';
import { callAsNobody } from '../api/call-as-nobody.ts';

/** A log and the newest totals in it: what everybody may read. `log` is a sacco's id, or `platform`. */
export function useBooks(log: string) {
  return useQuery({
    queryKey: ['Sacco', 'books', log],
    queryFn: async () => {
      const params = { log };
      const [facts, totals] = await Promise.all([
        callAsNobody<typeof readLog>('GET', '/log/{log}', { params }),
        callAsNobody<typeof readLogTotals>('GET', '/log/{log}/totals', { params }),
      ]);
      return { facts, totals: totals.results };
    },
  });
}
