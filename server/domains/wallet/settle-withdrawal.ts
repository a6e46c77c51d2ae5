import type { Cents } from '@ushirika/contract/money';
import { fromStored, type Sentence, sentence } from '@ushirika/contract/sentence';
import type { Text } from '@ushirika/contract/texts';
import type { Tx } from '../../db/tx.ts';
import { classifyPayout } from '../../gateways/mobile-money/daraja.codes.ts';
import { parsePayoutResult } from '../../gateways/mobile-money/daraja.parse.ts';
import { samePhone } from '../../gateways/mobile-money/party.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { notify } from '../notifications/notify.ts';
import { amountValue } from '../notifications/sms-values.ts';
import type { Sms } from '../notifications/sms-words.ts';
import { announce } from './live.ts';
import { closeExceptions, openException } from './money-exceptions.ts';
import { moneyJournal, mpesaFloat, wallet, walletHold } from './receipts.ts';
import { storeCallback } from './receive-callback.ts';
import {
  NOT_KNOWN,
  needsSecondAnswer,
  openStatusQuery,
  receiverOf,
  reopenStatusQuery,
  type StatusQuery,
  type StoredAnswer,
} from './status-queries.ts';
import { inWords, nextStatusAsk, plainText } from './wallet.rules.ts';
import { walletSms } from './wallet.sms.ts';

export interface WithdrawalRow {
  readonly id: string;
  readonly user_id: string;
  readonly phone: string;
  readonly amount_cents: Cents;
  /** M-Pesa's charge, where the member pays it: reserved in addition to the amount. */
  readonly charge_cents: Cents;
  readonly state: 'created' | 'sending' | 'sent' | 'paid' | 'returned';
  readonly conversation_id: string | null;
  readonly receipt: string | null;
  readonly created_at: Date;
  readonly sending_at: Date | null;
  /** The failure code of M-Pesa's own result; null without one. */
  readonly told_code: string | null;
  /** The proposal that two operators agreed on, for a suspended person's payout; else null. */
  readonly proposal_id: string | null;
}

export async function lockWithdrawal(tx: Tx, id: string): Promise<WithdrawalRow | null> {
  const [row] = await tx.sql<WithdrawalRow[]>`
    select id, user_id, phone, amount_cents, charge_cents, state, conversation_id, receipt, created_at, sending_at, told_code,
      proposal_id
    from withdrawals where id = ${id} for update`;
  return row ?? null;
}

type Body = Readonly<Record<string, unknown>>;

/** Before this time, "no such transaction" may mean only "not yet" (payments.md 3.4). */
const NOT_KNOWN_COUNTS_AFTER_MS = 60_000;

/**
 * Stores M-Pesa's result of a withdrawal, which proves nothing, and asks M-Pesa. The failure code of a result with the
 * right ConversationID is kept: together with it, "no such transaction" means that nothing was paid.
 */
export async function receivePayoutResult(tx: Tx, id: string, body: Body): Promise<void> {
  await storeCallback(tx, { kind: 'payout_result', aboutId: id, body, parsed: null });
  const result = parsePayoutResult(body);
  const withdrawal = await lockWithdrawal(tx, id);
  if (!result.ok || !withdrawal) return;
  const { resultCode, conversationId, payout } = result.value;
  const { verdict } = classifyPayout(resultCode);
  if (withdrawal.state === 'paid' || withdrawal.state === 'returned') {
    return reportContradiction(tx, withdrawal, verdict === 'paid', { result_code: resultCode });
  }
  if (withdrawal.conversation_id !== null && conversationId === withdrawal.conversation_id) {
    const isNo = verdict === 'failed' || verdict === 'config_alarm';
    const receiver = payout?.receiverName ? plainText(payout.receiverName, 200) : null;
    await tx.sql`
      update withdrawals set told_code = ${isNo ? resultCode : withdrawal.told_code},
        receiver_name = coalesce(receiver_name, ${receiver})
      where id = ${id}`;
    if (verdict === 'config_alarm') {
      const detail = { result_code: resultCode };
      await openException(tx, { kind: 'mpesa_configuration', about: { type: 'withdrawal', id }, detail });
    }
    if (isNo && withdrawal.told_code === null) await askSooner(tx, withdrawal);
  }
  await openStatusQuery(tx, { purpose: 'withdrawal', aboutId: id, originalConversationId: id });
}

