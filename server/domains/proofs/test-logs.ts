import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { expect } from 'vitest';
import { openDatabase } from '../../db/database.ts';
import type { TestDatabase } from '../../db/test-database.ts';
import type { Database } from '../../db/tx.ts';
import { createKeyring } from '../identity/keyring.ts';
import { ChainWitness } from './chain-witness.ts';
import { Sequencer } from './sequencer.ts';
import { signCheckpoints } from './sign-checkpoints.ts';
import { SignedHeads } from './signed-heads.ts';

export const testKeyring = createKeyring([Buffer.alloc(32, 7)]);

/** Logs all journals and events that are committed, and signs. */
export async function logAndSign(database: Database, originBase = 'ushirika.test/log'): Promise<void> {
  await logAll(database, new Sequencer({ database, originBase }));
  await signOn(database);
}

/** Signs, on a machine that has never signed, without a chain. @returns how many heads */
export async function signOn(database: Database, onHalted?: Parameters<typeof signCheckpoints>[1]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'ushirika-heads-'));
  try {
    const [heads, chainWitness] = [new SignedHeads(folder), new ChainWitness(async () => null)];
    return await signCheckpoints({ database, keyring: testKeyring, heads, chainWitness }, onHalted);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Logs all journals and events that are committed, however long other databases of the same server keep their transactions open. @returns how many */
export async function logAll(database: Database, sequencer: Sequencer): Promise<number> {
  let logged = 0;
  do logged += await sequencer.catchUp();
  while (await isBehind(database));
  return logged;
}

async function isBehind({ sql }: Database): Promise<boolean> {
  const [row] = await sql<{ is_behind: boolean }[]>`
    select bool_or(c.upto < s.newest) as is_behind from log_cursors c
    join (select 'journals' as source, max(id) as newest from journals
      union all select 'events', max(id) from log_events) s on s.source = c.source`;
  return row?.is_behind === true;
}

/** Waits until a transaction of this database has begun to write. */
export async function someoneWrites({ sql }: Database): Promise<void> {
  const writers = () =>
    sql`select from pg_stat_activity where backend_xid is not null and datname = current_database()`;
  await expect.poll(async () => (await writers()).length).toBe(1);
}

/** A copy of a database as it is now, as a backup would be restored, and the database itself, opened again. */
export async function copied({
  url,
  world,
  close,
}: TestDatabase): Promise<{ database: TestDatabase; older: TestDatabase }> {
  const name = new URL(url).pathname.slice(1);
  await close();
  const server = postgres(url.replace(/\/[^/]+$/, '/postgres'), { max: 1, onnotice: () => {} });
  await server.unsafe(`create database ${name}_old template ${name}`);
  await server.end();
  return { database: opened(url, world), older: opened(`${url}_old`, world) };
}

function opened(url: string, world: TestDatabase['world']): TestDatabase {
  const found = openDatabase({ url, world, poolSize: 6 });
  const owner = postgres(url, { max: 2, onnotice: () => {} });
  const closed = found.close;
  const close = async () => void (await Promise.all([closed(), owner.end({ timeout: 5 })]));
  return Object.assign(found, { url, world, owner, close });
}
