import type { LiveEvents } from '@ushirika/contract/wallet';
import { announceSoon } from '../../db/announcements.ts';
import { asSystem, inThisContext } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';

const CHANNEL = 'client_live';

/** What changed, and whose it is: read again by whoever shows it. */
export interface LiveChange {
  readonly userId: string;
  readonly thing: keyof LiveEvents;
  /** Of the deposit, withdrawal or claim; empty for the wallet. */
  readonly id: string;
}

/** Tells the changes of one person's money to whoever listens, from every process that shares the database. */
export interface LiveHub {
  /** The returned function ends it. */
  subscribe(userId: string, listener: (change: LiveChange) => void): Promise<() => void>;
  close(): Promise<void>;
}

/** Sent when, and only when, the transaction commits. */
export async function announce(tx: Tx, changes: readonly LiveChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.sql`
    select pg_notify(${CHANNEL}, payload) from unnest(${changes.map((change) => JSON.stringify(change))}::text[]) payload`;
}

/**
 * Wallets that a hot path has moved, told after its commit and many at once. Where the process dies in between, a page
 * shows the old balance until it asks again.
 */
export function announceWallets(database: Database, userIds: readonly string[]): void {
  const notices = userIds.map((userId): [string, LiveChange] => [userId, { userId, thing: 'wallet', id: '' }]);
  announceSoon(database, CHANNEL, new Map(notices));
}

/** One listening connection for each process, opened with the first subscriber. */
export function createLiveHub(database: Database): LiveHub {
  const listeners = new Map<string, Set<(change: LiveChange) => void>>();
  let listening: Promise<{ unlisten(): Promise<void> }> | null = null;
  const hear = (payload: string) => {
    const heard = JSON.parse(payload) as LiveChange | LiveChange[];
    for (const change of Array.isArray(heard) ? heard : [heard]) {
      for (const listener of listeners.get(change.userId) ?? []) listener(change);
    }
  };
  const listen = () => {
    listening ??= asSystem(() => database.sql.listen(CHANNEL, hear)).catch((error: unknown) => {
      listening = null;
      throw error;
    });
    return listening;
  };
  return {
    async subscribe(userId, heard) {
      await listen();
      // The line is everybody's: each is told as who they are.
      const listener = inThisContext(heard);
      const own = listeners.get(userId) ?? new Set();
      listeners.set(userId, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(userId) === own) listeners.delete(userId);
      };
    },
    async close() {
      const open = await listening?.catch(() => null);
      await open?.unlisten();
      listening = null;
    },
  };
}
