import { useQuery } from '@tanstack/react-query';
import type {
  decideCheckOff,
  listCheckOffLines,
  listCheckOffs,
  makeCheckOff,
  previewCheckOff,
  readCheckOff,
  withdrawCheckOff,
} from '@ushirika/contract/check-offs';
import type { BodyIn, QueryIn } from '@ushirika/contract/route';
import { call } from '../api/call.ts';
import { usePages } from '../api/pages.ts';

export type CheckOffList = NonNullable<QueryIn<typeof listCheckOffs>['status']>;

export function useCheckOffs(sacco: string, status: CheckOffList) {
  return usePages(['Sacco', 'check-offs', sacco, status], (cursor, signal) =>
    call<typeof listCheckOffs>('GET', '/sacco/check-offs', { query: { status, cursor }, saccoId: sacco, signal }),
  );
}

/** Those that wait for a second official; not asked for without a sacco. */
export function useCheckOffsToCheck(sacco: string | undefined) {
  return useQuery({
    queryKey: ['Sacco', 'check-offs-to-check', sacco],
    queryFn: ({ signal }) =>
      call<typeof listCheckOffs>('GET', '/sacco/check-offs', {
        query: { status: 'to_check' },
        saccoId: sacco,
        signal,
      }),
    enabled: sacco !== undefined,
  });
}

/** Each fetching is a reading that is recorded: it is not repeated for a look at another window. */
export function useCheckOff(sacco: string, id: string) {
  return useQuery({
    queryKey: ['Sacco', 'check-off', sacco, id],
    queryFn: ({ signal }) =>
      call<typeof readCheckOff>('GET', '/sacco/check-offs/{id}', { params: { id }, saccoId: sacco, signal }),
    refetchOnWindowFocus: false,
  });
}

export function useCheckOffLines(sacco: string, id: string) {
  return usePages(['Sacco', 'check-off-lines', sacco, id], (cursor, signal) =>
    call<typeof listCheckOffLines>('GET', '/sacco/check-offs/{id}/lines', {
      params: { id },
      query: { cursor },
      saccoId: sacco,
      signal,
    }),
  );
}

/** What the dialog has: the employer, the payer's phone, and the list as a file. */
export interface TypedList {
  readonly employer: string;
  readonly payer_phone: string;
  readonly list: File;
}

const sent = ({ employer, payer_phone, list }: TypedList) => ({
  // The list comes as a file, however long it is.
  body: { employer, payer_phone, list_text: '' },
  file: { field: 'list', file: list },
});

export const sendPreview = (typed: TypedList) =>
  call<typeof previewCheckOff>('POST', '/sacco/check-off-previews', sent(typed));

export const sendList = (typed: TypedList) => call<typeof makeCheckOff>('POST', '/sacco/check-offs', sent(typed));

export const sendDecision = (id: string, body: BodyIn<typeof decideCheckOff>) =>
  call<typeof decideCheckOff>('POST', '/sacco/check-offs/{id}/decision', { params: { id }, body });

/** `reason`: 10 to 300 characters. */
export const takeCheckOffBack = (id: string, reason: string) =>
  call<typeof withdrawCheckOff>('POST', '/sacco/check-offs/{id}/withdrawal', { params: { id }, body: { reason } });