/** Asks a waiting question as soon as its answer can count, instead of hours later. */
async function askSooner(tx: Tx, withdrawal: WithdrawalRow): Promise<void> {
  await tx.sql`
    update status_queries set next_ask_at = least(next_ask_at, ${notKnownCountsFrom(withdrawal, tx.now)})
    where purpose = 'withdrawal' and about_id = ${withdrawal.id} and state in ('waiting', 'asked')`;
}

function notKnownCountsFrom({ sending_at }: WithdrawalRow, now: Date): Date {
  return new Date(Math.max(now.getTime(), (sending_at ?? now).getTime() + NOT_KNOWN_COUNTS_AFTER_MS));
}

/** M-Pesa's queue timed out, which does not say whether it paid. The money stays reserved, and M-Pesa is asked. */
export async function receivePayoutTimeout(tx: Tx, id: string, body: Body): Promise<void> {
  await storeCallback(tx, { kind: 'payout_timeout', aboutId: id, body, parsed: null });
  const withdrawal = await lockWithdrawal(tx, id);
  if (withdrawal?.state !== 'sending' && withdrawal?.state !== 'sent') return;
  await openStatusQuery(tx, { purpose: 'withdrawal', aboutId: id, originalConversationId: id });
}

/** Settles a withdrawal by transaction status, which decides. "Not paid", or paid otherwise, must be answered twice. */
export async function settleWithdrawalByStatus(tx: Tx, query: StatusQuery, answer: StoredAnswer): Promise<void> {
  const id = query.about_id as string;
  const withdrawal = await lockWithdrawal(tx, id);
  if (!withdrawal) return;
  const isPaid = answer.status === 'Completed';
  if (withdrawal.state === 'paid' || withdrawal.state === 'returned') {
    if (answer.status === NOT_KNOWN) return;
    return reportContradiction(tx, withdrawal, isPaid, { mpesa_status: answer.status });
  }
  if (answer.status === NOT_KNOWN) return settleUnknown(tx, query, withdrawal);
  const isOther = samePhone(receiverOf(answer), withdrawal.phone) === 'another';
  const isThis = isPaid && answer.amountCents === withdrawal.amount_cents && !isOther;
  if (!isThis && (await needsSecondAnswer(tx, query, answer))) return;
  if (!isPaid) {
    const explanation: Text = 'M-Pesa did not pay it. Your money is back in your wallet.';
    return returnWithdrawal(tx, null, withdrawal, { resultCode: answer.status, explanation });
  }
  if (!isThis) {
    await openException(tx, {
      kind: 'withdrawal_contradicts',
      receipt: answer.receipt,
      phone: withdrawal.phone,
      // What is reserved; both figures are in `detail`.
      amountCents: withdrawal.amount_cents,
      about: { type: 'withdrawal', id },
      heldIn: 'reserve',
      detail: { asked_cents: withdrawal.amount_cents, reported_cents: answer.amountCents },
    });
    return;
  }
  await payWithdrawal(tx, null, withdrawal, answer.receipt);
}

/**
 * M-Pesa knows no such transaction. After its own result that the withdrawal failed, this means that nothing was paid;
 * otherwise it means nothing.
 */
async function settleUnknown(tx: Tx, query: StatusQuery, withdrawal: WithdrawalRow): Promise<void> {
  const code = withdrawal.told_code;
  const countsFrom = notKnownCountsFrom(withdrawal, query.asked_at ?? tx.now);
  const isNo = code !== null && query.asked_at !== null && countsFrom <= query.asked_at;
  if (isNo) {
    const explanation = classifyPayout(code).sentence;
    return returnWithdrawal(tx, null, withdrawal, { resultCode: code, explanation });
  }
  await reopenStatusQuery(tx, query, { at: code === null ? nextStatusAsk(query.asks, tx.now) : countsFrom });
}

