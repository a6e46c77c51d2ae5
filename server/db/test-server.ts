import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { type Embedded, startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The owner's connection to the database `postgres` of the test server. */
    testServerUrl: string;
    /** A stopped cluster with all migrations, for `copyPrepared` (decision 177). */
    preparedFolder: string;
  }
}

export const templateName = 'ushirika_template';

/**
 * Vitest's global set-up: one temporary PostgreSQL for the whole run with a migrated template, from which
 * `testDatabase` copies. It runs without fsync. Each project with a database calls this; the first starts it for all.
 */
export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = project.vitest.getRootProject();
  if (run.getProvidedContext().testServerUrl) return undefined;
  const { server, prepared, end } = await startThrowAway();
  run.provide('testServerUrl', server.urlOf('postgres'));
  run.provide('preparedFolder', prepared);
  return end;
}

export interface ThrowAway {
  readonly server: Embedded;
  /** A stopped cluster with all migrations, for `copyPrepared`. */
  readonly prepared: string;
  end(): Promise<void>;
  /** Only its files, for whoever had to kill it. */
  remove(): void;
}

/** A temporary server with the migrated template; also for the generator of types. */
export async function startThrowAway(): Promise<ThrowAway> {
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'ushirika-test-'));
  const folders = [base];
  const remove = () => {
    for (const folder of folders.toReversed())
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  try {
    const prepared = await prepareFolder(join(base, 'prepared'));
    folders.push(prepared);
    const server = await startCopy(prepared, join(base, 'postgres'));
    folders.push(server.folder);
    return { server, prepared, end: () => server.stop().then(remove), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Makes a cluster, migrates its database `ushirika` and stops it. Returns its real folder. */
async function prepareFolder(wanted: string): Promise<string> {
  // A log of a few files: each copy has it too.
  const server = await startEmbedded({ folder: wanted, durable: false, settings: { min_wal_size: '32MB' } });
  try {
    await migrate(server.url);
  } finally {
    await server.stop();
  }
  return server.folder;
}

async function startCopy(prepared: string, folder: string): Promise<Embedded> {
  copyPrepared(prepared, folder);
  const settings = {
    max_connections: '200',
    // The log shows the database and the SQLSTATE of each error, so that the fuzzer finds its own.
    log_line_prefix: '%m [%p] %d %e ',
    // A statement is planned once, for whatever values: tests run many statements a few times each.
    plan_cache_mode: 'force_generic_plan',
  };
  const server = await startEmbedded({ folder, durable: false, settings });
  const sql = postgres(server.urlOf('postgres'), { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(`create database ${templateName} template ushirika`);
  } catch (error) {
    await server.stop();
    throw error;
  } finally {
    await sql.end();
  }
  return server;
}

/**
 * Copies a prepared cluster with its owner and modes to where a product finds it: `postgres` in its data folder, which
 * must not be there yet. Its start then has nothing to create and nothing to migrate.
 */
export function copyPrepared(prepared: string, to: string): void {
  const copied = spawnSync('cp', ['-a', prepared, to], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(`The prepared folder could not be copied: ${copied.stderr}`);
}
