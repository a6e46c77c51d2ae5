import { AsyncLocalStorage } from 'node:async_hooks';
import { Refusal } from '@ushirika/contract/refusal';
import { expect, test } from 'vitest';
import { Deadline } from '../db/deadline.ts';
import { testDatabase } from '../db/test-database.ts';
import type { Tx } from '../db/tx.ts';
import { createBatchQueue } from './batch-queue.ts';
import type { JournalInput, PostResult } from './ledger.types.ts';
import { LedgerScript } from './ledger-script.ts';
import { post } from './post.ts';

const database = await testDatabase();

/** A database whose transactions wait until `open` lets them begin. */
function holdable() {
  const opened = Promise.withResolvers<void>();
  const sizes: number[] = [];
  return {
    sizes,
    open: opened.resolve,
    run: async (_: Tx, commands: readonly string[]) => {
      sizes.push(commands.length);
      await opened.promise;
      return commands.map((command) => (command === 'refused' ? new Refusal('insufficient_funds') : `${command} done`));
    },
  };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 20));

test('Commands that arrive while batches are under way become the next batch', async () => {
  const { sizes, open, run } = holdable();
  const queue = createBatchQueue({ name: 'test', database, run });
  const submitted = [queue.submit('a')];
  await turn();
  submitted.push(queue.submit('b'));
  await turn();
  // Two batches are in flight, so commands now wait.
  for (let index = 0; index < 40; index += 1) submitted.push(queue.submit(`c${index}`));
  await turn();
  expect(queue.waiting).toBe(40);
  open();
  expect((await Promise.all(submitted)).slice(0, 3)).toEqual(['a done', 'b done', 'c0 done']);
  expect(sizes.sort((a, b) => a - b)).toEqual([1, 1, 40]);
});

test('Commands that arrive at the same moment share a batch, up to its size', async () => {
  const { sizes, open, run } = holdable();
  open();
  const queue = createBatchQueue({ name: 'test', database, run, batchMax: 3, inFlightMax: 1 });
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((command) => queue.submit(command)));
  expect(sizes).toEqual([3, 3, 1]);
});

test('A batch runs in the async context of its first command, not in that of the batch before it', async () => {
  const doing = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const run = async (_: Tx, commands: readonly string[]) => {
    await turn();
    seen.push([doing.getStore(), ...commands]);
    return commands;
  };
  const queue = createBatchQueue({ name: 'test', database, run, batchMax: 2, inFlightMax: 1 });
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => doing.run(`act ${name}`, () => queue.submit(name))));
  expect(seen).toEqual([
    ['act a', 'a', 'b'],
    ['act c', 'c', 'd'],
    ['act e', 'e'],
  ]);
});

test('Batches that lock different things run side by side; two that lock the same thing do not', async () => {
  const underWay = new Set<string>();
  const clashes: string[] = [];
  const orders: string[] = [];
  let most = 0;
  const run = async (_: Tx, commands: readonly string[]) => {
    const markets = new Set(commands.map((command) => command[0] ?? '').filter((market) => market !== '?'));
    for (const market of markets) (underWay.has(market) ? clashes : []).push(market);
    for (const market of markets) underWay.add(market);
    most = Math.max(most, underWay.size - markets.size);
    await turn();
    orders.push(...commands);
    for (const market of markets) underWay.delete(market);
    return commands;
  };
  const keyOf = (command: string) => (command[0] === '?' ? null : (command[0] ?? null));
  const queue = createBatchQueue({ name: 'test', database, run, batchMax: 4, keyOf });
  const asked = ['a1', 'b1', 'a2', 'c1', '?1', 'b2', 'a3', 'c2', 'b3', 'a4', 'c3', '?2'];
  expect(await Promise.all(asked.map((command) => queue.submit(command)))).toEqual(asked);
  expect(clashes).toEqual([]);
  expect(most).toBeGreaterThan(0);
  for (const market of 'abc') {
    expect(orders.filter((command) => command[0] === market)).toEqual(asked.filter((command) => command[0] === market));
  }
});

