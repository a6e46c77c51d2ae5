import { setTimeout as sleep } from 'node:timers/promises';
import { asSystem } from './person.ts';
import type { Database } from './tx.ts';

/**
 * What one process still has to announce on one channel, by subject. Only the latest notice of each subject is sent.
 */
interface Announcer {
  readonly pending: Map<string, unknown>;
  isResting: boolean;
}

const announcers = new WeakMap<Database, Map<string, Announcer>>();
/** The pause between two announcements of a process. */
const ANNOUNCE_MS = 25;
/** PostgreSQL limits a NOTIFY to 8,000 bytes. A notice of ours is below 100. */
const NOTICES_MAX = 80;

/**
 * Announces changes of a commit to the listeners of a channel in every process. Call it after the commit was
 * acknowledged. Notices of one interval become one NOTIFY with a JSON array, so that busy batch queues do not queue for
 * NOTIFY's lock. It never throws. Notices are lost when the process dies, so listeners must also be able to find the
 * changes by reading.
 */
export function announceSoon(database: Database, channel: string, notices: ReadonlyMap<string, unknown>): void {
  const own = announcers.get(database) ?? new Map<string, Announcer>();
  announcers.set(database, own);
  const announcer = own.get(channel) ?? { pending: new Map(), isResting: false };
  own.set(channel, announcer);
  for (const [about, notice] of notices) announcer.pending.set(about, notice);
  if (!announcer.isResting) void asSystem(() => announceAll(database, channel, announcer));
}

async function announceAll(database: Database, channel: string, announcer: Announcer): Promise<void> {
  announcer.isResting = true;
  while (announcer.pending.size > 0) {
    const notices = [...announcer.pending.values()];
    announcer.pending.clear();
    const payloads: string[] = [];
    for (let start = 0; start < notices.length; start += NOTICES_MAX) {
      payloads.push(JSON.stringify(notices.slice(start, start + NOTICES_MAX)));
    }
    try {
      await database.sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) payload`;
    } catch {
      // The database is unreachable or closing.
    }
    await sleep(ANNOUNCE_MS, undefined, { ref: false });
  }
  announcer.isResting = false;
}
