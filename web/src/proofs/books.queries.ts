import { useQuery } from '@tanstack/react-query';
import type { readLog, readLogTotals } from '@ushirika/contract/proofs';
import { callAsNobody } from '../api/call-as-nobody.ts';

/**
 * The logs of a book, the newest first, and the newest totals in them: what everybody may read. A book has more than one where a log was begun
 * anew. `log` is a sacco's id, or `platform`.
 */
export function useBooks(log: string) {
  return useQuery({
    queryKey: ['Sacco', 'books', log],
    // A server that is gone is said at once: the page has a button to try again.
    retry: false,
    queryFn: async () => {
      const read = (name: string) => callAsNobody<typeof readLog>('GET', '/log/{log}', { params: { log: name } });
      const [first, totals] = await Promise.all([
        read(log),
        callAsNobody<typeof readLogTotals>('GET', '/log/{log}/totals', { params: { log } }),
      ]);
      const others = await Promise.all(first.generations.slice(1).map((generation) => read(generation.log)));
      const earlier = [first, ...others].reverse();
      return { facts: earlier.shift() ?? first, earlier, totals: totals.results };
    },
  });
}