test('A command that its rules refuse is refused alone', async () => {
  const { open, run } = holdable();
  open();
  const queue = createBatchQueue({ name: 'test', database, run });
  const results = await Promise.allSettled(['a', 'refused', 'b'].map((command) => queue.submit(command)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((results[1] as PromiseRejectedResult).reason.code).toBe('insufficient_funds');
});

test('When one command breaks its batch, each is tried alone: the others are done once', async () => {
  const ledger = new LedgerScript(database);
  await ledger.run('fund: float > A 100 = posted');
  let runs = 0;
  const queue = createBatchQueue<JournalInput, PostResult>({
    name: 'test',
    database,
    run: async (tx, journals) => {
      runs += 1;
      const results = await post(tx, journals);
      if (journals.some(({ idempotencyKey }) => idempotencyKey.startsWith('poison'))) throw new Error('poison');
      return results;
    },
  });
  const lines = ['a: A > B 10', 'poison: A > B 10', 'b: A > B 10', 'c: A > B 99'];
  const results = await Promise.allSettled(lines.map((line) => queue.submit(ledger.journal(line))));
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value.status : 'thrown'))).toEqual([
    'posted',
    'thrown',
    'posted',
    'refused',
  ]);
  expect(runs).toBe(5);
  expect(await ledger.balancesOf('A 80, B 20')).toBe('A 80, B 20');
});

test('A batch whose commit has an unknown outcome is not retried by the batch queue', async () => {
  let runs = 0;
  const queue = createBatchQueue<string, string>({
    name: 'test',
    database: {
      transaction: async () => {
        runs += 1;
        throw new Refusal('unknown_outcome');
      },
    },
    run: async () => [],
  });
  const results = await Promise.allSettled([queue.submit('a'), queue.submit('b')]);
  expect(results.map((result) => (result as PromiseRejectedResult).reason.code)).toEqual([
    'unknown_outcome',
    'unknown_outcome',
  ]);
  expect(runs).toBe(1);
});

test('A full batch queue refuses at once and says when to retry', async () => {
  const { open, run } = holdable();
  const queue = createBatchQueue({ name: 'test', database, run, queueMax: 2, inFlightMax: 1 });
  const first = queue.submit('a');
  await turn();
  const waiting = [queue.submit('b'), queue.submit('c')];
  const refusal = await queue.submit('d').catch((error: Refusal) => error);
  expect(refusal).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 1 } });
  open();
  expect(await Promise.all([first, ...waiting])).toEqual(['a done', 'b done', 'c done']);
});

test('A closing batch queue finishes its commands and refuses new ones', async () => {
  const { open, run } = holdable();
  const queue = createBatchQueue({ name: 'test', database, run, inFlightMax: 1 });
  const taken = [queue.submit('a')];
  await turn();
  taken.push(queue.submit('b'));
  const closed = queue.close();
  await expect(queue.submit('c')).rejects.toMatchObject({ code: 'unavailable' });
  open();
  await closed;
  expect(queue.waiting).toBe(0);
  expect(await Promise.all(taken)).toEqual(['a done', 'b done']);
  await queue.close();
});

test('A command whose deadline passes before the COMMIT of its batch is not done; the others are done without it', async () => {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const batches: string[][] = [];
  const queue = createBatchQueue<string, string>({
    name: 'late',
    database,
    inFlightMax: 1,
    run: async (_, commands) => {
      batches.push([...commands]);
      await (batches.length === 1 ? first : second).promise;
      return commands.map((command) => `${command} done`);
    },
  });
  const before = queue.submit('before');
  await turn();
  const deadline = new Deadline();
  const late = expect(queue.submit('late', deadline)).rejects.toMatchObject({ code: 'unavailable' });
  const other = queue.submit('other', new Deadline());
  const waiting = new Deadline();
  first.resolve();
  expect(await before).toBe('before done');
  await turn();
  const next = expect(queue.submit('next', waiting)).rejects.toMatchObject({ code: 'unavailable' });
  expect(deadline.expire().code).toBe('unavailable');
  expect(waiting.expire().code).toBe('unavailable');
  second.resolve();
  expect(await other).toBe('other done');
  await Promise.all([late, next]);
  expect(batches).toEqual([['before'], ['late', 'other'], ['other']]);
  expect(queue.figures()).toMatchObject({ name: 'late', waiting: 0, begun: 3, refused: 1 });
});

test('A command that has waited too long is refused before it starts', async () => {
  const { open, run } = holdable();
  const queue = createBatchQueue({ name: 'slow', database, run, inFlightMax: 1, waitMsMax: 10 });
  const first = queue.submit('a');
  await turn();
  const second = expect(queue.submit('b')).rejects.toMatchObject({ code: 'unavailable' });
  await turn();
  open();
  expect(await first).toBe('a done');
  await second;
});
