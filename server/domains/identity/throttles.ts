import { Refusal } from '@ushirika/contract/refusal';
import { sentence, waitSaid } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { fastHash } from './codes.rules.ts';
import { countAttempt, type ThrottleRule } from './throttle.rules.ts';

interface ThrottleRow {
  attempts: number;
  window_started_at: Date;
  locks: number;
  locked_until: Date | null;
}

/**
 * Counts an attempt for a key, in a transaction of its own, before the attempt is judged.
 * @throws Refusal `too_many_requests` with Retry-After while the key is locked.
 */
export async function reserveAttempt(database: Database, key: string, rule: ThrottleRule): Promise<void> {
  const counted = await database.transaction(async (tx) => {
    await tx.sql`
      insert into throttles (key, attempts, window_started_at, locks, updated_at)
      values (${key}, 0, ${tx.now}, 0, ${tx.now})
      on conflict (key) do nothing`;
    const [row] = await tx.sql<ThrottleRow[]>`
      select attempts, window_started_at, locks, locked_until from throttles where key = ${key} for update`;
    const before = row && {
      attempts: row.attempts,
      windowStartedAt: row.window_started_at,
      locks: row.locks,
      lockedUntil: row.locked_until,
    };
    const outcome = countAttempt(before ?? null, tx.now, rule);
    if (!outcome.admitted) return outcome;
    const { attempts, windowStartedAt, locks, lockedUntil } = outcome.state;
    await tx.sql`
      update throttles
      set attempts = ${attempts}, window_started_at = ${windowStartedAt}, locks = ${locks},
          locked_until = ${lockedUntil}, updated_at = ${tx.now}
      where key = ${key}`;
    return outcome;
  });
  if (counted.admitted) return;
  throw new Refusal('too_many_requests', {
    retryAfterSeconds: counted.retryAfterSeconds,
    message: sentence('Too many attempts. Try again in {wait}.', { wait: waitSaid(counted.retryAfterSeconds) }),
  });
}

/**
 * As `reserveAttempt`, but what was asked for under the same key within the rule's window is not counted once more, also while the key is
 * locked. Of what was asked for only a hash is kept. The same at once may count twice.
 * @throws Refusal `too_many_requests` with Retry-After while the key is locked, for what was not asked for before
 */
export async function reserveDistinct(
  database: Database,
  key: string,
  what: string,
  rule: ThrottleRule,
): Promise<void> {
  const asked = `${key}:${fastHash(`${key}:${what}`)}`;
  const since = new Date(database.now().getTime() - rule.windowSeconds * 1000);
  const [before] = await database.sql`select from throttles where key = ${asked} and window_started_at > ${since}`;
  if (before) return;
  await reserveAttempt(database, key, rule);
  const now = database.now();
  await database.sql`
    insert into throttles (key, attempts, window_started_at, locks, updated_at) values (${asked}, 1, ${now}, 0, ${now})
    on conflict (key) do update set window_started_at = excluded.window_started_at, updated_at = excluded.updated_at`;
}

/** The attempt was right: the key begins anew. */
export async function forgiveAttempts(tx: Tx, key: string): Promise<void> {
  await tx.sql`delete from throttles where key = ${key}`;
}

/** The attempt was not judged, or is yet to be completed: it does not count. */
export async function withdrawAttempt(database: Database, key: string): Promise<void> {
  await database.sql`
    update throttles
    set attempts = greatest(attempts - 1, 0),
        locks = case when locked_until is null then locks else greatest(locks - 1, 0) end,
        locked_until = null
    where key = ${key}`;
}

/**
 * Runs what may answer that something belongs to another account, and counts those answers for a key: any other outcome
 * does not count.
 * @throws Refusal `too_many_requests` with Retry-After while the key is locked; whatever `run` throws
 */
export async function countTaken<T>(
  database: Database,
  key: string,
  rule: ThrottleRule,
  run: () => Promise<T>,
): Promise<T> {
  await reserveAttempt(database, key, rule);
  try {
    const outcome = await run();
    await withdrawAttempt(database, key);
    return outcome;
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'validation_failed')) await withdrawAttempt(database, key);
    throw error;
  }
}
