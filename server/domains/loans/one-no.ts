import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';

/* One person's no counts once, with all accounts of theirs: afterwards it is decided without it (docs/decisions/233). */

/** @throws Refusal `loan_conflict` for whoever has returned this application before */
export async function refuseSecondReturn(tx: Tx, loanId: string, userId: string): Promise<void> {
  const said = await tx.sql`
    select from loan_reviews where loan_id = ${loanId} and decision = 'return'
      and (reviewer_id = ${userId} or share_identity(reviewer_id, ${userId}))`;
  if (isAgain(said)) throw new Refusal('loan_conflict', { message: RETURNED });
}

/** @throws Refusal `loan_conflict` for whoever has refused this payout before */
export async function refuseSecondRefusal(tx: Tx, loanId: string, userId: string): Promise<void> {
  const said = await tx.sql`
    select from loan_disbursements where loan_id = ${loanId} and state = 'refused'
      and (decided_by = ${userId} or share_identity(decided_by, ${userId}))`;
  if (isAgain(said)) throw new Refusal('loan_conflict', { message: NOT_PAID });
}

/** @throws Refusal `guarantee_conflict` for whoever has refused a guarantor’s substitute in this loan before */
export async function refuseSecondSubstitute(tx: Tx, loanId: string, userId: string): Promise<void> {
  const said = await tx.sql`
    select from loan_guarantees where loan_id = ${loanId} and replaces_id is not null and state = 'voided'
      and (decided_by = ${userId} or share_identity(decided_by, ${userId}))`;
  if (isAgain(said)) throw new Refusal('guarantee_conflict', { message: NOT_REPLACED });
}

const isAgain = (said: readonly unknown[]) => said.length > 0 && isGuarded('loans.one_no');

const RETURNED = sentence('You have returned this application once. Approve it, reject it, or leave it to the others.');
const NOT_PAID = sentence('You have refused this payout once. Pay the loan out, or leave it to another official.');
const NOT_REPLACED = sentence(
  'You have refused somebody in a guarantor’s place in this loan once. Confirm this one, or leave it to the others.',
);
