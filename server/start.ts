import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkBeforeMigration, UnfitDatabase } from './check-before-migration.ts';
import { checkDataFolder, UnusableFolder } from './check-data-folder.ts';
import { checkDatabase, UnsoundDatabase } from './check-database.ts';
import { BadSetting, type Config, readConfig } from './config.ts';
import { isLost, openDatabase } from './db/database.ts';
import { type Embedded, startEmbedded } from './db/embedded.ts';
import { FolderInUse } from './db/folder-lock.ts';
import { migrate } from './db/migrate.ts';
import type { Database } from './db/tx.ts';
import type { Keyring } from './domains/identity/keyring.ts';
import { fillNameSkeletons } from './fill-name-skeletons.ts';
import type { Lifecycle } from './http/lifecycle.ts';
import { type Schedule, startJobs, type Task } from './jobs.ts';
import { openKeyring } from './open-keyring.ts';
import { keepFromProxy } from './own-address.ts';
import { type WatchedClock, watchClock } from './watched-clock.ts';
import { realWorld, type World } from './world.ts';

/** What `app.ts` builds out of the domains. */
export interface App {
  readonly http: {
    listen(address: { port: number; host: string }): Promise<string>;
    close(): Promise<unknown>;
  };
  /** What it tells of itself to those who send requests. */
  readonly lifecycle?: Pick<Lifecycle, 'needs' | 'open' | 'drain'>;
  readonly tasks: Readonly<Record<string, Task>>;
  readonly schedules: readonly Schedule[];
  /** Before the first request: the demonstration data, into an empty database. Returns lines for the person who starts. */
  prepare?(): Promise<readonly string[]>;
  /** After the last request: batch queues and listeners. */
  close?(): Promise<void>;
}

export interface AppParts {
  readonly config: Config;
  readonly database: Database;
  /** The owner's connection, for LISTEN and the operator's tools; domains take `database`. */
  readonly databaseUrl: string;
  readonly world: World;
  /** What seals the secrets that rows hold. */
  readonly keyring: Keyring;
}

/** Lines in use are let go within this, rather than cut while a request is on its way. */
const LETTING_GO_MS = 200;
/** Whatever hangs does not keep the person waiting for longer, beyond the time that the balancer is given. */
const END_MS_MAX = 25_000;

export type BuildApp = (parts: AppParts) => Promise<App>;

export interface Started {
  readonly address: string;
  /** Takes no more requests, ends those under way, the jobs, and PostgreSQL, in that order. */
  stop(): Promise<void>;
}

/** Starts everything in order; whatever was started is ended again when a later step fails. */
export async function start(
  config: Config,
  buildApp: BuildApp,
  clock: WatchedClock = watchClock(realWorld),
): Promise<Started> {
  const { world } = clock;
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    const failures: unknown[] = [];
    // Whatever fails, the others are ended: PostgreSQL, the last, above all.
    for (const step of undo.splice(0).reverse()) await step().catch((error: unknown) => failures.push(error));
    if (failures.length > 1) throw new AggregateError(failures, 'Several parts could not be ended.');
    if (failures.length > 0) throw failures[0];
  };
  try {
    if (!config.databaseUrl || !config.secretKeys) checkDataFolder(config.dataDir);
    const databaseUrl = config.databaseUrl ?? (await embedded(config, undo)).url;
    await checkBeforeMigration(databaseUrl);
    await migrate(databaseUrl);
    const database = openDatabase({
      url: databaseUrl,
      world: clock.watched,
      poolSize: config.databasePoolSize,
      statementTimeoutMs: config.statementTimeoutMs,
      lockTimeoutMs: config.lockTimeoutMs,
    });
    undo.push(() => database.close());
    await checkDatabase(database, { isProduction: config.production, warn: console.warn });
    for (const name of await fillNameSkeletons(database)) console.warn(`The name ${name} looks like an older one.`);
    undo.push(async () => clock.stop());
    await clock.watch(database);
    const keyring = await openKeyring(config, database, world);
    const app = await buildApp({ config, database, databaseUrl, world, keyring });
    undo.push(async () => app.close?.());
    const lines = (await app.prepare?.()) ?? [];
    const address = await app.http.listen({ port: config.port, host: config.host });
    const jobs = await startJobs({ databaseUrl, tasks: app.tasks, schedules: app.schedules }).catch(async (error) => {
      await app.http.close();
      throw error;
    });
    // Requests end first, since they add jobs; then the jobs, since they use what the requests use.
    undo.push(() => jobs.stop());
    undo.push(() => closeHttp(app, config.drainGraceMs));
    app.lifecycle?.needs('jobs_stopped', () => jobs.isRunning);
    app.lifecycle?.needs('clock_in_doubt', () => clock.isRight);
    app.lifecycle?.open();
    for (const line of lines) console.log(line);
    return { address, stop };
  } catch (error) {
    await stop().catch((failure: unknown) => console.error('Not everything could be ended:', failure));
    throw error;
  }
}

