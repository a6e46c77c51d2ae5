import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Fastify from 'fastify';
import { afterAll, afterEach, expect, inject, test } from 'vitest';
import { readConfig } from './config.ts';
import { freePort } from './db/embedded.ts';
import { testDatabase } from './db/test-database.ts';
import { copyPrepared } from './db/test-server.ts';
import { start } from './start.ts';

const program = fileURLToPath(new URL('./start.program.ts', import.meta.url));
const folder = dataFolder();
const started: ChildProcess[] = [];

/** With a database in it: what is looked at here is not how one is made. */
function dataFolder(): string {
  const made = mkdtempSync('/tmp/ushirika-start-');
  copyPrepared(inject('preparedFolder'), join(made, 'postgres'));
  return made;
}

afterEach(async () => {
  for (const child of started.splice(0)) if (isRunning(child)) await stop(child, 'SIGTERM');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = isRunning(child) ? once(child, 'exit') : null;
  child.kill(signal);
  await ended;
  return child.exitCode;
}

function launch(env: Record<string, string>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [program], {
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => said.push(line));
  }
  const saying = (words: string) => expect.poll(() => said.join('\n'), { timeout: 20_000 }).toContain(words);
  return { child, said, saying };
}

test('it says where it is and how long it took, and Ctrl-C ends everything with 0', async () => {
  const PORT = String(await freePort());
  const { child, said, saying } = launch({ PORT });
  await saying('First answer after');
  expect(said[0]).toBe(`Ushirika is at http://localhost:${PORT}`);
  expect(said[1]).toBe(`The M-Pesa simulator is at http://localhost:${PORT}/simulator`);
  expect(await (await fetch(`http://127.0.0.1:${PORT}/`)).text()).toBe('hello');
  expect(await stop(child, 'SIGINT')).toBe(0);
  await expect(fetch(`http://127.0.0.1:${PORT}/`)).rejects.toThrow();
});

test('a request under way is answered before the end', async () => {
  const PORT = String(await freePort());
  const { child, saying } = launch({ PORT });
  await saying('First answer after');
  const reply = fetch(`http://127.0.0.1:${PORT}/slow`);
  await saying('slow begun');
  const ended = stop(child, 'SIGTERM');
  expect(await (await reply).json()).toEqual([{ said: 'done' }]);
  expect(await ended).toBe(0);
});

