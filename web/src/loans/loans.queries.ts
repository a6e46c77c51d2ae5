import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import type { readRestructure } from '@ushirika/contract/loan-recovery';
import type {
  Loan,
  LoanDetail,
  LoanMovement,
  listAllLoanProducts,
  listGuaranteeRequests,
  listLoanMovements,
  listLoanProducts,
  listMyLoans,
  listOfferedLoanProducts,
  previewRepayment,
  quoteLoan,
  readGuaranteeRequest,
  readLoan,
  readPayoff,
  Surplus,
} from '@ushirika/contract/loans';
import type { listMembers } from '@ushirika/contract/membership';
import { call } from '../api/call.ts';
import { cursorOf, type Page, type PageQuery, usePages } from '../api/pages.ts';
import { type Category, refresh } from '../api/queries.ts';
import { useSacco } from '../session/session.ts';
import { isToSend } from './loan.rules.ts';

/** What the sacco lends, and what one may borrow there. */
export function useLoanProducts() {
  const sacco = useSacco();
  return useQuery({
    queryKey: ['Client', 'loans', 'products', sacco?.id],
    queryFn: ({ signal }) => call<typeof listLoanProducts>('GET', '/loans/products', { signal }),
    enabled: sacco !== null,
  });
}

/** The name of a loan of the sacco, also of one that it does not offer now; undefined where it has none with that id. */
export function useLoanName(id: string): string | undefined {
  const sacco = useSacco();
  const { data } = useQuery({
    queryKey: ['Sacco', 'all-products', sacco?.id],
    queryFn: ({ signal }) => call<typeof listAllLoanProducts>('GET', '/loans/all-products', { signal }),
    enabled: sacco !== null,
  });
  return data?.products.find((each) => each.id === id)?.name;
}

/** What a sacco lends, for who is no member or not signed in. */
export function useOfferedProducts(sacco: string) {
  return useQuery({
    queryKey: ['Sacco', 'loan-products', sacco],
    queryFn: ({ signal }) =>
      call<typeof listOfferedLoanProducts>('GET', '/sacco/{id}/loan-products', { params: { id: sacco }, signal }),
  });
}

/** The terms that a quote is asked for: shillings as typed. */
export interface QuoteTerms {
  readonly product: string;
  readonly amount: string;
  readonly months: number;
  readonly net_income?: string;
  /** What the pool that was chosen takes. */
  readonly pool_fee?: string;
}

/** What a loan would cost. While other terms are on their way, those before stay on screen. */
export function useQuote(terms: QuoteTerms | null) {
  const sacco = useSacco();
  return useQuery({
    queryKey: ['Client', 'loans', 'quote', sacco?.id, terms],
    queryFn: ({ signal }) => call<typeof quoteLoan>('POST', '/loans/quote', { body: terms as QuoteTerms, signal }),
    enabled: sacco !== null && terms !== null,
    placeholderData: terms === null ? undefined : keepPreviousData,
  });
}

export function useMyLoans(status: 'open' | 'over') {
  const sacco = useSacco();
  return usePages(['Client', 'loans', 'mine', sacco?.id, status], (cursor, signal) =>
    call<typeof listMyLoans>('GET', '/loans', { query: { status, cursor }, signal }),
  );
}

/** One's open loans in a sacco, for what waits on the dashboard; not asked for where one is no member. */
export function useOpenLoans(sacco: string | undefined) {
  return useQuery({ ...unsettledQuery(sacco), select: openOf });
}

/** One's loans there that are closed, while guarantors who paid for them have not got it back. */
export function useLoansOwedToGuarantors(sacco: string) {
  return useQuery({ ...unsettledQuery(sacco), select: closedOf });
}

/** Both are read at once. */
const unsettledQuery = (sacco: string | undefined) => ({
  queryKey: ['Client', 'loans', 'unsettled', sacco],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const query = { status: 'unsettled' as const, limit: 50 };
    return (await call<typeof listMyLoans>('GET', '/loans', { query, signal })).results;
  },
  enabled: sacco !== undefined,
});

const openOf = (loans: Loan[]) => loans.filter(({ state }) => state !== 'closed');
const closedOf = (loans: Loan[]) => loans.filter(({ state }) => state === 'closed');

export function useLoan(id: string) {
  const sacco = useSacco();
  return useQuery({ ...loanQuery(sacco?.id, id), enabled: sacco !== null });
}

/** Of a loan in a list: whether it is covered and waits for its borrower to send it. */
export function useIsToSend({ id, state }: Pick<Loan, 'id' | 'state'>): boolean {
  const sacco = useSacco();
  const enabled = sacco !== null && state === 'guarantors_pending';
  const { data } = useQuery({ ...loanQuery(sacco?.id, id), enabled });
  return data !== undefined && isToSend(data);
}

/** Several of one's own loans, whole; undefined while one of them is on its way. One that cannot be read is left out. */
export function useLoans(sacco: string, ids: readonly string[]): LoanDetail[] | undefined {
  const queries = useQueries({ queries: ids.map((id) => loanQuery(sacco, id)) });
  if (queries.some(({ isPending }) => isPending)) return undefined;
  return queries.flatMap(({ data }) => data ?? []);
}

const loanQuery = (sacco: string | undefined, id: string) =>
  queryOptions({
    queryKey: ['Client', 'loans', 'one', sacco, id],
    queryFn: ({ signal }) => call<typeof readLoan>('GET', '/loans/{id}', { params: { id }, signal }),
  });

