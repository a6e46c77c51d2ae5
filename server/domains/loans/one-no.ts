import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';

/* One person's no counts once, with all accounts of theirs: afterwards it is decided without it (docs/decisions/233). */

/** @throws Refusal `loan_conflict` for whoever has returned this application before */
export const refuseSecondReturn = (tx: Tx, loanId: string, userId: string): Promise<void> =>
  refuseAgain(
    tx.sql<{ id: string }[]>`
      select reviewer_id as id from loan_reviews where loan_id = ${loanId} and decision = 'return'
        and (reviewer_id = ${userId} or share_identity(reviewer_id, ${userId}))`,
    sentence('You have returned this application once. Approve it, reject it, or leave it to the others.'),
  );

/** @throws Refusal `loan_conflict` for whoever has refused this payout before */
export const refuseSecondRefusal = (tx: Tx, loanId: string, userId: string): Promise<void> =>
  refuseAgain(
    tx.sql<{ id: string }[]>`
      select decided_by as id from loan_disbursements where loan_id = ${loanId} and state = 'refused'
        and (decided_by = ${userId} or share_identity(decided_by, ${userId}))`,
    sentence('You have refused this payout once. Pay the loan out, or leave it to another official.'),
  );

async function refuseAgain(said: PromiseLike<readonly unknown[]>, message: Sentence): Promise<void> {
  if ((await said).length > 0 && isGuarded('loans.one_no')) throw new Refusal('loan_conflict', { message });
}
