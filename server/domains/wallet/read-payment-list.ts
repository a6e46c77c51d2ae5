import type { Tx } from '../../db/tx.ts';
import type { DarajaOutcome, PulledPayment } from '../../gateways/mobile-money/daraja.types.ts';
import { samePhone } from '../../gateways/mobile-money/party.ts';
import { enqueue, enqueueAll } from '../../jobs.ts';
import { openException } from './money-exceptions.ts';
import { openStatusQuery } from './status-queries.ts';
import type { WalletDeps } from './wallet.deps.ts';
import { foldAccountReference, plainText } from './wallet.rules.ts';

/** How far back the list is read; M-Pesa keeps 48 hours (payments.md 3.6). */
const REACH_MS = 47 * 3_600_000;
/** Each run reads this much of the last run's time again: a payment may enter the list later than it was made. */
const OVERLAP_MS = 10 * 60_000;
const PAGE = 100;
const PAGES_MAX = 200;
/** When M-Pesa refuses us the list, it is asked for again after this. */
const REFUSED_FOR_MS = 86_400_000;
/** A refusal is believed after this time; after the second one where the list has been read before. */
const REFUSED_AT_FIRST_MS = 10 * 60_000;
const REFUSED_AFTER_READING_MS = 3_600_000;
/** A payment of a prompt is left to the prompt's callback for this long. */
const PROMPT_GRACE_MS = 60_000;

/**
 * Whether M-Pesa gives us its list of payments. Only the list, which we fetch ourselves, names the account number of a
 * payment reliably. While it is in use, a payment is settled only after it was listed.
 */
export async function isListInUse(tx: Tx, shortcode: string): Promise<boolean> {
  const [row] = await tx.sql`select from mpesa_lists where shortcode = ${shortcode} and refused_until > ${tx.now}`;
  return row === undefined;
}

/** The time after which the list no longer contains a payment made at `paidAt`; null where that is not known. */
export function listableUntil(paidAt: string | null): Date | null {
  return paidAt === null ? null : new Date(new Date(paidAt).getTime() + REACH_MS);
}

/** Whether the list may still come to contain a payment made at `paidAt`. */
export function canBeListed(paidAt: string | null, now: Date): boolean {
  const until = listableUntil(paidAt);
  return until === null || until > now;
}

/** Enqueues a reading of the list; one job, however often this is called. */
export async function readListSoon(tx: Tx): Promise<void> {
  await enqueue(tx, 'read_payment_list', {}, { key: 'read_payment_list' });
}

/**
 * Reads M-Pesa's list of payments to the paybill. It finds payments whose callback never came, and the account number
 * of each payment.
 */
export async function readPaymentList(deps: WalletDeps, now: Date): Promise<void> {
  const { database, daraja, mpesa } = deps;
  const from = await database.transaction((tx) => beginOfReading(tx, mpesa.shortcode));
  if (from === null) return;
  let readTo: Date | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const outcome = await daraja.pull({ from, to: now, offset: page * PAGE });
    if (outcome.outcome !== 'accepted') {
      return database.transaction((tx) => noteRefusal(tx, mpesa.shortcode, outcome));
    }
    await database.transaction((tx) => noteListed(tx, outcome.payments));
    // The oldest payments come first. When there are more pages than one run reads, the next run goes on from the last
    // payment read.
    readTo = outcome.isLast ? now : (outcome.payments.at(-1)?.paidAt ?? readTo);
    if (outcome.isLast) break;
  }
  await database.transaction(
    (tx) => tx.sql`
      insert into mpesa_lists as l (shortcode, read_to) values (${mpesa.shortcode}, ${readTo})
      on conflict (shortcode) do update set read_to = greatest(l.read_to, excluded.read_to), refused_until = null,
        refused_since = null`,
  );
}

async function beginOfReading(tx: Tx, shortcode: string): Promise<Date | null> {
  if (!(await isListInUse(tx, shortcode))) return null;
  const [row] = await tx.sql<{ read_to: Date | null }[]>`
    select read_to from mpesa_lists where shortcode = ${shortcode}`;
  const earliest = tx.now.getTime() - REACH_MS;
  return new Date(Math.max(earliest, (row?.read_to?.getTime() ?? 0) - OVERLAP_MS));
}

/**
 * Notes that M-Pesa refuses the list. A single refusal may be an expired token. One that lasts ten minutes (an hour,
 * where the list has been read before) means that the product is not enabled for us. Payments are then settled by
 * callbacks and transaction status alone.
 */
async function noteRefusal(tx: Tx, shortcode: string, outcome: DarajaOutcome<object>): Promise<void> {
  if (outcome.outcome !== 'rejected' || outcome.kind === 'busy' || outcome.code === 'no_token') return;
  const [row] = await tx.sql<{ refused_since: Date; read_to: Date | null }[]>`
    insert into mpesa_lists as l (shortcode, refused_since) values (${shortcode}, ${tx.now})
    on conflict (shortcode) do update set refused_since = coalesce(l.refused_since, excluded.refused_since)
    returning refused_since, read_to`;
  const refusedForMs = tx.now.getTime() - (row?.refused_since ?? tx.now).getTime();
  if (refusedForMs < (row?.read_to ? REFUSED_AFTER_READING_MS : REFUSED_AT_FIRST_MS)) return;
  await tx.sql`
    update mpesa_lists set refused_until = ${new Date(tx.now.getTime() + REFUSED_FOR_MS)}
    where shortcode = ${shortcode}`;
  await openException(tx, {
    kind: 'mpesa_configuration',
    detail: { call: 'pull', code: outcome.code, message: outcome.message },
  });
  await settleAnswered(tx, null);
}

