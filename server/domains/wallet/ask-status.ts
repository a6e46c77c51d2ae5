import type { Text } from '@ushirika/contract/texts';
import type { Tx } from '../../db/tx.ts';
import { parseStatusResult } from '../../gateways/mobile-money/daraja.parse.ts';
import type { StatusResult } from '../../gateways/mobile-money/daraja.types.ts';
import { enqueue } from '../../jobs.ts';
import { comparePayerName } from '../identity/mpesa-names.ts';
import { statusUrls } from './callback-urls.ts';
import { lockDeposit } from './credit-deposit.ts';
import { announce } from './live.ts';
import { openException } from './money-exceptions.ts';
import { storeCallback } from './receive-callback.ts';
import { reportUnverified } from './settle-paybill.ts';
import { lockWithdrawal } from './settle-withdrawal.ts';
import { type HeardAnswer, heardAnswer, lockStatusQuery, NOT_KNOWN, type StatusQuery } from './status-queries.ts';
import type { WalletDeps } from './wallet.deps.ts';
import { nextStatusAsk, STATUS_ASKS_MAX, WITHDRAWAL_ALARM_ASKS } from './wallet.rules.ts';

/** When M-Pesa is busy, the question is sent again after this time. */
const BUSY_MS = 2 * 60_000;

/**
 * Asks M-Pesa about a transaction. The answer comes as a callback to the result address. Asking twice moves no money.
 */
export async function askStatus(deps: WalletDeps, id: string): Promise<void> {
  const query = await deps.database.transaction((tx) => markAsked(tx, id));
  if (!query) return;
  const outcome = await deps.daraja.transactionStatus({
    ...(query.receipt === null ? {} : { receipt: query.receipt }),
    ...(query.original_conversation_id === null ? {} : { originalConversationId: query.original_conversation_id }),
    isPayout: query.purpose === 'withdrawal',
    ...statusUrls(deps.mpesa, id),
    remarks: `status of ${query.purpose}`,
  });
  if (outcome.outcome === 'accepted') {
    return deps.database.transaction((tx) => storeConversationId(tx, id, outcome.conversationId));
  }
  if (outcome.outcome === 'rejected' && outcome.kind === 'busy') return notTaken(deps, id);
  if (outcome.outcome !== 'rejected' || outcome.kind !== 'credentials') return;
  await deps.database.transaction((tx) =>
    openException(tx, {
      kind: 'mpesa_configuration',
      about: { type: 'status_query', id },
      detail: { code: outcome.code, message: outcome.message },
    }),
  );
}

/** Locks what the question is about, then the question: the order of all code that locks both. */
async function markAsked(tx: Tx, id: string): Promise<StatusQuery | null> {
  const [seen] = await tx.sql<Pick<StatusQuery, 'purpose' | 'about_id'>[]>`
    select purpose, about_id from status_queries where id = ${id} and next_ask_at <= ${tx.now}`;
  if (!seen) return null;
  if (seen.about_id) await lockSubject(tx, seen.purpose, seen.about_id);
  const query = await lockStatusQuery(tx, id);
  if (!query || (query.state !== 'waiting' && query.state !== 'asked')) return null;
  // Another run may have asked while this one waited for the lock.
  if (query.next_ask_at === null || query.next_ask_at > tx.now) return null;
  if (query.asks >= STATUS_ASKS_MAX[query.purpose]) {
    await giveUp(tx, query);
    return null;
  }
  const asks = query.asks + 1;
  await tx.sql`
    update status_queries set state = 'asked', asks = ${asks}, asked_at = ${tx.now},
      next_ask_at = ${nextStatusAsk(asks, tx.now)}
    where id = ${id}`;
  if (query.purpose === 'withdrawal' && asks >= WITHDRAWAL_ALARM_ASKS) await alarmAboutWithdrawal(tx, query);
  return query;
}

/**
 * Puts a question back that M-Pesa was too busy to take. The attempt does not count towards the maximum, except for a
 * withdrawal: operators are told about one after a number of attempts.
 */
async function notTaken({ database }: WalletDeps, id: string): Promise<void> {
  await database.sql`
    update status_queries set asks = asks - 1, next_ask_at = greatest(next_ask_at, ${new Date(database.now().getTime() + BUSY_MS)})
    where id = ${id} and state = 'asked' and asks > 0 and purpose <> 'withdrawal'`;
}

async function lockSubject(tx: Tx, purpose: StatusQuery['purpose'], id: string): Promise<void> {
  if (purpose === 'withdrawal') await lockWithdrawal(tx, id);
  if (purpose === 'deposit') await lockDeposit(tx, id);
  if (purpose === 'claim') await tx.sql`select from receipt_claims where id = ${id} for update`;
  if (purpose === 'paybill') await tx.sql`select from paybill_payments where id = ${id} for update`;
}

/**
 * Stores the ConversationID under which M-Pesa took the question. If the answer arrived before this transaction, it is
 * in the callback log and is used now.
 */
