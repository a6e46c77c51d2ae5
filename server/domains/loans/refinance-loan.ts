import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { nairobiDay } from '@ushirika/contract/time';
import type { Tx } from '../../db/tx.ts';
import { poolCoverOf } from '../pools/guarantee-cover.ts';
import { type LoanRow, noSuchLoan } from './loan-rows.ts';
import { payoffOfLoan } from './repay-loans.ts';
import { percentOf } from './schedule.rules.ts';

type New = Pick<LoanRow, 'id' | 'sacco_id' | 'borrower_id' | 'refinances_id' | 'amount_cents' | 'fee_rate'>;

export interface Refinanced {
  readonly old: LoanRow;
  /** What pays it off today. */
  readonly payoff: Cents;
}

/**
 * The loan that another one pays off, locked, once the rules are asked: it is the borrower's own at the same sacco, it is not behind, and
 * what is paid out less the pool's fee reaches to pay it off today. Asked at each step, since the old loan lives on meanwhile. Null where
 * there is none, or where it was paid by then: nothing is left to pay off. The sacco and the pools are locked.
 * @throws Refusal `loan_conflict`
 */
export async function refinancedBy(tx: Tx, loan: New): Promise<Refinanced | null> {
  if (loan.refinances_id === null) return null;
  const [old] = await tx.sql<LoanRow[]>`
    select * from loans
    where id = ${loan.refinances_id} and borrower_id = ${loan.borrower_id} and sacco_id = ${loan.sacco_id} for update`;
  if (!old) throw noSuchLoan();
  if (old.state === 'closed') return null;
  if (old.state !== 'active' || (old.due_on !== null && old.due_on < nairobiDay(tx.now))) throw notNow();
  const { payoff } = await payoffOfLoan(tx, old);
  const poolFee = (await poolCoverOf(tx, loan.id))?.fee ?? 0;
  const paidOut = loan.amount_cents - percentOf(loan.amount_cents, loan.fee_rate) - poolFee;
  if (paidOut < payoff.amount) {
    throw new Refusal('loan_conflict', { message: sentence('The new loan does not reach to pay the old one off.') });
  }
  return { old, payoff: payoff.amount };
}

/**
 * Before an application is kept: the loan that it pays off is there, and one alone pays it off.
 * @throws Refusal `not_found`, `loan_conflict`
 */
export async function refuseUnrefinanced(
  tx: Tx,
  refinancesId: string | null,
  { saccoId, userId }: { readonly saccoId: string; readonly userId: string },
): Promise<void> {
  if (refinancesId === null) return;
  const [old] = await tx.sql`
    select from loans where id = ${refinancesId} and borrower_id = ${userId} and sacco_id = ${saccoId}`;
  if (!old) throw noSuchLoan();
  const [another] = await tx.sql`
    select from loans where refinances_id = ${refinancesId} and state not in ('rejected', 'withdrawn', 'expired')`;
  if (another) throw notNow();
}

/** At the application: the old loan is still owed. @throws Refusal `loan_conflict` */
export async function refuseRefinancing(tx: Tx, loan: New): Promise<void> {
  if (loan.refinances_id !== null && (await refinancedBy(tx, loan)) === null) throw notNow();
}

const notNow = () =>
  new Refusal('loan_conflict', { message: sentence('That loan cannot be paid off from a new one now.') });
