import type { Cents } from '@ushirika/contract/money';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { notify } from '../notifications/notify.ts';
import { amountValue } from '../notifications/sms-values.ts';
import { bookStray } from './book-stray.ts';
import { lockDeposit } from './credit-deposit.ts';
import { announce } from './live.ts';
import { areTooMany, openException } from './money-exceptions.ts';
import { mayHaveAnswered, promptOfPayment, promptsThatMayBeIt } from './prompts-of-payment.ts';
import { isListInUse, LISTED_LATEST_MS, readListSoon } from './read-payment-list.ts';
import { lockReceipt, moneyJournal, mpesaFloat, takeReceipt, wallet } from './receipts.ts';
import { ownerOfAccount } from './receive-paybill.ts';
import { isPaidToUs, joinCredited, settlePromptPayment } from './settle-deposit-by-status.ts';
import { askAgain, needsSecondAnswer, payerOf, type StatusQuery, type StoredAnswer } from './status-queries.ts';
import { foldAccountReference, inWords } from './wallet.rules.ts';
import { walletSms } from './wallet.sms.ts';

interface Payment {
  readonly id: string;
  readonly receipt: string;
  readonly amount_cents: Cents;
  readonly account_reference: string;
  readonly state: string;
  readonly received_at: Date;
  readonly listed_at: Date | null;
}

/**
 * Settles a payment to the paybill by M-Pesa's answer: into the wallet that its account number names, else into
 * suspense.
 */
export async function settlePaybill(
  tx: Tx,
  shortcode: string,
  query: StatusQuery,
  answer: StoredAnswer,
): Promise<void> {
  const payment = await lockPayment(tx, query.about_id as string);
  if (payment?.state !== 'reported') return;
  const about = { type: 'paybill_payment', id: payment.id };
  const isOf = answer.receipt === null || answer.receipt === payment.receipt;
  const isThis = isOf && (await isPaidToUs(tx, answer, shortcode, payment.receipt));
  const fits = isThis && answer.amountCents === payment.amount_cents;
  // Only the list names the account number reliably; a callback may be forged.
  const isUnlisted = payment.listed_at === null && (await isListInUse(tx, shortcode));
  if (isUnlisted && tx.now.getTime() - payment.received_at.getTime() < LISTED_LATEST_MS) return readListSoon(tx);
  if (!fits && (await needsSecondAnswer(tx, query, answer))) return;
  if (!isThis) {
    await reportUnverified(tx, payment, { mpesa_status: answer.status, payee: answer.payeeShortcode });
    return settle(tx, payment.id, 'unverified');
  }
  const depositId = await promptOf(tx, payment, answer, isUnlisted);
  if (depositId === 'open') return askAgain(tx, query);
  if (depositId !== null) {
    // It is a prompt's payment, reported in a second way.
    const deposit = await lockDeposit(tx, depositId);
    await settlePromptPayment(tx, shortcode, { deposit, receipt: payment.receipt }, answer);
  } else if (isUnlisted) {
    if (await joinCredited(tx, payment.receipt, answer)) return settle(tx, payment.id, 'credited');
    // Only a callback named the account number, so operators are not shown it.
    const { receipt } = payment;
    await bookStray(tx, { receipt, answer, kind: 'paybill_unlisted', about, source: 'paybill' });
  } else {
    await creditMember(tx, payment, answer, about);
  }
  const booked = await lockReceipt(tx, payment.receipt);
  await settle(tx, payment.id, booked?.credited_to === 'wallet' ? 'credited' : 'suspense');
}

/** Opens an exception about a reported payment that M-Pesa does not confirm. Above a few hundred, they share one. */
export async function reportUnverified(
  tx: Tx,
  payment: Pick<Payment, 'id' | 'receipt' | 'amount_cents'>,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const kind = 'paybill_unverified';
  if (await areTooMany(tx, { kind })) {
    await openException(tx, { kind, detail: { more: true } });
    return;
  }
  const about = { type: 'paybill_payment', id: payment.id };
  await openException(tx, { kind, receipt: payment.receipt, amountCents: payment.amount_cents, about, detail });
}

/**
 * The prompt that a payment answered, by its request or in M-Pesa's list. Where there is no list, the account number of
 * a confirmation is believed if its prompt was open at the time.
 * @returns `open` while a prompt is open that may have been paid by it
 */
async function promptOf(
  tx: Tx,
  payment: Payment,
  answer: StoredAnswer,
  isUnlisted: boolean,
): Promise<string | 'open' | null> {
  const named = await promptOfPayment(tx, payment.receipt, answer);
  const isListed = payment.listed_at !== null && payment.account_reference !== '';
  if (named !== null || isUnlisted || isListed) return named;
  const [told] = await tx.sql<{ id: string }[]>`
    select id from deposits where reference = ${foldAccountReference(payment.account_reference)}`;
  if (told && (await mayHaveAnswered(tx, told.id, payment.receipt, answer))) return told.id;
  // The confirmation may be forged, with another account number. So it waits while a prompt of the same phone, amount
  // and time is open. If such a prompt was paid, this is taken for its receipt.
  const confirmed = { ...answer, receipt: payment.receipt };
  const open = await promptsThatMayBeIt(tx, confirmed, true);
  if (open.some(({ state }) => state === 'sending' || state === 'sent')) return 'open';
  const [paid] = await promptsThatMayBeIt(tx, confirmed, false);
  return paid?.state === 'paid' ? paid.id : null;
}

async function lockPayment(tx: Tx, id: string): Promise<Payment | null> {
  const [row] = await tx.sql<Payment[]>`
    select id, receipt, amount_cents, account_reference, state, received_at, listed_at from paybill_payments where id = ${id} for update`;
  return row ?? null;
}

async function settle(tx: Tx, id: string, state: 'credited' | 'suspense' | 'unverified'): Promise<void> {
  await tx.sql`update paybill_payments set state = ${state}, settled_at = ${tx.now} where id = ${id}`;
}

async function creditMember(
  tx: Tx,
  payment: Payment,
  answer: StoredAnswer,
  about: { readonly type: string; readonly id: string },
): Promise<void> {
  const { receipt } = payment;
  const amountCents = answer.amountCents as number;
  const isAmount = amountCents === payment.amount_cents;
  const userId = isAmount ? await ownerOfAccount(tx, payment.account_reference) : null;
  if (userId === null) {
    const kind = isAmount ? 'paybill_account_unknown' : 'amount_mismatch';
    // An account number from a callback alone is not shown to operators as what the payer typed.
    const detail = payment.listed_at === null ? {} : { account: payment.account_reference };
    await bookStray(tx, { receipt, answer, kind, about, source: 'paybill', detail });
    return;
  }
  const paidAt = answer.paidAt === null ? null : new Date(answer.paidAt);
  const isNew = await takeReceipt(tx, {
    receipt,
    amountCents,
    source: 'paybill',
    userId,
    paidAt,
    phone: payerOf(answer),
  });
  if (!isNew) return;
  await postOrRefuse(tx, moneyJournal('paybill_received', about, userId, mpesaFloat, wallet(userId), amountCents));
  await notify(tx, {
    userId,
    template: 'paybill_received',
    causedBy: null,
    topic: 'money',
    text: sentence('{amount}, paid to the paybill, is in your wallet.', { amount: inWords(amountCents) }),
    sms: walletSms.moneyReceived(amountValue(amountCents)),
  });
  await announce(tx, [{ userId, thing: 'wallet', id: '' }]);
}
