import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { FastifyPluginAsync } from 'fastify';
import type { Database, Tx } from '../db/tx.ts';
import { waitAtMost } from '../wait-at-most.ts';
import type { World } from '../world.ts';
import { controlRoutes } from './control-routes.ts';
import { darajaRoutes } from './daraja-routes.ts';
import { sendDue } from './deliveries.ts';
import { randomFrom } from './identifiers.ts';
import { pageRoutes } from './page-routes.ts';
import { reactAndExpire } from './prompts.ts';
import { refuse, scriptRoutes } from './script-routes.ts';
import type {
  ClientSettings,
  Core,
  SimulatorKeys,
  SimulatorOptions,
  SmsSettings,
  Surroundings,
} from './simulator.types.ts';
import { smsRoutes } from './sms-routes.ts';

export interface Simulator {
  /** To be registered with `{prefix: '/simulator'}`; it looks for due work once the server listens. */
  readonly plugin: FastifyPluginAsync;
  /** The client's settings; `origin` is where the plugin is served, such as `http://127.0.0.1:3000`. */
  darajaConfig(origin: string): ClientSettings;
  smsConfig(origin: string): SmsSettings;
  /** Does all that is due now, by the injected clock. */
  tick(): Promise<number>;
}

/** Why there may be no simulator here, or null. */
export function whyNoSimulator({ mpesaBaseUrl, nodeEnv, simulator }: Surroundings): string | null {
  if (mpesaBaseUrl) return 'a real M-Pesa is configured (MPESA_BASE_URL)';
  if (nodeEnv === 'production' && simulator !== '1') return 'NODE_ENV is production and SIMULATOR is not 1';
  return null;
}

/** The simulated outside world, kept in the schema `simulator`. Throws where a real M-Pesa is configured. */
export async function createSimulator(options: SimulatorOptions): Promise<Simulator> {
  const why = whyNoSimulator(options.surroundings);
  if (why) throw new Error(`There is no simulator here: ${why}.`);
  const { database, world } = options;
  const keys = await keysOf(database, world);
  if (options.auto) {
    const { auto } = options;
    await database.transaction(
      (tx) => tx.sql`
        insert into simulator.setting (name, value) values ('auto', ${auto})
        on conflict (name) do update set value = excluded.value`,
    );
  }
  const core = coreOf(options, keys);
  return {
    plugin: pluginOf(core, options.tickEveryMs ?? 250),
    darajaConfig: (origin) => ({
      baseUrl: `${origin}/simulator`,
      consumerKey: keys.consumerKey,
      consumerSecret: keys.consumerSecret,
      shortcode: keys.shortcode,
      passkey: keys.passkey,
      initiator: { name: keys.initiatorName, password: keys.initiatorPassword, certificatePem: keys.publicKeyPem },
    }),
    smsConfig: (origin) => ({
      baseUrl: `${origin}/simulator`,
      username: keys.smsUsername,
      apiKey: keys.smsApiKey,
      senderId: 'USHIRIKA',
    }),
    tick: core.tick,
  };
}

function coreOf(options: SimulatorOptions, keys: SimulatorKeys): Core {
  const { database, world } = options;
  const act = <T>(run: (tx: Tx) => Promise<T>): Promise<T> =>
    database.transaction(async (tx) => {
      await tx.sql`select from simulator.setting where name = 'lock' for update`;
      return run(tx);
    });
  let underWay: Promise<unknown> = Promise.resolve();
  const core: Core = {
    database,
    world,
    keys,
    autoDelayMs: options.autoDelayMs ?? 1_000,
    resultDelayMs: options.resultDelayMs ?? 500,
    repeatWindowMs: options.repeatWindowMs ?? 120_000,
    smsReportUrl: options.smsReportUrl ?? null,
    fetch: options.fetch ?? globalThis.fetch,
    act,
    tick() {
      // One at a time: who waits for a tick waits for the callbacks of the one before it too.
      const turn = underWay.then(async () => {
        if (!(await isAnythingDue(database, world))) return 0;
        await act((tx) => reactAndExpire(core, tx));
        return sendDue(core);
      });
      underWay = turn.catch(() => {});
      return turn;
    },
  };
  return core;
}

