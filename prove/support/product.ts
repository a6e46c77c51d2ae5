import { runOnce } from 'graphile-worker';
import pg from 'pg';
import { buildApp, type Replaced } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { freePort } from '../../server/db/embedded.ts';
import { copyTemplate, type TestDatabase } from '../../server/db/test-copy.ts';
import { createKeyring } from '../../server/domains/identity/keyring.ts';
import { grantOperator } from '../../server/domains/identity/operators.ts';
import { createQuickPasswords } from '../../server/domains/identity/test-passwords.ts';
import { testSaccos } from '../../server/domains/saccos/test-saccos.ts';
import { ownDataFolder } from './data-folder.ts';

export const PASSWORD = 'Attack#2026';
export const TEST_KEYRING = createKeyring([Buffer.alloc(32, 7)]);
export const CALLBACK_SECRET = 'a11acc'.repeat(6);

export interface Person {
  readonly id: string;
  readonly token: string;
  readonly idNumber: string;
  readonly phone: string;
  readonly email: string;
  /** What one types as the account at the paybill. */
  readonly account: string;
}

export interface Sent {
  readonly as?: Person;
  readonly token?: string;
  readonly sacco?: string;
  readonly key?: string;
  readonly body?: unknown;
  /** Sent as it is, with the headers given. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly address?: string;
  /** A browser by its name: it keeps the cookies that it is given, and sends them back. */
  readonly browser?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  readonly body: any;
}

/** The whole product on a database of its own, copied from the template of the server at `serverUrl`. */
export async function productOn(
  serverUrl: string,
  env: Readonly<Record<string, string>> = {},
  replaced: Replaced = {},
  poolSize = 10,
): Promise<Product> {
  return startProduct(await copyTemplate(serverUrl, { poolSize }), env, replaced);
}

interface Injected {
  // biome-ignore lint/suspicious/noExplicitAny: Fastify's own inject
  inject(request: any): Promise<any>;
}

/** Sends requests into the server without a line between. */
function callerOf(http: Injected, cookies: Map<string, string>) {
  return async function call(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const token = sent.token ?? sent.as?.token;
    const response = await http.inject({
      method,
      url: path.startsWith('//') ? path.slice(1) : `/api/v1${path}`,
      remoteAddress: sent.address ?? '127.0.0.1',
      headers: {
        ...(token === undefined ? {} : { authorization: `Token ${token}` }),
        ...(sent.sacco === undefined ? {} : { saccoid: sent.sacco }),
        ...(sent.key === undefined ? {} : { 'idempotency-key': sent.key }),
        ...(cookies.has(sent.browser ?? '') ? { cookie: cookies.get(sent.browser ?? '') } : {}),
        ...sent.headers,
      },
      ...(sent.raw === undefined ? {} : { payload: sent.raw }),
      ...(sent.body === undefined ? {} : { payload: sent.body }),
    });
    const [cookie] = [response.headers['set-cookie'] ?? []].flat();
    if (sent.browser && cookie) cookies.set(sent.browser, String(cookie).split(';')[0] ?? '');
    const isJson = String(response.headers['content-type']).includes('json');
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.payload,
      body: isJson && response.payload !== '' ? JSON.parse(response.payload) : null,
    };
  };
}

/** Registers people, each with particulars that nobody else has. */
function registrar(call: ReturnType<typeof callerOf>, database: TestDatabase) {
  let made = 0;
  return async function person(
    firstName = 'Wanjiru',
    referralCode?: string,
    address?: string,
    browser?: string,
  ): Promise<Person> {
    made += 1;
    const idNumber = `Q${String(1_000_000 + made * 7_919)}`;
    // Eight digits, another one each time.
    const phone = `2547${20_000_000 + ((made * 104_729) % 80_000_000)}`;
    const email = `canary-${made * 6_577}@${firstName.toLowerCase()}.example`;
    const { status, body } = await call('POST', '/auth/register/', {
      ...(address === undefined ? {} : { address }),
      ...(browser === undefined ? {} : { browser }),
      body: {
        first_name: firstName,
        last_name: 'Attacked',
        id_number: idNumber,
        phone_number: phone,
        email,
        password: PASSWORD,
        user_type: 'client',
        ...(referralCode === undefined ? {} : { referal_code: referralCode }),
      },
    });
    if (status !== 201) throw new Error(`Nobody was registered: ${JSON.stringify(body)}`);
    const [issued] = await database.sql<{ account_number: string }[]>`
      select account_number from users where id = ${body.user.id}`;
    return { id: body.user.id, token: body.token, idNumber, phone, email, account: issued?.account_number ?? '' };
  };
}