/** @param causedBy the operator who found it paid; null where M-Pesa told us */
export async function payWithdrawal(
  tx: Tx,
  causedBy: string | null,
  withdrawal: WithdrawalRow,
  receipt: string | null,
): Promise<void> {
  const { id, user_id: userId, amount_cents: amountCents } = withdrawal;
  await tx.sql`
    update withdrawals set state = 'paid', settled_at = ${tx.now}, next_query_at = null, result_code = '0',
      explanation = ${'Paid to your phone.' satisfies Text},
      receipt = case when exists (select from withdrawals o where o.receipt = ${receipt}) then null else ${receipt} end
    where id = ${id}`;
  await notifySettled(tx, causedBy, withdrawal, {
    sms: walletSms.withdrawalPaid(amountValue(amountCents)),
    text: sentence('{amount} was sent to your phone.', { amount: inWords(amountCents) }),
  });
  const about = { type: 'withdrawal', id };
  await postOrRefuse(tx, moneyJournal('withdrawal_paid', about, userId, walletHold(userId), mpesaFloat, amountCents));
  const { charge_cents: charge } = withdrawal;
  if (charge === 0) return;
  // M-Pesa takes its charge from our balance there.
  await postOrRefuse(tx, moneyJournal('withdrawal_charged', about, userId, walletHold(userId), mpesaFloat, charge));
}

/**
 * Returns a withdrawal to the wallet. Only after M-Pesa has definitely refused it: money that may have been paid stays
 * reserved.
 * @param causedBy the operator who found it unpaid; null where M-Pesa told us
 */
export async function returnWithdrawal(
  tx: Tx,
  causedBy: string | null,
  withdrawal: WithdrawalRow,
  { resultCode, explanation }: { readonly resultCode: string; readonly explanation: Text },
): Promise<void> {
  const { id, user_id: userId, amount_cents: amountCents } = withdrawal;
  await tx.sql`
    update withdrawals set state = 'returned', settled_at = ${tx.now}, next_query_at = null,
      result_code = ${resultCode.slice(0, 40)}, explanation = ${explanation}
    where id = ${id}`;
  await notifySettled(tx, causedBy, withdrawal, {
    sms: walletSms.withdrawalReturned(amountValue(amountCents)),
    text: sentence('Your withdrawal of {amount} did not go through. {why}', {
      amount: inWords(amountCents),
      why: fromStored(explanation),
    }),
  });
  const about = { type: 'withdrawal', id };
  await postOrRefuse(
    tx,
    moneyJournal(
      'withdrawal_returned',
      about,
      userId,
      walletHold(userId),
      wallet(userId),
      amountCents + withdrawal.charge_cents,
    ),
  );
}

async function notifySettled(
  tx: Tx,
  causedBy: string | null,
  withdrawal: WithdrawalRow,
  { sms, text }: { readonly sms: Sms; readonly text: Sentence },
): Promise<void> {
  await closeExceptions(tx, { id: withdrawal.id }, 'M-Pesa has said what became of it.');
  await tx.sql`
    update status_queries set state = 'given_up', next_ask_at = null, answered_at = ${tx.now}
    where purpose = 'withdrawal' and about_id = ${withdrawal.id} and state in ('waiting', 'asked')`;
  await notify(tx, { userId: withdrawal.user_id, template: sms.template, topic: 'money', text, sms, causedBy });
  await announce(tx, [
    { userId: withdrawal.user_id, thing: 'withdrawal', id: withdrawal.id },
    { userId: withdrawal.user_id, thing: 'wallet', id: '' },
  ]);
}

/** A settled withdrawal is never settled again. A different answer about it goes to an operator. */
async function reportContradiction(
  tx: Tx,
  withdrawal: WithdrawalRow,
  saysPaid: boolean,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (saysPaid === (withdrawal.state === 'paid')) return;
  await openException(tx, {
    kind: 'withdrawal_contradicts',
    receipt: withdrawal.receipt,
    phone: withdrawal.phone,
    amountCents: withdrawal.amount_cents,
    about: { type: 'withdrawal', id: withdrawal.id },
    detail: { ...detail, settled_as: withdrawal.state },
  });
}
