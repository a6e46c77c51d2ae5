import type { Tx } from '../../db/tx.ts';
import { bookStray } from './book-stray.ts';
import { creditDeposit, type DepositRow, joinReceipt, lockDeposit } from './credit-deposit.ts';
import { canBeListed, isListInUse, listableUntil, readListSoon } from './read-payment-list.ts';
import { isDoubtedFirst, reopenStatusQuery, type StatusQuery, type StoredAnswer } from './status-queries.ts';
import { foldAccountReference, nextStatusAsk, STATUS_ASKS_MAX } from './wallet.rules.ts';

/** Whether M-Pesa says for certain that this is money that came to us. */
export function isPaidToUs(answer: StoredAnswer, shortcode: string): boolean {
  return answer.status === 'Completed' && answer.payeeShortcode === shortcode && (answer.amountCents ?? 0) > 0;
}

/** The receipt of a top-up, by which M-Pesa confirms it, or its amount, or that it never was. */
export async function settleDepositByStatus(
  tx: Tx,
  shortcode: string,
  query: StatusQuery,
  answer: StoredAnswer,
): Promise<void> {
  const receipt = answer.receipt ?? query.receipt;
  if (receipt === null || !isPaidToUs(answer, shortcode)) return;
  const asked = query.about_id as string;
  // The receipt came in a callback, which may have named any. M-Pesa says which prompt it answered, or its list does.
  const owner = query.original_conversation_id === null ? await promptOfPayment(tx, receipt, answer) : asked;
  if (owner === null && (await waitsForList(tx, shortcode, query, answer))) return;
  const depositId = owner ?? ((await mayHaveAnswered(tx, asked, receipt, answer)) ? asked : null);
  if (depositId !== null) return settleOnceSure(tx, shortcode, query, { depositId, receipt }, answer);
  await settleUnasked(tx, query, receipt, answer);
}

/** How long before and after a prompt was sent it may have been paid, by M-Pesa's clock. */
const PAID_BEFORE_MS = 60_000;
const PAID_AFTER_MS = 10 * 60_000;

/**
 * Whether a payment that M-Pesa ties to no prompt may be that of this one, which somebody's callback named: M-Pesa names
 * no other request for it, its list no other account number, and it was made while the prompt was open. Phone and amount
 * alone prove nothing, since whoever asks for a top-up chooses them.
 */
export async function mayHaveAnswered(
  tx: Tx,
  depositId: string,
  receipt: string,
  answer: StoredAnswer,
): Promise<boolean> {
  const [deposit] = await tx.sql<{ merchant_request_id: string | null; sending_at: Date | null; is_listed: boolean }[]>`
    select merchant_request_id, sending_at,
      exists (select from paybill_payments where receipt = ${receipt} and listed_at is not null) as is_listed
    from deposits where id = ${depositId}`;
  if (!deposit?.sending_at || deposit.is_listed || answer.paidAt === null) return false;
  if (deposit.merchant_request_id !== null && answer.originatorConversationId !== null) return false;
  const afterMs = new Date(answer.paidAt).getTime() - deposit.sending_at.getTime();
  return afterMs >= -PAID_BEFORE_MS && afterMs <= PAID_AFTER_MS;
}

/** Money that nothing ties to a prompt: unless it is in the books already it goes to suspense, by M-Pesa's word given twice. */
export async function settleUnasked(tx: Tx, query: StatusQuery, receipt: string, answer: StoredAnswer): Promise<void> {
  const [booked] = await tx.sql`select receipt from mpesa_receipts where receipt = ${receipt}`;
  if (!booked && (await isDoubtedFirst(tx, query, answer))) return;
  await bookStray(tx, { receipt, answer, kind: 'unknown_deposit', about: null });
}

/** Settles a prompt's payment by an answer that fits the prompt, or that M-Pesa gives twice. */
export async function settleOnceSure(
  tx: Tx,
  shortcode: string,
  query: StatusQuery,
  { depositId, receipt }: { readonly depositId: string; readonly receipt: string },
  answer: StoredAnswer,
): Promise<void> {
  const deposit = await lockDeposit(tx, depositId);
  const fits = answer.amountCents === deposit?.amount_cents && answer.payerPhone === deposit?.phone;
  if (!fits && (await isDoubtedFirst(tx, query, answer))) return;
  await settlePromptPayment(tx, shortcode, { deposit, receipt }, answer);
}

/** A payment that answered a prompt, by M-Pesa's word: credits its top-up, which is locked, or gives it its receipt. */
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

/** The prompt that a payment answered, where M-Pesa names it: by its MerchantRequestID, or by the account number in the list. */
export async function promptOfPayment(tx: Tx, receipt: string, answer: StoredAnswer): Promise<string | null> {
  const [byRequest] = await tx.sql<{ id: string }[]>`
    select id from deposits where merchant_request_id = ${answer.originatorConversationId}`;
  if (byRequest) return byRequest.id;
  const [listed] = await tx.sql<{ account_reference: string }[]>`
    select account_reference from paybill_payments where receipt = ${receipt} and listed_at is not null`;
  if (!listed) return null;
  const [byReference] = await tx.sql<{ id: string }[]>`
    select id from deposits where reference = ${foldAccountReference(listed.account_reference)}`;
  return byReference?.id ?? null;
}

/**
 * Whether a payment that M-Pesa confirms, and nothing ties to a prompt, is to be left to the list, which names its
 * account number and brings it into the books. Asked again meanwhile, until the list cannot hold it any more.
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
  // The last question is kept for when the list cannot hold it: a list that is away for a day costs nobody their money.
  const isLast = query.asks + 1 >= STATUS_ASKS_MAX[query.purpose];
  const unlistedAt = isLast ? listableUntil(answer.paidAt) : null;
  await reopenStatusQuery(tx, query, { at: unlistedAt !== null && unlistedAt > next ? unlistedAt : next });
  return true;
}
