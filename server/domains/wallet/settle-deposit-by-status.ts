import type { Tx } from '../../db/tx.ts';
import { bookStray } from './book-stray.ts';
import { creditDeposit, joinReceipt, lockDeposit } from './credit-deposit.ts';
import type { StatusQuery, StoredAnswer } from './status-queries.ts';

/** Whether M-Pesa says for certain that this is money that came to us. */
export function isPaidToUs(answer: StoredAnswer, shortcode: string): boolean {
  return answer.status === 'Completed' && answer.payeeShortcode === shortcode && (answer.amountCents ?? 0) > 0;
}

/** The receipt of a top-up, by which M-Pesa confirms it, or its amount, or that it never was. */
export async function settleDepositByStatus(
  tx: Tx,
  shortcode: string,
  query: Pick<StatusQuery, 'about_id' | 'receipt'>,
  answer: StoredAnswer,
): Promise<void> {
  const deposit = await lockDeposit(tx, query.about_id as string);
  const receipt = answer.receipt ?? query.receipt;
  if (!deposit || receipt === null || !isPaidToUs(answer, shortcode)) return;
  const paidAt = answer.paidAt === null ? null : new Date(answer.paidAt);
  const isOfDeposit = answer.amountCents === deposit.amount_cents && answer.payerPhone === deposit.phone;
  if (deposit.credited_at) {
    const [own] = await tx.sql<{ receipt: string }[]>`
      select receipt from mpesa_receipts where deposit_id = ${deposit.id}`;
    if (own?.receipt === receipt) return;
    if (!own && isOfDeposit) {
      await joinReceipt(tx, deposit, receipt, paidAt);
      return;
    }
  } else if (isOfDeposit) {
    await creditDeposit(tx, deposit, { receipt, paidAt });
    return;
  }
  const kind = deposit.credited_at ? 'second_receipt' : 'amount_mismatch';
  await bookStray(tx, { receipt, answer, kind, about: { type: 'deposit', id: deposit.id } });
}
