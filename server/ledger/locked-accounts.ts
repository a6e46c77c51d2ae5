import type { Tx } from '../db/tx.ts';
import { accountIds } from './account-ids.ts';
import { newAccount, type OpenAccount } from './apply.ts';
import { KeyMap } from './key-map.ts';
import type { AccountKey } from './ledger.types.ts';
import { integers, parseArray } from './sql-arrays.ts';

/**
 * Accounts that one transaction has locked, with their balances. Made by `lockAccounts`. `post` can take it: it then
 * neither locks nor reads these accounts again, and updates their balances here for the next `post`.
 */
export class LockedAccounts {
  /** The balances when the accounts were locked, in the order of the keys. */
  readonly balances: readonly number[];
  readonly #tx: Tx;
  readonly #accounts: KeyMap<OpenAccount>;

  constructor(tx: Tx, keys: readonly AccountKey[], accounts: readonly OpenAccount[]) {
    this.#tx = tx;
    this.#accounts = new KeyMap();
    keys.forEach((key, index) => {
      this.#accounts.set(key, accounts[index] as OpenAccount);
    });
    this.balances = accounts.map(({ balance }) => balance);
  }

  /** The current balance of an account on its normal side, including what was posted with these accounts. */
  balanceOf(key: AccountKey): number {
    const account = this.#accounts.get(key);
    if (!account) throw new Error(`The account ${key.kind} of ${key.owner} in ${key.book} was not locked.`);
    return account.balance;
  }

  /** For `post`: the account, if it is one of these. Throws in another transaction than the one that locked it. */
  find(tx: Tx, key: AccountKey): OpenAccount | undefined {
    if (tx !== this.#tx) throw new Error('These accounts were locked by another transaction.');
    return this.#accounts.get(key);
  }
}

/**
 * The accounts of keys, in their order; the same object for the same account. Accounts that do not exist yet are
 * opened.
 */
export async function openAccounts(tx: Tx, keys: readonly AccountKey[]): Promise<OpenAccount[]> {
  if (keys.length === 0) return [];
  const ids = await accountIds(tx, keys);
  const byId = new Map<number, OpenAccount>();
  return keys.map(({ kind }, index) => {
    const id = ids[index] as number;
    const account = byId.get(id) ?? newAccount(id, kind);
    byId.set(id, account);
    return account;
  });
}

/** Locks accounts, sorted by id, in one statement, and reads their balances, ctids and whether they are closed. */
export async function lockInOrder(tx: Tx, accounts: readonly OpenAccount[]): Promise<void> {
  const [row] = await tx.sql<{ balances: string | null; ctids: string | null; closed_ids: string | null }[]>`
    select balances::text, places::text as ctids, closed_ids::text
    from ledger_lock(${integers(accounts.map(({ id }) => id))})`;
  const balances = parseArray(row?.balances ?? null);
  const ctids = parseArray(row?.ctids ?? null);
  const closed = new Set(parseArray(row?.closed_ids ?? null).map(Number));
  if (balances.length !== accounts.length) throw new Error('An account of the batch is not there.');
  accounts.forEach((account, index) => {
    account.before = account.balance = Number(balances[index]);
    account.ctid = ctids[index] as string;
    account.isClosed = closed.has(account.id);
  });
}
