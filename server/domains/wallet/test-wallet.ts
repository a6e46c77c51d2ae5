import type { AddressInfo } from 'node:net';
import { API_BASE } from '@ushirika/contract/constants';
import { walletContract } from '@ushirika/contract/wallet';
import type { FastifyInstance } from 'fastify';
import { runOnce } from 'graphile-worker';
import pg from 'pg';
import { createDaraja } from '../../gateways/mobile-money/daraja.ts';
import { memoryTokenStore } from '../../gateways/mobile-money/token-store.ts';
import { createHttpServer } from '../../http/server.ts';
import { noLimits } from '../../http/test-app.ts';
import { balances } from '../../ledger/balances.ts';
import { breaches } from '../../ledger/invariants.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import type { SimulatorOptions } from '../../simulator/simulator.types.ts';
import { type SimulatedWorld, simulatedWorld } from '../../simulator/test-simulator.ts';
import { createLiveHub } from './live.ts';
import { mpesaFloat, suspense, wallet, walletHold } from './receipts.ts';
import type { WalletDeps } from './wallet.deps.ts';
import { walletInvariants } from './wallet.invariants.ts';
import { walletRoutes } from './wallet.routes.ts';
import { walletTasks } from './wallet.tasks.ts';

export const SECRET = '0123456789abcdef0123456789abcdef';

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  readonly body: any;
}

/** The wallet over HTTP with the real Daraja client, the simulator as M-Pesa, and a clock that the test sets. */
export interface WalletWorld extends SimulatedWorld {
  readonly deps: WalletDeps;
  readonly tasks: ReturnType<typeof walletTasks>;
  readonly walletOrigin: string;
  person(options?: { confirmed?: boolean; phone?: string }): Promise<Person>;
  /** Calls the wallet as a person; `key` is the Idempotency-Key. */
  as(person: Person | null, method: string, path: string, body?: object, key?: string): Promise<Answer>;
  /** Posts to a callback address. */
  callBack(path: string, body: object, secret?: string): Promise<Answer>;
  /** Moves the clock, then lets jobs, the simulator and callbacks run until nothing is left to do. */
  settle(ms?: number): Promise<void>;
  runJobs(): Promise<number>;
  /** Runs all sweepers at the clock's time, then settles. */
  sweep(ms?: number): Promise<void>;
  answerPrompt(phone: string, action: string): Promise<string | null>;
  prompts(phone: string): Promise<{ id: string; status: string; account_reference: string }[]>;
  funds(person: Person): Promise<{ available: number; held: number }>;
  exceptions(): Promise<
    { id: string; kind: string; receipt: string | null; held_in: string; amount_cents: number | null }[]
  >;
  /** Throws unless the books balance, and the float equals what the platform owes. */
  audit(): Promise<{ float: number; suspense: number }>;
}

export interface Person {
  readonly id: string;
  readonly phone: string;
  readonly idNumber: string;
  /** What a person types as the account number when paying the paybill. */
  readonly account: string;
}

let people = 0;

export async function walletWorld(options: Partial<SimulatorOptions> = {}): Promise<WalletWorld> {
  const simulated = await simulatedWorld({ resultDelayMs: 0, autoDelayMs: 0, repeatWindowMs: 0, ...options });
  const { database } = simulated;
  const live = createLiveHub(database);
  const mpesa = { callbackBaseUrl: '', callbackSecret: SECRET, shortcode: simulated.clientSettings.shortcode };
  const deps: WalletDeps = {
    database,
    daraja: createDaraja(
      { ...simulated.clientSettings, timeoutMs: 1_000 },
      { world: database.world, tokenStore: memoryTokenStore() },
    ),
    mpesa,
    publicUrl: 'http://ushirika.test',
    live,
  };
  const server = await serve(deps);
  const walletOrigin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  mpesa.callbackBaseUrl = walletOrigin;
  const tasks = walletTasks(deps);
  const pool = new pg.Pool({ connectionString: database.url, max: 4 });
  // graphile-worker requires an error handler.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const taskList = { ...tasks, send_sms: async () => {} };

  const world: WalletWorld = {
    ...simulated,
    deps,
    tasks,
    walletOrigin,
    person: (wanted) => newPerson(database, wanted),
    as: (person, method, path, body, key) => {
      const headers: Record<string, string> = person ? { authorization: `Token ${person.id}` } : {};
      if (key !== undefined) headers['idempotency-key'] = key;
      return callJson(`${walletOrigin}${API_BASE}${path}`, method, headers, body);
    },
    callBack: (path, body, secret = SECRET) =>
      callJson(`${walletOrigin}${API_BASE}/integrations/mpesa/callback/${secret}${path}`, 'POST', {}, body),
    async runJobs() {
      const [waiting] = await database.owner<{ count: number }[]>`
        select count(*)::int as count from graphile_worker.jobs where run_at <= now() and locked_at is null`;
      if (!waiting || waiting.count === 0) return 0;
      await runOnce({ pgPool: pool, taskList: taskList as never, logger: silent as never, noHandleSignals: true });
      return waiting.count;
    },
    async settle(ms = 0) {
      database.world.advance(ms);
      for (let round = 0; round < 40; round += 1) {
        const sent = await simulated.simulator.tick();
        const ran = await world.runJobs();
        if (sent === 0 && ran === 0) return;
      }
      throw new Error('It does not come to rest.');
    },
    async sweep(ms = 0) {
      await world.settle(ms);
      for (const name of ['sweep_deposits', 'sweep_withdrawals', 'sweep_claims']) await tasks[name]?.({});
      await world.settle();
    },
    async prompts(phone) {
      return (await simulated.call(`/api/prompts?phone=${phone}`)).body.results as never;
    },
    async answerPrompt(phone, action) {
      const [prompt] = await world.prompts(phone);
      const answer = await simulated.call(`/api/prompts/${prompt?.id}`, { action });
      return (answer.body.receipt as string | null) ?? null;
    },
    async funds(person) {
      const [available = 0, held = 0] = await balances(database, [wallet(person.id), walletHold(person.id)]);
      return { available, held };
    },
    exceptions: async () => [
      ...(await database.sql<never[]>`
        select id, kind, receipt, held_in, amount_cents from money_exceptions where resolved_at is null order by opened_at, id`),
    ],
    audit: () => audit(database),
    async close() {
      await live.close();
      const closing = server.close();
      // Node counts a connection without a request yet as busy, for a minute.
      server.server.closeAllConnections();
      await closing;
      await pool.end();
      await simulated.close();
    },
  };
  return world;
}

