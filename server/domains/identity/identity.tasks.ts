import type { Database } from '../../db/tx.ts';
import type { IdentityDependencies } from './identity.types.ts';
import { sendResetCode } from './send-reset-code.ts';

const DAY_MS = 86_400_000;

export function identityTasks(deps: Pick<IdentityDependencies, 'database' | 'passwords'>) {
  return {
    send_reset_code: (payload: unknown) => sendResetCode(deps, payload),
    sweep_identity: () => sweepIdentity(deps.database),
  };
}

export const identitySchedules = [{ task: 'sweep_identity', everySeconds: 3600 }];

/** Deletes what no longer means anything: sessions a month after their end, spent codes, quiet throttles. */
export async function sweepIdentity(database: Database): Promise<void> {
  const now = database.now().getTime();
  const [hourAgo, twoDaysAgo, monthAgo, yearAgo] = [DAY_MS / 24, 2 * DAY_MS, 30 * DAY_MS, 365 * DAY_MS].map(
    (age) => new Date(now - age),
  ) as [Date, Date, Date, Date];
  await database.transaction(async ({ sql }) => {
    await sql`delete from sessions where expires_at < ${monthAgo}`;
    await sql`delete from reset_codes where expires_at < ${twoDaysAgo}`;
    await sql`delete from phone_codes where expires_at < ${twoDaysAgo}`;
    await sql`delete from reset_requests where created_at < ${hourAgo}`;
    await sql`delete from second_factors where state = 'pending' and created_at < ${hourAgo}`;
    await sql`delete from throttles where updated_at < ${twoDaysAgo}`;
    await sql`delete from known_addresses where last_signed_in_at < ${yearAgo}`;
  });
}
