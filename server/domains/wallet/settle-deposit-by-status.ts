import type { Tx } from '../../db/tx.ts';
import { bookStray } from './book-stray.ts';
import { creditDeposit, type DepositRow, joinReceipt, lockDeposit } from './credit-deposit.ts';
import { mayHaveAnswered, promptOfPayment } from './prompts-of-payment.ts';
import { canBeListed, isListInUse, listableUntil, readListSoon } from './read-payment-list.ts';
import { needsSecondAnswer, reopenStatusQuery, type StatusQuery, type StoredAnswer } from './status-queries.ts';
import { nextStatusAsk, STATUS_ASKS_MAX } from './wallet.rules.ts';

/** Whether M-Pesa says for certain that this money was paid to us. */
export function isPaidToUs(answer: StoredAnswer, shortcode: string): boolean {
  return answer.status === 'Completed' && answer.payeeShortcode === shortcode && (answer.amountCents ?? 0) > 0;
}

/**
 * Settles a top-up by M-Pesa's answer about a receipt: credits it, adds its receipt, or books money of another amount.
 */
export async function settleDepositByStatus(
  tx: Tx,
  shortcode: string,
  query: StatusQuery,
  answer: StoredAnswer,
): Promise<void> {
  const receipt = answer.receipt ?? query.receipt;
  if (receipt === null || !isPaidToUs(answer, shortcode)) return;
  const asked = query.about_id as string;
  // The receipt came in a callback, which may name any receipt. M-Pesa's answer or its list says which prompt was paid.
  const owner = query.original_conversation_id === null ? await promptOfPayment(tx, receipt, answer) : asked;
  if (owner === null && (await waitsForList(tx, shortcode, query, answer))) return;
  const depositId = owner ?? ((await mayHaveAnswered(tx, asked, receipt, answer)) ? asked : null);
  if (depositId !== null) return settleOnceSure(tx, shortcode, query, { depositId, receipt }, answer);
  await settleUnmatched(tx, query, receipt, answer);
}

/**
 * Books money that nothing links to a prompt into suspense, unless it is booked already. M-Pesa must give the answer
 * twice.
 */
export async function settleUnmatched(
  tx: Tx,
  query: StatusQuery,
  receipt: string,
  answer: StoredAnswer,
): Promise<void> {
  const [booked] = await tx.sql`select receipt from mpesa_receipts where receipt = ${receipt}`;
  if (!booked && (await needsSecondAnswer(tx, query, answer))) return;
  await bookStray(tx, { receipt, answer, kind: 'unknown_deposit', about: null });
}

/** Settles a prompt's payment by an answer that fits the prompt. One that does not fit, M-Pesa must give twice. */
export async function settleOnceSure(
  tx: Tx,
  shortcode: string,
  query: StatusQuery,
  { depositId, receipt }: { readonly depositId: string; readonly receipt: string },
  answer: StoredAnswer,
): Promise<void> {
  const deposit = await lockDeposit(tx, depositId);
  const fits = answer.amountCents === deposit?.amount_cents && answer.payerPhone === deposit?.phone;
  if (!fits && (await needsSecondAnswer(tx, query, answer))) return;
  await settlePromptPayment(tx, shortcode, { deposit, receipt }, answer);
}

/**
 * Credits a prompt's payment, which M-Pesa has confirmed, to its locked top-up, or adds the receipt. Another amount,
 * phone or a second receipt goes to suspense.
 */
export async function settlePromptPayment(
  tx: Tx,
  shortcode: string,
  { deposit, receipt }: { readonly deposit: DepositRow | null; readonly receipt: string },
  answer: StoredAnswer,
): Promise<void> {
  if (!deposit || !isPaidToUs(answer, shortcode)) return;
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

/**
 * Whether a confirmed payment that nothing links to a prompt is left to the list, which names its account number and
 * books it. M-Pesa is asked again until the list can no longer contain it.
 */
export async function waitsForList(
  tx: Tx,
  shortcode: string,
  query: StatusQuery,
  answer: StoredAnswer,
): Promise<boolean> {
  if (!canBeListed(answer.paidAt, tx.now) || !(await isListInUse(tx, shortcode))) return false;
  await readListSoon(tx);
  const next = nextStatusAsk(query.asks, tx.now);
  // The last two questions are kept until the list can no longer contain the payment, because an answer may have to be
  // given twice. So the payment is settled even when the list is unavailable for a day.
  const isLast = query.asks + 2 >= STATUS_ASKS_MAX[query.purpose];
  const unlistedAt = isLast ? listableUntil(answer.paidAt) : null;
  await reopenStatusQuery(tx, query, { at: unlistedAt !== null && unlistedAt > next ? unlistedAt : next });
  return true;
}
