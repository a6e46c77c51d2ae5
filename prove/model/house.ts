import { setTimeout as pause } from 'node:timers/promises';
import { contract } from '@ushirika/contract/contract';
import { Refusal } from '@ushirika/contract/refusal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { buildApp } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { Deadline } from '../../server/db/deadline.ts';
import { copyTemplate, type TestDatabase } from '../../server/db/test-copy.ts';
import { grantOperator } from '../../server/domains/identity/operators.ts';
import { createQuickPasswords } from '../../server/domains/identity/test-passwords.ts';
import { operatorRoutes } from '../../server/domains/operator/operator.routes.ts';
import { logsHealth, waiting } from '../../server/domains.ts';
import type { Gatekeepers } from '../../server/http/admit.ts';
import type { Binding } from '../../server/http/bind.ts';
import { createRouteHandler } from '../../server/http/route-handler.ts';
import { ownDataFolder } from '../support/data-folder.ts';
import { TEST_KEYRING } from '../support/product.ts';
import { type NaiveMpesa, SECRET, SHORTCODE } from './naive-mpesa.ts';
import type { SimulatedWorld } from './simulated-world.ts';

/** A request as it reaches the domains: what the HTTP server hands on, without a socket. */
export interface Asking {
  /** The route's name in the contract; `activateSacco strict` is the same route under STRICT_ACTIVATION. */
  readonly route: string;
  readonly token?: string | undefined;
  readonly sacco?: string | undefined;
  readonly key?: string | undefined;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly address?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: replies of every route
export type Answered = { readonly ok: true; readonly reply: any } | { readonly ok: false; readonly code: string };

/**
 * Lanes of which server. Two let in at once, and in their order, those who ask at once, so that what shares a transaction
 * is the same in every run of a seed; at the one for races each goes as fast as it can.
 */
export type Server = 'first' | 'second' | 'racing';

export interface House {
  readonly database: TestDatabase<SimulatedWorld>;
  readonly tasks: Readonly<Record<string, (payload: unknown) => Promise<void>>>;
  readonly schedules: readonly { readonly task: string; readonly everySeconds: number }[];
  /** SMS that went out, the newest last. */
  readonly messages: { readonly to: string; readonly message: string }[];
  /** Through the HTTP handler, the queue, the idempotency keys and the verb, as a request goes. Throws what is no refusal. */
  ask(asking: Asking, server?: Server): Promise<Answered>;
  makeOperator(userId: string): Promise<void>;
  close(): Promise<void>;
}

/** The product as `app.ts` puts it together, with M-Pesa, SMS, time and chance in our hands and no socket between. */
export async function openHouse(serverUrl: string, world: SimulatedWorld, mpesa: NaiveMpesa): Promise<House> {
  const database = await copyTemplate(serverUrl, { world, poolSize: 10 });
  const messages: { to: string; message: string }[] = [];
  const captured: { bindings: Binding[]; gatekeepers: Gatekeepers | null } = { bindings: [], gatekeepers: null };
  const quiet = { DEMO: '0', LOG_LEVEL: 'silent', RATE_LIMITS: '0', MPESA_CALLBACK_SECRET: SECRET };
  const config = readConfig({ ...quiet, DATA_DIR: ownDataFolder() });
  const app = await buildApp(
    { config, database, databaseUrl: database.url, world, keyring: TEST_KEYRING },
    {
      providers: {
        daraja: mpesa.client,
        sms: {
          sendSms: async (message) => {
            messages.push(message);
            return { outcome: 'sent', id: `sms-${messages.length}` };
          },
        },
        mpesa: { callbackBaseUrl: 'http://model.example', callbackSecret: SECRET, shortcode: SHORTCODE },
        simulatorPlugin: null,
      },
      passwords: createQuickPasswords(),
      bindings: (ours) => {
        captured.bindings = ours;
        return ours;
      },
      gatekeepers: (ours) => {
        captured.gatekeepers = ours;
        return ours;
      },
    },
  );
  const gatekeepers = captured.gatekeepers as Gatekeepers;
  const together = readingTogether(gatekeepers);
  const servers: Record<Server, Carriers> = {
    first: carriersOf(captured.bindings, database, together),
    second: carriersOf(captured.bindings, database, together),
    racing: carriersOf(captured.bindings, database, gatekeepers),
  };
  return {
    database,
    tasks: app.tasks,
    schedules: app.schedules ?? [],
    messages,
    ask: (asking, server = 'first') => askOf(servers[server], asking),
    makeOperator: async (userId) => void (await database.transaction((tx) => grantOperator(tx, userId))),
    async close() {
      // What is written behind an answer (a session was seen) has a moment to end.
      await pause(20);
      const handlers = Object.values(servers).flatMap((server) => [...server.values()]);
      await Promise.all(handlers.map((carried) => carried.close()));
      await app.close?.();
      await app.http.close();
      await database.close();
    },
  };
}

/** Throws what is no refusal: a fault of the product. */
async function askOf(handlers: Carriers, asking: Asking): Promise<Answered> {
  const carried = handlers.get(asking.route);
  if (!carried) throw new Error(`Nothing carries out ${asking.route}.`);
  try {
    const given = [requestOf(asking), silentReply, new Deadline()] as unknown as Parameters<typeof carried.run>;
    const reply = await carried.run(...given);
    return { ok: true, reply: JSON.parse(JSON.stringify(reply ?? null)) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, code: error.code };
    if (String((error as { code?: unknown }).code).startsWith('CONNECTION_'))
      return { ok: false, code: 'connection_lost' };
    throw error;
  }
}

type Carriers = ReturnType<typeof carriersOf>;

function carriersOf(bindings: readonly Binding[], database: TestDatabase<SimulatedWorld>, gatekeepers: Gatekeepers) {
  const services = { database, gatekeepers, checkReplies: false };
  const handlers = new Map<string, ReturnType<typeof createRouteHandler>>();
  const strict = operatorRoutes({
    database,
    publicUrl: 'http://model.example',
    strictActivation: true,
    supportPhone: null,
    waiting,
    logsHealth: logsHealth(null),
  });
  const named = [
    ...bindings.map((binding) => [binding.route.name, binding] as const),
    ...strict
      .filter(({ route }) => route.name === 'activateSacco')
      .map((binding) => ['activateSacco strict', binding] as const),
  ];
  for (const [name, binding] of named) {
    if (binding.how !== 'stream' && binding.how !== 'file') handlers.set(name, createRouteHandler(binding, services));
  }
  return handlers;
}

/** What begins to be read in one turn of the event loop is answered in one turn, in the order in which it began. */
function readingTogether({ readSession, standingOf }: Gatekeepers): Gatekeepers {
  let underWay: Promise<unknown>[] = [];
  let turn: Promise<unknown> | null = null;
  const together = async <T>(read: Promise<T>): Promise<T> => {
    underWay.push(read);
    turn ??= new Promise((resolve) => {
      setImmediate(() => {
        resolve(Promise.allSettled(underWay));
        underWay = [];
        turn = null;
      });
    });
    await turn;
    return read;
  };
  return {
    readSession: (...asked) => together(readSession(...asked)),
    standingOf: (...asked) => together(standingOf(...asked)),
  };
}

const routesByName = new Map(contract.map((route) => [route.name, route]));

function requestOf({ route, token, sacco, key, params, query, body, address }: Asking): FastifyRequest {
  const fields = (body ?? {}) as Record<string, unknown>;
  const isForm = routesByName.get(route)?.bodyType === 'multipart';
  const headers = {
    'user-agent': 'model',
    ...(token === undefined ? {} : { authorization: `Token ${token}` }),
    ...(sacco === undefined ? {} : { saccoid: sacco }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  return {
    params: params ?? {},
    query: query ?? {},
    body: isForm ? undefined : fields,
    headers,
    ip: address ?? '127.0.0.1',
    id: 'model',
    isMultipart: () => isForm,
    async *parts() {
      for (const [fieldname, value] of Object.entries(fields)) yield { type: 'field', fieldname, value };
    },
  } as unknown as FastifyRequest;
}

const silentReply = { code: () => silentReply, header: () => silentReply } as unknown as FastifyReply;