/** A look without a lock, so that an idle simulator writes nothing. */
async function isAnythingDue(database: Database, world: World): Promise<boolean> {
  const now = world.now();
  const [row] = await database.sql<{ due: boolean }[]>`
    select exists (select from simulator.delivery where status = 'waiting' and due_at <= ${now})
        or exists (select from simulator.prompt where status = 'open' and (react_at <= ${now} or expires_at <= ${now}))
        as due`;
  return row?.due ?? false;
}

function pluginOf(core: Core, tickEveryMs: number): FastifyPluginAsync {
  return async (app) => {
    // Safaricom reads a body only as JSON, and says "Invalid <Field>" of everything else.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
      done(null, readBody(request.headers['content-type'] ?? '', body as string));
    });
    app.setErrorHandler((error, request, reply) => {
      request.log.error(error);
      const status = (error as { statusCode?: number }).statusCode ?? 500;
      return refuse(reply, status, 'simulator_error', 'The simulator failed.');
    });
    app.addHook('onSend', async (_request, reply) => {
      reply.header('Cache-Control', 'no-store');
    });
    darajaRoutes(app, core);
    smsRoutes(app, core);
    scriptRoutes(app, core);
    controlRoutes(app, core);
    await pageRoutes(app);
    keepTicking(app, core, tickEveryMs);
  };
}

function readBody(contentType: string, body: string): unknown {
  if (contentType.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(body));
  if (!contentType.startsWith('application/json')) return {};
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** So long a tick that is under way is waited for at the end. */
const CLOSING_MS_MAX = 2_000;

/** Looks for due work from the moment when the server can take callbacks until it closes. */
function keepTicking(app: Parameters<FastifyPluginAsync>[0], core: Core, everyMs: number): void {
  if (everyMs === 0) return;
  let timer: NodeJS.Timeout | null = null;
  let isClosing = false;
  let underWay: Promise<unknown> = Promise.resolve();
  const next = () => {
    if (isClosing) return;
    timer = setTimeout(() => {
      underWay = core
        .tick()
        .catch((error: unknown) => app.log.warn(error, 'the simulator could not do what is due'))
        .finally(next);
    }, everyMs);
    timer.unref();
  };
  app.addHook('onListen', async () => next());
  app.addHook('preClose', async () => {
    isClosing = true;
    if (timer) clearTimeout(timer);
    // A silent database holds it for as long as it likes: what is under way ends with its connection then.
    await waitAtMost(CLOSING_MS_MAX, underWay);
  });
}

/** The keys of the simulated world: made once, the same for every process and after every restart. */
async function keysOf(database: Database, world: World): Promise<SimulatorKeys> {
  const stored = await storedKeys(database);
  if (stored) return stored;
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const word = (length: number) =>
    randomFrom(world, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', length);
  const keys: SimulatorKeys = {
    consumerKey: word(48),
    consumerSecret: word(64),
    passkey: world.randomBytes(32).toString('hex'),
    shortcode: '600984',
    initiatorName: 'testapi',
    initiatorPassword: `${word(14)}#`,
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    smsUsername: 'sandbox',
    smsApiKey: `atsk_${word(48)}`,
  };
  await database.transaction(
    (tx) => tx.sql`
      insert into simulator.setting (name, value) values ('keys', ${JSON.stringify(keys)}) on conflict (name) do nothing`,
  );
  return (await storedKeys(database)) ?? keys;
}

async function storedKeys(database: Database): Promise<SimulatorKeys | null> {
  const [row] = await database.sql<{ value: string }[]>`select value from simulator.setting where name = 'keys'`;
  return row ? (JSON.parse(row.value) as SimulatorKeys) : null;
}
