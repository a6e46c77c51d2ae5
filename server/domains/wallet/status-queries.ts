import type { Cents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';
import type { StatusResult } from '../../gateways/mobile-money/daraja.types.ts';
import { enqueue, enqueueAll } from '../../jobs.ts';
import type { ComparedName } from '../identity/mpesa-names.ts';
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
  /** The ConversationIDs under which M-Pesa accepted the question. */
  readonly conversation_ids: readonly string[];
  readonly asked_at: Date | null;
  readonly next_ask_at: Date | null;
  readonly doubted: StoredAnswer | null;
}

/** M-Pesa's answer about a transaction, as it is stored. */
export interface StoredAnswer {
  readonly receipt: string | null;
  readonly status: string;
  readonly amountCents: Cents | null;
  /** The payer's number as M-Pesa shows it (`party.ts`); answers stored before have only `payerPhone`. */
  readonly payer?: string | null;
  readonly payerPhone: string | null;
  /** How the payer's name compares with the account of that phone; the name itself is not stored. */
  readonly payerName?: ComparedName;
  readonly receiver?: string | null;
  readonly receiverPhone: string | null;
  readonly payeeShortcode: string | null;
  readonly originatorConversationId: string | null;
  readonly paidAt: string | null;
}

/** The payer's number as far as M-Pesa shows it. */
export const payerOf = (answer: StoredAnswer): string | null => answer.payer ?? answer.payerPhone;

/** The receiver's number as far as M-Pesa shows it, where a person received. */
export const receiverOf = (answer: StoredAnswer): string | null => answer.receiver ?? answer.receiverPhone;

/** An answer in the callback log; it may arrive before M-Pesa has confirmed the question. */
export interface HeardAnswer {
  readonly conversationId: string | null;
  readonly answer: StoredAnswer;
}

/** A receipt is asked about for one thing at most once in this time: callbacks may come by the thousand. */
const RECEIPT_ASKED_EVERY_MS = 3_600_000;

/** The most receipts that are asked about for one top-up in that time; M-Pesa itself names one or two. */
const RECEIPTS_OF_ONE_MAX = 20;
/** The most open questions about receipts that belong to no top-up. */
const STRAYS_MAX = 200;
/** Purposes that a person waits for. They are asked before those that callbacks cause. */
export const ASKED_BY_SOMEBODY: readonly StatusPurpose[] = ['claim', 'withdrawal'];

/**
 * Enqueues a question to M-Pesa about a transaction. At most one question about a thing is open. Receipts that
 * callbacks name are asked about a limited number of times, because a forger can name a new one each time. A real
 * payment among them is still found by M-Pesa's list or its payer's claim.
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

/** Lock the thing that the query is about first: the order of all code that locks both. */
export async function lockStatusQuery(tx: Tx, id: string): Promise<StatusQuery | null> {
  const [row] = await tx.sql<StatusQuery[]>`
    select id, purpose, about_id, receipt, original_conversation_id, state, asks, answer, conversation_ids, asked_at,
      next_ask_at, doubted
    from status_queries where id = ${id} for update`;
  return row ?? null;
}

/**
 * Asks M-Pesa again, though it has answered. `asks` is kept, so the maximum still holds. The ConversationIDs so far are
 * dropped: a repeated delivery of an earlier answer does not count as a second answer.
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
 * Whether an unexpected answer must be confirmed by a second one before it is acted on. The first time it is stored and
 * M-Pesa is asked again. When M-Pesa gives the same answer again, it counts.
 */
export async function needsSecondAnswer(tx: Tx, query: StatusQuery, answer: StoredAnswer): Promise<boolean> {
  const same =
    query.doubted !== null &&
    query.doubted.status === answer.status &&
    query.doubted.amountCents === answer.amountCents &&
    receiverOf(query.doubted) === receiverOf(answer) &&
    payerOf(query.doubted) === payerOf(answer);
  if (same) return false;
  await reopenStatusQuery(tx, query, { at: nextStatusAsk(1, tx.now), doubted: answer });
  return true;
}

/**
 * Asks M-Pesa again later, without counting this attempt. Something else must be settled first, such as an open prompt
 * that may have been paid by this receipt.
 */
export async function askAgain(tx: Tx, query: Pick<StatusQuery, 'id'>): Promise<void> {
  await tx.sql`
    update status_queries set state = 'asked', answer = null, answered_at = null, conversation_ids = '{}',
      asks = greatest(asks - 1, 0), next_ask_at = ${nextStatusAsk(1, tx.now)}
    where id = ${query.id} and state = 'answered'`;
}

/** Final states of a transaction at M-Pesa. */
const FINAL_STATES = new Set(['Completed', 'Cancelled', 'Declined', 'Expired', 'Failed', 'Reversed']);

/**
 * Locks the questions of claims of a receipt, before what M-Pesa answered about it is settled. A claim that is being settled has the lock of
 * its question (`settleClaim`): it is waited for, since it may have looked already, and put its question off. In this order are locked:
 * questions of claims, the payment or the top-up, the receipt, accounts.
 */
export async function lockQuestionsOfClaims(tx: Tx, receipt: string): Promise<void> {
  await tx.sql`
    select from status_queries
    where purpose = 'claim' and receipt = ${receipt} and state in ('waiting', 'asked', 'answered') order by id for update`;
}

/** Asks again for claims that wait for this receipt, once it is booked; their questions are locked (`lockQuestionsOfClaims`). */
export async function askAgainForClaims(tx: Tx, receipt: string): Promise<void> {
  const waiting = await tx.sql<{ id: string }[]>`
    update status_queries set next_ask_at = ${tx.now}
    where purpose = 'claim' and receipt = ${receipt} and state = 'asked'
      and exists (select from mpesa_receipts r where r.receipt = status_queries.receipt) returning id`;
  await enqueueAll(tx, 'ask_status', waiting);
}

/** The stored status when M-Pesa answers that it knows no such transaction (payments.md 3.4). */
export const NOT_KNOWN = 'NotKnown';

/** The final answer in a result; null when there is none yet. */
export function heardAnswer(result: StatusResult): HeardAnswer | null {
  const { conversationId } = result;
  const found = result.transaction;
  if (result.resultCode === '2032') return { conversationId, answer: { ...NOTHING, status: NOT_KNOWN } };
  if (!found?.status || !FINAL_STATES.has(found.status)) return null;
  const answer = {
    receipt: found.receipt,
    status: found.status,
    amountCents: found.amountCents,
    payer: found.payer,
    payerPhone: found.payerPhone,
    receiver: found.receiver,
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
