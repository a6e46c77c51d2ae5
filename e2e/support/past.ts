import { join } from 'node:path';
import postgres from 'postgres';
import { runningUrl } from '../../server/db/embedded.ts';

/** As if the person had entered the password an hour ago: nobody waits that long in a journey. */
export async function enterPasswordAnHourAgo({ id }: { readonly id: string }): Promise<void> {
  const url = runningUrl(join(process.env.E2E_DATA_DIR ?? '', 'postgres'));
  if (!url) throw new Error('The database of the journeys is not running.');
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  await owner`update sessions set proven_at = proven_at - interval '1 hour' where user_id = ${id}`;
  await owner.end();
}
