import { eachPart } from '../../db/each-part.ts';
import { enqueue } from '../../jobs.ts';
import { askStatus } from './ask-status.ts';
import { settleUnlisted } from './read-payment-list.ts';
import { trimCallbackLog } from './receive-callback.ts';
import { ASKED_BY_SOMEBODY, openStatusQuery } from './status-queries.ts';
import { verifyDeposit } from './verify-deposit.ts';
import type { WalletDeps } from './wallet.deps.ts';
import { nextDepositQuery, REVERSAL_ASKED_AFTER_MS } from './wallet.rules.ts';

/* Rows that are due at the same time are taken in the order of their ids, so that runs of the model are repeatable. */

const BATCH = 50;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** A deposit with no queries left is due once more after this time, in case the process dies before it settles it. */
const LAST_QUERY_MS = 10 * 60_000;

/** Queries prompts without a callback: 30 s, 2 min, 10 min and 1 h after they were sent. Then they expire. */
export async function sweepDeposits(deps: WalletDeps, now: Date): Promise<void> {
  const due = await deps.database.transaction(async (tx) => {
    const rows = await tx.sql<{ id: string; queries: number; sending_at: Date }[]>`
      select id, queries, sending_at from deposits where next_query_at <= ${now}
      order by next_query_at, id limit ${BATCH} for update skip locked`;
    for (const { id, queries, sending_at } of rows) {
      const next = nextDepositQuery(queries + 1, sending_at, now) ?? new Date(now.getTime() + LAST_QUERY_MS);
      await tx.sql`update deposits set queries = queries + 1, next_query_at = ${next} where id = ${id}`;
    }
    return rows;
  });
  const verify = (id: string) => () => verifyDeposit(deps, id);
  await eachPart(due.map(({ id }) => verify(id)));
}

/** Asks about withdrawals without a result, and enqueues again those that were never sent. */
export async function sweepWithdrawals(deps: WalletDeps, now: Date): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const silent = await tx.sql<{ id: string }[]>`
      with silent as (
        update withdrawals set next_query_at = ${new Date(now.getTime() + DAY_MS)}
        where id in (
          select id from withdrawals where next_query_at <= ${now} and state in ('sending', 'sent')
          order by next_query_at, id limit ${BATCH} for update skip locked)
        returning id)
      select id from silent order by id`;
    for (const { id } of silent) {
      await openStatusQuery(tx, { purpose: 'withdrawal', aboutId: id, originalConversationId: id });
    }
    const unsent = await tx.sql<{ id: string }[]>`
      select id from withdrawals where state = 'created' and created_at <= ${new Date(now.getTime() - LAST_QUERY_MS)}
      order by created_at, id limit ${BATCH} for update skip locked`;
    for (const { id } of unsent) await enqueue(tx, 'send_withdrawal', { id }, { key: `send_withdrawal:${id}` });
  });
}

/**
 * Asks M-Pesa about transactions whose questions are due. Questions that a person waits for come first. The others may
 * be many, since callbacks cause them; each kind has its own limit, so neither blocks the other.
 */
export async function sweepClaims(deps: WalletDeps, now: Date): Promise<void> {
  const { sql } = deps.database;
  const due = await sql<{ id: string }[]>`
    (select id from status_queries where next_ask_at <= ${now} and purpose = any(${ASKED_BY_SOMEBODY})
      order by next_ask_at, id limit ${BATCH})
    union all
    (select id from status_queries where next_ask_at <= ${now} and purpose <> all(${ASKED_BY_SOMEBODY})
      order by next_ask_at, id limit ${BATCH})`;
  const ask = (id: string) => () => askStatus(deps, id);
  await eachPart([...due.map(({ id }) => ask(id)), () => deps.database.transaction(settleUnlisted)]);
}

/** Asks M-Pesa again about payments in the books: it may have taken one back since. For times that have passed it is asked once. */
export async function sweepReversals(deps: WalletDeps, now: Date): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const due = await tx.sql<{ receipt: string; credited_at: Date }[]>`
      select receipt, credited_at from mpesa_receipts
      where ask_again_at <= ${now} and credited_to <> 'returned' order by ask_again_at, receipt limit ${BATCH} for update skip locked`;
    for (const { receipt, credited_at } of due) {
      const times = REVERSAL_ASKED_AFTER_MS.map((after) => credited_at.getTime() + after);
      const at = times.find((time) => time > now.getTime());
      const next = at === undefined ? null : new Date(Math.max(at, now.getTime() + HOUR_MS));
      await tx.sql`
        update mpesa_receipts set ask_again_at = ${next}, times_asked_again = times_asked_again + 1
        where receipt = ${receipt}`;
      await openStatusQuery(tx, { purpose: 'reversal', aboutId: null, receipt });
    }
  });
}

/**
 * Deletes callbacks, questions and unconfirmed reports that are 90 days old, and the oldest callbacks above the limit.
 */
export async function pruneCallbackLog(deps: WalletDeps, now: Date): Promise<void> {
  await deps.database.sql`delete from callback_log where received_at < ${new Date(now.getTime() - 90 * DAY_MS)}`;
  await deps.database.sql`
    delete from status_queries q where purpose in ('deposit', 'stray', 'paybill', 'reversal') and state in ('answered', 'given_up')
      and answered_at < ${new Date(now.getTime() - 90 * DAY_MS)}
      -- Kept for payments that wait for M-Pesa's list: they are settled later by this answer.
      and not exists (select from paybill_payments p where p.id = q.about_id and p.state = 'reported')`;
  await deps.database.sql`
    delete from paybill_payments where state = 'unverified' and listed_at is null
      and settled_at < ${new Date(now.getTime() - 90 * DAY_MS)}`;
  await deps.database.transaction((tx) => trimCallbackLog(tx));
}
