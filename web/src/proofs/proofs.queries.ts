import { useQuery } from '@tanstack/react-query';
import type { readProofReceipt } from '@ushirika/contract/proofs';
import { call } from '../api/call.ts';

/** An entry is signed with the next head of its log, each half minute. */
const ASK_MS = 3_000;

/** The receipt of a movement of one’s own; asked for again until its entry is signed. */
export function useProof(journal: string) {
  return useQuery({
    queryKey: ['Client', 'proof', journal],
    queryFn: ({ signal }) =>
      call<typeof readProofReceipt>('GET', '/log/receipts/{journal}', { params: { journal }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'being_logged' ? ASK_MS : false),
    // What was signed never changes, and checking it again would hide what is on screen.
    staleTime: ({ state }) => (state.data?.state === 'logged' ? Number.POSITIVE_INFINITY : 0),
  });
}
