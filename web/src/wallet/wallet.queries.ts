import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { TransactionKind } from '@ushirika/contract/journals';
import type {
  Claim,
  Deposit,
  getClaim,
  getDeposit,
  getPaybill,
  getReceipt,
  getWithdrawal,
  listDeposits,
  listTransactions,
  Withdrawal,
} from '@ushirika/contract/wallet';
import { useEffect } from 'react';
import { call } from '../api/call.ts';
import { usePages } from '../api/pages.ts';
import { queryClient } from '../api/queries.ts';
import { useLiveMoney } from './live.ts';

const ASK_MS = 3_000;
/** Beside a stream asking is only a safety net, and after an end it waits for a late success. */
const ASK_SELDOM_MS = 15_000;

/** A top-up as it goes on: by the stream, and by asking. */
export function useDeposit(id: string | null) {
  return useFollowed<Deposit>('deposit', id, (signal) =>
    call<typeof getDeposit>('GET', '/integrations/mpesa/deposits/{id}', { params: { id: id ?? '' }, signal }),
  );
}

/** A receipt that was sent for checking. */
export function useClaim(id: string | null) {
  return useFollowed<Claim>('claim', id, (signal) =>
    call<typeof getClaim>('GET', '/integrations/mpesa/transaction-checker/{id}', { params: { id: id ?? '' }, signal }),
  );
}

export function useWithdrawal(id: string | null) {
  return useFollowed<Withdrawal>('withdrawal', id, (signal) =>
    call<typeof getWithdrawal>('GET', '/integrations/mpesa/withdrawals/{id}', { params: { id: id ?? '' }, signal }),
  );
}

/** What the server has just taken is followed from its answer on. */
export function begin(what: 'deposit' | 'claim' | 'withdrawal', thing: { id: string }): void {
  queryClient.setQueryData(['Client', what, thing.id], thing);
}

function useFollowed<Thing extends { status: string }>(
  what: 'deposit' | 'claim' | 'withdrawal',
  id: string | null,
  fetch: (signal: AbortSignal) => Promise<Thing>,
): UseQueryResult<Thing> {
  const isLive = useLiveMoney();
  const query = useQuery<Thing>({
    queryKey: ['Client', what, id],
    queryFn: ({ signal }) => fetch(signal),
    enabled: id !== null,
    refetchInterval: ({ state }) => {
      const status = state.data?.status ?? 'pending';
      if (FINAL.has(status)) return false;
      return GOES_ON.has(status) && !isLive ? ASK_MS : ASK_SELDOM_MS;
    },
  });
  const hasSettled = query.data !== undefined && !GOES_ON.has(query.data.status);
  useEffect(() => {
    if (hasSettled) refreshWallet();
  }, [hasSettled]);
  return query;
}

const GOES_ON: ReadonlySet<string> = new Set(['pending', 'reserved']);
/** After these nothing more comes; after the others a late success still may. */
const FINAL: ReadonlySet<string> = new Set(['paid', 'credited', 'returned']);

/** What shows the wallet is read again; the followed act itself is not. */
function refreshWallet(): void {
  for (const part of ['profile', 'summary', 'transactions', 'deposits']) {
    void queryClient.invalidateQueries({ queryKey: ['Client', part] });
  }
}

/** The latest top-ups, for what still waits for a PIN. */
export function useLatestDeposits() {
  return useQuery({
    queryKey: ['Client', 'deposits'],
    queryFn: ({ signal }) =>
      call<typeof listDeposits>('GET', '/integrations/mpesa/deposits', { query: { limit: 5 }, signal }),
  });
}

/** How one pays in by hand; it never changes. */
export function usePaybill() {
  return useQuery({
    queryKey: ['Client', 'paybill'],
    queryFn: ({ signal }) => call<typeof getPaybill>('GET', '/integrations/mpesa/paybill', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export interface HistoryFilter {
  readonly kind?: TransactionKind | undefined;
  /** First and last day in Nairobi, `2026-11-20`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The wallet's history, newest first. */
export function useTransactions(filter: HistoryFilter) {
  return usePages(['Client', 'transactions', filter], (cursor, signal) =>
    call<typeof listTransactions>('GET', '/client/transactions', { query: { ...filter, cursor }, signal }),
  );
}

/** The receipt of one money act. */
export function useReceipt(journal: string | null) {
  return useQuery({
    queryKey: ['Client', 'receipt', journal],
    queryFn: ({ signal }) =>
      call<typeof getReceipt>('GET', '/client/receipts/{journal}', { params: { journal: journal ?? '' }, signal }),
    enabled: journal !== null,
  });
}

/** The journal of a top-up or withdrawal, by M-Pesa's receipt, for its own receipt here. */
export function useJournalOf(mpesaReceipt: string | null) {
  return useQuery({
    queryKey: ['Client', 'journal-of', mpesaReceipt],
    queryFn: async ({ signal }) => {
      const page = await call<typeof listTransactions>('GET', '/client/transactions', { query: { limit: 20 }, signal });
      return page.results.find(({ receipt }) => receipt === mpesaReceipt)?.journal ?? null;
    },
    enabled: mpesaReceipt !== null,
  });
}
