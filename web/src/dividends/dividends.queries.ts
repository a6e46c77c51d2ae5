import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { SavingsMethod } from '@ushirika/contract/dividend-rules';
import type {
  listResidences,
  MemberPayment,
  readDividend,
  readDividendDesk,
  readDividendPayments,
  readDividends,
  readOwnDividend,
  readOwnDividends,
  simulateDividend,
} from '@ushirika/contract/dividends';
import { call } from '../api/call.ts';
import { cursorOf, usePages } from '../api/pages.ts';
import { refresh } from '../api/queries.ts';

/** The closed years of the chosen sacco, with one's own part. */
export function useDividends(sacco: string | undefined) {
  return useQuery({
    queryKey: ['Client', 'dividends', 'years', sacco],
    queryFn: ({ signal }) => call<typeof readDividends>('GET', '/dividends', { signal }),
    enabled: sacco !== undefined,
  });
}

/** For officials: where members live for the tax, as it was recorded. */
export const useResidences = (sacco: string | undefined) =>
  useQuery({
    enabled: sacco !== undefined,
    queryKey: ['Sacco', 'residences', sacco],
    queryFn: ({ signal }) =>
      call<typeof listResidences>('GET', '/sacco/dividends/residences', { saccoId: sacco, signal }),
  });

/** One year and what it is reckoned from. */
export function useDividend(sacco: string | undefined, year: number) {
  return useQuery({
    queryKey: ['Client', 'dividends', 'year', sacco, year],
    queryFn: ({ signal }) => call<typeof readDividend>('GET', '/dividends/{year}', { params: { year }, signal }),
    enabled: sacco !== undefined,
  });
}

/** The declared dividends of all saccos of which one gets a part, also where one has left. */
export function useOwnDividends() {
  return useQuery({
    queryKey: ['Client', 'dividends', 'own'],
    queryFn: ({ signal }) => call<typeof readOwnDividends>('GET', '/my-dividends', { signal }),
  });
}

/** Whether one gets a dividend of a sacco that one has left: nothing in the client area shows it. */
export function useHasLeftWithDividend(): boolean {
  return useOwnDividends().data?.dividends.some(({ is_member }) => !is_member) ?? false;
}

/** One of them and what it is reckoned from. */
export function useOwnDividend(sacco: string, year: number) {
  return useQuery({
    queryKey: ['Client', 'dividends', 'own', sacco, year],
    queryFn: ({ signal }) =>
      call<typeof readOwnDividend>('GET', '/my-dividends/{sacco}/{year}', { params: { sacco, year }, signal }),
  });
}

/** What officials close and propose; not asked for without a sacco. */
export function useDividendDesk(sacco: string | undefined) {
  return useQuery({
    queryKey: ['Sacco', 'dividends', sacco],
    queryFn: ({ signal }) => call<typeof readDividendDesk>('GET', '/sacco/dividends', { signal }),
    enabled: sacco !== undefined,
  });
}

const paymentsPage = (
  saccoId: string,
  year: number,
  { signal, ...query }: { cursor: string | undefined; limit?: number; signal?: AbortSignal },
) =>
  call<typeof readDividendPayments>('GET', '/sacco/dividends/{year}/payments', {
    params: { year },
    query,
    saccoId,
    signal,
  });

/** What each member got of a declared dividend, page after page. */
export function useDividendPayments(sacco: string, year: number) {
  return usePages(['Sacco', 'dividends', sacco, 'payments', year], (cursor, signal) =>
    paymentsPage(sacco, year, { cursor, signal }),
  );
}

/** The same of all members, for a file. Throws CallFailure. */
export async function allPayments(sacco: string, year: number): Promise<MemberPayment[]> {
  const rows: MemberPayment[] = [];
  let cursor: string | undefined;
  do {
    const page = await paymentsPage(sacco, year, { cursor, limit: 100 });
    rows.push(...page.results);
    cursor = cursorOf(page.next);
  } while (cursor !== undefined);
  return rows;
}

export interface AskedRates {
  readonly year: number;
  readonly share_rate: string;
  readonly savings_rate: string;
  readonly savings_method: SavingsMethod;
}

/** What rates would cost and bring. The last answer stays while the next one is on its way. */
export function useSimulation(sacco: string, rates: AskedRates) {
  return useQuery({
    queryKey: ['Sacco', 'dividends', sacco, 'simulation', rates],
    queryFn: ({ signal }) =>
      call<typeof simulateDividend>('GET', '/sacco/dividends/simulation', { query: rates, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

export const refreshDividends = (): Promise<void> => refresh(['Client', 'Sacco']);
