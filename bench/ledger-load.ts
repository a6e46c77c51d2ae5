import type { Database } from '../server/db/tx.ts';
import { type AccountKey, type JournalInput, PLATFORM_BOOK, type PostResult } from '../server/ledger/ledger.types.ts';
import { post } from '../server/ledger/post.ts';
import { allow } from '../server/ledger/postings.ts';
import { type BatchLoad, keepQueueFull } from './batch-load.ts';
import { seeded, zipf } from './statistics.ts';

const accountsMax = 100_000;
const funding = 1_000_000;
const float: AccountKey = { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null };
const funded = allow('bench_funded', [['P', 'mpesa_float', 'wallet:U']]);
const moved = allow('bench_moved', [['P', 'wallet:U', 'wallet:U']]);

/** 100,000 wallets, each with 10,000 shillings, and a till that will never run dry. */
export async function openWallets(database: Database): Promise<{ wallets: AccountKey[]; till: AccountKey }> {
  const wallet = (): AccountKey => ({ book: PLATFORM_BOOK, kind: 'wallet', owner: database.newId() });
  const wallets = Array.from({ length: accountsMax }, wallet);
  const till = wallet();
  const all = [...wallets.map((key) => [key, funding] as const), [till, 1e12] as const];
  for (let from = 0; from < all.length; from += 2_000) {
    const journals = all
      .slice(from, from + 2_000)
      .map(([key, amount]) => journal(funded, database.newId(), float, key, amount));
    await database.transaction((tx) => post(tx, journals));
  }
  return { wallets, till };
}

/**
 * Keeps a batch queue full of journals of one transfer each for some seconds. `pick` draws the debited and the credited
 * account. Every journal has a unique key, an overdraft limit on its debited side, and shows in both histories.
 */
export async function loadLedger(
  database: Database,
  seconds: number,
  pick: () => readonly [AccountKey, AccountKey, number],
): Promise<BatchLoad> {
  return keepQueueFull<JournalInput, PostResult>(database, seconds, { run: post }, async (queue) => {
    const [debit, credit, amount] = pick();
    const result = await queue.submit(journal(moved, database.newId(), debit, credit, amount));
    return result.status === 'posted' ? 'done' : 'refused';
  });
}

/** Two different wallets, each drawn by Zipf's law. */
export function randomPairs(
  wallets: readonly AccountKey[],
  seed: number,
): () => readonly [AccountKey, AccountKey, number] {
  const random = seeded(seed);
  const rank = zipf(wallets.length, random);
  return () => {
    const debit = rank();
    let credit = rank();
    while (credit === debit) credit = rank();
    return [wallets[debit] as AccountKey, wallets[credit] as AccountKey, 1 + Math.floor(random() * 1_000)];
  };
}

/** The till pays a wallet drawn by Zipf's law. */
export function fromTill(
  till: AccountKey,
  wallets: readonly AccountKey[],
  seed: number,
): () => readonly [AccountKey, AccountKey, number] {
  const random = seeded(seed);
  const rank = zipf(wallets.length, random);
  return () => [till, wallets[rank()] as AccountKey, 1 + Math.floor(random() * 1_000)];
}

function journal(
  kind: JournalInput['kind'],
  id: string,
  debit: AccountKey,
  credit: AccountKey,
  amount: number,
): JournalInput {
  return {
    kind,
    idempotencyKey: `${kind}:${id}`,
    causedBy: debit.owner,
    about: { type: 'bench', id },
    transfers: [{ debit, credit, amount }],
  };
}
