import { Refusal } from '@ushirika/contract/refusal';
import type { Tx } from '../../db/tx.ts';
import { amountValue, countValue, personValue, type SmsValue } from '../notifications/sms-values.ts';
import { sendGuaranteeCode } from './guarantee-codes.ts';
import type { GuaranteeRow, LoanRow } from './loan-rows.ts';
import { loansSms } from './loans.sms.ts';
import { isDated, newScheduleHash, type RestructureRow } from './new-schedule.ts';

/**
 * Sends the code by which a guarantor agrees to the new schedule that is offered. Loan and guarantee are locked.
 * @throws Refusal `guarantee_conflict` where none is offered, `loan_terms_changed`, `phone_unconfirmed`, `too_many_requests`
 */
export async function askScheduleCode(
  tx: Tx,
  actor: { readonly userId: string },
  about: { readonly loan: LoanRow; readonly guarantee: GuaranteeRow; readonly termsHash: string },
): Promise<Date> {
  const { loan, guarantee, termsHash } = about;
  const [offer] = await tx.sql<RestructureRow[]>`
    select * from loan_restructures r
    where loan_id = ${loan.id} and state = 'proposed' and answer_by > ${tx.now}
      and not exists (select from loan_restructure_answers a where a.restructure_id = r.id and a.user_id = ${actor.userId})`;
  if (!offer || !isDated(offer) || guarantee.pledged_cents === 0) throw new Refusal('guarantee_conflict');
  if (newScheduleHash(loan, offer, actor.userId) !== termsHash) throw new Refusal('loan_terms_changed');
  const [borrower] = await tx.sql<{ first_name: string; last_name: string }[]>`
    select first_name, last_name from users where id = ${loan.borrower_id}`;
  const words = (code: SmsValue) =>
    loansSms.scheduleCode(
      code,
      borrower ? personValue(borrower) : null,
      amountValue(offer.principal_cents),
      countValue(offer.months),
      amountValue(guarantee.pledged_cents),
    );
  return sendGuaranteeCode(tx, actor, { guaranteeId: guarantee.id, termsHash, words });
}
