import type { Cents } from '@ushirika/contract/money';
import { sentence } from '@ushirika/contract/sentence';
import type { Text } from '@ushirika/contract/texts';
import type { Tx } from '../../db/tx.ts';
import { samePhone } from '../../gateways/mobile-money/party.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { notify } from '../notifications/notify.ts';
import { amountValue } from '../notifications/sms-values.ts';
import { announce } from './live.ts';
import { closeExceptions, openException } from './money-exceptions.ts';
import { lockReceipt, moneyJournal, mpesaFloat, type ReceiptRow, suspense, takeReceipt, wallet } from './receipts.ts';
import { releasePrompt } from './request-deposit.ts';
import { openStatusQuery } from './status-queries.ts';
import { inWords, PROMPT_PAID_AFTER_MS, PROMPT_PAID_BEFORE_MS } from './wallet.rules.ts';
import { walletSms } from './wallet.sms.ts';

export interface DepositRow {
  readonly id: string;
  readonly user_id: string;
  readonly phone: string;
  readonly amount_cents: Cents;
  readonly state: string;
  readonly checkout_request_id: string | null;
  readonly merchant_request_id: string | null;
  readonly sending_at: Date | null;
  readonly credited_at: Date | null;
  readonly queries: number;
}

export async function lockDeposit(tx: Tx, id: string): Promise<DepositRow | null> {
  const [row] = await tx.sql<DepositRow[]>`
    select id, user_id, phone, amount_cents, state, checkout_request_id, merchant_request_id, sending_at, credited_at,
      queries
    from deposits where id = ${id} for update`;
  return row ?? null;
}

/** Ends a deposit without crediting it, with an explanation for its owner. */
export async function closeDeposit(
  tx: Tx,
  deposit: Pick<DepositRow, 'id' | 'user_id'>,
  as: {
    readonly state: 'failed' | 'cancelled' | 'expired' | 'review';
    readonly explanation: Text;
    readonly resultCode?: string | null;
  },
): Promise<void> {
  await tx.sql`
    update deposits set state = ${as.state}, explanation = ${as.explanation}, settled_at = ${tx.now},
      next_query_at = null, result_code = coalesce(${as.resultCode ?? null}, result_code)
    where id = ${deposit.id}`;
  await releasePrompt(tx, deposit.id);
  await announce(tx, [{ userId: deposit.user_id, thing: 'deposit', id: deposit.id }]);
}

/**
 * How a deposit's money gets into the wallet: `post` it now; it is `booked_already` there; move it `from_suspense`; or
 * its receipt is already used for something else.
 */
type Booking = 'post' | 'booked_already' | 'from_suspense' | 'of_another';

/**
 * Credits a deposit whose payment M-Pesa has confirmed, once: the deposit's row is locked, its id is the journal's key,
 * and each receipt is a unique row. Without a receipt, M-Pesa is asked for it afterwards.
 */
export async function creditDeposit(
  tx: Tx,
  deposit: DepositRow,
  paid: { readonly receipt: string | null; readonly paidAt: Date | null },
): Promise<void> {
  if (deposit.credited_at) return;
  const found = paid.receipt === null ? await claimedReceiptOf(tx, deposit) : null;
  const receipt = paid.receipt ?? found?.receipt ?? null;
  const booking = receipt === null ? 'post' : await book(tx, deposit, receipt, paid.paidAt);
  if (booking === 'of_another') return reviewForeignReceipt(tx, deposit, receipt);
  await markPaid(tx, deposit);
  // Accounts of the ledger are locked last, after exceptions: the order of all code that locks both.
  const about = { type: 'deposit', id: deposit.id };
  if (booking === 'post') {
    const journal = moneyJournal(
      'wallet_topped_up',
      about,
      deposit.user_id,
      mpesaFloat,
      wallet(deposit.user_id),
      deposit.amount_cents,
    );
    await postOrRefuse(tx, journal);
  } else if (booking === 'from_suspense') {
    await postOrRefuse(
      tx,
      moneyJournal('suspense_credited', about, null, suspense, wallet(deposit.user_id), deposit.amount_cents),
    );
  }
  if (receipt === null && deposit.merchant_request_id !== null) {
    const originalConversationId = deposit.merchant_request_id;
    await openStatusQuery(tx, { purpose: 'deposit', aboutId: deposit.id, originalConversationId });
  }
}

async function markPaid(tx: Tx, deposit: DepositRow): Promise<void> {
  await tx.sql`
    update deposits set state = 'paid', credited_at = ${tx.now}, settled_at = ${tx.now}, next_query_at = null,
      result_code = '0', explanation = ${'Paid. The money is in your wallet.' satisfies Text},
      late_after = case when state in ('failed', 'cancelled', 'expired', 'review') then state end
    where id = ${deposit.id}`;
  await releasePrompt(tx, deposit.id);
  await closeExceptions(tx, { id: deposit.id }, 'M-Pesa confirmed the payment, and it was credited.');
  await notify(tx, {
    userId: deposit.user_id,
    template: 'deposit_paid',
    causedBy: null,
    topic: 'money',
    text: sentence('{amount} is in your wallet.', { amount: inWords(deposit.amount_cents) }),
    sms: walletSms.moneyReceived(amountValue(deposit.amount_cents)),
  });
  await announce(tx, [
    { userId: deposit.user_id, thing: 'deposit', id: deposit.id },
    { userId: deposit.user_id, thing: 'wallet', id: '' },
  ]);
}

