import { join } from 'node:path';
import postgres from 'postgres';
import { runningUrl } from '../../server/db/embedded.ts';

/** The database of the journeys by its owner's hand: what time does, and no request can. */
export async function asOwner(act: (owner: postgres.Sql) => Promise<unknown>): Promise<void> {
  const url = runningUrl(join(process.env.E2E_DATA_DIR ?? '', 'postgres'));
  if (!url) throw new Error('The database of the journeys is not running.');
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  await act(owner);
  await owner.end();
}

/** As if two officials had confirmed the change a day ago; the job that puts it in force does not wait for its turn. */
export function confirmedADayAgo({ id }: { readonly id: string }): Promise<void> {
  return asOwner(async (owner) => {
    await owner`
      update sacco_changes set proposed_at = proposed_at - interval '1 day', confirmed_at = confirmed_at - interval '1 day',
        effective_at = effective_at - interval '1 day'
      where sacco_id = ${id} and state = 'confirmed'`;
    // As in server/jobs.ts, so that it never runs beside the one of the schedule.
    await owner`
      select graphile_worker.add_job('apply_changes', '{}', queue_name => 'schedule apply_changes', max_attempts => 1,
        job_key => 'schedule apply_changes')`;
  });
}

/** As if ten members had once held the minimum shares: nobody may hold more than one fifth from then on. */
export function asWithTenHolders({ id }: { readonly id: string }): Promise<void> {
  return asOwner((owner) => owner`update sacco_figures set holding_limit_since = now() where sacco_id = ${id}`);
}

/** A market's lot as two officials have set it. */
export function lotOf({ id }: { readonly id: string }, shares: number): Promise<void> {
  return asOwner((owner) => owner`update markets set lot = ${shares} where sacco_id = ${id}`);
}

/** As if the person had entered the password an hour ago: nobody waits that long in a journey. */
export async function enterPasswordAnHourAgo({ id }: { readonly id: string }): Promise<void> {
  await asOwner((owner) => owner`update sessions set proven_at = proven_at - interval '1 hour' where user_id = ${id}`);
}