/**
 * First it says that it is not ready, and goes on serving: whoever balances the load needs a moment to hear of it, and
 * those who hold a line are asked with each answer to let it go. Then it closes, which the HTTP layer does in order.
 */
async function closeHttp({ http, lifecycle }: App, graceMs: number): Promise<void> {
  lifecycle?.drain();
  if (lifecycle) await new Promise((resolve) => setTimeout(resolve, Math.max(graceMs, LETTING_GO_MS)));
  await http.close();
}

async function embedded(config: Config, undo: (() => Promise<unknown>)[]): Promise<Embedded> {
  const server = await startEmbedded({ folder: join(config.dataDir, 'postgres'), onTrouble: console.error });
  undo.push(() => server.stop());
  return server;
}

/** The process: settings, start, signals, exit code. Never returns before the end. */
export async function main(env: NodeJS.ProcessEnv, buildApp: BuildApp): Promise<void> {
  const started = begin(env, buildApp);
  let ending = false;
  const end = async (code: number) => {
    if (ending) return;
    ending = true;
    // PostgreSQL recovers from a kill, and the next start finds it.
    setTimeout(() => process.exit(1), END_MS_MAX + Number(env.DRAIN_GRACE_MS ?? 0)).unref();
    try {
      await (await started).stop();
      process.exit(code);
    } catch (error) {
      console.error('Not everything could be ended:', error);
      process.exit(1);
    }
  };
  process.on('SIGINT', () => void end(0));
  process.on('SIGTERM', () => void end(0));
  process.on('uncaughtException', (error) => {
    console.error('This should not happen; Ushirika stops:', error);
    void end(1);
  });
  process.on('unhandledRejection', (error) => {
    // postgres.js waits for no answer to what it asks on a new connection: where that breaks just then, all else is well.
    if (isLost(error)) return console.error('A connection to PostgreSQL broke as it was made:', error);
    console.error('This should not happen; Ushirika stops:', error);
    void end(1);
  });
  try {
    const { address } = await started;
    await firstAnswer(address);
  } catch (error) {
    console.error(explain(error, env));
    process.exit(1);
  }
}

async function begin(env: NodeJS.ProcessEnv, buildApp: BuildApp): Promise<Started> {
  const config = readConfig(env);
  keepFromProxy(env, config.host);
  const started = await start(config, buildApp);
  console.log(`Ushirika is at ${config.publicUrl}`);
  if (config.simulator) console.log(`The M-Pesa simulator is at ${config.publicUrl}/simulator`);
  if (config.simulator && config.production) {
    console.warn('SIMULATOR=1 in production: anybody who opens it can fill wallets with money that is not there.');
  }
  return started;
}

const FIRST_ANSWER_TRIES = 10;

/** Asks for a page as a browser would, and says how long it took from the process's first moment. */
async function firstAnswer(address: string): Promise<void> {
  const own = address.replace('0.0.0.0', '127.0.0.1').replace('[::]', '[::1]');
  for (let tries = 1; ; tries += 1) {
    try {
      await (await fetch(own)).arrayBuffer();
      break;
    } catch (error) {
      // A server that listens goes on, though its own question was cut off while it was busy.
      if (tries === FIRST_ANSWER_TRIES) throw error;
      await sleep(500);
    }
  }
  console.log(`First answer after ${(performance.now() / 1000).toFixed(1)} s. Ctrl-C stops everything.`);
}

/** Nobody listens there, no such host, not let in (28…), no such database (3D000). */
const NO_DATABASE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CONNECT_TIMEOUT', '28P01', '28000', '3D000']);

/** Errors with a message that is written for the person who starts the server. */
const MENDABLE = [BadSetting, FolderInUse, UnusableFolder, UnfitDatabase, UnsoundDatabase];

/** One clear line for what a person can mend; the whole error for what only we can. */
function explain(error: unknown, env: NodeJS.ProcessEnv): string {
  const { code, message, stack, hostname } = error as NodeJS.ErrnoException & { hostname?: string };
  if (MENDABLE.some((kind) => error instanceof kind)) return message;
  if (code === 'EADDRINUSE') return `Port ${env.PORT || 3000} is taken by another program. Stop it, or set PORT.`;
  if (code === 'EACCES') return `Not allowed: ${message}. Set DATA_DIR to a folder of your own, or PORT above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || (hostname !== undefined && hostname === env.HOST))
    return `${env.HOST} is no address of this machine. Set HOST to one, or to 0.0.0.0 for all.`;
  if (env.DATABASE_URL && NO_DATABASE.has(code ?? '')) return `The database of DATABASE_URL cannot be used: ${message}`;
  return stack ?? String(error);
}