/** Runs the jobs that are due, when it is asked to; so many at once. */
export function jobRunner(tasks: object, connectionString: string, concurrency = 1) {
  const pool = new pg.Pool({ connectionString, max: concurrency + 3 });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    async run(): Promise<void> {
      const taskList = tasks as never;
      await runOnce({ pgPool: pool, taskList, concurrency, logger: silent, noHandleSignals: true });
    },
    end: () => pool.end(),
  };
}

async function textsTo(call: ReturnType<typeof callerOf>, phone: string): Promise<string[]> {
  const { body } = await call('GET', `//simulator/api/messages?phone=${phone}`);
  return body.results.map(({ text }: { text: string }) => text);
}

const SETTINGS = {
  RATE_LIMITS: '0',
  DEMO: '0',
  SIMULATOR_AUTO: 'off',
  MPESA_CALLBACK_SECRET: CALLBACK_SECRET,
  SMS_CALLBACK_SECRET: CALLBACK_SECRET,
  LOG_LEVEL: 'silent',
};

/**
 * The whole product as `app.ts` builds it, on a fresh database, for those who mean it harm. Closing it closes both.
 * Passwords cost nothing unless `replaced` brings real ones.
 */
export async function startProduct(
  database: TestDatabase,
  env: Readonly<Record<string, string>> = {},
  replaced: Replaced = {},
) {
  const port = await freePort();
  const config = readConfig({ ...SETTINGS, DATA_DIR: ownDataFolder(), PORT: String(port), ...env });
  const app = await buildApp(
    { config, database, databaseUrl: database.url, world: database.world, keyring: TEST_KEYRING },
    { passwords: createQuickPasswords(), ...replaced },
  );
  const http = app.http as typeof app.http & Injected;
  await http.listen({ port, host: '127.0.0.1' });
  const saccos = testSaccos(database);
  const jobs = jobRunner(app.tasks, database.url);
  const cookies = new Map<string, string>();
  const call = callerOf(http, cookies);
  const person = registrar(call, database);
  const makeOperator = (of: Person) => database.transaction((tx) => grantOperator(tx, of.id));
  return {
    database,
    config,
    app,
    origin: `http://127.0.0.1:${port}`,
    port,
    call,
    /** What a browser of a name keeps. */
    cookieOf: (browser: string): string => cookies.get(browser) ?? '',
    person,
    saccos,
    async operator(firstName = 'Halima'): Promise<Person> {
      const operator = await person(firstName);
      await makeOperator(operator);
      return operator;
    },
    makeOperator,
    confirmPhone: (of: Person) =>
      database.sql`update users set phone_confirmed_at = ${database.now()} where id = ${of.id}`,
    callBack: (path: string, body: unknown, secret = CALLBACK_SECRET) =>
      call('POST', `/integrations/mpesa/callback/${secret}${path}`, { body }),
    runJobs: jobs.run,
    /** The texts that the simulator's inbox has for a phone, newest first, once the jobs have run. */
    textsTo: (phone: string) => jobs.run().then(() => textsTo(call, phone)),
    /** What a wallet holds, in cents. */
    wallet: async (of: Person): Promise<number> =>
      Math.round((await call('GET', '/client/summary', { as: of })).body.wallet.available * 100),
    async close(): Promise<void> {
      await http.close();
      await app.close?.();
      await jobs.end();
      await database.close();
    },
  };
}

export type Product = Awaited<ReturnType<typeof startProduct>>;

/** The same thing many times at once. */
export function atOnce<T>(times: number, act: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => act(index)));
}

/** How often each status was answered. */
export function statuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

// biome-ignore lint/suspicious/noExplicitAny: graphile-worker's own shape
const silent: any = { scope: () => silent, error() {}, warn() {}, info() {}, debug() {} };
