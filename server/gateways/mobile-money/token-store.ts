import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/tx.ts';
import type { StoredToken, TokenStore } from './daraja.types.ts';

/** One process, no database: for tests, and for tools that run alone. */
export function memoryTokenStore(): TokenStore {
  const tokens = new Map<string, StoredToken>();
  const underWay = new Map<string, Promise<StoredToken | null>>();
  return {
    async read(key) {
      return tokens.get(key) ?? null;
    },
    async refresh(key, stale, fetchToken) {
      const current = tokens.get(key);
      if (current && current.token !== stale) return current;
      const fetching =
        underWay.get(key) ??
        fetchToken()
          .then((fetched) => {
            if (fetched) tokens.set(key, fetched);
            return fetched;
          })
          .finally(() => underWay.delete(key));
      underWay.set(key, fetching);
      return fetching;
    },
  };
}

const LEASE_SECONDS = 45;
const POLL_MS = 100;

/**
 * The token of all processes, in one row. Who refreshes holds a lease on the row, not a transaction: nothing stays open
 * while Safaricom thinks, and a process that dies leaves a lease that runs out (docs/decisions/031).
 */
export function postgresTokenStore(database: Database): TokenStore {
  const read = async (key: string): Promise<StoredToken | null> => {
    const [row] = await database.sql<{ token: string | null; expires_at: Date | null }[]>`
      select token, expires_at from daraja_token where key = ${key}`;
    return row?.token && row.expires_at ? { token: row.token, expiresAt: row.expires_at } : null;
  };
  return {
    read,
    async refresh(key, stale, fetchToken) {
      for (let waited = 0; waited < (LEASE_SECONDS + 5) * 1000; waited += POLL_MS) {
        const current = await read(key);
        if (current && current.token !== stale) return current;
        const lease = await claim(database, key, stale);
        if (lease) return fetchUnderLease(database, key, lease, fetchToken);
        await pause(POLL_MS);
      }
      return null;
    },
  };
}

/** The lease's id, or null when another process holds it or the token has changed meanwhile. */
async function claim(database: Database, key: string, stale: string | null): Promise<string | null> {
  return database.transaction(async (tx) => {
    const lease = tx.newId();
    const claimed = await tx.sql`
      insert into daraja_token as t (key, lease, leased_until)
      values (${key}, ${lease}, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}))
      on conflict (key) do update set lease = excluded.lease, leased_until = excluded.leased_until
      where (t.leased_until is null or t.leased_until < clock_timestamp())
        and t.token is not distinct from ${stale}::text
      returning key`;
    return claimed.length === 1 ? lease : null;
  });
}

async function fetchUnderLease(
  database: Database,
  key: string,
  lease: string,
  fetchToken: () => Promise<StoredToken | null>,
): Promise<StoredToken | null> {
  let fetched: StoredToken | null = null;
  try {
    fetched = await fetchToken();
  } finally {
    const { token, expiresAt } = fetched ?? { token: null, expiresAt: null };
    await database.transaction(
      (tx) => tx.sql`
        update daraja_token
        set token = coalesce(${token}::text, token), expires_at = coalesce(${expiresAt}::timestamptz, expires_at),
            lease = null, leased_until = null
        where key = ${key} and lease = ${lease}`,
    );
  }
  return fetched;
}
