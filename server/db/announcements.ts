import { setTimeout as sleep } from 'node:timers/promises';
import { asSystem } from './person.ts';
import type { Database } from './tx.ts';

/** What one process has still to announce on one channel, by what it is about: only the latest of each counts. */
interface Announcer {
  readonly pending: Map<string, unknown>;
  isResting: boolean;
}

const announcers = new WeakMap<Database, Map<string, Announcer>>();
/** From one announcement of a process to its next. */
const ANNOUNCE_MS = 25;
/** PostgreSQL takes up to 8,000 bytes at once, and a notice of ours is below 100. */
const NOTICES_MAX = 80;

/**
 * Tells whoever listens on a channel, in every process, what a commit has changed: called once it is acknowledged. Many
 * become one announcement (a JSON array), so that a busy batch queue costs no statement for each change, and commits need not
 * queue for NOTIFY's lock. It throws nothing, and what it owes when the process dies is lost: for what its listeners can
 * also find by looking.
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
      // The database is away or closing.
    }
    await sleep(ANNOUNCE_MS, undefined, { ref: false });
  }
  announcer.isResting = false;
}
