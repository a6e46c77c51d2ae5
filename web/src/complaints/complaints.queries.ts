import { useQuery } from '@tanstack/react-query';
import type {
  listMyComplaints,
  listOperatorComplaints,
  listSaccoComplaints,
  readComplaintFigures,
  readComplaintTerms,
  readMyComplaint,
  readOperatorComplaint,
  readSaccoComplaint,
} from '@ushirika/contract/complaints';
import { call } from '../api/call.ts';
import { usePages } from '../api/pages.ts';

export type Side = 'member' | 'sacco' | 'operator';

/** One's own, about one sacco or (undefined) about all. */
export function useMyComplaints(sacco: string | undefined) {
  return usePages(['Client', 'complaints', 'mine', sacco], (cursor, signal) =>
    call<typeof listMyComplaints>('GET', '/complaints', { query: { sacco, cursor }, signal }),
  );
}

export type OfficialsList = 'waiting' | 'overdue' | 'all';

export function useSaccoComplaints(sacco: string | undefined, status: OfficialsList) {
  return usePages(['Client', 'complaints', 'sacco', sacco, status], (cursor, signal) =>
    call<typeof listSaccoComplaints>('GET', '/sacco/complaints', { query: { status, cursor }, signal }),
  );
}

/** The oldest complaints that wait for the officials, and how many there are; not asked for without a sacco. */
export function useComplaintsToAnswer(sacco: string | undefined) {
  return useQuery({
    queryKey: ['Client', 'complaints', 'to-answer', sacco],
    queryFn: ({ signal }) =>
      call<typeof listSaccoComplaints>('GET', '/sacco/complaints', {
        query: { status: 'waiting', limit: 100 },
        signal,
      }),
    enabled: sacco !== undefined,
  });
}

export function useOperatorComplaints(status: 'waiting' | 'over') {
  return usePages(['Client', 'complaints', 'operator', status], (cursor, signal) =>
    call<typeof listOperatorComplaints>('GET', '/operator/complaints', { query: { status, cursor }, signal }),
  );
}

/** One complaint as a side of it reads it. */
export function useComplaint(side: Side, id: string) {
  return useQuery({
    queryKey: ['Client', 'complaints', 'one', side, id],
    queryFn: ({ signal }) => {
      const asked = { params: { id }, signal };
      if (side === 'member') return call<typeof readMyComplaint>('GET', '/complaints/{id}', asked);
      if (side === 'sacco') return call<typeof readSaccoComplaint>('GET', '/sacco/complaints/{id}', asked);
      return call<typeof readOperatorComplaint>('GET', '/operator/complaints/{id}', asked);
    },
  });
}

/** What one reads before one complains. */
export function useComplaintTerms(sacco: string) {
  return useQuery({
    queryKey: ['Sacco', 'complaint-terms', sacco],
    queryFn: ({ signal }) =>
      call<typeof readComplaintTerms>('GET', '/sacco/{id}/complaint-terms', { params: { id: sacco }, signal }),
  });
}

/** How a sacco deals with complaints, for everybody. */
export function useComplaintFigures(sacco: string) {
  return useQuery({
    queryKey: ['Sacco', 'complaint-figures', sacco],
    queryFn: ({ signal }) =>
      call<typeof readComplaintFigures>('GET', '/sacco/{id}/complaint-figures', { params: { id: sacco }, signal }),
  });
}
