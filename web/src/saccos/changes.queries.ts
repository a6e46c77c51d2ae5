import { useQuery } from '@tanstack/react-query';
import type { ChangeKind } from '@ushirika/contract/change-kinds';
import type {
  confirmSaccoChange,
  listSaccoChanges,
  refuseSaccoChange,
  SaccoChange,
  withdrawSaccoChange,
} from '@ushirika/contract/sacco-changes';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';

/** Another official may propose or confirm at any time. */
const ASK_MS = 60_000;

/** What two officials change in a sacco: what waits, and what was decided lately. */
export function useSaccoChanges(sacco: string | undefined) {
  return useQuery({
    queryKey: ['Sacco', 'changes', sacco],
    queryFn: ({ signal }) =>
      call<typeof listSaccoChanges>('GET', '/sacco/changes', { query: { sacco: sacco ?? '' }, signal }),
    enabled: sacco !== undefined,
    refetchInterval: ASK_MS,
  });
}

/** Those of a kind that are not decided, or have still to come into force. */
export function openAll(changes: readonly SaccoChange[] | undefined, kind: ChangeKind): SaccoChange[] {
  return (changes ?? []).filter((one) => one.kind === kind && (one.state === 'proposed' || one.state === 'confirmed'));
}

/** The one of a kind of which there is never more than one. */
export function openOf(changes: readonly SaccoChange[] | undefined, kind: ChangeKind): SaccoChange | undefined {
  return openAll(changes, kind)[0];
}

/** What officials have closed of a kind, or of one loan, for as long as neither a vote nor time has decided on it. */
export const closingOf = (changes: readonly SaccoChange[] | undefined, kind: ChangeKind, product: string | null) =>
  changes?.find((one) => one.undo_at !== null && one.kind === kind && (one.after.product ?? null) === product);

/** Answers the sentence of what was done. */
export async function decideChange(sacco: string, id: string, may: SaccoChange['may'][number]): Promise<string> {
  const request = { params: { id }, saccoId: sacco };
  const { message } = await (may === 'confirm'
    ? call<typeof confirmSaccoChange>('POST', '/sacco/changes/{id}/confirmation', request)
    : may === 'refuse'
      ? call<typeof refuseSaccoChange>('POST', '/sacco/changes/{id}/refusal', request)
      : call<typeof withdrawSaccoChange>('POST', '/sacco/changes/{id}/withdrawal', request));
  return message;
}

/** A name that was confirmed is shown in many places; a market that was closed, where shares are traded. */
export function refreshChanges(): Promise<void> {
  return refresh(['Sacco', 'Client', 'User', 'Chart']);
}
