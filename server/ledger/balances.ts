import type { AccountKind, JournalKind } from '@ushirika/contract/journals';
import type { Database, Tx } from '../db/tx.ts';
import { findAccounts, nameOfAccount } from './account-ids.ts';
import type { AccountKey, Asset } from './ledger.types.ts';
import { LockedAccounts, lockInOrder, openAccounts } from './locked-accounts.ts';
import { integers, texts } from './sql-arrays.ts';

/** Where to read: a database (one snapshot for each statement) or an open transaction. */
export type Reader = Pick<Tx, 'sql'> | Pick<Database, 'sql'> | Tx['sql'] | Database['sql'];

/** The balances of accounts, on their normal sides, in the order given. An account that does not exist has 0. */
export async function balances(reader: Reader, keys: readonly AccountKey[]): Promise<number[]> {
  if (keys.length === 0) return [];
  const found = await findAccounts(sqlOf(reader), keys);
  return keys.map((key) => found.get(nameOfAccount(key))?.balance ?? 0);
}

/**
 * Locks accounts until the end of the transaction, for a verb that checks balances before it posts. Accounts that do
 * not exist yet are opened. The result has the balances and is passed on to `post`, which then need not lock these
 * accounts again. Accounts are locked in order of their ids; call it once, with all of them, or transactions may
 * deadlock.
 */
export async function lockAccounts(tx: Tx, keys: readonly AccountKey[]): Promise<LockedAccounts> {
  const accounts = await openAccounts(tx, keys);
  const sorted = [...new Set(accounts)].sort((a, b) => a.id - b.id);
  if (sorted.length > 0) await lockInOrder(tx, sorted);
  return new LockedAccounts(tx, keys, accounts);
}

/** `lockAccounts` for a verb that needs only the balances, in the order given. */
export async function lockBalances(tx: Tx, keys: readonly AccountKey[]): Promise<readonly number[]> {
  return (await lockAccounts(tx, keys)).balances;
}

/** One movement of an account, as its history shows it. */
export interface HistoryEntry {
  /** The transfer's id, which is the cursor. Later movements of an account have greater ids. */
  readonly id: number;
  readonly account: AccountKey;
  /**
   * The account on the other side of this transfer, as kind and owner. Null: another person's account, which the caller
   * may not see.
   */
  readonly counterparty: AccountKey | null;
  readonly journalId: string;
  readonly kind: JournalKind;
  readonly about: { readonly type: string; readonly id: string };
  readonly causedBy: string | null;
  readonly postedAt: Date;
  readonly side: 'debit' | 'credit';
  /** Always positive. */
  readonly amount: number;
  /** The change of the balance: negative where it shrank. */
  readonly change: number;
  readonly balanceAfter: number;
}

export interface HistoryQuery {
  /** One account, or several of one person: their entries come as one list. */
  readonly keys: readonly AccountKey[];
  /** The `id` of the last entry of the page before; null or absent for the newest. */
  readonly cursor?: number | null;
  readonly limit: number;
  /** Only journals of these kinds. */
  readonly kinds?: readonly JournalKind[];
  /** Only entries posted at or after `from`, and before `to`. */
  readonly from?: Date;
  readonly to?: Date;
}

/**
 * The movements of accounts, newest first. A page is read by keyset, so its cost does not grow with the history.
 * Entries that a filter leaves out are still read: a rare kind in a long history costs as much as the entries between.
 */
