import net from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from './database.ts';
import { asPerson } from './person.ts';
import { testDatabase } from './test-database.ts';
import type { Database } from './tx.ts';

const home = await testDatabase();
const sockets: net.Socket[] = [];
let database: Database;

beforeEach(async () => {
  sockets.length = 0;
  const connect = net.Socket.prototype.connect;
  vi.spyOn(net.Socket.prototype, 'connect').mockImplementation(function (this: net.Socket, ...to: unknown[]) {
    sockets.push(this);
    return Reflect.apply(connect, this, to);
  } as never);
  // A pool of one connection, so that the next statement gets the one that broke.
  database = openDatabase({ url: home.url, world: home.world, poolSize: 1 });
  await database.sql`select 1`;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database.close();
});

const theSocket = () => sockets.at(-1) as net.Socket;
const outcomeOf = (promise: PromiseLike<unknown>) =>
  Promise.race([
    Promise.resolve(promise).then(
      () => 'answered',
      () => 'refused',
    ),
    new Promise((resolve) => setTimeout(resolve, 4_000, 'never settled')),
  ]);

test('a statement sent while a connection breaks is answered or refused, and the next one reconnects', async () => {
  const broken = outcomeOf(database.sql`select 2`);
  await Promise.resolve();
  const again = broken.then(() => outcomeOf(database.sql`select 3`));
  theSocket().destroy(new Error('reset'));
  expect(await broken).toBe('refused');
  expect(await again).not.toBe('never settled');
  expect(await outcomeOf(database.sql`select 4`)).toBe('answered');
});

test('bytes left in the buffer of a broken connection do not block the next one', async () => {
  const asked = outcomeOf(database.sql`select 2`);
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  theSocket().emit('close', false);
  theSocket().destroy();
  expect(await asked).toBe('refused');
  const began = performance.now();
  expect(await outcomeOf(database.sql`select 3`)).toBe('answered');
  expect(performance.now() - began).toBeLessThan(3_000);
});

describe('after PostgreSQL ended a connection with an error, the next statement does not get that error', () => {
  const person = { userId: '00000000-0000-4000-8000-000000000001' };
  const asked = {
    'a statement': () => database.sql`select 1 as one`,
    'a statement of a person': () => asPerson(person, () => database.sql`select 1 as one`),
    'a transaction': () => database.transaction((tx) => tx.sql`select 1 as one`),
  };
  // FATAL: idle too long in a transaction. ERROR: its answer broke off before the end.
  const ends = { FATAL: '25P03', ERROR: '23505' };
  for (const [severity, code] of Object.entries(ends)) {
    test.each(Object.entries(asked))(`${severity}: %s is answered`, async (_what, ask) => {
      const broken = database.sql`select pg_sleep(1)`.then(
        () => null,
        (error) => error,
      );
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      theSocket().emit('data', errorMessage(severity, code));
      theSocket().destroy();
      expect(await broken).toMatchObject({ code: 'CONNECTION_CLOSED' });
      expect([...(await ask())]).toEqual([{ one: 1 }]);
    });
  }

  test('a statement that PostgreSQL itself refuses is sent once and its error returned', async () => {
    await expect(database.sql`select 1 / 0`).rejects.toMatchObject({ code: '22012' });
  });
});

test('a connection that broke during a statement does not delay closing', async () => {
  const broken = outcomeOf(database.sql`select pg_sleep(1)`);
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  theSocket().destroy();
  expect(await broken).toBe('refused');
  const began = performance.now();
  await database.close();
  expect(performance.now() - began).toBeLessThan(3_000);
});

test('an answer that postgres.js begins with empty rows, left from a broken connection, is returned without them', async () => {
  const answers = [
    [undefined, 1, { id: 1 }],
    [undefined, 2, { id: 1 }, { id: 2 }],
  ] as const;
  for (const [, holes, ...rows] of answers) {
    const statement = database.sql`select 1`;
    const sparse = new Array(holes);
    sparse.push(...rows);
    (statement as unknown as { resolve(rows: unknown): void }).resolve(sparse);
    expect([...(await statement)]).toEqual(rows);
  }
});

test('an unreachable server is reported as such', async () => {
  const nobody = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => nobody.once('listening', resolve));
  const { port } = nobody.address() as net.AddressInfo;
  await new Promise((resolve) => nobody.close(resolve));
  const away = openDatabase({ url: `postgres://ushirika:x@127.0.0.1:${port}/none`, poolSize: 1 });
  await expect(away.sql`select 1`).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await away.close();
});

/** PostgreSQL's ErrorResponse, as the protocol has it. */
function errorMessage(severity: string, code: string): Buffer {
  const fields = Buffer.from(`S${severity}\0V${severity}\0C${code}\0Mthe end\0\0`);
  const head = Buffer.from('E0000');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
