import { accountKinds } from '@ushirika/contract/journals';
import type postgres from 'postgres';
import { PLATFORM_BOOK } from './ledger.types.ts';
import { knownJournalKinds } from './postings.ts';
import { booleans, texts } from './sql-arrays.ts';

type Row = Readonly<Record<string, unknown>>;

/** A statement that is always true of the database. Each domain exports its own list; server/audit.ts collects them. */
export interface Invariant {
  /** The statement as a sentence: `Every balance is the sum of its transfers`. */
  readonly name: string;
  /**
   * Returns the rows that contradict it; none while it holds. PostgreSQL adds up, so that memory in this process does
   * not grow with the data; ends in `limit ${breachesShown}`.
   */
  readonly find: (sql: postgres.Sql | postgres.TransactionSql) => Promise<readonly Row[]>;
}

/** The most rows shown of one breach. */
export const breachesShown = 20;

export interface Breach {
  readonly name: string;
  readonly rows: readonly Row[];
}

/** A row that its reader cannot read breaks the invariant that reads it. @throws what the database itself refused */
function unreadable(error: Error & { readonly code?: string }): Row[] {
  if (error.code !== undefined) throw error;
  return [{ fault: error.message }];
}

/** Checks invariants one after another and returns those that do not hold, with the rows that contradict them. */
export async function breaches(
  sql: postgres.Sql | postgres.TransactionSql,
  invariants: readonly Invariant[] = ledgerInvariants,
): Promise<Breach[]> {
  const found: Breach[] = [];
  for (const { name, find } of invariants) {
    const rows = await find(sql).catch(unreadable);
    if (rows.length > 0) found.push({ name, rows: [...rows] });
  }
  return found;
}

/**
 * From architecture.md 4. Those that a constraint holds too are checked anyway, because a constraint can be dropped.
 */
