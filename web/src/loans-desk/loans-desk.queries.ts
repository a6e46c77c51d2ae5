import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type {
  confirmRestructure,
  decideDefault,
  declineWriteOff,
  proposeRestructure,
  quoteRestructure,
  readLoanDay,
  readLoanRecovery,
  recoverLoan,
  sendFinalNotice,
  withdrawRestructure,
  writeOffLoan,
} from '@ushirika/contract/loan-recovery';
import type {
  checkDisbursement,
  decideSubstitution,
  listDeskLoanMovements,
  listDeskLoanProducts,
  listDeskLoans,
  orderDisbursement,
  proposeWaiver,
  readDeskLoan,
  readLoanFigures,
  reviewLoan,
} from '@ushirika/contract/loans';
import type { BodyIn, QueryIn } from '@ushirika/contract/route';
import { call } from '../api/call.ts';
import { CallFailure } from '../api/failure.ts';
import { usePages } from '../api/pages.ts';
import { refresh } from '../api/queries.ts';
import { withProof } from '../api/with-proof.ts';
import type { MovementPages } from '../loans/loans.queries.ts';
import { say } from '../words/say.ts';

export type DeskListName = NonNullable<QueryIn<typeof listDeskLoans>['list']>;

/** The desk's figures; not asked for without a sacco. */
export function useLoanFigures(sacco: string | undefined) {
  return useQuery({
    queryKey: ['Sacco', 'loan-figures', sacco],
    queryFn: ({ signal }) => call<typeof readLoanFigures>('GET', '/sacco/loan-figures', { saccoId: sacco, signal }),
    enabled: sacco !== undefined,
  });
}

export function useLoanDay(sacco: string, day: string) {
  return useQuery({
    queryKey: ['Sacco', 'loan-day', sacco, day],
    queryFn: ({ signal }) =>
      call<typeof readLoanDay>('GET', '/sacco/loan-days/{day}', { params: { day }, saccoId: sacco, signal }),
  });
}

export function useDeskLoans(sacco: string, list: DeskListName) {
  return usePages(['Sacco', 'desk-loans', sacco, list], (cursor, signal) =>
    call<typeof listDeskLoans>('GET', '/sacco/loans', { query: { list, cursor }, saccoId: sacco, signal }),
  );
}

/** Each fetching is a reading that is recorded: it is not repeated for a look at another window. */
export function useDeskLoan(sacco: string, id: string) {
  return useQuery({
    queryKey: ['Sacco', 'desk-loan', sacco, id],
    queryFn: ({ signal }) =>
      call<typeof readDeskLoan>('GET', '/sacco/loans/{id}', { params: { id }, saccoId: sacco, signal }),
    refetchOnWindowFocus: false,
  });
}

export const deskMovementsOf = (sacco: string, id: string): MovementPages => ({
  key: ['Sacco', 'desk-loan', sacco, id, 'movements'],
  read: (query, signal) =>
    call<typeof listDeskLoanMovements>('GET', '/sacco/loans/{id}/movements', {
      ...{ params: { id }, query, saccoId: sacco, signal },
    }),
});

export function useDeskProducts(sacco: string) {
  return useQuery({
    queryKey: ['Sacco', 'desk-products', sacco],
    queryFn: ({ signal }) =>
      call<typeof listDeskLoanProducts>('GET', '/sacco/loan-products', { saccoId: sacco, signal }),
  });
}

export function refreshDesk(): Promise<void> {
  return refresh(['Sacco', 'Client']);
}

/** An official's act: with the password where it is asked for; a loan that has changed meanwhile is fetched again. */
async function act<Reply>(send: () => Promise<Reply>): Promise<Reply> {
  const because = say('You signed in a while ago. Enter your password once more before you decide.');
  try {
    return await withProof(send, because);
  } catch (error) {
    if (error instanceof CallFailure && error.isFinal) void refreshDesk();
    throw error;
  }
}

export const sendReview = (id: string, body: BodyIn<typeof reviewLoan>) =>
  act(() => call<typeof reviewLoan>('POST', '/sacco/loans/{id}/review', { params: { id }, body }));

