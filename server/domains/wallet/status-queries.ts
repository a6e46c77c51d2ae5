import type { Cents } from '@ushirika/contract/money';
import type { Tx } from '../../db/tx.ts';
import type { StatusResult } from '../../gateways/mobile-money/daraja.types.ts';
import { enqueue } from '../../jobs.ts';
import type { StatusPurpose } from './wallet.rules.ts';

export interface StatusQuery {
  readonly id: string;
  readonly purpose: StatusPurpose;
  readonly about_id: string | null;
  readonly receipt: string | null;
  readonly original_conversation_id: string | null;
  readonly state: 'waiting' | 'asked' | 'answered' | 'given_up';
  readonly asks: number;
  readonly answer: StoredAnswer | null;
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

/** Asks M-Pesa about a transaction, in a job; one question about one thing is open at a time. */
export async function openStatusQuery(
  tx: Tx,
  query: {
    readonly purpose: StatusPurpose;
    readonly aboutId: string | null;
    readonly receipt?: string | null;
    readonly originalConversationId?: string | null;
  },
): Promise<void> {
  const [row] = await tx.sql<{ id: string }[]>`
    insert into status_queries
      (id, purpose, about_id, receipt, original_conversation_id, state, next_ask_at, created_at)
    values (${tx.newId()}, ${query.purpose}, ${query.aboutId}, ${query.receipt ?? null},
            ${query.originalConversationId ?? null}, 'waiting', ${tx.now}, ${tx.now})
    on conflict do nothing
    returning id`;
  if (row) await enqueue(tx, 'ask_status', { id: row.id });
}

export async function lockStatusQuery(tx: Tx, id: string): Promise<StatusQuery | null> {
  const [row] = await tx.sql<StatusQuery[]>`
    select id, purpose, about_id, receipt, original_conversation_id, state, asks, answer
    from status_queries where id = ${id} for update`;
  return row ?? null;
}

/** States of a transaction that never change again. */
const FINAL_STATES = new Set(['Completed', 'Cancelled', 'Declined', 'Expired', 'Failed', 'Reversed']);

/** The final answer in a result, or null where M-Pesa does not know, or not yet. */
export function finalAnswer(result: StatusResult): StoredAnswer | null {
  const found = result.transaction;
  if (!found?.status || !FINAL_STATES.has(found.status)) return null;
  return {
    receipt: found.receipt,
    status: found.status,
    amountCents: found.amountCents,
    payerPhone: found.payerPhone,
    receiverPhone: found.receiverPhone,
    payeeShortcode: found.payeeShortcode,
    originatorConversationId: found.originatorConversationId,
    paidAt: (found.finalisedAt ?? found.initiatedAt)?.toISOString() ?? null,
  };
}
