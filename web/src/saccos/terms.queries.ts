import { useQuery } from '@tanstack/react-query';
import type { readSaccoTerms } from '@ushirika/contract/saccos';
import { call } from '../api/call.ts';

/** The terms of a sacco, and all that held before, newest first. */
export function useSaccoTerms(sacco: string) {
  return useQuery({
    queryKey: ['Sacco', 'terms', sacco],
    queryFn: ({ signal }) =>
      call<typeof readSaccoTerms>('GET', '/sacco/{id}/terms', { params: { id: sacco }, saccoId: null, signal }),
  });
}