/** Where all movements of a loan are read by pages: its borrower's, or the desk's. */
export interface MovementPages {
  readonly key: readonly [Category, ...unknown[]];
  readonly read: (query: PageQuery, signal?: AbortSignal) => Promise<Page<LoanMovement>>;
}

export const movementsOf = (id: string): MovementPages => ({
  key: ['Client', 'loans', 'movements', id],
  read: (query, signal) =>
    call<typeof listLoanMovements>('GET', '/loans/{id}/movements', { params: { id }, query, signal }),
});

export const useMovements = ({ key, read }: MovementPages) =>
  usePages(key, (cursor, signal) => read({ cursor }, signal));

/** All of them, for a file. */
export async function allMovements({ read }: MovementPages): Promise<LoanMovement[]> {
  const rows: LoanMovement[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ cursor, limit: 100 });
    rows.push(...page.results);
    cursor = cursorOf(page.next);
  } while (cursor !== undefined);
  return rows;
}

/** The new schedule that is offered for a late loan, to its borrower and guarantors; null where none was. */
export function useOfferedSchedule(loan: string) {
  const sacco = useSacco();
  return useQuery({ ...offerQuery(sacco?.id, loan), enabled: sacco !== null });
}

/** The same of several loans, for what waits on the dashboard; undefined while one of them is on its way. */
export function useOfferedSchedules(sacco: string, loans: readonly string[]) {
  const queries = useQueries({ queries: loans.map((loan) => offerQuery(sacco, loan)) });
  if (queries.some(({ isPending }) => isPending)) return undefined;
  return queries.flatMap(({ data }, index) => (data ? [{ loan: loans[index] ?? '', offer: data }] : []));
}

const offerQuery = (sacco: string | undefined, id: string) =>
  queryOptions({
    queryKey: ['Client', 'loans', 'offer', sacco, id],
    queryFn: async ({ signal }) =>
      (await call<typeof readRestructure>('GET', '/loans/{id}/restructure', { params: { id }, signal })).restructure,
  });

/** What pays the loan off today. */
export function usePayoff(id: string, isAsked: boolean) {
  return useQuery({
    queryKey: ['Client', 'loans', 'payoff', id],
    queryFn: ({ signal }) => call<typeof readPayoff>('GET', '/loans/{id}/payoff', { params: { id }, signal }),
    enabled: isAsked,
  });
}

/** The loan as it would be after a payment of so many cents. The earlier answer stays on screen until the next one is here. */
export function useRepaymentPreview(id: string, cents: number, surplus: Surplus) {
  return useQuery({
    queryKey: ['Client', 'loans', 'preview', id, cents, surplus],
    queryFn: ({ signal }) =>
      call<typeof previewRepayment>('POST', '/loans/{id}/repayments/preview', {
        params: { id },
        body: { amount: cents / 100, surplus },
        signal,
      }),
    enabled: cents > 0,
    placeholderData: keepPreviousData,
  });
}

export type GuaranteesList = 'asked' | 'given' | 'over';

/** Guarantees that are asked of one, that one has given, or that are over, with what one has pledged in all. */
export function useMyGuarantees(status: GuaranteesList) {
  const sacco = useSacco();
  return useQuery({
    queryKey: ['Client', 'loans', 'guarantees', sacco?.id, status],
    queryFn: ({ signal }) =>
      call<typeof listGuaranteeRequests>('GET', '/loans/guarantee-requests', { query: { status, limit: 100 }, signal }),
    enabled: sacco !== null,
  });
}

/** Requests that wait for one's answer, and guarantees for loans that are late; not asked for where one is no member. */
export const useWaitingGuarantees = (sacco: string | undefined) => useGuaranteesOf(sacco, 'waiting');
/** Guarantees that one has given, for what waits on the dashboard. */
export const useGivenGuarantees = (sacco: string | undefined) => useGuaranteesOf(sacco, 'given');

function useGuaranteesOf(sacco: string | undefined, status: 'waiting' | 'given') {
  return useQuery({
    queryKey: ['Client', 'loans', 'guarantees-waiting', sacco, status],
    queryFn: async ({ signal }) => {
      const query = { status, limit: 50 } as const;
      const page = await call<typeof listGuaranteeRequests>('GET', '/loans/guarantee-requests', { query, signal });
      return page.results;
    },
    enabled: sacco !== undefined,
  });
}

export function useGuarantee(id: string) {
  const sacco = useSacco();
  return useQuery({
    queryKey: ['Client', 'loans', 'guarantee', sacco?.id, id],
    queryFn: ({ signal }) =>
      call<typeof readGuaranteeRequest>('GET', '/loans/guarantees/{id}', { params: { id }, signal }),
    enabled: sacco !== null,
  });
}

/** Members whose name has this in it, for who looks for a guarantor; nobody while nothing is typed. */
export function useMembersNamed(name: string) {
  const sacco = useSacco();
  return useQuery({
    queryKey: ['Sacco', 'members-named', sacco?.id, name],
    queryFn: ({ signal }) => call<typeof listMembers>('GET', '/sacco/members', { query: { name, limit: 8 }, signal }),
    enabled: sacco !== null && name.length >= 2,
    placeholderData: keepPreviousData,
  });
}

/** After an act with a loan: the loan, the wallet and what waits are read again. */
export const refreshLoans = () => refresh(['Client']);
