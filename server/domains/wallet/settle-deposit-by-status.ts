import type { Tx } from '../../db/tx.ts';
import { samePhone } from '../../gateways/mobile-money/party.ts';
import { bookStray } from './book-stray.ts';
import { creditDeposit, type DepositRow, joinReceipt, lockDeposit } from './credit-deposit.ts';
import { openException } from './money-exceptions.ts';
import { mayHaveAnswered, promptOfPayment, promptsThatMayBeIt } from './prompts-of-payment.ts';
import { canBeListed, isListInUse, listableUntil, readListSoon } from './read-payment-list.ts';
import {
  needsSecondAnswer,
  payerOf,
  receiverOf,
  reopenStatusQuery,
  type StatusQuery,
  type StoredAnswer,
} from './status-queries.ts';
import { nextStatusAsk, STATUS_ASKS_MAX } from './wallet.rules.ts';

/** Whether M-Pesa says that money was paid to our shortcode. */
export function namesUsAsPaid(answer: StoredAnswer, shortcode: string): boolean {
  return isCompleted(answer) && answer.payeeShortcode === shortcode;
}

/**
 * Whether this money was certainly paid to us. Where M-Pesa does not say who received it, it is ours if it answers a
 * request of ours, or stands in the list of payments to us.
 */
export async function isPaidToUs(tx: Tx, answer: StoredAnswer, shortcode: string, receipt: string): Promise<boolean> {
  if (!isCompleted(answer)) return false;
  if (answer.payeeShortcode !== null || receiverOf(answer) !== null) return answer.payeeShortcode === shortcode;
  const [ours] = await tx.sql`
    select from deposits where merchant_request_id = ${answer.originatorConversationId}
    union all select from paybill_payments where receipt = ${receipt} and listed_at is not null limit 1`;
  return ours !== undefined;
}

function isCompleted({ status, amountCents }: StoredAnswer): boolean {
  return status === 'Completed' && (amountCents ?? 0) > 0;
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
  if (receipt === null || !(await isPaidToUs(tx, answer, shortcode, receipt))) return;
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
  if (!booked && (await joinCredited(tx, receipt, answer))) return;
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
  const fits = deposit !== null && isOf(deposit, answer);
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
  if (!deposit || !(await isPaidToUs(tx, answer, shortcode, receipt))) return;
  const paidAt = answer.paidAt === null ? null : new Date(answer.paidAt);
  const isOfDeposit = isOf(deposit, answer);
  if (deposit.credited_at) {
    const [own] = await tx.sql<{ receipt: string }[]>`
      select receipt from mpesa_receipts where deposit_id = ${deposit.id}`;
    if (own?.receipt === receipt) return;
    // The request that M-Pesa names was paid once. Its receipt is never booked beside what was credited.
    if (!own && (isOfDeposit || isRequestOf(deposit, answer))) {
      if (!isOfDeposit) await reportOtherPayment(tx, deposit, receipt, answer);
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

/** Whether amount and payer fit a top-up, as far as M-Pesa says who paid. */
function isOf(deposit: DepositRow, answer: StoredAnswer): boolean {
  return answer.amountCents === deposit.amount_cents && samePhone(payerOf(answer), deposit.phone) !== 'another';
}

function isRequestOf(deposit: DepositRow, answer: StoredAnswer): boolean {
  return deposit.merchant_request_id !== null && answer.originatorConversationId === deposit.merchant_request_id;
}

/** The receipt of a credited top-up names another amount or payer than was credited: an operator looks at M-Pesa's statement. */
async function reportOtherPayment(tx: Tx, deposit: DepositRow, receipt: string, answer: StoredAnswer): Promise<void> {
  await openException(tx, {
    kind: answer.amountCents === deposit.amount_cents ? 'phone_mismatch' : 'amount_mismatch',
    receipt,
    phone: deposit.phone,
    amountCents: answer.amountCents,
    about: { type: 'deposit', id: deposit.id },
    detail: { asked_cents: deposit.amount_cents, reported_cents: answer.amountCents, payer: payerOf(answer) },
  });
}

/**
 * Gives a receipt to a top-up that was credited without one, where amount and time fit and the payer is not another. So no
 * payment is booked twice. A receipt that comes for it later goes to suspense.
 */
export async function joinCredited(tx: Tx, receipt: string, answer: StoredAnswer): Promise<boolean> {
  const prompts = await promptsThatMayBeIt(tx, { ...answer, receipt }, false);
  const paid = prompts.filter(({ state }) => state === 'paid');
  const best = paid.find(({ payer }) => payer === 'same') ?? paid[0];
  const deposit = best ? await lockDeposit(tx, best.id) : null;
  if (!deposit) return false;
  const paidAt = answer.paidAt === null ? null : new Date(answer.paidAt);
  return (await joinReceipt(tx, deposit, receipt, paidAt)) === 'joined';
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
