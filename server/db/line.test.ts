import net from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from './database.ts';
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
  // One connection, so that whoever comes next needs the one that broke.
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

test('what is asked the moment a connection breaks is answered or refused, and the next one connects anew', async () => {
  const broken = outcomeOf(database.sql`select 2`);
  await Promise.resolve();
  const again = broken.then(() => outcomeOf(database.sql`select 3`));
  theSocket().destroy(new Error('reset'));
  expect(await broken).toBe('refused');
  expect(await again).not.toBe('never settled');
  expect(await outcomeOf(database.sql`select 4`)).toBe('answered');
});

test('what was still to be sent when a connection broke does not keep the next from beginning', async () => {
  const asked = outcomeOf(database.sql`select 2`);
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  theSocket().emit('close', false);
  theSocket().destroy();
  expect(await asked).toBe('refused');
  const began = performance.now();
  expect(await outcomeOf(database.sql`select 3`)).toBe('answered');
  expect(performance.now() - began).toBeLessThan(3_000);
});

test('an answer that begins with empty places, left from a connection that broke, comes without them', async () => {
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

test('a server that is not there is told as such', async () => {
  const nobody = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => nobody.once('listening', resolve));
  const { port } = nobody.address() as net.AddressInfo;
  await new Promise((resolve) => nobody.close(resolve));
  const away = openDatabase({ url: `postgres://ushirika:x@127.0.0.1:${port}/none`, poolSize: 1 });
  await expect(away.sql`select 1`).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await away.close();
});