export async function accountHistory(reader: Reader, query: HistoryQuery): Promise<HistoryEntry[]> {
  const sql = sqlOf(reader);
  const found = await findAccounts(sql, query.keys);
  const ids = [...found.values()].map(({ id }) => id);
  if (ids.length === 0 || query.limit <= 0) return [];
  const kinds = query.kinds ? texts(query.kinds) : null;
  const rows = await sql<HistoryRow[]>`
    select t.id, t.side, t.amount, t.balance_after, t.journal_id, t.account_id, j.kind, j.about_type, j.about_id,
      j.caused_by, j.posted_at, a.book_id, o.kind as other_kind, o.owner_id as other_owner, a.debit_normal
    from unnest(${integers(ids)}::bigint[]) as asked (account_id)
    cross join lateral (
      (
        select d.id, 'debit' as side, d.amount, d.debit_balance_after as balance_after, d.journal_id,
          d.debit_account_id as account_id, d.credit_account_id as other_id
        from transfers d join journals j on j.id = d.journal_id
        where d.debit_account_id = asked.account_id and d.id < ${query.cursor ?? Number.MAX_SAFE_INTEGER}
          and (${kinds}::text[] is null or j.kind = any (${kinds}::text[]))
          and j.posted_at >= ${query.from ?? earliest} and j.posted_at < ${query.to ?? latest}
        order by d.id desc limit ${query.limit}
      ) union all (
        select c.id, 'credit', c.amount, c.credit_balance_after, c.journal_id, c.credit_account_id, c.debit_account_id
        from transfers c join journals j on j.id = c.journal_id
        where c.credit_account_id = asked.account_id and c.id < ${query.cursor ?? Number.MAX_SAFE_INTEGER}
          and (${kinds}::text[] is null or j.kind = any (${kinds}::text[]))
          and j.posted_at >= ${query.from ?? earliest} and j.posted_at < ${query.to ?? latest}
        order by c.id desc limit ${query.limit}
      )
    ) t
    join journals j on j.id = t.journal_id
    join accounts a on a.id = t.account_id
    left join accounts o on o.id = t.other_id
    order by t.id desc, t.side limit ${query.limit}`;
  const keyOf = new Map(query.keys.map((key) => [found.get(nameOfAccount(key))?.id, key]));
  return rows.map((row) => entryOf(row, keyOf.get(Number(row.account_id)) as AccountKey));
}

const earliest = new Date('0001-01-01T00:00:00Z');
const latest = new Date('9999-01-01T00:00:00Z');

interface HistoryRow {
  readonly id: number;
  readonly side: 'debit' | 'credit';
  readonly amount: number;
  readonly balance_after: number;
  readonly journal_id: number;
  readonly account_id: number;
  readonly kind: JournalKind;
  readonly about_type: string;
  readonly about_id: string;
  readonly caused_by: string | null;
  readonly posted_at: Date;
  readonly book_id: string;
  /** Null: the caller may not see that account. */
  readonly other_kind: AccountKind | null;
  readonly other_owner: string | null;
  readonly debit_normal: boolean;
}

function entryOf(row: HistoryRow, account: AccountKey): HistoryEntry {
  const amount = Number(row.amount);
  return {
    id: Number(row.id),
    account,
    counterparty: row.other_kind === null ? null : { book: row.book_id, kind: row.other_kind, owner: row.other_owner },
    journalId: String(row.journal_id),
    kind: row.kind,
    about: { type: row.about_type, id: row.about_id },
    causedBy: row.caused_by,
    postedAt: row.posted_at,
    side: row.side,
    amount,
    change: row.debit_normal === (row.side === 'debit') ? amount : -amount,
    balanceAfter: Number(row.balance_after),
  };
}

export interface TrialBalanceLine {
  readonly kind: AccountKind;
  readonly asset: Asset;
  readonly side: 'debit' | 'credit';
  readonly accounts: number;
  /** The sum of the balances of all accounts of the kind, on its normal side. */
  readonly balance: number;
}

/** A book's accounts added up by kind. For each asset the debit side's sum equals the credit side's. */
export async function trialBalance(reader: Reader, book: string): Promise<TrialBalanceLine[]> {
  const rows = await sqlOf(reader)<(Omit<TrialBalanceLine, 'side'> & { debit_normal: boolean })[]>`
    select kind, asset, debit_normal, count(*)::int as accounts, sum(balance)::bigint as balance
    from accounts where book_id = ${book} group by kind, asset, debit_normal order by asset, debit_normal desc, kind`;
  return rows.map(({ kind, asset, debit_normal, accounts, balance }) => ({
    kind,
    asset,
    side: debit_normal ? 'debit' : 'credit',
    accounts,
    balance: Number(balance),
  }));
}

function sqlOf(reader: Reader): Tx['sql'] {
  return (typeof reader === 'function' ? reader : reader.sql) as Tx['sql'];
}
