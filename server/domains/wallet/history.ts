import { formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { maskPhone } from '@ushirika/contract/phone';
import { Refusal } from '@ushirika/contract/refusals';
import { formatLongDateTime } from '@ushirika/contract/time';
import type { MoneyReceipt, TransactionKind, WalletTransaction } from '@ushirika/contract/wallet';
import type { Database } from '../../db/tx.ts';
import { accountHistory, type HistoryEntry, type HistoryQuery } from '../../ledger/balances.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { type JournalKind, knownJournalKinds } from '../../ledger/postings.ts';
import { wallet } from './receipts.ts';
import type { WalletDeps } from './wallet.deps.ts';
import { journalReference } from './wallet.rules.ts';

/** What each journal that moves a wallet is to its owner; the words take what is known of it. */
const WORDS: Readonly<Record<string, readonly [kind: TransactionKind, words: string]>> = {
  wallet_topped_up: ['top_up', 'Top-up by M-Pesa {from}'],
  receipt_claimed: ['top_up', 'Deposit confirmed by its receipt {from}'],
  paybill_received: ['top_up', 'Payment to the paybill'],
  suspense_credited: ['top_up', 'Deposit credited after review'],
  withdrawal_reserved: ['withdrawal', 'Withdrawal to M-Pesa {to}'],
  withdrawal_returned: ['withdrawal', 'Withdrawal returned'],
  sacco_joined: ['fees', 'Registration fee {sacco}'],
  shares_bought: ['shares', 'Shares bought {sacco}'],
  savings_deposited: ['savings', 'Savings deposit {sacco}'],
  deposits_refunded: ['savings', 'Savings refunded {sacco}'],
  referral_rewarded: ['rewards', 'Referral reward {sacco}'],
  reversal: ['other', 'Correction'],
};

export function kindOfJournal(journalKind: string): TransactionKind {
  const known = WORDS[journalKind]?.[0];
  if (known) return known;
  if (/^referral|reward/.test(journalKind)) return 'rewards';
  if (/pool|guarantee/.test(journalKind)) return 'pools';
  if (/loan|repay|instal/.test(journalKind)) return 'loans';
  if (/share|trade|order/.test(journalKind)) return 'shares';
  return /fee/.test(journalKind) ? 'fees' : 'other';
}

const journalKindsOf = (kind: TransactionKind) =>
  knownJournalKinds().filter((journalKind) => kindOfJournal(journalKind) === kind) as JournalKind[];

export interface HistoryFilter {
  readonly kind?: TransactionKind | undefined;
  /** First and last day in Nairobi. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The movements of a person's wallet, newest first, in words. */
export async function walletHistory(
  deps: Pick<WalletDeps, 'database' | 'saccoNames'>,
  userId: string,
  page: HistoryFilter & { readonly before: number | null; readonly limit: number },
): Promise<WalletTransaction[]> {
  const query: HistoryQuery = {
    keys: [wallet(userId)],
    cursor: page.before,
    limit: page.limit,
    ...(page.kind ? { kinds: journalKindsOf(page.kind) } : {}),
    ...(page.from ? { from: startOfDay(page.from) } : {}),
    ...(page.to ? { to: startOfDay(page.to, 1) } : {}),
  };
  return inWordsOf(deps, await accountHistory(deps.database, query));
}

/** The instant at which a day begins in Nairobi, or that of the day `later` days after it. */
export function startOfDay(day: string, later = 0): Date {
  return new Date(new Date(`${day}T00:00:00+03:00`).getTime() + later * 86_400_000);
}

/** How many movements there are, exact up to 10,000. */
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
        select journal_id from transfers where debit_account_id = own.id
        union all select journal_id from transfers where credit_account_id = own.id
      ) t
      where not ${isFiltered} or exists (
        select from journals j where j.id = t.journal_id
          and (${kinds}::text[] is null or j.kind = any (${kinds}::text[]))
          and (${from}::timestamptz is null or j.posted_at >= ${from}::timestamptz)
          and (${to}::timestamptz is null or j.posted_at < ${to}::timestamptz))
      limit 10001
    ) counted`;
  return row?.count ?? 0;
}

/** The receipt of one money act of one's own; another's is not there. Throws `not_found`. */
export async function receiptOf(
  deps: Pick<WalletDeps, 'database' | 'saccoNames'>,
  userId: string,
  journal: string,
): Promise<MoneyReceipt> {
  if (!/^\d{1,15}$/.test(journal)) throw new Refusal('not_found');
  const [moved] = await deps.database.sql<{ id: number }[]>`
    select max(t.id) as id from transfers t
    join accounts a on a.id in (t.debit_account_id, t.credit_account_id)
    where t.journal_id = ${journal}::bigint
      and a.book_id = ${PLATFORM_BOOK} and a.kind = 'wallet' and a.owner_id = ${userId}
    having max(t.id) is not null`;
  if (!moved) throw new Refusal('not_found');
  const before = Number(moved.id) + 1;
  const [transaction] = await walletHistory(deps, userId, { before, limit: 1 });
  if (!transaction || transaction.journal !== journal) throw new Refusal('not_found');
  const { kind, direction, amount, at, receipt, description } = transaction;
  const reference = journalReference(journal);
  const lines = [
    'Ushirika',
    description,
    `${formatShillings(amount).replace('\u00a0', ' ')} ${direction === 'in' ? 'into' : 'out of'} the wallet`,
    `${formatLongDateTime(at)} (Nairobi)`,
    `Reference: ${reference}`,
    ...(receipt ? [`M-Pesa receipt: ${receipt}`] : []),
  ];
  return { journal, title: description, kind, direction, amount, at, reference, receipt, text: lines.join('\n') };
}

interface Background {
  readonly phone: string | null;
  readonly receipt: string | null;
}

async function inWordsOf(
  deps: Pick<WalletDeps, 'database' | 'saccoNames'>,
  entries: readonly HistoryEntry[],
): Promise<WalletTransaction[]> {
  if (entries.length === 0) return [];
  const saccoIds = entries.flatMap(({ counterparty: { kind, owner } }) =>
    kind === 'settlement' && owner !== null ? [owner] : [],
  );
  const [background, saccos] = await Promise.all([
    backgroundOf(deps.database, [...new Set(entries.map(({ about }) => about.id))]),
    saccoIds.length > 0 && deps.saccoNames ? deps.saccoNames([...new Set(saccoIds)]) : new Map<string, string>(),
  ]);
  return entries.map((entry) => {
    const known = background.get(entry.about.id);
    return {
      id: String(entry.id),
      journal: entry.journalId,
      at: entry.postedAt.toISOString(),
      kind: kindOfJournal(entry.kind),
      description: describe(entry, known, saccos.get(entry.counterparty.owner ?? '')),
      direction: entry.change > 0 ? 'in' : 'out',
      amount: shillingsFromCents(entry.amount),
      balance: shillingsFromCents(entry.balanceAfter),
      receipt: known?.receipt ?? null,
    };
  });
}

function describe(entry: HistoryEntry, known: Background | undefined, sacco: string | undefined): string {
  const plain = entry.kind.replaceAll('_', ' ');
  const words = WORDS[entry.kind]?.[1] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
  const phone = known?.phone ? maskPhone(known.phone) : null;
  return words
    .replace('{from}', phone ? `from ${phone}` : '')
    .replace('{to}', phone ? `to ${phone}` : '')
    .replace('{sacco}', sacco ? `· ${sacco}` : '')
    .trim();
}

/** The phone and M-Pesa's receipt behind journals, by what they are about. */
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
