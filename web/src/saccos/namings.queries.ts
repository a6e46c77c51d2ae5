import { useQuery } from '@tanstack/react-query';
import type {
  confirmOfficeNaming,
  listOfficeInvitations,
  listOfficeNamings,
  OfficeNaming,
  refuseOfficeNaming,
  withdrawOfficeNaming,
} from '@ushirika/contract/saccos';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';

/** Another official may invite or confirm at any time. */
const ASK_MS = 60_000;

/** Whom the chair has invited to offices of a sacco, for its officials. */
export function useOfficeNamings(sacco: string | undefined) {
  return useQuery({
    queryKey: ['Sacco', 'office-namings', sacco],
    queryFn: ({ signal }) =>
      call<typeof listOfficeNamings>('GET', '/sacco/office-invitations', { saccoId: sacco ?? '', signal }),
    enabled: sacco !== undefined,
    refetchInterval: ASK_MS,
  });
}

/** The offices that one is asked to take up. */
export function useOfficeInvitations() {
  return useQuery({
    queryKey: ['Client', 'office-invitations'],
    queryFn: ({ signal }) => call<typeof listOfficeInvitations>('GET', '/client/office-invitations', { signal }),
  });
}

/** Answers the sentence of what was done. */
export async function decideNaming(
  { sacco, id }: { readonly sacco: string; readonly id: string },
  may: Exclude<OfficeNaming['may'][number], 'refuse'>,
): Promise<string> {
  const request = { params: { id }, saccoId: sacco };
  const { message } = await (may === 'confirm'
    ? call<typeof confirmOfficeNaming>('POST', '/sacco/office-invitations/{id}/confirmation', request)
    : call<typeof withdrawOfficeNaming>('POST', '/sacco/office-invitations/{id}/withdrawal', request));
  return message;
}

/** Says no, with the reason that whoever named them and the other officials read. Answers the sentence of what was done. */
export async function refuseNaming(
  { sacco, id }: { readonly sacco: string; readonly id: string },
  reason: string,
): Promise<string> {
  const request = { params: { id }, saccoId: sacco, body: { reason } };
  const { message } = await call<typeof refuseOfficeNaming>('POST', '/sacco/office-invitations/{id}/refusal', request);
  return message;
}

export const refreshNamings = (): Promise<void> => refresh(['Sacco', 'Client']);
