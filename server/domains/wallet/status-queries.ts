import type { Cents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';
import type { StatusResult } from '../../gateways/mobile-money/daraja.types.ts';
import { enqueue, enqueueAll } from '../../jobs.ts';
import { nextStatusAsk, type StatusPurpose } from './wallet.rules.ts';

export interface StatusQuery {
  readonly id: string;
  readonly purpose: StatusPurpose;
  readonly about_id: string | null;
  readonly receipt: string | null;
  readonly original_conversation_id: string | null;
  readonly state: 'waiting' | 'asked' | 'answered' | 'given_up';
  readonly asks: number;
  readonly answer: StoredAnswer | null;
  /** The ConversationIDs under which M-Pesa took the question. */
  readonly conversation_ids: readonly string[];
  readonly asked_at: Date | null;
  readonly next_ask_at: Date | null;
  readonly doubted: StoredAnswer | null;
}

/** What M-Pesa answered about a transaction, as it is kept. */
export interface StoredAnswer {
  readonly receipt: string | null;
  readonly status: string;
  readonly amountCents: Cents | null;
  readonly payerPhone: string | null;
  readonly receiverPhone: string | null;
  readonly payeeShortcode: string | null;
  readonly originatorConversationId: string | null;
  readonly paidAt: string | null;
}

/** What is kept of an answer that came before M-Pesa's receipt for the question. */
export interface HeardAnswer {
  readonly conversationId: string | null;
  readonly answer: StoredAnswer;
}

/** The same receipt is not asked about for the same thing more often than this: callbacks may come by the thousand. */
const RECEIPT_ASKED_EVERY_MS = 3_600_000;

/** Receipts that callbacks name, asked about for one top-up in that time; M-Pesa itself names one or two. */
const RECEIPTS_OF_ONE_MAX = 20;
/** Open questions about receipts that nobody asked for, at once. */
const STRAYS_MAX = 200;
/** Those for whom somebody waits go before what callbacks have us look into. */
export const ASKED_BY_SOMEBODY: readonly StatusPurpose[] = ['claim', 'withdrawal'];

/**
 * Asks M-Pesa about a transaction, in a job; one question about one thing is open at a time. Receipts that callbacks name
 * are asked about so many times and no more: whoever forges callbacks names a new one each time, and what is real among
 * them M-Pesa's list or its payer's claim brings in.
 */
export async function openStatusQuery(
  tx: Tx,
  query: {
    readonly purpose: StatusPurpose;
    readonly aboutId: string | null;
    readonly receipt?: string | null;
    readonly originalConversationId?: string | null;
  },
): Promise<void> {
  if (query.receipt && (await areEnough(tx, query.purpose, query.aboutId))) return;
  const [row] = await tx.sql<{ id: string }[]>`
    insert into status_queries
      (id, purpose, about_id, receipt, original_conversation_id, state, next_ask_at, created_at)
    select ${tx.newId()}, ${query.purpose}, ${query.aboutId}::uuid, ${query.receipt ?? null}::text,
      ${query.originalConversationId ?? null}, 'waiting', ${tx.now}::timestamptz, ${tx.now}
    where not exists (
      select from status_queries q
      where q.receipt = ${query.receipt ?? null}::text and q.purpose = ${query.purpose}
        and q.about_id is not distinct from ${query.aboutId}::uuid
        and q.created_at > ${new Date(tx.now.getTime() - RECEIPT_ASKED_EVERY_MS)})
    on conflict do nothing
    returning id`;
  if (row) await enqueue(tx, 'ask_status', { id: row.id }, { canWait: !ASKED_BY_SOMEBODY.includes(query.purpose) });
}

async function areEnough(tx: Tx, purpose: StatusPurpose, aboutId: string | null): Promise<boolean> {
  if (purpose !== 'deposit' && purpose !== 'stray') return false;
  const [most, which] =
    purpose === 'stray'
      ? [STRAYS_MAX, tx.sql`purpose = 'stray' and state in ('waiting', 'asked')`]
      : [
          RECEIPTS_OF_ONE_MAX,
          tx.sql`about_id = ${aboutId} and receipt is not null
            and created_at > ${new Date(tx.now.getTime() - RECEIPT_ASKED_EVERY_MS)}`,
        ];
  const [row] = await tx.sql<{ count: number }[]>`
    select count(*)::int as count from (select from status_queries where ${which} limit ${most}) asked`;
  return (row?.count ?? 0) >= most;
}

/** Locked after the thing that it is about, by whoever locks both. */
export async function lockStatusQuery(tx: Tx, id: string): Promise<StatusQuery | null> {
  const [row] = await tx.sql<StatusQuery[]>`
    select id, purpose, about_id, receipt, original_conversation_id, state, asks, answer, conversation_ids, asked_at,
      next_ask_at, doubted
    from status_queries where id = ${id} for update`;
  return row ?? null;
}

/**
 * Has M-Pesa asked again, though it has answered. `asks` stays: how often at most does not begin anew. The answers to
 * questions so far are used up: one of them sent once more is no second answer.
 */
export async function reopenStatusQuery(
  tx: Tx,
  query: Pick<StatusQuery, 'id'>,
  again: { readonly at: Date; readonly doubted?: StoredAnswer },
): Promise<void> {
  await tx.sql`
    update status_queries q set state = 'asked', answer = null, answered_at = null, next_ask_at = ${again.at},
      conversation_ids = '{}',
      doubted = coalesce(${again.doubted === undefined ? null : tx.sql.json(again.doubted as never)}, doubted)
    where id = ${query.id} and state = 'answered' and not exists (
      select from status_queries o
      where o.id <> q.id and o.purpose = q.purpose and o.about_id is not distinct from q.about_id
        and o.receipt is not distinct from q.receipt and o.state in ('waiting', 'asked'))`;
}

/**
 * Whether an answer that does not fit what we know must be given once more before it is acted on: the first time it is
 * put aside and M-Pesa is asked again. Two of the same are M-Pesa's word.
 */
export async function isDoubtedFirst(tx: Tx, query: StatusQuery, answer: StoredAnswer): Promise<boolean> {
  const same =
    query.doubted !== null &&
    query.doubted.status === answer.status &&
    query.doubted.amountCents === answer.amountCents &&
    query.doubted.receiverPhone === answer.receiverPhone &&
    query.doubted.payerPhone === answer.payerPhone;
  if (same) return false;
  await reopenStatusQuery(tx, query, { at: nextStatusAsk(1, tx.now), doubted: answer });
  return true;
}

/**
 * Has M-Pesa asked again in a while, and does not count this time: something else has to be settled first, such as a prompt
 * that is still open and may have been paid by this receipt.
 */
export async function askAgain(tx: Tx, query: Pick<StatusQuery, 'id'>): Promise<void> {
  await tx.sql`
    update status_queries set state = 'asked', answer = null, answered_at = null, conversation_ids = '{}',
      asks = greatest(asks - 1, 0), next_ask_at = ${nextStatusAsk(1, tx.now)}
    where id = ${query.id} and state = 'answered'`;
}

/** States of a transaction that never change again. */
const FINAL_STATES = new Set(['Completed', 'Cancelled', 'Declined', 'Expired', 'Failed', 'Reversed']);

/** A claim waits for its payment to come into the books: it has come. */
export async function wakeClaims(tx: Tx, receipt: string): Promise<void> {
  const waiting = await tx.sql<{ id: string }[]>`
    update status_queries set next_ask_at = ${tx.now}
    where purpose = 'claim' and receipt = ${receipt} and state = 'asked' returning id`;
  await enqueueAll(tx, 'ask_status', waiting);
}

/** Stands as the status of an answer in which M-Pesa says that it knows no such transaction (payments.md 3.4). */
export const NOT_KNOWN = 'NotKnown';

/** The final answer in a result, or null where M-Pesa says nothing, or not yet. */
export function heardAnswer(result: StatusResult): HeardAnswer | null {
  const { conversationId } = result;
  const found = result.transaction;
  if (result.resultCode === '2032') return { conversationId, answer: { ...NOTHING, status: NOT_KNOWN } };
  if (!found?.status || !FINAL_STATES.has(found.status)) return null;
  const answer = {
    receipt: found.receipt,
    status: found.status,
    amountCents: found.amountCents,
    payerPhone: found.payerPhone,
    receiverPhone: found.receiverPhone,
    payeeShortcode: found.payeeShortcode,
    originatorConversationId: found.originatorConversationId,
    paidAt: (found.finalisedAt ?? found.initiatedAt)?.toISOString() ?? null,
  };
  return { conversationId, answer };
}

const NOTHING = {
  receipt: null,
  amountCents: null,
  payerPhone: null,
  receiverPhone: null,
  payeeShortcode: null,
  originatorConversationId: null,
  paidAt: null,
};
