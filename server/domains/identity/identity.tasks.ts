import type { Database, Tx } from '../../db/tx.ts';
import { notifyAll } from '../notifications/notify.ts';
import { identitySms } from './identity.sms.ts';
import type { IdentityDependencies } from './identity.types.ts';
import { releasePhone } from './release-phone.ts';
import { sendResetCode } from './send-reset-code.ts';

const DAY_MS = 86_400_000;

export function identityTasks(deps: Pick<IdentityDependencies, 'database' | 'passwords'>) {
  return {
    send_reset_code: (payload: unknown) => sendResetCode(deps, payload),
    release_phone: (payload: unknown) => releasePhone(deps.database, payload),
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
  await database.transaction(lapseSuspensions);
  await database.transaction(async ({ sql }) => {
    await sql`delete from sessions where expires_at < ${monthAgo}`;
    await sql`delete from reset_codes where expires_at < ${twoDaysAgo}`;
    await sql`delete from phone_codes where expires_at < ${twoDaysAgo}`;
    await sql`delete from phone_changes where changed_at < ${twoDaysAgo}`;
    await sql`delete from reset_requests where created_at < ${hourAgo}`;
    await sql`delete from second_factors where state = 'pending' and created_at < ${hourAgo}`;
    await sql`delete from throttles where updated_at < ${twoDaysAgo}`;
    await sql`delete from known_devices where signed_in_at < ${yearAgo}`;
  });
}

/** What no second operator has upheld within its 14 days is over already; here it is written down, and the person told. */
async function lapseSuspensions(tx: Tx): Promise<void> {
  const lapsed = await tx.sql<{ user_id: string }[]>`
    update account_suspensions set ended_at = lapses_at, end_kind = 'lapsed'
    where ended_at is null and upheld_by is null and lapses_at <= ${tx.now}
    returning user_id`;
  const told = { template: 'suspension_lapsed', sms: identitySms.suspensionLifted(), causedBy: null };
  await notifyAll(
    tx,
    lapsed.map(({ user_id: userId }) => ({ userId, ...told })),
  );
}
