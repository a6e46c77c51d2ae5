import { useQuery } from '@tanstack/react-query';
import type { countUnseenCards, listExits, readExit } from '@ushirika/contract/membership';
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

/** For officials: the members who leave the sacco, in the order in which they are paid back. */
export const useNoticesToLeave = (sacco: string | undefined) =>
  useQuery({
    queryKey: ['Sacco', 'exits', sacco],
    queryFn: ({ signal }) => call<typeof listExits>('GET', '/sacco/exits', { saccoId: sacco, signal }),
    enabled: sacco !== undefined,
  });

/** For officials: the number of members whose ID card waits to be seen. */
export const useUnseenCards = (sacco: string | undefined) =>
  useQuery({
    queryKey: ['Sacco', 'unseen-cards', sacco],
    queryFn: ({ signal }) =>
      call<typeof countUnseenCards>('GET', '/sacco/identity-checks/waiting', { saccoId: sacco, signal }),
    enabled: sacco !== undefined,
  });
