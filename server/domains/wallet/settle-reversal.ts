import type { Cents } from '@ushirika/contract/money';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { lockBalances } from '../../ledger/balances.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { notify } from '../notifications/notify.ts';
import { joinReceipt, lockDeposit } from './credit-deposit.ts';
import { announce } from './live.ts';
import { openException } from './money-exceptions.ts';
import { lockReceipt, moneyJournal, type ReceiptRow, suspense, wallet } from './receipts.ts';
import { needsSecondAnswer, type StatusQuery, type StoredAnswer } from './status-queries.ts';
import { inWords } from './wallet.rules.ts';

/**
 * Settles M-Pesa's answer that it took a payment back: what the wallet still has of it goes into suspense, and operators see
 * it. M-Pesa must answer so twice. Nothing happens where the payment is in no book, or was sent back by operators.
 */
export async function settleReversal(tx: Tx, query: StatusQuery, answer: StoredAnswer): Promise<void> {
  const receipt = query.receipt ?? answer.receipt;
  if (answer.status !== 'Reversed' || receipt === null) return;
  if (answer.receipt !== null && answer.receipt !== receipt) return;
  await joinOwnReceipt(tx, query, receipt, answer);
  const booked = await lockReceipt(tx, receipt);
  if (!booked || booked.credited_to === 'returned' || (await isNoted(tx, receipt))) return;
  if (await needsSecondAnswer(tx, query, answer)) return;
  if (booked.credited_to === 'wallet') await holdBack(tx, booked);
  else await report(tx, booked, {});
}

/** A top-up was credited without a receipt, and M-Pesa names its receipt only now: it is that top-up's. */
async function joinOwnReceipt(tx: Tx, query: StatusQuery, receipt: string, answer: StoredAnswer): Promise<void> {
  if (query.purpose !== 'deposit' || query.about_id === null || query.original_conversation_id === null) return;
  const deposit = await lockDeposit(tx, query.about_id);
  if (!deposit?.credited_at || deposit.merchant_request_id !== query.original_conversation_id) return;
  await joinReceipt(tx, deposit, receipt, answer.paidAt === null ? null : new Date(answer.paidAt));
}

async function isNoted(tx: Tx, receipt: string): Promise<boolean> {
  const [noted] = await tx.sql`
    select from money_exceptions where kind = 'payment_reversed' and receipt = ${receipt} limit 1`;
  return noted !== undefined;
}

async function holdBack(tx: Tx, booked: ReceiptRow): Promise<void> {
  const userId = booked.user_id as string;
  const [available = 0] = await lockBalances(tx, [wallet(userId)]);
  const held = Math.max(0, Math.min(available, booked.amount_cents));
  const short = booked.amount_cents - held;
  const exceptionId = await report(tx, booked, { claimed_by: userId, short_cents: short }, held);
  if (held > 0) {
    await tx.sql`
      update mpesa_receipts set credited_to = 'suspense', user_id = null, held_cents = ${short > 0 ? held : null}
      where receipt = ${booked.receipt}`;
    const about = { type: 'money_exception', id: exceptionId };
    await postOrRefuse(tx, moneyJournal('payment_reversed', about, null, wallet(userId), suspense, held));
  }
  await notify(tx, {
    userId,
    template: 'payment_reversed',
    causedBy: null,
    topic: 'money',
    text: sentence(
      'M-Pesa says that it took back {amount} (receipt {receipt}), which was in your wallet. {held} of it is set aside until our team has looked at it.',
      { amount: inWords(booked.amount_cents), receipt: booked.receipt, held: inWords(held) },
    ),
  });
  await announce(tx, [{ userId, thing: 'wallet', id: '' }]);
}

async function report(
  tx: Tx,
  { receipt, amount_cents: amountCents }: ReceiptRow,
  detail: Readonly<Record<string, unknown>>,
  held: Cents = 0,
): Promise<string> {
  const [paid] = await tx.sql<{ phone: string | null }[]>`
    select phone from mpesa_receipts where receipt = ${receipt} and phone not like '%*%'`;
  return openException(tx, {
    kind: 'payment_reversed',
    receipt,
    phone: paid?.phone ?? null,
    amountCents: held > 0 ? held : amountCents,
    heldIn: held > 0 ? 'suspense' : 'nowhere',
    detail,
  });
}
