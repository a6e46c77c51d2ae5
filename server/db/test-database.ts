import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';
import type { World } from '../world.ts';
import { openDatabase } from './database.ts';
import { templateName } from './test-server.ts';
import { type TestWorld, testWorld } from './test-world.ts';
import type { Database } from './tx.ts';

export { type TestWorld, testWorld } from './test-world.ts';

export interface TestDatabase<W extends World = TestWorld> extends Database {
  /** The owner's connection, for another `openDatabase` or another process. */
  readonly url: string;
  /** The clock and randomness that this database hands to every transaction. */
  readonly world: W;
  /** The owner's own hands: what the application may not do, such as breaking a row to see the audit find it. */
  readonly owner: postgres.Sql;
}

export interface TestDatabaseOptions<W extends World> {
  readonly world?: W;
  readonly poolSize?: number;
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
}

/**
 * A fresh, migrated database of its own for a test file, copied from the run's template in some 50 ms. Call it at the
 * top of the file or in `beforeAll`; closing it is welcome but not needed, the server ends with the run.
 */
export async function testDatabase<W extends World = TestWorld>(
  options: TestDatabaseOptions<W> = {},
): Promise<TestDatabase<W>> {
  const serverUrl = inject('testServerUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await server.unsafe(`create database ${name} template ${templateName}`);
  // A database's own grants are not copied with it: as 0001_roles.sql.
  await server.unsafe(`revoke temporary on database ${name} from public`);
  await server.end();
  const url = serverUrl.replace(/\/postgres$/, `/${name}`);
  const world = options.world ?? (testWorld() as unknown as W);
  const database = openDatabase({ poolSize: 6, ...options, url, world });
  const owner = postgres(url, { max: 2, onnotice: () => {} });
  const closeDatabase = database.close;
  // The same object, not a copy: `tx.database` is a key under which processes remember things.
  return Object.assign(database, {
    url,
    world,
    owner,
    close: async () => {
      await Promise.all([closeDatabase(), owner.end({ timeout: 5 })]);
    },
  });
}
