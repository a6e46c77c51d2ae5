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
    select exists (select from journals j where not exists (select from log_entries e where e.journal_id = j.id))
      or exists (select from log_events where logged_at is null) as is_behind`;
  return row?.is_behind === true;
}
