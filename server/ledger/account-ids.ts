import { accountKinds } from '@ushirika/contract/journals';
import type { Database, Tx } from '../db/tx.ts';
import { KeyMap } from './key-map.ts';
import type { AccountKey } from './ledger.types.ts';
import { booleans, texts } from './sql-arrays.ts';

/** Returns the ids of accounts in the order given. Accounts that do not exist yet are opened with balance 0. */
export async function accountIds(tx: Tx, keys: readonly AccountKey[]): Promise<number[]> {
  const memory = memoryOf(tx.database);
  const ids = keys.map((key) => memory.get(key) ?? 0);
  const missing = keys.filter((_, index) => ids[index] === 0);
  if (missing.length === 0) return ids;
  const found = await findOrOpen(tx, missing);
  tx.afterCommit(() => memory.add(found));
  return ids.map((id, index) => id || found.get(nameOfAccount(keys[index] as AccountKey))?.id || unopened(keys[index]));
}

interface FoundAccount {
  readonly key: AccountKey;
  readonly id: number;
  readonly balance: number;
}

async function findOrOpen(tx: Tx, keys: readonly AccountKey[]): Promise<Map<string, FoundAccount>> {
  const distinct = new Map(keys.map((key) => [nameOfAccount(key), key]));
  const found = await findAccounts(tx.sql, [...distinct.values()]);
  // Sorted, so that two transactions that open the same accounts cannot deadlock.
  const unopened = [...distinct.keys()].filter((name) => !found.has(name)).sort();
  if (unopened.length === 0) return found;
  const opened = unopened.map((name) => distinct.get(name) as AccountKey);
  const kinds = opened.map(({ kind }) => accountKinds[kind]);
  await tx.sql`
    select ledger_open_accounts(
      ${texts(opened.map(({ book }) => book))}, ${texts(opened.map(({ kind }) => kind))},
      ${texts(opened.map(({ owner }) => owner))}, ${texts(kinds.map(({ asset }) => asset))},
      ${booleans(kinds.map(({ normal }) => normal === 'debit'))},
      ${booleans(kinds.map(({ mayGoNegative }) => mayGoNegative))})`;
  // A separate statement: it also sees accounts that another transaction opened while this one waited for it.
  for (const [name, account] of await findAccounts(tx.sql, opened)) found.set(name, account);
  return found;
}

/** The accounts that exist, by `nameOfAccount`. */
export async function findAccounts(sql: Tx['sql'], keys: readonly AccountKey[]): Promise<Map<string, FoundAccount>> {
  const rows = await sql<{ ordinality: number; id: number; balance: number }[]>`
    with keys as (
      select * from unnest(
        ${texts(keys.map(({ book }) => book))}::uuid[], ${texts(keys.map(({ kind }) => kind))}::text[],
        ${texts(keys.map(({ owner }) => owner))}::uuid[]) with ordinality as k (book_id, kind, owner_id)
    )
    select k.ordinality, a.id, a.balance from keys k
    join accounts a on a.book_id = k.book_id and a.kind = k.kind and a.owner_id = k.owner_id
    union all
    select k.ordinality, a.id, a.balance from keys k
    join accounts a on a.book_id = k.book_id and a.kind = k.kind and a.owner_id is null
    where k.owner_id is null`;
  return new Map(
    rows.map(({ ordinality, id, balance }) => {
      const key = keys[Number(ordinality) - 1] as AccountKey;
      return [nameOfAccount(key), { key, id: Number(id), balance: Number(balance) }];
    }),
  );
}

/** A unique text for each account: a map's key, and the order in which accounts are opened. */
export function nameOfAccount({ book, kind, owner }: AccountKey): string {
  return `${book} ${kind} ${owner ?? ''}`;
}

/**
 * Caches ids of committed accounts. Ids never change and accounts are never deleted, so an entry stays right. Balances
 * are not cached.
 */
class AccountMemory {
  readonly #ids = new KeyMap<number>();
  #size = 0;

  get(key: AccountKey): number | undefined {
    return this.#ids.get(key);
  }

  add(accounts: ReadonlyMap<string, FoundAccount>): void {
    if (this.#size + accounts.size > rememberedMax) {
      this.#ids.clear();
      this.#size = 0;
    }
    this.#size += accounts.size;
    for (const { key, id } of accounts.values()) this.#ids.set(key, id);
  }
}

/** An entry takes about 150 bytes. A process that has more accounts empties the cache and starts again. */
const rememberedMax = 500_000;
const memories = new WeakMap<Database, AccountMemory>();

function memoryOf(database: Database): AccountMemory {
  const memory = memories.get(database) ?? new AccountMemory();
  memories.set(database, memory);
  return memory;
}

function unopened(key: AccountKey | undefined): never {
  throw new Error(`The account ${key ? nameOfAccount(key) : ''} could not be opened.`);
}
