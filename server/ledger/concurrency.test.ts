import postgres from 'postgres';
import { expect, test } from 'vitest';
import { testDatabase } from '../db/test-database.ts';
import { balances } from './balances.ts';
import { breaches } from './invariants.ts';
import type { PostResult } from './ledger.types.ts';
import { LedgerScript } from './ledger-script.ts';
import { post } from './post.ts';

const database = await testDatabase({ poolSize: 12 });
// The pool opens connections one by one. All must be open before transactions can collide.
await Promise.all(Array.from({ length: 12 }, () => database.sql`select pg_sleep(0.5)`));

async function deadlocks(): Promise<number> {
  // A session reports its counters up to ten seconds late, unless it is told to report them now.
  await Promise.all(Array.from({ length: 12 }, () => database.sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`));
  const [row] = await database.owner`
    select deadlocks::int from pg_stat_database where datname = current_database()`;
  return row?.deadlocks ?? -1;
}

test('Transactions that move the same few accounts at once lose no money and never deadlock', async () => {
  const ledger = new LedgerScript(database);
  const names = ['A', 'B', 'C', 'D'];
  await ledger.run(names.map((name) => `fund-${name}: float > ${name} 1000 = posted`).join('\n'));
  const wallets = names.map((name) => ledger.key(name));
  let line = 0;
  const worker = async (shift: number) => {
    for (let round = 0; round < 25; round += 1) {
      // Each worker takes the accounts in another order: without sorted locks they would deadlock within moments.
      const order = names.map((_, index) => names[(index * (shift % 2 === 0 ? 1 : 3) + shift + round) % 4]);
      const lines = [0, 1, 2].map((index) => {
        line += 1;
        return `t${line}: ${order[index]} > ${order[index + 1]} ${1 + ((line * 7) % 90)}`;
      });
      await ledger.postLines(lines);
    }
  };
  await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(worker));
  const sum = (await balances(database, wallets)).reduce((a, b) => a + b, 0);
  expect(sum).toBe(4_000);
  expect(await breaches(database.owner)).toEqual([]);
  expect(await deadlocks()).toBe(0);
});

test('Transactions that open the same accounts at once use the same ones', async () => {
  const ledger = new LedgerScript(database);
  const names = ['N', 'O', 'P', 'Q'];
  await Promise.all(
    [0, 1, 2, 3, 4, 5].map((worker) =>
      ledger.postLines(names.map((_, index) => `o${worker}-${index}: float > ${names[(index + worker) % 4]} 10`)),
    ),
  );
  expect(
    await balances(
      database,
      names.map((name) => ledger.key(name)),
    ),
  ).toEqual([60, 60, 60, 60]);
});

test('A journal that ten transactions send at once is posted once, and all get its id', async () => {
  const ledger = new LedgerScript(database);
  const results = await Promise.all(
    Array.from({ length: 10 }, () => ledger.postLines(['once: float > A 100', 'once-more: A > B 30'])),
  );
  const first = results.map(([result]) => result as PostResult);
  expect(first.filter(({ status }) => status === 'posted')).toHaveLength(1);
  expect(first.filter(({ status }) => status === 'exists')).toHaveLength(9);
  expect(new Set(first.map((result) => (result.status === 'refused' ? '' : result.journalId))).size).toBe(1);
  expect(await ledger.balancesOf('A 70, B 30')).toBe('A 70, B 30');
});

test('Many journals sent at once by several transactions, in both orders, are posted once each without a deadlock', async () => {
  const ledger = new LedgerScript(database);
  // Both accounts exist already: opening them would make the transactions wait for each other.
  await ledger.run('fund: float > A 5000, A > B 1, B > A 1 = posted');
  const lines = Array.from({ length: 1_000 }, (_, index) => `same${index}: A > B 1`);
  const results = await Promise.all(
    Array.from({ length: 4 }, (_, turn) => ledger.postLines(turn % 2 === 0 ? lines : lines.toReversed())),
  );
  expect(results.flat().filter(({ status }) => status === 'posted')).toHaveLength(1_000);
  expect(results.flat().filter(({ status }) => status === 'exists')).toHaveLength(3_000);
  expect(await ledger.balancesOf('A 4000, B 1000')).toBe('A 4000, B 1000');
  expect(await deadlocks()).toBe(0);
});

test('Two different journals with one key at once, on different accounts: one is posted, the other is refused', async () => {
  for (let round = 0; round < 10; round += 1) {
    const ledger = new LedgerScript(database);
    const results = (
      await Promise.all([
        ledger.postLines(['k: float > A 5']),
        ledger.postLines(['k: suspense > B 5', 'x: float > B 1']),
      ])
    ).flat();
    const words = results.slice(0, 2).map((result) => (result.status === 'refused' ? result.reason : result.status));
    const isRefusedBySuspense = words[1] === 'insufficient_funds';
    expect(isRefusedBySuspense || words.includes('exists_with_different_content')).toBe(true);
  }
});

test('An account that a failed transaction had opened is opened again by the next', async () => {
  const ledger = new LedgerScript(database);
  const failing = database.transaction(async (tx) => {
    await post(tx, [ledger.journal('fund: float > F 5')]);
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  await ledger.run('fund: float > F 5 = posted\nF 5');
});

test('Two transactions that spend the same balance at once cannot overdraw it', async () => {
  const ledger = new LedgerScript(database);
  await ledger.run('fund: float > A 100 = posted');
  const results = (
    await Promise.all(Array.from({ length: 20 }, (_, index) => ledger.postLines([`spend${index}: A > B 10`])))
  ).flat();
  expect(results.filter(({ status }) => status === 'posted')).toHaveLength(10);
  expect(await ledger.balancesOf('A 0, B 100')).toBe('A 0, B 100');
});

test('When PostgreSQL’s backend is killed in the middle of a batch, nothing of it is kept, and it can be sent again', async () => {
  const killer = postgres(database.url, { max: 1 });
  for (const moment of ['while idle', 'in a statement', 'before a statement']) {
    const ledger = new LedgerScript(database);
    await ledger.run('fund: float > A 100 = posted');
    const lines = Array.from({ length: 50 }, (_, index) => `kill${index}: A > B 1`);
    const dying = database.transaction(async (tx) => {
      await post(
        tx,
        lines.map((line) => ledger.journal(line)),
      );
      const [row] = await tx.sql`select pg_backend_pid() as pid`;
      const asleep = moment === 'in a statement' ? tx.sql`select pg_sleep(5)` : null;
      const woken = asleep?.execute();
      await killer`select pg_terminate_backend(${row?.pid})`;
      await woken;
      // Long enough for the break to be noticed, and for other work to use the connection again.
      await new Promise((resolve) => setTimeout(resolve, 200));
      if (moment === 'before a statement') await tx.sql`select 1`;
    });
    const others = new LedgerScript(database);
    const meanwhile = Array.from({ length: 40 }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * 8));
      return others.postLines([`other${index}: float > C 1`]);
    });
    await expect(dying, moment).rejects.toThrow();
    await Promise.all(meanwhile);
    expect(await ledger.balancesOf('A 100, B 0'), moment).toBe('A 100, B 0');
    expect(await others.balancesOf('C 40')).toBe('C 40');
    await ledger.run(`${lines.map((line) => `${line} = posted`).join('\n')}\nA 50, B 50`);
  }
  await killer.end();
  expect(await breaches(database.owner)).toEqual([]);
});
