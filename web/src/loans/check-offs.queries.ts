import { useQuery } from '@tanstack/react-query';
import type { listMyCheckOffLines, listMyCheckOffs, readMyCheckOff } from '@ushirika/contract/check-offs';
import { call } from '../api/call.ts';
import { usePages } from '../api/pages.ts';

/** What one pays, of all saccos. */
export function useMyCheckOffs() {
  return usePages(['Client', 'check-offs', 'mine'], (cursor, signal) =>
    call<typeof listMyCheckOffs>('GET', '/check-offs', { query: { cursor }, signal }),
  );
}

/** The first of what waits for one's payment, and how much there is in all: of most people nothing. */
export function useCheckOffsToPay() {
  return useQuery({
    queryKey: ['Client', 'check-offs', 'to-pay'],
    queryFn: ({ signal }) =>
      call<typeof listMyCheckOffs>('GET', '/check-offs', { query: { status: 'to_pay' }, signal }),
  });
}

/** Whether one pays check-offs, or has paid one. */
export function useIsPayer(): boolean {
  const { data } = useQuery({
    queryKey: ['Client', 'check-offs', 'any'],
    queryFn: ({ signal }) => call<typeof listMyCheckOffs>('GET', '/check-offs', { query: { limit: 1 }, signal }),
  });
  return (data?.count ?? 0) > 0;
}

export function useMyCheckOff(id: string) {
  return useQuery({
    queryKey: ['Client', 'check-offs', 'one', id],
    queryFn: ({ signal }) => call<typeof readMyCheckOff>('GET', '/check-offs/{id}', { params: { id }, signal }),
  });
}

export function useMyCheckOffLines(id: string) {
  return usePages(['Client', 'check-offs', 'lines', id], (cursor, signal) =>
    call<typeof listMyCheckOffLines>('GET', '/check-offs/{id}/lines', { params: { id }, query: { cursor }, signal }),
  );
}
