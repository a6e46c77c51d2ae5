import type { Route } from '@ushirika/contract/route';
import { asSystem } from '../db/person.ts';
import type { Database } from '../db/tx.ts';
import { realWorld } from '../world.ts';
import type { Gatekeepers } from './admit.ts';
import type { Binding } from './bind.ts';
import type { RateLimits } from './request-counts.ts';
import { createHttpServer } from './server.ts';

/** Limits that no test reaches. */
export const noLimits: RateLimits = {
  personPerMinute: 100_000,
  subjectPerMinute: 100_000,
  networkPerQuarter: 100_000,
  readsPerMinute: 100_000,
};

export interface TestCall {
  /** The user who calls; in these tests a token is a user's id. */
  readonly as?: string;
  readonly sacco?: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The caller's network address. */
  readonly address?: string;
}

/**
 * The real HTTP layer around a domain's routes, for the domain's tests. A token is a user's id, and so is the session's
 * id. Sessions have a fresh proof of the password for ever, unless a test makes it old. `operators` lists the
 * operators.
 */
export async function testApp(options: {
  readonly database: Database;
  readonly contract: readonly Route[];
  readonly bindings: readonly Binding[];
  readonly operators?: readonly string[];
  readonly standingOf?: Gatekeepers['standingOf'];
  readonly logLevel?: string;
  /** Left out: limits that no test reaches. */
  readonly rateLimits?: Partial<RateLimits>;
}) {
  const { database, contract, bindings, operators = [], logLevel = 'warn' } = options;
  // PostgreSQL reads the operators from its own table.
  await database.sql`
    insert into operators (user_id, granted_at)
    select id, ${database.now()} from users where id = any(${[...operators]}::uuid[]) on conflict do nothing`;
  const sessions = new Map<string, Promise<void>>();
  const app = await createHttpServer({
    contract,
    bindings,
    services: {
      database,
      gatekeepers: {
        readSession: async (token) => {
          // Each session is opened once, so that requests sent together continue in their order.
          if (!sessions.has(token)) sessions.set(token, openSession(database, token));
          await sessions.get(token);
          return { userId: token, sessionId: token, isOperator: operators.includes(token), mayHoldOffice: true };
        },
        standingOf: options.standingOf ?? (async () => ({ isMember: false, offices: [] })),
      },
      checkReplies: true,
    },
    world: realWorld,
    publicUrl: 'https://ushirika.test',
    webFolder: null,
    pageSettings: { displayedMemberOffset: 178 },
    rateLimits: { ...noLimits, ...options.rateLimits },
    trustProxy: false,
    logLevel,
  });
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, given: TestCall = {}) => {
    const { as, sacco, body, key, headers, address } = given;
    const response = await app.inject({
      method,
      ...(address ? { remoteAddress: address } : {}),
      url: `/api/v1${path}`,
      headers: {
        ...(as ? { authorization: `Token ${as}` } : {}),
        ...(sacco === undefined ? {} : { saccoid: sacco }),
        ...(key ? { 'idempotency-key': key } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body as object }),
    });
    const isJson = String(response.headers['content-type']).includes('json');
    return {
      status: response.statusCode,
      headers: response.headers,
      body: isJson ? response.json() : null,
      bytes: response.rawPayload,
    };
  };
  return {
    call,
    /** Listens on a free port, for tests of streams, which cannot be injected. */
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    close: () => app.close(),
  };
}

async function openSession({ sql, now }: Database, userId: string): Promise<void> {
  await asSystem(
    () => sql`
      insert into sessions (id, user_id, token_hash, device, address, proven_at, created_at, last_seen_at, expires_at)
      select id, id, rpad(id::text, 43, '.'), 'a test', '10.0.0.1', 'infinity', ${now()}, ${now()}, 'infinity'
      from users where id::text = ${userId} on conflict do nothing`,
  );
}
