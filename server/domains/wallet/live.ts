import type { LiveEvents } from '@ushirika/contract/wallet';
import { announceSoon } from '../../db/announcements.ts';
import { asSystem, inThisContext } from '../../db/person.ts';
import type { Database, Tx } from '../../db/tx.ts';

const CHANNEL = 'client_live';

/** Which of a person's things changed. The receiver reads its present state. */
export interface LiveChange {
  readonly userId: string;
  readonly thing: keyof LiveEvents;
  /** The id of the deposit, withdrawal or claim; empty for the wallet. */
  readonly id: string;
}

/** Passes changes of a person's money to subscribers, from every process that shares the database. */
export interface LiveHub {
  /** Returns a function that ends the subscription. */
  subscribe(userId: string, listener: (change: LiveChange) => void): Promise<() => void>;
  close(): Promise<void>;
}

/** PostgreSQL sends the notices when the transaction commits. */
export async function announce(tx: Tx, changes: readonly LiveChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.sql`
    select pg_notify(${CHANNEL}, payload) from unnest(${changes.map((change) => JSON.stringify(change))}::text[]) payload`;
}

/**
 * Announces changed wallets after the commit, many in one notice, for busy batch queues. Notices are lost if the
 * process dies before it sends them: a page then shows the old balance until it next reads it.
 */
export function announceWallets(database: Database, userIds: readonly string[]): void {
  const notices = userIds.map((userId): [string, LiveChange] => [userId, { userId, thing: 'wallet', id: '' }]);
  announceSoon(database, CHANNEL, new Map(notices));
}

/** One listening connection in each process, opened by the first subscriber. */
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
      // The connection is shared, so the listener runs in the async context of its own subscriber.
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
