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
  }
}

export const templateName = 'ushirika_template';

/**
 * Vitest's global set-up: one temporary PostgreSQL for the whole run with a migrated template, from which
 * `testDatabase` copies. It runs without fsync.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { server, end } = await startThrowAway();
  project.provide('testServerUrl', server.urlOf('postgres'));
  return end;
}

/** A temporary server with the migrated template; also for the generator of types. */
export async function startThrowAway(): Promise<{ server: Embedded; end: () => Promise<void> }> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'ushirika-test-'));
  // The log shows the database and the SQLSTATE of each error, so that the fuzzer finds its own.
  const settings = { max_connections: '120', log_line_prefix: '%m [%p] %d %e ' };
  const server = await startEmbedded({ folder, durable: false, settings });
  const end = async () => {
    await server.stop();
    rmSync(server.folder, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const sql = postgres(server.urlOf('postgres'), { max: 1, onnotice: () => {} });
    await sql.unsafe(`create database ${templateName}`);
    await sql.end();
    await migrate(server.urlOf(templateName));
    return { server, end };
  } catch (error) {
    await end();
    throw error;
  }
}