/** Stores the receipt for this deposit, or finds how its money was booked before. */
async function book(tx: Tx, deposit: DepositRow, receipt: string, paidAt: Date | null): Promise<Booking> {
  if (await takeForDeposit(tx, deposit, receipt, paidAt)) return 'post';
  const row = await lockReceipt(tx, receipt);
  if (!row || row.deposit_id !== null || row.amount_cents !== deposit.amount_cents) return 'of_another';
  if (row.credited_to === 'wallet' && row.user_id !== deposit.user_id) return 'of_another';
  if (row.credited_to !== 'wallet' && !(await takeFromSuspense(tx, deposit, receipt))) return 'of_another';
  await tx.sql`
    update mpesa_receipts set deposit_id = ${deposit.id}, credited_to = 'wallet', user_id = ${deposit.user_id}
    where receipt = ${receipt}`;
  return row.credited_to === 'wallet' ? 'booked_already' : 'from_suspense';
}

/** False when the money is not in suspense any more, because an operator has sent it back. */
async function takeFromSuspense(tx: Tx, deposit: DepositRow, receipt: string): Promise<boolean> {
  const taken = await tx.sql`
    update money_exceptions set resolved_at = ${tx.now}, resolution = 'matched', credited_user_id = ${deposit.user_id},
      reason = ${'M-Pesa confirmed that it paid for a top-up.' satisfies Text}
    where receipt = ${receipt} and held_in = 'suspense' and resolved_at is null
    returning id`;
  return taken.length > 0;
}

/**
 * A receipt with the same amount and time, and of no other phone, that was booked before M-Pesa confirmed the prompt. It came by a
 * claim, or M-Pesa's list does not say that it was paid to another account number.
 */
async function claimedReceiptOf(tx: Tx, deposit: DepositRow): Promise<ReceiptRow | null> {
  const found = await tx.sql<{ receipt: string; phone: string | null; credited_to: string }[]>`
    select receipt, phone, credited_to from mpesa_receipts
    where deposit_id is null and credited_to <> 'returned'
      and (phone = ${deposit.phone} or phone is null or phone like '%*%') and amount_cents = ${deposit.amount_cents}
      and (source = 'claim' or not exists (
        select from paybill_payments p where p.receipt = mpesa_receipts.receipt and p.listed_at is not null))
      and coalesce(paid_at, credited_at)
        between ${deposit.sending_at}::timestamptz - ${PROMPT_PAID_BEFORE_MS} * interval '1 millisecond'
        and ${deposit.sending_at}::timestamptz + ${PROMPT_PAID_AFTER_MS} * interval '1 millisecond'
    order by phone is not distinct from ${deposit.phone} desc, coalesce(paid_at, credited_at), receipt limit 100`;
  for (const { receipt, phone, credited_to } of found) {
    const payer = samePhone(phone, deposit.phone);
    if (payer === 'another' || (payer === 'not_said' && credited_to !== 'suspense')) continue;
    const row = await lockReceipt(tx, receipt);
    if (row?.deposit_id === null && row.credited_to !== 'returned') return row;
  }
  return null;
}

/** The prompt was paid, and its receipt is booked for something else: opens an exception for an operator. */
async function reviewForeignReceipt(tx: Tx, deposit: DepositRow, receipt: string | null): Promise<void> {
  await reportForeignReceipt(tx, deposit, receipt);
  await closeDeposit(tx, deposit, {
    state: 'review',
    explanation: 'The receipt of this payment has been used already. We are looking into it.',
  });
}

async function reportForeignReceipt(tx: Tx, deposit: DepositRow, receipt: string | null): Promise<void> {
  await openException(tx, {
    kind: 'receipt_of_another',
    receipt,
    phone: deposit.phone,
    amountCents: deposit.amount_cents,
    about: { type: 'deposit', id: deposit.id },
    detail: {},
  });
}

/**
 * Adds a receipt to a deposit that was credited without one.
 * @returns `second` when the deposit has another receipt already
 */
export async function joinReceipt(
  tx: Tx,
  deposit: DepositRow,
  receipt: string,
  paidAt: Date | null,
): Promise<'joined' | 'second'> {
  const [own] = await tx.sql<{ receipt: string }[]>`
    select receipt from mpesa_receipts where deposit_id = ${deposit.id}`;
  if (own) return own.receipt === receipt ? 'joined' : 'second';
  if (await takeForDeposit(tx, deposit, receipt, paidAt)) {
    await announce(tx, [{ userId: deposit.user_id, thing: 'deposit', id: deposit.id }]);
  } else {
    await reportForeignReceipt(tx, deposit, receipt);
  }
  return 'joined';
}

function takeForDeposit(tx: Tx, deposit: DepositRow, receipt: string, paidAt: Date | null): Promise<boolean> {
  return takeReceipt(tx, {
    receipt,
    amountCents: deposit.amount_cents,
    source: 'deposit',
    userId: deposit.user_id,
    depositId: deposit.id,
    paidAt,
    phone: deposit.phone,
  });
}
