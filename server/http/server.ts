import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { API_BASE } from '@ushirika/contract/constants';
import { Refusal } from '@ushirika/contract/refusals';
import type { Route } from '@ushirika/contract/route';
import Fastify, { type FastifyInstance, type FastifyPluginAsync, LogController } from 'fastify';
import { newId, type World } from '../world.ts';
import type { Binding } from './bind.ts';
import { type Carrier, carryOut, readCall } from './carry-out.ts';
import { answerError } from './errors.ts';
import { openApiDocument } from './openapi.ts';
import { securityHeaders } from './security-headers.ts';
import { type PageSettings, serveWebClient } from './static.ts';
import { type OpenStreams, streamer } from './stream.ts';
import { refuseUnreadable } from './unreadable.ts';

const JSON_BYTES_MAX = 64 * 1024;
/** A whole request, a logo over a slow line included, has come within this; who drips bytes is cut off. */
const REQUEST_TIMEOUT_MS = 60_000;

export interface HttpOptions {
  readonly contract: readonly Route[];
  readonly bindings: readonly Binding[];
  readonly carrier: Carrier;
  readonly world: World;
  readonly publicUrl: string;
  /** The built web client, or null to serve the API alone. */
  readonly webFolder: string | null;
  readonly pageSettings: PageSettings;
  /** Requests a minute that one address may make to a route that anyone may call, and to all others; null: no limits. */
  readonly rateLimits: { readonly anonymousPerMinute: number; readonly signedInPerMinute: number } | null;
  readonly trustProxy: boolean | number | string;
  readonly logLevel: string;
  /** The simulated outside world, under `/simulator`; null where it is real. */
  readonly simulator?: FastifyPluginAsync | null;
}

/** A token opens an account; a database's detail repeats the row that it refused, with phone, ID number and hash. */
export const NEVER_LOGGED = ['headers.authorization', '*.headers.authorization', 'err.detail', 'err.where'] as const;

/** Builds the HTTP server; it listens when `listen` is called on what is returned. */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const headers = await securityHeaders();
  const app = Fastify({
    logger: { level: options.logLevel, redact: [...NEVER_LOGGED] },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustOf(options.trustProxy),
    bodyLimit: JSON_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: () => newId(options.world),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    forceCloseConnections: 'idle',
    // What is refused before there is a route: an address that cannot be read.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers);
      answerError(error, request, reply as never);
    },
    clientErrorHandler: refuseUnreadable(headers),
  });
  acceptEmptyJson(app);
  app.setErrorHandler(answerError);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  await app.register(formbody, { bodyLimit: JSON_BYTES_MAX });
  await app.register(multipart);
  if (options.rateLimits) {
    await app.register(rateLimit, {
      global: false,
      errorResponseBuilder: (_request, { ttl }) => new Refusal('too_many_requests', { retryAfterSeconds: ttl / 1000 }),
    });
  }
  await documentation(app, options);
  bindContract(app, options);
  if (options.simulator) await app.register(options.simulator, { prefix: '/simulator' });
  await serveWebClient(app, options.webFolder, options.pageSettings);
  return app;
}

/** Fastify knows a number of proxies by a function alone: the first hop is the proxy next to us. */
function trustOf(setting: HttpOptions['trustProxy']): boolean | string | ((address: string, hop: number) => boolean) {
  return typeof setting === 'number' ? (_address, hop) => hop < setting : setting;
}

/** A JSON content type with an empty body is an empty body: the spec's logout sends one. */
function acceptEmptyJson(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body as string, done);
  });
}

function bindContract(app: FastifyInstance, options: HttpOptions): void {
  assertAllBound(options.contract, options.bindings);
  const openStreams: OpenStreams = new Map();
  for (const binding of options.bindings) bindRoute(app, binding, options, openStreams);
  app.addHook('preClose', async () => {
    for (const end of [...openStreams.keys()]) end();
  });
}

/** A route of the contract that nobody binds, or that two bind, does not start; nor does a binding of no contract. */
export function assertAllBound(contract: readonly Route[], bindings: readonly Binding[]): void {
  const bound = bindings.map((binding) => binding.route.name);
  const twice = bound.filter((name, index) => bound.indexOf(name) !== index);
  const declared = new Set(contract.map((route) => route.name));
  const unbound = [...declared].filter((name) => !bound.includes(name));
  const unknown = bound.filter((name) => !declared.has(name));
  const uncalled = contract.filter((route) => !route.caller).map((route) => route.name);
  const faults = [
    ...twice.map((name) => `${name} is bound twice`),
    ...unbound.map((name) => `${name} is bound by nobody`),
    ...unknown.map((name) => `${name} is not in the contract`),
    ...uncalled.map((name) => `${name} declares no caller`),
  ];
  if (faults.length > 0) throw new Error(`The routes and the contract differ: ${faults.join('; ')}`);
}

function bindRoute(app: FastifyInstance, binding: Binding, options: HttpOptions, openStreams: OpenStreams): void {
  const { route } = binding;
  const { carrier } = options;
  const shared = {
    method: route.method,
    url: `${API_BASE}${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    bodyLimit: route.file ? route.file.bytesMax + JSON_BYTES_MAX : JSON_BYTES_MAX,
    ...limitOf(route, options.rateLimits),
  };
  if (binding.how === 'stream') {
    app.route({ ...shared, handler: streamer(binding, carrier, openStreams) });
  } else if (binding.how === 'file') {
    app.route({
      ...shared,
      async handler(request, reply) {
        const file = await binding.send((await readCall(route, request, carrier)) as never);
        reply.header('Content-Type', file.contentType);
        reply.header('Cache-Control', file.cacheSeconds ? `public, max-age=${file.cacheSeconds}` : 'no-store');
        reply.header('Content-Security-Policy', "sandbox; default-src 'none'");
        reply.header('Content-Disposition', disposition(file.filename));
        return file.bytes;
      },
    });
  } else {
    const carried = carryOut(binding, carrier);
    app.addHook('onClose', () => carried.close());
    app.route({
      ...shared,
      handler: (request, reply) => {
        reply.header('Cache-Control', 'no-store');
        return carried.run(request, reply);
      },
    });
  }
}

function limitOf(route: Route, limits: HttpOptions['rateLimits']) {
  if (!limits) return {};
  const { anonymousPerMinute, signedInPerMinute } = limits;
  // All of M-Pesa calls back from a handful of addresses: what it has to say must not be turned away on pay-day.
  const others = route.caller === 'provider' ? signedInPerMinute * 20 : signedInPerMinute;
  const max = route.caller === 'anyone' && route.method !== 'GET' ? anonymousPerMinute : others;
  return { config: { rateLimit: { max, timeWindow: 60_000 } } };
}

function disposition(filename: string | undefined): string {
  return filename ? `attachment; filename="${filename.replaceAll(/[^\w.-]/g, '_')}"` : 'inline';
}

async function documentation(app: FastifyInstance, options: HttpOptions): Promise<void> {
  const document = openApiDocument(options.contract, options.publicUrl);
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true });
}