export const ledgerInvariants: readonly Invariant[] = [
  {
    name: 'Both accounts of a transfer are of one book and one asset',
    find: (sql) => sql`
      select t.journal_id, t.position, d.book_id as debit_book, c.book_id as credit_book, d.asset as debit_asset,
        c.asset as credit_asset
      from transfers t
      left join accounts d on d.id = t.debit_account_id
      left join accounts c on c.id = t.credit_account_id
      where d.id is null or c.id is null or d.book_id <> c.book_id or d.asset <> c.asset or t.amount <= 0
        or t.debit_account_id = t.credit_account_id
      limit ${breachesShown}`,
  },
  {
    name: 'In every book, for each asset, debits equal credits',
    find: (sql) => sql`
      select book_id, asset, sum(balance) filter (where debit_normal) as debits,
        sum(balance) filter (where not debit_normal) as credits
      from accounts group by book_id, asset
      having coalesce(sum(balance) filter (where debit_normal), 0)
        <> coalesce(sum(balance) filter (where not debit_normal), 0)
      limit ${breachesShown}`,
  },
  {
    name: 'Every balance is the sum of its transfers',
    find: (sql) => sql`
      with moved as (
        select account_id, sum(debit) as debits, sum(credit) as credits from (
          select debit_account_id as account_id, amount as debit, 0 as credit from transfers
          union all
          select credit_account_id, 0, amount from transfers
        ) sides group by account_id
      )
      select a.id as account_id, a.kind, a.owner_id, a.balance, case when a.debit_normal
        then coalesce(m.debits - m.credits, 0) else coalesce(m.credits - m.debits, 0) end as sum_of_transfers
      from accounts a left join moved m on m.account_id = a.id
      where a.balance <> case when a.debit_normal
        then coalesce(m.debits - m.credits, 0) else coalesce(m.credits - m.debits, 0) end
      limit ${breachesShown}`,
  },
  {
    name: 'Every balance after a transfer is the one before it, moved by its amount',
    find: (sql) => sql`
      select * from (
        select s.journal_id, s.id as transfer_id, a.id as account_id, a.kind, s.after as balance_after,
          coalesce(lag(s.after) over of_account, 0)
            + case when a.debit_normal = s.is_debit then s.amount else -s.amount end as expected
        from (
          select id, journal_id, debit_account_id as account_id, true as is_debit, amount, debit_balance_after as after
          from transfers
          union all
          select id, journal_id, credit_account_id, false, amount, credit_balance_after from transfers
        ) s join accounts a on a.id = s.account_id
        window of_account as (partition by s.account_id order by s.id)
      ) chain where balance_after <> expected
      limit ${breachesShown}`,
  },
  {
    name: 'No balance is past its limit, nor ever was',
    find: (sql) => sql`
      select id as account_id, kind, owner_id, balance from accounts
      where (balance < 0 and not may_go_negative) or abs(balance) > ${Number.MAX_SAFE_INTEGER}
      union all
      select a.id, a.kind, a.owner_id, t.debit_balance_after from transfers t
      join accounts a on a.id = t.debit_account_id where t.debit_balance_after < 0 and not a.may_go_negative
      union all
      select a.id, a.kind, a.owner_id, t.credit_balance_after from transfers t
      join accounts a on a.id = t.credit_account_id where t.credit_balance_after < 0 and not a.may_go_negative
      limit ${breachesShown}`,
  },
  {
    name: "In every sacco, the members' holdings and those set aside are the shares issued",
    find: (sql) => sql`
      select book_id, sum(balance) filter (where kind in ('holding', 'holding_hold')) as held,
        sum(balance) filter (where kind = 'shares_issued') as issued
      from accounts group by book_id
      having coalesce(sum(balance) filter (where kind in ('holding', 'holding_hold')), 0)
        <> coalesce(sum(balance) filter (where kind = 'shares_issued'), 0)
      limit ${breachesShown}`,
  },
  {
    name: 'What the platform owes (wallets, holds, settlements, suspense) is what it has at M-Pesa',
    find: (sql) => sql`
      select * from (
        select coalesce(sum(balance) filter (where not debit_normal), 0)
            - coalesce(sum(balance) filter (where debit_normal and kind <> 'mpesa_float'), 0) as owed,
          coalesce(sum(balance) filter (where kind = 'mpesa_float'), 0) as mpesa_float
        from accounts where book_id = ${PLATFORM_BOOK} and asset = 'KES'
      ) sums where owed <> mpesa_float`,
  },
  {
    name: 'The cash of every sacco is what the platform holds for it',
    find: (sql) => sql`
      select coalesce(s.owner_id, c.book_id) as sacco, coalesce(c.balance, 0) as cash,
        coalesce(s.balance, 0) as settlement
      from (select * from accounts where kind = 'cash') c
      full join (select * from accounts where kind = 'settlement' and book_id = ${PLATFORM_BOOK}) s
        on s.owner_id = c.book_id
      where coalesce(c.balance, 0) <> coalesce(s.balance, 0)
      limit ${breachesShown}`,
  },
  {
    name: 'Every journal has transfers, numbered from 0, and every transfer has a journal',
    find: (sql) => sql`
      select coalesce(j.id, t.journal_id) as journal_id, j.kind, coalesce(t.transfers, 0) as transfers
      from journals j
      full join (
        select journal_id, count(*) as transfers, max(position) as last from transfers group by journal_id
      ) t on t.journal_id = j.id
      where j.id is null or t.journal_id is null or t.last <> t.transfers - 1
      limit ${breachesShown}`,
  },
  {
    name: 'Every kind of journal is one that docs/postings.md knows',
    find: (sql) => sql`
      select kind, count(*) as journals from journals
      where not kind = any (${texts(knownJournalKinds())}::text[]) group by kind
      limit ${breachesShown}`,
  },
  {
    name: 'Every account has the asset, the side and the limit of its kind',
    find: (sql) => {
      const kinds = Object.entries(accountKinds);
      return sql`
        select a.id as account_id, a.kind, a.asset, a.debit_normal, a.may_go_negative
        from accounts a left join unnest(
          ${texts(kinds.map(([kind]) => kind))}::text[], ${texts(kinds.map(([, { asset }]) => asset))}::text[],
          ${booleans(kinds.map(([, { normal }]) => normal === 'debit'))}::boolean[],
          ${booleans(kinds.map(([, { mayGoNegative }]) => mayGoNegative))}::boolean[]
        ) as k (kind, asset, debit_normal, may_go_negative) on k.kind = a.kind
        where k.kind is null
          or (a.asset, a.debit_normal, a.may_go_negative) <> (k.asset, k.debit_normal, k.may_go_negative)
        limit ${breachesShown}`;
    },
  },
  {
    name: 'Every reversal takes back exactly what its journal did',
    find: (sql) => sql`
      select r.id as journal_id, r.reverses from journals r
      where r.reverses is not null and (
        not exists (select from journals j where j.id = r.reverses)
        or exists (
          select from (
            select debit_account_id as account_id, amount from transfers where journal_id in (r.id, r.reverses)
            union all
            select credit_account_id, -amount from transfers where journal_id in (r.id, r.reverses)
          ) sides group by account_id having sum(amount) <> 0
        )
      )
      limit ${breachesShown}`,
  },
];