async function storeConversationId(tx: Tx, id: string, conversationId: string): Promise<void> {
  const query = await lockStatusQuery(tx, id);
  if (!query) return;
  const known = [...query.conversation_ids, conversationId].slice(-10);
  await tx.sql`update status_queries set conversation_ids = ${known} where id = ${id}`;
  const [heard] = await tx.sql<{ parsed: HeardAnswer }[]>`
    select parsed from callback_log
    where kind = 'status_result' and about_id = ${id} and parsed ->> 'conversationId' = ${conversationId}
    order by received_at, id limit 1`;
  if (heard) await acceptAnswer(tx, { ...query, conversation_ids: known }, heard.parsed);
}

/**
 * Stores M-Pesa's answer. A final answer with a ConversationID under which M-Pesa took our question is settled by a
 * job. After "not known" and "not yet" M-Pesa is asked again.
 */
export async function receiveStatusResult(
  tx: Tx,
  queryId: string,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const result = parseStatusResult(body);
  const heard = result.ok ? await withComparedName(tx, heardAnswer(result.value), result.value) : null;
  await storeCallback(tx, { kind: 'status_result', aboutId: queryId, body, parsed: heard });
  const query = await lockStatusQuery(tx, queryId);
  if (!heard || !query?.conversation_ids.includes(heard.conversationId ?? '')) return;
  await acceptAnswer(tx, query, heard);
}

/** The name is compared here, where it is read, so that it stands in no table. */
async function withComparedName(tx: Tx, heard: HeardAnswer | null, result: StatusResult): Promise<HeardAnswer | null> {
  const { payerPhone: phone = null, payerName: name = null } = result.transaction ?? {};
  const payerName = heard && (await comparePayerName(tx, { phone, name }));
  return payerName ? { ...heard, answer: { ...heard.answer, payerName } } : heard;
}

async function acceptAnswer(tx: Tx, query: StatusQuery, { conversationId, answer }: HeardAnswer): Promise<void> {
  if (query.state !== 'asked' && query.state !== 'waiting') return;
  // "Not known" means something only for a withdrawal that M-Pesa has reported as failed. It must answer the newest
  // question: an older one may have been asked too early.
  const isNewest = conversationId === query.conversation_ids.at(-1);
  if (answer.status === NOT_KNOWN && !(query.purpose === 'withdrawal' && isNewest)) return;
  await tx.sql`
    update status_queries set state = 'answered', next_ask_at = null, answered_at = ${tx.now},
      answer = ${tx.sql.json(answer as never)}
    where id = ${query.id}`;
  await enqueue(tx, 'settle_status', { id: query.id });
}

/** M-Pesa's queue timed out, which says nothing about the transaction. The question is sent again when it is due. */
export async function receiveStatusTimeout(
  tx: Tx,
  queryId: string,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  await storeCallback(tx, { kind: 'status_timeout', aboutId: queryId, body, parsed: null });
}

async function giveUp(tx: Tx, query: StatusQuery): Promise<void> {
  if (query.purpose === 'claim' && query.about_id) await failUnknownClaim(tx, query.about_id);
  if (query.purpose === 'paybill' && query.about_id) await leavePaybillUnverified(tx, query.about_id);
  if (query.purpose === 'deposit' && query.about_id && query.receipt) await reportUnverifiable(tx, query);
  await tx.sql`
    update status_queries set state = 'given_up', next_ask_at = null, answered_at = ${tx.now} where id = ${query.id}`;
}

async function failUnknownClaim(tx: Tx, claimId: string): Promise<void> {
  const [claim] = await tx.sql<{ user_id: string }[]>`
    update receipt_claims set state = 'failed', settled_at = ${tx.now},
      explanation = ${'M-Pesa does not know that transaction id. Look at the SMS again, and try once more if it is there.' satisfies Text}
    where id = ${claimId} and state = 'pending' returning user_id`;
  if (claim) await announce(tx, [{ userId: claim.user_id, thing: 'claim', id: claimId }]);
}

async function leavePaybillUnverified(tx: Tx, paymentId: string): Promise<void> {
  const [payment] = await tx.sql<{ id: string; receipt: string; amount_cents: number }[]>`
    update paybill_payments set state = 'unverified', settled_at = ${tx.now}
    where id = ${paymentId} and state = 'reported' returning id, receipt, amount_cents`;
  if (payment) await reportUnverified(tx, payment, {});
}

async function reportUnverifiable(tx: Tx, query: StatusQuery): Promise<void> {
  const [deposit] = await tx.sql<{ phone: string; amount_cents: number; credited_at: Date | null }[]>`
    select phone, amount_cents, credited_at from deposits where id = ${query.about_id}`;
  if (!deposit || deposit.credited_at) return;
  await openException(tx, {
    kind: 'unverifiable',
    receipt: query.receipt,
    phone: deposit.phone,
    amountCents: deposit.amount_cents,
    about: { type: 'deposit', id: query.about_id as string },
    detail: { asks: query.asks },
  });
}

async function alarmAboutWithdrawal(tx: Tx, query: StatusQuery): Promise<void> {
  const [withdrawal] = await tx.sql<{ phone: string; amount_cents: number }[]>`
    select phone, amount_cents from withdrawals where id = ${query.about_id} and state in ('sending', 'sent')`;
  if (!withdrawal) return;
  await openException(tx, {
    kind: 'withdrawal_unknown',
    phone: withdrawal.phone,
    amountCents: withdrawal.amount_cents,
    about: { type: 'withdrawal', id: query.about_id as string },
    heldIn: 'reserve',
    detail: { asks: query.asks + 1 },
  });
}
