import type { Cents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { notify } from '../notifications/notify.ts';
import { bookStray } from './book-stray.ts';
import { announce } from './live.ts';
import { openException } from './money-exceptions.ts';
import { lockReceipt, moneyJournal, mpesaFloat, takeReceipt, wallet } from './receipts.ts';
import { ownerOfAccount } from './receive-paybill.ts';
import { isPaidToUs, settleDepositByStatus } from './settle-deposit-by-status.ts';
import type { StatusQuery, StoredAnswer } from './status-queries.ts';
import { foldAccountReference, inWords } from './wallet.rules.ts';

interface Payment {
  readonly id: string;
  readonly receipt: string;
  readonly amount_cents: Cents;
  readonly account_reference: string;
  readonly state: string;
}

/** Settles a payment to the paybill by M-Pesa's answer: to the member whose account number it names, else to suspense. */
export async function settlePaybill(
  tx: Tx,
  shortcode: string,
  query: Pick<StatusQuery, 'about_id'>,
  answer: StoredAnswer,
): Promise<void> {
  const payment = await lockPayment(tx, query.about_id as string);
  if (payment?.state !== 'reported') return;
  const about = { type: 'paybill_payment', id: payment.id };
  const isOf = answer.receipt === null || answer.receipt === payment.receipt;
  if (!isOf || !isPaidToUs(answer, shortcode)) {
    await openException(tx, {
      kind: 'paybill_unverified',
      receipt: payment.receipt,
      amountCents: payment.amount_cents,
      about,
      detail: { mpesa_status: answer.status, payee: answer.payeeShortcode },
    });
    return settle(tx, payment.id, 'unverified');
  }
  const [prompt] = await tx.sql<{ id: string }[]>`
    select id from deposits where reference = ${foldAccountReference(payment.account_reference)}`;
  if (prompt) {
    // A prompt's own payment, told of in a second way.
    await settleDepositByStatus(tx, shortcode, { about_id: prompt.id, receipt: payment.receipt }, answer);
  } else {
    await creditMember(tx, payment, answer, about);
  }
  const booked = await lockReceipt(tx, payment.receipt);
  await settle(tx, payment.id, booked?.credited_to === 'suspense' ? 'suspense' : 'credited');
}

async function lockPayment(tx: Tx, id: string): Promise<Payment | null> {
  const [row] = await tx.sql<Payment[]>`
    select id, receipt, amount_cents, account_reference, state from paybill_payments where id = ${id} for update`;
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
    const detail = { account: payment.account_reference };
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
    phone: answer.payerPhone,
  });
  if (!isNew) return;
  await postOrRefuse(tx, moneyJournal('paybill_received', about, userId, mpesaFloat, wallet(userId), amountCents));
  await notify(tx, {
    userId,
    template: 'paybill_received',
    topic: 'money',
    text: {
      en: `${inWords(amountCents)}, paid to the paybill, is in your wallet.`,
      sw: `${inWords(amountCents)} uliyolipa kwa paybill imeingia kwenye pochi yako.`,
    },
  });
  await announce(tx, [{ userId, thing: 'wallet', id: '' }]);
}
