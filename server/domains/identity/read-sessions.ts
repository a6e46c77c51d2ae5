import { isGuarded } from '#faults';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { fastHash } from './codes.rules.ts';
import { SESSION_IDLE_MS } from './open-session.ts';

/** The session of a token that is live at this moment. */
export interface ReadSession {
  readonly userId: string;
  readonly sessionId: string;
  /** An operator of the platform who may act as one now. */
  readonly isOperator: boolean;
  /** An operator who may not act as one until they have set up an authenticator app (REQUIRE_TOTP). */
  readonly isOperatorInWaiting: boolean;
  /** Its person's account is suspended: they take no money out and bind nobody else. */
  readonly isSuspended: boolean;
  /** Whether this session may act in an office of a sacco at all: under REQUIRE_TOTP it has shown a code of the app. */
  readonly mayHoldOffice: boolean;
}

interface SessionRow {
  id: string;
  user_id: string;
  token_hash: string;
  is_operator: boolean;
  has_second_factor: boolean;
  is_stale: boolean;
  is_suspended: boolean;
}

/** Who waits for one token's session, and whether one of them is a person who does something. */
interface Asked {
  readonly resolvers: ((row: SessionRow | null) => void)[];
  isActive: boolean;
}

export interface SessionReaderOptions {
  readonly database: Database;
  readonly requireSecondFactor?: boolean;
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** `last_seen_at` is written at most this often. */
const SEEN_MS = 60_000;

/**
 * Reads the session of a token, from the database every time: a session that has ended is refused on the next request,
 * on every process. What is asked within one turn of the event loop becomes one statement, so that a busy server reads
 * hundreds of sessions in one round trip and an idle one waits for nothing.
 */
export function createSessionReader({ database, requireSecondFactor = false }: SessionReaderOptions) {
  let asked = new Map<string, Asked>();
  let failures: ((error: unknown) => void)[] = [];

  async function answer(): Promise<void> {
    const batch = asked;
    const failed = failures;
    asked = new Map();
    failures = [];
    try {
      const rows = await readRows(database, database.now(), [...batch.keys()]);
      const byHash = new Map(rows.map((row) => [row.token_hash, row]));
      for (const [hash, { resolvers }] of batch) for (const resolve of resolvers) resolve(byHash.get(hash) ?? null);
      const isActive = ({ token_hash }: SessionRow) => batch.get(token_hash)?.isActive === true;
      const stale = rows.filter((row) => row.is_stale && isActive(row)).map((row) => row.id);
      if (stale.length > 0) void markSeen(database, database.now(), stale);
    } catch (error) {
      for (const fail of failed) fail(error);
    }
  }

  function ask(hash: string, isActive: boolean): Promise<SessionRow | null> {
    return new Promise((resolve, reject) => {
      // The first of a turn asks for all of it, once the requests that arrived together have been parsed. A stream looks
      // again from within a person's request; whose session it is, the platform looks up.
      if (asked.size === 0) setImmediate(() => void asSystem(answer));
      const waiting = asked.get(hash);
      if (waiting) {
        waiting.resolvers.push(resolve);
        waiting.isActive ||= isActive;
      } else {
        asked.set(hash, { resolvers: [resolve], isActive });
      }
      failures.push(reject);
    });
  }

  return async (token: string, { isWatching = false } = {}): Promise<ReadSession | null> => {
    if (!TOKEN.test(token)) return null;
    const row = await ask(fastHash(token), !isWatching);
    if (!row) return null;
    const mayHoldOffice = row.has_second_factor || !requireSecondFactor;
    return {
      userId: row.user_id,
      sessionId: row.id,
      isSuspended: row.is_suspended && isGuarded('suspended_accounts_rest'),
      isOperator: row.is_operator && mayHoldOffice,
      isOperatorInWaiting: row.is_operator && !mayHoldOffice,
      mayHoldOffice,
    };
  };
}

function readRows(database: Database, now: Date, hashes: string[]): Promise<SessionRow[]> {
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  const unseenSince = new Date(now.getTime() - SEEN_MS);
  return database.sql<SessionRow[]>`
    select s.id, s.user_id, s.token_hash, o.user_id is not null as is_operator,
      s.second_factor_at is not null as has_second_factor, s.last_seen_at <= ${unseenSince} as is_stale,
      exists (select from account_suspensions a where a.user_id = s.user_id and a.ended_at is null
              and (a.upheld_by is not null or a.lapses_at > ${now})) as is_suspended
    from sessions s left join operators o on o.user_id = s.user_id and o.revoked_at is null
    where s.token_hash = any(${hashes}::text[])
      and s.ended_at is null and s.expires_at > ${now} and s.last_seen_at > ${idleSince}`;
}

/** Nobody waits for this, and nobody is refused when it fails: the next request writes it again. */
async function markSeen(database: Database, now: Date, ids: string[]): Promise<void> {
  try {
    await database.sql`
      update sessions set last_seen_at = greatest(last_seen_at, ${now}::timestamptz)
      where id = any(${ids}::uuid[]) and ended_at is null`;
  } catch {
    // A session seen is no reason to fail a request that has been answered.
  }
}
