import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import type { World } from '../world.ts';
import { openDatabase } from './database.ts';
import { templateName } from './test-server.ts';
import { type TestWorld, testWorld } from './test-world.ts';
import type { Database } from './tx.ts';

export interface TestDatabase<W extends World = TestWorld> extends Database {
  /** The owner's connection, for another `openDatabase` or another process. */
  readonly url: string;
  /** The clock and randomness that this database hands to every transaction. */
  readonly world: W;
  /** The owner's connection, for what the application may not do, such as breaking a row for the audit to find. */
  readonly owner: postgres.Sql;
}

export interface TestDatabaseOptions<W extends World> {
  readonly world?: W;
  readonly poolSize?: number;
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
}

/** A fresh, migrated database, copied in about 50 ms from the template of the server at `serverUrl`. */
export async function copyTemplate<W extends World = TestWorld>(
  serverUrl: string,
  options: TestDatabaseOptions<W> = {},
): Promise<TestDatabase<W>> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await server.unsafe(`create database ${name} template ${templateName}`);
  // A copy does not get the grants of its template: repeats 0001_roles.sql.
  await server.unsafe(`revoke temporary on database ${name} from public`);
  await server.end();
  const url = serverUrl.replace(/\/postgres$/, `/${name}`);
  const world = options.world ?? (testWorld() as unknown as W);
  const database = openDatabase({ poolSize: 6, ...options, url, world });
  const owner = postgres(url, { max: 2, onnotice: () => {} });
  const closeDatabase = database.close;
  // The same object, not a copy: `tx.database` is used as a key of caches.
  return Object.assign(database, {
    url,
    world,
    owner,
    close: async () => {
      await Promise.all([closeDatabase(), owner.end({ timeout: 5 })]);
    },
  });
}
