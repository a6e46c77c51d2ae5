import { APPLICATION_DAYS } from '@ushirika/contract/loans';
import { Refusal } from '@ushirika/contract/refusal';
import type { Tx } from '../../db/tx.ts';
import { lockPoolsOf } from '../pools/guarantee-life.ts';
import { lockSacco } from '../saccos/lock-sacco.ts';
import { type LoanRow, lockLoan, noSuchLoan } from './loan-rows.ts';

const DAY_MS = 86_400_000;

/** When an application expires without another step of the borrower. */
export const expiryFrom = (now: Date): Date => new Date(now.getTime() + APPLICATION_DAYS * DAY_MS);

/** Locks one's own loan, after the sacco and the pools that stand for it or for the loan that it pays off. @throws Refusal `not_found` */
export async function lockOwnLoan(tx: Tx, actor: { readonly userId: string }, id: string): Promise<LoanRow> {
  const [found] = await tx.sql<Pick<LoanRow, 'sacco_id' | 'refinances_id'>[]>`
    select sacco_id, refinances_id from loans where id = ${id} and borrower_id = ${actor.userId}`;
  if (!found) throw noSuchLoan();
  await lockSacco(tx, found.sacco_id);
  await lockPoolsOf(tx, { loanIds: [id, ...(found.refinances_id === null ? [] : [found.refinances_id])] });
  return lockLoan(tx, id);
}

/** @throws Refusal `loan_conflict` */
export function refuseState(loan: Pick<LoanRow, 'state'>, ...allowed: readonly LoanRow['state'][]): void {
  if (!allowed.includes(loan.state)) throw new Refusal('loan_conflict');
}