export const sendOrder = (id: string, terms_hash: string) =>
  act(() =>
    call<typeof orderDisbursement>('POST', '/sacco/loans/{id}/disbursement', { params: { id }, body: { terms_hash } }),
  );

export const sendCheck = (id: string, body: BodyIn<typeof checkDisbursement>) =>
  act(() => call<typeof checkDisbursement>('POST', '/sacco/loans/{id}/disbursement-check', { params: { id }, body }));

export const sendSubstitution = (guarantee: string, decision: 'confirm' | 'refuse') =>
  act(() =>
    call<typeof decideSubstitution>('POST', '/sacco/guarantees/{id}/substitution-decision', {
      params: { id: guarantee },
      body: { decision },
    }),
  );

/** The recovery of a loan that is late: not asked for with one that is not. */
export function useLoanRecovery(sacco: string, id: string, isLate: boolean) {
  return useQuery({
    queryKey: ['Sacco', 'loan-recovery', sacco, id],
    queryFn: ({ signal }) =>
      call<typeof readLoanRecovery>('GET', '/sacco/loans/{id}/recovery', { params: { id }, saccoId: sacco, signal }),
    enabled: isLate,
    refetchOnWindowFocus: false,
  });
}

export const sendDefault = (id: string, reason: string) =>
  act(() => call<typeof decideDefault>('POST', '/sacco/loans/{id}/default', { params: { id }, body: { reason } }));

export const sendNotice = (id: string) =>
  act(() => call<typeof sendFinalNotice>('POST', '/sacco/loans/{id}/final-notice', { params: { id } }));

/** `body.amount` is what the official was shown: no more is taken. */
export const sendRecovery = (id: string, body: BodyIn<typeof recoverLoan>) =>
  act(() => call<typeof recoverLoan>('POST', '/sacco/loans/{id}/recovery', { params: { id }, body }));

/** `body.amount` is what the official was shown: nobody votes for more. */
export const sendWriteOff = (id: string, body: BodyIn<typeof writeOffLoan>) =>
  act(() => call<typeof writeOffLoan>('POST', '/sacco/loans/{id}/write-off', { params: { id }, body }));

/** Amounts in shillings, as they are typed. */
export const sendWaiver = (id: string, body: BodyIn<typeof proposeWaiver>) =>
  act(() => call<typeof proposeWaiver>('POST', '/sacco/loans/{id}/waiver', { params: { id }, body }));

/** `reason`: 10 to 300 characters. */
export const sendWriteOffDecline = (id: string, reason: string) =>
  act(() =>
    call<typeof declineWriteOff>('POST', '/sacco/loans/{id}/write-off-decline', { params: { id }, body: { reason } }),
  );

/** What a new schedule of so many months would cost; not asked for while no months are typed. While others are on their way, those before stay. */
export function useNewScheduleQuote(sacco: string, id: string, months: number | null) {
  return useQuery({
    queryKey: ['Sacco', 'new-schedule-quote', sacco, id, months],
    queryFn: ({ signal }) =>
      call<typeof quoteRestructure>('GET', '/sacco/loans/{id}/restructure', {
        params: { id },
        query: { months: months ?? 1 },
        saccoId: sacco,
        signal,
      }),
    enabled: months !== null,
    placeholderData: months === null ? undefined : keepPreviousData,
    retry: false,
  });
}

export const sendRestructure = (id: string, body: BodyIn<typeof proposeRestructure>) =>
  act(() => call<typeof proposeRestructure>('POST', '/sacco/loans/{id}/restructure', { params: { id }, body }));

export const confirmSchedule = (id: string, body: BodyIn<typeof confirmRestructure>) =>
  act(() => call<typeof confirmRestructure>('POST', '/sacco/loans/{id}/restructure/confirm', { params: { id }, body }));

export const takeRestructureBack = (id: string) =>
  act(() => call<typeof withdrawRestructure>('DELETE', '/sacco/loans/{id}/restructure', { params: { id } }));
