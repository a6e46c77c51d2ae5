import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { copyPrepared } from './test-server.ts';

// Each test runs real processes: as ourselves, and where it makes a difference and we are root, also as the user `nobody`.
const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
const program = fileURLToPath(new URL('./embedded.program.ts', import.meta.url));
const started: ChildProcess[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(as?: typeof nobody): string {
  const folder = mkdtempSync('/tmp/ushirika-embedded-');
  folders.push(folder);
  if (as) chownSync(folder, as.uid, as.gid);
  chmodSync(folder, 0o755);
  return folder;
}

/** With a cluster that has never run there, for all that is not about its making. */
function madeFolder(as?: typeof nobody): string {
  const folder = join(newFolder(as), 'postgres');
  copyPrepared(inject('preparedFolder'), folder);
  if (as) spawnSync('chown', ['-R', `${as.uid}:${as.gid}`, folder]);
  return folder;
}

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly pid: number;
  readonly folder: string;
  /** Resolves with the next line that the program prints. */
  nextLine(): Promise<{ message?: string }>;
}

async function start(folder: string, as?: typeof nobody): Promise<Running> {
  const child = spawn(process.execPath, [program, folder], { ...as, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(complaint.trim());
    return JSON.parse(value);
  };
  return { child, nextLine, ...(await nextLine()) };
}

async function query(url: string, text: string): Promise<postgres.RowList<postgres.Row[]>> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await sql.unsafe(text);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Processes whose parent was killed may stay listed until init reaps them. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const people = [
  { who: isRoot ? 'root' : 'an ordinary user', as: undefined },
  ...(isRoot ? [{ who: 'an ordinary user', as: nobody }] : []),
];

describe.each(people)('started by $who', ({ as }) => {
  test('PostgreSQL 18 runs durably, never as root, and the next start finds the data', async () => {
    const folder = newFolder(as);
    const first = await start(folder, as);
    const [settings] = await query(
      first.url,
      `select current_setting('server_version_num')::int / 10000 as version, current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as synchronous_commit, current_setting('data_checksums') as checksums,
        current_setting('jit') as jit, current_setting('timezone') as timezone, current_setting('listen_addresses') as addresses`,
    );
    expect(settings).toEqual({
      version: 18,
      fsync: 'on',
      synchronous_commit: 'on',
      checksums: 'on',
      jit: 'off',
      timezone: 'UTC',
      addresses: '127.0.0.1',
    });
    expect(statSync(`/proc/${first.pid}`).uid).not.toBe(0);
    expect(statSync(join(first.folder, 'password')).mode & 0o777).toBe(0o600);
    await query(first.url, 'create table kept as select 42 as answer');
    await kill(first.child, 'SIGTERM');
    expect(first.child.exitCode).toBe(0);
    expect(isAlive(first.pid)).toBe(false);
    const second = await start(folder, as);
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  test('kill -9 of the server: the next start ends the orphaned PostgreSQL, and committed data is there', async () => {
    const folder = madeFolder(as);
    const first = await start(folder, as);
    await query(first.url, 'create table kept as select 42 as answer');
    await kill(first.child, 'SIGKILL');
    expect(isAlive(first.pid)).toBe(true);
    const second = await start(folder, as);
    expect(isAlive(first.pid)).toBe(false);
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  test('a pid file whose number now belongs to another program does not stop the start', async () => {
    const folder = madeFolder(as);
    const first = await start(folder, as);
    process.kill(first.child.pid as number, 'SIGKILL');
    process.kill(first.pid, 'SIGKILL');
    await once(first.child, 'exit');
    await expect.poll(() => isAlive(first.pid)).toBe(false);
    const stranger = spawn('sleep', ['60'], { ...(as ?? (isRoot ? ownerOf(first.folder) : {})), stdio: 'ignore' });
    started.push(stranger);
    const pidFile = join(first.folder, 'cluster', 'postmaster.pid');
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    writeFileSync(pidFile, [stranger.pid, ...lines.slice(1)].join('\n'));
    const second = await start(folder, as);
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(stranger.exitCode).toBe(null);
  });
});

test('a wrong password is refused', async () => {
  const { url } = await start(madeFolder());
  await expect(query(url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toMatchObject({ code: '28P01' });
});

test('a second start on the same folder is refused in one line, and the first goes on', async () => {
  const folder = madeFolder();
  const first = await start(folder);
  await expect(start(folder)).rejects.toThrow(
    new RegExp(`^Another Ushirika \\(process ${first.child.pid}\\) is already running on the data folder [^\\n]*$`),
  );
  expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('kill -9 of PostgreSQL: it is started again at the same address and recovers', async () => {
  const first = await start(madeFolder());
  await query(first.url, 'create table kept as select 42 as answer');
  process.kill(first.pid, 'SIGKILL');
  expect(await first.nextLine()).toEqual({ message: 'PostgreSQL ended unexpectedly and has been started again.' });
  expect(await query(first.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

test('an obstacle that keeps it from starting again passes, and it retries until then', async () => {
  const first = await start(madeFolder());
  await query(first.url, 'create table kept as select 42 as answer');
  const cluster = join(first.folder, 'cluster');
  renameSync(`${cluster}/pg_wal`, `${cluster}/pg_wal.away`);
  process.kill(first.pid, 'SIGKILL');
  expect(await first.nextLine()).toMatchObject({ message: expect.stringContaining('does not start yet') });
  renameSync(`${cluster}/pg_wal.away`, `${cluster}/pg_wal`);
  expect(await first.nextLine()).toEqual({ message: 'PostgreSQL ended unexpectedly and has been started again.' });
  expect(await query(first.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

test('kill -9 of both at once, in the middle of writing: the next start recovers', async () => {
  const folder = madeFolder();
  const first = await start(folder);
  await query(first.url, 'create table kept as select 42 as answer');
  query(first.url, 'insert into kept select generate_series(1, 100000); select pg_sleep(60)').catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 300));
  first.child.kill('SIGKILL');
  process.kill(first.pid, 'SIGKILL');
  const second = await start(folder);
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

test('a start that was killed while it created the folder is completed by the next', async () => {
  const folder = newFolder();
  const child = spawn(process.execPath, [program, folder], { cwd: '/', stdio: 'ignore' });
  started.push(child);
  await expect
    .poll(() => readdirSync(folder).some((name) => name.startsWith('cluster.new-')), { timeout: 10_000, interval: 5 })
    .toBe(true);
  await kill(child, 'SIGKILL');
  const second = await start(folder);
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test.runIf(isRoot)(
  'root, with data below a folder that nobody else may enter: it runs, and finds its data again',
  async () => {
    const closed = newFolder();
    chmodSync(closed, 0o700);
    const folder = join(closed, 'clone', '.data', 'postgres');
    mkdirSync(folder, { recursive: true });
    const first = await start(folder);
    folders.push(first.folder);
    expect(first.folder).toMatch(/^\/var\/lib\/ushirika\/data-/);
    await query(first.url, 'create table kept as select 42 as answer');
    await expect(start(folder)).rejects.toThrow('is already running on the data folder');
    await kill(first.child, 'SIGKILL');
    const second = await start(folder);
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  },
);

test.runIf(isRoot)("data that an ordinary user made stays that user's when root starts", async () => {
  const folder = madeFolder(nobody);
  const first = await start(folder, nobody);
  await query(first.url, 'create table kept as select 42 as answer');
  await kill(first.child, 'SIGTERM');
  const second = await start(folder);
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  await kill(second.child, 'SIGTERM');
  const third = await start(folder, nobody);
  expect(await query(third.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

function ownerOf(folder: string): { uid: number; gid: number } {
  const { uid, gid } = statSync(folder);
  return { uid, gid };
}