/** Stores listed payments: new ones, and the account numbers of those that callbacks had reported. */
async function noteListed(tx: Tx, payments: readonly PulledPayment[]): Promise<void> {
  const receipts = payments.map(({ receipt }) => receipt);
  const rows = await tx.sql<{ receipt: string }[]>`
    select receipt from mpesa_receipts where receipt = any (${receipts}::text[])`;
  const booked = new Set(rows.map(({ receipt }) => receipt));
  for (const payment of payments) {
    if (await isLeftToItsPrompt(tx, payment)) continue;
    const [row] = booked.has(payment.receipt) ? await confirmReported(tx, payment) : await keepPayment(tx, payment);
    if (!row) continue;
    const [query] = await tx.sql<{ id: string; state: string }[]>`
      select id, state from status_queries where purpose = 'paybill' and about_id = ${row.id}
      order by created_at desc, id desc limit 1`;
    if (query?.state === 'answered') await settleAnswered(tx, row.id);
    else await openStatusQuery(tx, { purpose: 'paybill', aboutId: row.id, receipt: payment.receipt });
  }
}

/** Whether a listed payment belongs to a prompt under way, by its account reference. A payment from another phone does not. */
async function isLeftToItsPrompt(tx: Tx, { accountReference, payer, paidAt }: PulledPayment): Promise<boolean> {
  if (paidAt === null || paidAt.getTime() < tx.now.getTime() - PROMPT_GRACE_MS) return false;
  const [prompt] = await tx.sql<{ phone: string }[]>`
    select phone from deposits where reference = ${foldAccountReference(accountReference)} and state in ('sending', 'sent')
      and checkout_request_id is not null`;
  return prompt !== undefined && samePhone(payer, prompt.phone) !== 'another';
}

/**
 * Marks a booked payment as listed, and returns its row if it is still to be settled. For money in suspense, operators
 * are shown the account number.
 */
async function confirmReported(
  tx: Tx,
  { receipt, accountReference, paidAt }: PulledPayment,
): Promise<readonly { id: string }[]> {
  const account = plainText(accountReference, 40);
  const rows = await tx.sql<{ id: string; state: string }[]>`
    update paybill_payments set listed_at = ${tx.now}, account_reference = ${account},
      paid_at = coalesce(${paidAt}, paid_at)
    where receipt = ${receipt} and listed_at is null and state in ('reported', 'suspense') returning id, state`;
  if (rows.some(({ state }) => state === 'suspense')) {
    await tx.sql`
      update money_exceptions set detail = detail || jsonb_build_object('account', ${account}::text)
      where receipt = ${receipt} and held_in = 'suspense' and resolved_at is null`;
  }
  return rows.filter(({ state }) => state === 'reported');
}

function keepPayment(tx: Tx, { receipt, amountCents, accountReference, paidAt }: PulledPayment) {
  return tx.sql<{ id: string }[]>`
    insert into paybill_payments as p
      (id, receipt, amount_cents, account_reference, payer_name, paid_at, state, received_at, listed_at)
    values (${tx.newId()}, ${receipt}, ${amountCents}, ${plainText(accountReference, 40)}, '', ${paidAt}, 'reported',
            ${tx.now}, ${tx.now})
    on conflict (receipt) do update set listed_at = excluded.listed_at, amount_cents = excluded.amount_cents,
      account_reference = excluded.account_reference, paid_at = coalesce(excluded.paid_at, p.paid_at), state = 'reported', settled_at = null
      where p.listed_at is null and p.state in ('reported', 'unverified')
    returning id`;
}

/** Settles reported payments for which M-Pesa has answered: one payment, or all of them. */
async function settleAnswered(tx: Tx, paymentId: string | null): Promise<void> {
  const waiting = await tx.sql<{ id: string }[]>`
    select q.id from status_queries q join paybill_payments p on p.id = q.about_id
    where q.purpose = 'paybill' and q.state = 'answered' and p.state = 'reported'
      and (${paymentId}::uuid is null or p.id = ${paymentId})
    order by q.id limit 1000`;
  await enqueueAll(tx, 'settle_status', waiting);
}

/**
 * Settles payments that M-Pesa confirmed and its list does not contain after half an hour; they go to suspense, for an
 * operator.
 */
export async function settleUnlisted(tx: Tx): Promise<void> {
  const waiting = await tx.sql<{ id: string }[]>`
    select q.id from status_queries q join paybill_payments p on p.id = q.about_id
    where q.purpose = 'paybill' and q.state = 'answered' and p.state = 'reported'
      and p.received_at <= ${new Date(tx.now.getTime() - LISTED_LATEST_MS)}
    order by p.received_at, q.id limit 50`;
  await enqueueAll(tx, 'settle_status', waiting);
}

/** A confirmed payment that is in no list after this time goes to suspense. */
export const LISTED_LATEST_MS = 30 * 60_000;
