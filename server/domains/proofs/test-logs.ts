import { expect } from 'vitest';
import type { Database } from '../../db/tx.ts';
import { createKeyring } from '../identity/keyring.ts';
import { Sequencer } from './sequencer.ts';
import { signCheckpoints } from './sign-checkpoints.ts';

export const testKeyring = createKeyring([Buffer.alloc(32, 7)]);

/** Logs all journals and events that are committed, and signs. */
export async function logAndSign(database: Database, originBase = 'ushirika.test/log'): Promise<void> {
  await logAll(database, new Sequencer({ database, originBase }));
  await signCheckpoints({ database, keyring: testKeyring });
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
