import type { Surplus } from '@ushirika/contract/loans';
import { Refusal } from '@ushirika/contract/refusal';
import type { Tx } from '../../db/tx.ts';
import { lockOwnLoan } from './own-loan.ts';

/**
 * The borrower chooses the use of payments that no instalment needs yet: from now on, for every way of paying.
 * @throws Refusal `not_found`, `loan_conflict`
 */
export async function setSurplus(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly loanId: string; readonly surplus: Surplus },
): Promise<void> {
  const loan = await lockOwnLoan(tx, actor, input.loanId);
  if (loan.principal_cents === 0) throw new Refusal('loan_conflict');
  await tx.sql`update loans set surplus = ${input.surplus} where id = ${loan.id}`;
}
