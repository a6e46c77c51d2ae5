import type { AccountKey, JournalInput } from '../../ledger/ledger.types.ts';
import { journalsOfBacks } from './counted-day.ts';
import { principalOf } from './loan-rows.ts';
import type { Applied } from './write-repayments.ts';

/** The journals that are posted beside payments: charges that are taken back, and rests that are forgiven. */
export const journalsBeside = (applied: readonly Applied[]): JournalInput[] => [
  ...journalsOfBacks(applied),
  ...applied.flatMap(journalOfForgiven),
];

/** Interest and penalty are no income any more; principal is a cost. */
function journalOfForgiven({ payable: { loan }, forgiven, journal: repayment }: Applied): JournalInput[] {
  const own = (kind: AccountKey['kind']): AccountKey => ({ book: loan.sacco_id, kind, owner: null });
  const transfers = [
    { debit: own('interest_income'), credit: own('interest_receivable'), amount: forgiven.interest },
    { debit: own('penalty_income'), credit: own('penalty_receivable'), amount: forgiven.penalty },
    { debit: own('provision_expense'), credit: principalOf(loan), amount: forgiven.principal },
  ].filter(({ amount }) => amount > 0);
  if (transfers.length === 0) return [];
  const idempotencyKey = repayment.idempotencyKey.replace(/^loan_repaid/, 'loan_rest_forgiven');
  return [
    { kind: 'loan_rest_forgiven', idempotencyKey, causedBy: null, about: { type: 'loan', id: loan.id }, transfers },
  ];
}
