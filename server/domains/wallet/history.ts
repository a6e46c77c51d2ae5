import {
  declaredJournal,
  type JournalKind,
  kindOfJournal,
  type TransactionKind,
  wordsOfJournal,
} from '@ushirika/contract/journals';
import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { maskPhone } from '@ushirika/contract/phone';
import { Refusal } from '@ushirika/contract/refusal';
import type { Unsaid } from '@ushirika/contract/said';
import { longDateTime, type Sentence, sentence, several } from '@ushirika/contract/sentence';
import type { MoneyReceipt, WalletTransaction } from '@ushirika/contract/wallet';
import type { Database } from '../../db/tx.ts';
import { accountHistory, type HistoryEntry, type HistoryQuery } from '../../ledger/balances.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { knownJournalKinds } from '../../ledger/postings.ts';
import { wallet } from './receipts.ts';
import type { WalletDeps } from './wallet.deps.ts';
import { inWords, journalReference } from './wallet.rules.ts';

const journalKindsOf = (kind: TransactionKind) =>
  knownJournalKinds().filter((journalKind) => kindOfJournal(journalKind) === kind) as JournalKind[];

export interface HistoryFilter {
  readonly kind?: TransactionKind | undefined;
  /** First and last day in Nairobi. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A movement whose description is not put into a language yet. */
export type Movement = Unsaid<WalletTransaction>;

export type HistoryDeps = Pick<WalletDeps, 'database' | 'saccoNames' | 'saccosAbout' | 'receiptDetails'>;

/**
 * The movements of a person's wallet, newest first, with descriptions. Each event is one movement, whose id is that of
 * its oldest transfer.
 */
export async function walletHistory(
  deps: HistoryDeps,
  userId: string,
  page: HistoryFilter & { readonly before: number | null; readonly limit: number },
): Promise<Movement[]> {
  const query: HistoryQuery = {
    keys: [wallet(userId)],
    cursor: page.before,
    limit: page.limit,
    ...(page.kind ? { kinds: journalKindsOf(page.kind) } : {}),
    ...(page.from ? { from: startOfDay(page.from) } : {}),
    ...(page.to ? { to: startOfDay(page.to, 1) } : {}),
  };
  return inWordsOf(deps, await eventsOf(deps.database, query));
}

/**
 * The history by events: the transfers of one journal, such as a price and a fee, become one movement. Transfers of one
 * journal follow each other in a history.
 */
async function eventsOf(database: Database, query: HistoryQuery): Promise<HistoryEntry[]> {
  const events: HistoryEntry[] = [];
  for (let cursor = query.cursor ?? null; ; ) {
    // One more than needed: the last transfer of a page may have others of its journal after it.
    const page = await accountHistory(database, { ...query, cursor, limit: query.limit + 1 });
    for (const entry of page) {
      const newer = events.at(-1);
      if (newer?.journalId === entry.journalId) events[events.length - 1] = joined(newer, entry);
      else events.push(entry);
    }
    if (events.length > query.limit || page.length <= query.limit) return events.slice(0, query.limit);
    cursor = page.at(-1)?.id ?? null;
  }
}

function joined(newer: HistoryEntry, older: HistoryEntry): HistoryEntry {
  const change = newer.change + older.change;
  const isSacco = older.counterparty?.kind === 'settlement';
  return {
    ...newer,
    id: older.id,
    amount: Math.abs(change),
    change,
    counterparty: isSacco ? older.counterparty : newer.counterparty,
  };
}

/** The start of a day in Nairobi, or of the day `later` days after it. */
export function startOfDay(day: string, later = 0): Date {
  return new Date(new Date(`${day}T00:00:00+03:00`).getTime() + later * 86_400_000);
}

/** The number of movements, exact up to 10,000. */
export async function countHistory(database: Database, userId: string, filter: HistoryFilter): Promise<number> {
  const kinds = filter.kind ? journalKindsOf(filter.kind) : null;
  const from = filter.from ? startOfDay(filter.from) : null;
  const to = filter.to ? startOfDay(filter.to, 1) : null;
  const isFiltered = kinds !== null || from !== null || to !== null;
  const [row] = await database.sql<{ count: number }[]>`
    with own as (
      select id from accounts where book_id = ${PLATFORM_BOOK} and kind = 'wallet' and owner_id = ${userId}
    )
    select count(*)::int as count from (
      select from own cross join lateral (
        select journal_id, position from transfers where debit_account_id = own.id
        union all select journal_id, position from transfers where credit_account_id = own.id
      ) t
      where (t.position = 0 or not exists (
        select from transfers before where before.journal_id = t.journal_id and before.position < t.position
          and own.id in (before.debit_account_id, before.credit_account_id)))
      and (not ${isFiltered} or exists (
        select from journals j where j.id = t.journal_id
          and (${kinds}::text[] is null or j.kind = any (${kinds}::text[]))
          and (${from}::timestamptz is null or j.posted_at >= ${from}::timestamptz)
          and (${to}::timestamptz is null or j.posted_at < ${to}::timestamptz)))
      limit 10001
    ) counted`;
  return row?.count ?? 0;
}

/**
 * The receipt of one of the user's own money movements.
 * @throws Refusal `not_found`, also for another person's journal
 */
export async function receiptOf(deps: HistoryDeps, userId: string, journal: string): Promise<Unsaid<MoneyReceipt>> {
  if (!/^\d{1,15}$/.test(journal)) throw new Refusal('not_found');
  const [last] = await deps.database.sql<{ id: number }[]>`
    select max(t.id) as id from transfers t
    join accounts a on a.id in (t.debit_account_id, t.credit_account_id)
    where t.journal_id = ${journal}::bigint
      and a.book_id = ${PLATFORM_BOOK} and a.kind = 'wallet' and a.owner_id = ${userId}
    having max(t.id) is not null`;
  if (!last) throw new Refusal('not_found');
  const before = Number(last.id) + 1;
  const [transaction] = await walletHistory(deps, userId, { before, limit: 1 });
  if (!transaction || transaction.journal !== journal) throw new Refusal('not_found');
  const { kind, direction, amount, at, receipt, description } = transaction;
  const charge = await chargeIn(deps.database, userId, journal);
  const details = await detailsOf(deps, journal);
  const reference = journalReference(journal);
  const moved = formatShillings(amount).replace('\u00a0', ' ');
  const lines = [
    sentence('{text}', { text: 'Ushirika' }),
    description,
    direction === 'in'
      ? sentence('{amount} into the wallet', { amount: moved })
      : sentence('{amount} out of the wallet', { amount: moved }),
    ...(charge === null ? [] : [sentence('Of it for M-Pesa’s charge: {amount}', { amount: inWords(charge) })]),
    ...details.map(({ name, value }) => sentence('{what}: {written}', { what: name, written: value })),
    sentence('{at} (Nairobi)', { at: longDateTime(new Date(at)) }),
    sentence('Reference: {reference}', { reference }),
    ...(receipt ? [sentence('M-Pesa receipt: {receipt}', { receipt })] : []),
  ];
  const shownCharge = charge === null ? null : shillingsFromCents(charge);
  const text = sentence('{parts}', { parts: several(lines, '\n') });
  const shown = { kind, direction, amount, at, charge: shownCharge, reference, receipt, details: [...details], text };
  return { journal, title: description, ...shown };
}

async function detailsOf({ database, receiptDetails }: HistoryDeps, journal: string) {
  if (!receiptDetails) return [];
  const [about] = await database.sql<{ type: string; id: string }[]>`
    select about_type as type, about_id as id from journals where id = ${journal}::bigint`;
  return about ? receiptDetails(about, journal) : [];
}

/** M-Pesa's charge in a withdrawal's journal, in cents; null where none was paid. */
async function chargeIn(database: Database, userId: string, journal: string): Promise<Cents | null> {
  const [row] = await database.sql<{ charge_cents: number }[]>`
    select w.charge_cents from journals j join withdrawals w on w.id = j.about_id
    where j.id = ${journal}::bigint and j.kind in ('withdrawal_reserved', 'withdrawal_returned')
      and w.user_id = ${userId} and w.charge_cents > 0`;
  return row?.charge_cents ?? null;
}

interface Background {
  readonly phone: string | null;
  readonly receipt: string | null;
}

async function inWordsOf(deps: HistoryDeps, entries: readonly HistoryEntry[]): Promise<Movement[]> {
  if (entries.length === 0) return [];
  const [background, saccos] = await Promise.all([
    backgroundOf(deps.database, [...new Set(entries.map(({ about }) => about.id))]),
    saccosOf(deps, entries),
  ]);
  return entries.map((entry) => {
    const known = background.get(entry.about.id);
    return {
      id: String(entry.id),
      journal: entry.journalId,
      at: entry.postedAt.toISOString(),
      kind: kindOfJournal(entry.kind),
      description: describe(entry, known, saccos.get(entry.journalId)),
      direction: entry.change > 0 ? 'in' : 'out',
      amount: shillingsFromCents(entry.amount),
      balance: shillingsFromCents(entry.balanceAfter),
      receipt: known?.receipt ?? null,
    };
  });
}

/**
 * The names of the saccos of entries, by journal. The sacco is the counterparty of the transfer, or belongs to the
 * order or trade that the journal is about.
 */
async function saccosOf(deps: HistoryDeps, entries: readonly HistoryEntry[]): Promise<Map<string, string>> {
  const { saccoNames, saccosAbout } = deps;
  if (!saccoNames) return new Map();
  const known = new Map<string, string>();
  for (const { journalId, counterparty } of entries) {
    if (counterparty?.kind === 'settlement' && counterparty.owner !== null) known.set(journalId, counterparty.owner);
  }
  const others = entries.filter(({ journalId, about }) => !known.has(journalId) && about.type.startsWith('share_'));
  if (others.length > 0 && saccosAbout) {
    const found = await saccosAbout(others.map(({ about }) => about));
    for (const { journalId, about } of others) {
      const saccoId = found.get(about.id);
      if (saccoId) known.set(journalId, saccoId);
    }
  }
  if (known.size === 0) return new Map();
  const names = await saccoNames([...new Set(known.values())]);
  return new Map([...known].map(([journalId, saccoId]) => [journalId, names.get(saccoId) ?? '']));
}

function describe(entry: HistoryEntry, known: Background | undefined, sacco: string | undefined): Sentence {
  const what = wordsOfJournal(entry.kind, entry.change);
  const direction = declaredJournal(entry.kind)?.phone;
  if (direction && known?.phone) {
    const phone = maskPhone(known.phone);
    return direction === 'from'
      ? sentence('{what} from {phone}', { what, phone })
      : sentence('{what}, {phone}', { what, phone });
  }
  return sacco ? sentence('{what} · {sacco}', { what, sacco }) : sentence('{text}', { text: what });
}

/** The phone and M-Pesa's receipt of journals, by the id that they are about. */
async function backgroundOf(database: Database, ids: readonly string[]): Promise<Map<string, Background>> {
  const rows = await database.sql<{ id: string; phone: string | null; receipt: string | null }[]>`
    select d.id, d.phone, r.receipt from deposits d left join mpesa_receipts r on r.deposit_id = d.id
    where d.id = any (${ids as string[]}::uuid[])
    union all select id, phone, receipt from withdrawals where id = any (${ids as string[]}::uuid[])
    union all select id, phone, receipt from receipt_claims where id = any (${ids as string[]}::uuid[])
    union all select id, null, receipt from paybill_payments where id = any (${ids as string[]}::uuid[])
    union all select id, phone, receipt from money_exceptions where id = any (${ids as string[]}::uuid[])`;
  return new Map(rows.map(({ id, phone, receipt }) => [id, { phone, receipt }]));
}