test('a line that was opened and says nothing does not hold up the end', async () => {
  const PORT = String(await freePort());
  const { child, saying } = launch({ PORT });
  await saying('First answer after');
  const line = net.connect(Number(PORT), '127.0.0.1');
  await once(line, 'connect');
  const hungUp = once(line, 'close');
  const began = performance.now();
  expect(await stop(child, 'SIGTERM')).toBe(0);
  await hungUp;
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('before the end it says that it is not ready, still serves, and a second SIGTERM changes nothing', async () => {
  const PORT = String(await freePort());
  const { child, saying } = launch({ PORT, DRAIN_GRACE_MS: '1500' });
  await saying('First answer after');
  const asked = (path: string) => fetch(`http://127.0.0.1:${PORT}${path}`);
  const slow = asked('/slow');
  await saying('slow begun');
  const ended = stop(child, 'SIGTERM');
  await expect.poll(async () => (await asked('/readyz')).status).toBe(503);
  expect(await (await asked('/readyz')).json()).toEqual({ status: 'not_ready', reasons: ['draining'] });
  expect((await asked('/livez')).status).toBe(200);
  const late = await asked('/');
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
  child.kill('SIGTERM');
  expect((await slow).status).toBe(200);
  expect(await ended).toBe(0);
});

test('a taken port and a used data folder are each one clear line, and a failure', async () => {
  const PORT = String(await freePort());
  const first = launch({ PORT });
  await first.saying('First answer after');
  const second = launch({ PORT: String(await freePort()) });
  await second.saying('is already running on the data folder');
  await expect.poll(() => second.child.exitCode).toBe(1);
  expect(second.said).toHaveLength(1);
  const elsewhere = dataFolder();
  const third = launch({ PORT, DATA_DIR: elsewhere });
  await third.saying(`Port ${PORT} is taken by another program.`);
  await expect.poll(() => third.child.exitCode).toBe(1);
  expect(third.said).toHaveLength(1);
  rmSync(elsewhere, { recursive: true, force: true });
});

test('where the jobs cannot be begun, the server that listens already is closed again', async () => {
  const database = await testDatabase();
  const PORT = String(await freePort());
  const http = Fastify();
  const config = readConfig({ PORT, DATABASE_URL: database.url, DATA_DIR: folder });
  const build = async () => ({ http, tasks: {}, schedules: [{ task: 'nobody', everySeconds: 60 }] });
  await expect(start(config, build)).rejects.toThrow('The schedule of nobody has no such task.');
  await expect(fetch(`http://127.0.0.1:${PORT}/`)).rejects.toThrow();
  await database.close();
});

test('whatever cannot be ended is said, and all the rest is ended all the same', async () => {
  const database = await testDatabase();
  const http = Fastify({ logger: false });
  http.addHook('onClose', async () => {
    throw new Error('This part does not want to end.');
  });
  const config = readConfig({ PORT: String(await freePort()), DATABASE_URL: database.url, DATA_DIR: folder });
  let isClosed = false;
  const close = async () => {
    isClosed = true;
  };
  const { stop } = await start(config, async () => ({ http, tasks: {}, schedules: [], close }));
  await expect(stop()).rejects.toThrow('This part does not want to end.');
  expect(isClosed).toBe(true);
  // The jobs and the pool have let go as well.
  const linesLeft = async () =>
    (
      await database.owner`
        select 1 from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
    ).length;
  await expect.poll(linesLeft, { timeout: 5_000 }).toBe(0);
  await database.close();
});

test('a database that is not there is one clear line without its password, and a failure', async () => {
  const DATABASE_URL = `postgres://ushirika:hidden@127.0.0.1:${await freePort()}/ushirika`;
  const { child, saying, said } = launch({ PORT: '0', DATABASE_URL });
  await saying('The database of DATABASE_URL cannot be used: connect ECONNREFUSED');
  await expect.poll(() => child.exitCode).toBe(1);
  expect(said).toHaveLength(1);
  expect(said.join()).not.toContain('hidden');
});

test.each([
  ['::', '[::1]', 'localhost'],
  ['::1', '[::1]', 'localhost'],
  ['::', '127.0.0.1', 'localhost'],
])('HOST=%s is reached at %s (field case P7)', async (HOST, reachedAt, shownAs) => {
  const PORT = String(await freePort());
  const { said, saying } = launch({ PORT, HOST });
  await saying('First answer after');
  expect(said[0]).toBe(`Ushirika is at http://${shownAs}:${PORT}`);
  expect(await (await fetch(`http://${reachedAt}:${PORT}/`)).text()).toBe('hello');
});

test('a proxy of the environment gets no request that is for ourselves (field case P9)', async () => {
  const PORT = String(await freePort());
  const HTTP_PROXY = `http://127.0.0.1:${await freePort()}`;
  const { saying } = launch({ PORT, HTTP_PROXY, NODE_USE_ENV_PROXY: '1', NO_PROXY: 'other.example' });
  await saying('First answer after');
});

test.each([
  ['/etc/passwd/data', 'a part of its path is a file'],
  ['/etc/passwd', 'there is a file of this name'],
])('DATA_DIR=%s is one clear line at once, and a failure', async (DATA_DIR, why) => {
  const { child, said, saying } = launch({ PORT: '0', DATA_DIR });
  await saying(`The data folder ${DATA_DIR} cannot be used: ${why}. Set DATA_DIR to a folder of your own.`);
  await expect.poll(() => child.exitCode).toBe(1);
  expect(said).toHaveLength(1);
});

test('a bad setting is named, and a failure', async () => {
  const { child, saying } = launch({ PORT: 'http' });
  await saying('PORT: write a whole number from 0 to 65535');
  await expect.poll(() => child.exitCode).toBe(1);
});