const silent = { scope: () => silent, error() {}, warn() {}, info() {}, debug() {} };

async function serve(deps: WalletDeps): Promise<FastifyInstance> {
  const server = await createHttpServer({
    contract: walletContract as never,
    bindings: walletRoutes(deps),
    services: {
      database: deps.database,
      gatekeepers: {
        readSession: async (token: string) => ({ userId: token, sessionId: token, isOperator: false }),
        standingOf: async () => ({ isMember: false, offices: [] }),
      } as never,
      checkReplies: true,
    },
    world: (deps.database as unknown as SimulatedWorld['database']).world,
    publicUrl: 'http://ushirika.test',
    webFolder: null,
    pageSettings: { displayedMemberOffset: 178 },
    rateLimits: noLimits,
    trustProxy: false,
    logLevel: 'silent',
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  return server;
}

async function callJson(url: string, method: string, headers: Record<string, string>, body?: object): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

async function newPerson(
  database: SimulatedWorld['database'],
  wanted: { confirmed?: boolean; phone?: string } = {},
): Promise<Person> {
  people += 1;
  const particulars = {
    id: database.newId(),
    phone: wanted.phone ?? `2547${String(11_000_300 + people * 1_000)}`,
    idNumber: String(30_000_000 + people),
  };
  const now = database.now();
  const [made] = await database.sql<{ account_number: string }[]>`
    insert into users (id, id_number, first_name, last_name, phone, phone_confirmed_at, recovery_phone, email, password_hash,
      password_changed_at, created_at, updated_at)
    values (${particulars.id}, ${particulars.idNumber}, 'Wanjiru', 'Kamau', ${particulars.phone},
      ${wanted.confirmed === false ? null : now}, ${particulars.phone}, ${`${particulars.idNumber}@example.test`},
      '$argon2id$none', ${now}, ${now}, ${now})
    returning account_number`;
  const person = { ...particulars, account: made?.account_number ?? '' };
  // In these tests a person's token and session id are the person's id. The password counts as just entered.
  await database.sql`
    insert into sessions (id, user_id, token_hash, device, address, proven_at, created_at, last_seen_at, expires_at)
    values (${person.id}, ${person.id}, ${`${person.id}0000000`}, 'Test', '127.0.0.1', 'infinity', ${now}, ${now},
            'infinity')`;
  return person;
}

/** The callback for a prompt that was paid, from M-Pesa or a forger. */
export const paidCallback = (checkout: string, receipt: string, amount: number, phone: string) => ({
  Body: {
    stkCallback: {
      MerchantRequestID: '1-1-1',
      CheckoutRequestID: checkout,
      ResultCode: 0,
      ResultDesc: 'ok',
      CallbackMetadata: {
        Item: [
          { Name: 'Amount', Value: amount },
          { Name: 'MpesaReceiptNumber', Value: receipt },
          { Name: 'Balance' },
          { Name: 'TransactionDate', Value: 20260302090000 },
          { Name: 'PhoneNumber', Value: Number(phone) },
        ],
      },
    },
  },
});

/**
 * Lets the paybill accept payments. Validation is off unless Safaricom turns it on, so this validation accepts every
 * payment.
 */
export async function openPaybill(world: WalletWorld): Promise<void> {
  await world.tasks.register_paybill?.({});
  await world.database.owner`update simulator.c2b_registration set validation_url = ${`${world.hooks}/validation`}`;
}

async function audit(database: SimulatedWorld['database']): Promise<{ float: number; suspense: number }> {
  const [float = 0, inSuspense = 0] = await balances(database, [mpesaFloat, suspense]);
  const [sums] = await database.sql<{ behind: number; wrong: number }[]>`
    select
      coalesce(sum(balance) filter (where kind in ('wallet', 'wallet_hold', 'settlement', 'suspense')), 0)::bigint as behind,
      count(*) filter (where balance <> (
        select coalesce(sum(case when (t.debit_account_id = a.id) = a.debit_normal then t.amount else -t.amount end), 0)
        from transfers t where a.id in (t.debit_account_id, t.credit_account_id)))::int as wrong
    from accounts a where book_id = ${PLATFORM_BOOK}`;
  const booked = await database.sql<{ receipt: string }[]>`
    select d.id from deposits d where d.state = 'paid'
      and not exists (select from journals j where j.about_id = d.id)
      and not exists (select from mpesa_receipts r where r.deposit_id = d.id)`;
  if (Number(sums?.behind) !== float) throw new Error(`The float is ${float}, and ${sums?.behind} stand behind it.`);
  if (sums?.wrong !== 0) throw new Error('A balance is not the sum of its transfers.');
  if (booked.length > 0) throw new Error('A deposit is paid and in no book.');
  const [breach] = await breaches(database.owner, walletInvariants);
  if (breach) throw new Error(`${breach.name}: ${JSON.stringify(breach.rows)}`);
  return { float, suspense: inSuspense };
}
