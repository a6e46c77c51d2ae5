import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import multipart from '@fastify/multipart';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { API_BASE } from '@ushirika/contract/constants';
import type { Route } from '@ushirika/contract/route';
import Fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onRequestHookHandler,
  type onResponseHookHandler,
} from 'fastify';
import { withDeadline } from '../db/deadline.ts';
import { waitAtMost } from '../wait-at-most.ts';
import { newId, type World } from '../world.ts';
import type { Binding } from './bind.ts';
import { Connections } from './connections.ts';
import { answerError, refusalOf } from './errors.ts';
import { Figures } from './figures.ts';
import { Lifecycle } from './lifecycle.ts';
import { openApiDocument } from './openapi.ts';
import { serveProbes } from './probes.ts';
import { readingsOf } from './readings.ts';
import { type RateLimits, RequestCounts } from './request-counts.ts';
import { type RequestLimits, Requests, type RouteKind } from './requests.ts';
import { asCaller, createRouteHandler, type HandlerServices, type RouteHandler, readCall } from './route-handler.ts';
import { refuseForeignPages } from './same-site.ts';
import { securityHeaders } from './security-headers.ts';
import { type PageSettings, serveWebClient } from './static.ts';
import { type OpenStreams, streamer } from './stream.ts';
import { refuseUnreadable } from './unreadable.ts';

const JSON_BYTES_MAX = 64 * 1024;
/** The longest that a whole request may take to arrive, a logo over a slow connection included. */
const REQUEST_TIMEOUT_MS = 60_000;
/**
 * A connection without traffic for this long is closed, also when its answer is not read. Streams send a comment
 * sooner.
 */
const IDLE_CONNECTION_MS = 120_000;
/** How often Node checks for requests whose headers are late. */
const HEADERS_CHECK_MS = 1_000;
/** How long requests under way may take once the server closes. */
const CLOSING_MS_MAX = 10_000;
const BATCH_QUEUES_CLOSING_MS_MAX = 2_000;
/** When the server closes, the pages of its streams are told to reconnect after this long to twice this long. */
const RECONNECT_MS = 1_000;
const LIMITS: RequestLimits = { deadlineMs: 10_000, uploadDeadlineMs: REQUEST_TIMEOUT_MS, atOnceMax: 2_000 };

/**
 * Answers above a kilobyte are compressed where the caller can read that: 26,028 bytes of notices become 5,230. Brotli's
 * fourth level takes as long as gzip and is smaller; its default would take a hundred times as long.
 */
const COMPRESSION = {
  threshold: 1_024,
  encodings: ['br' as const, 'gzip' as const],
  // Requests come as they are: whatever says that it is compressed is read as it stands, and refused where it is no JSON.
  globalDecompression: false,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
};

export interface HttpOptions {
  readonly contract: readonly Route[];
  readonly bindings: readonly Binding[];
  readonly services: HandlerServices;
  readonly world: World;
  readonly publicUrl: string;
  /** The built web client, or null to serve the API alone. */
  readonly webFolder: string | null;
  /** The folder that keeps the files of the last builds of the web client; none without. */
  readonly keptBuildsFolder?: string;
  readonly pageSettings: PageSettings;
  /** Null: no limits. */
  readonly rateLimits: RateLimits | null;
  readonly trustProxy: boolean | number | string;
  readonly logLevel: string;
  /** The plugin of the simulated M-Pesa and SMS, under `/simulator`; null where the real ones are used. */
  readonly simulator?: FastifyPluginAsync | null;
  /** The process's phase and metrics; new ones are made when they are not given. */
  readonly lifecycle?: Lifecycle;
  readonly figures?: Figures;
  readonly limits?: Partial<RequestLimits>;
  /** Requests are refused before they start while it returns false. */
  readonly isDatabaseAnswering?: () => boolean;
  /** The bearer token for `/metrics`; without one, only callers on this machine may read them. */
  readonly metricsToken?: string | null;
}

export type HttpServer = FastifyInstance & { readonly requests: Requests };

/**
 * Log fields that are redacted. A token gives access to an account; PostgreSQL's error detail repeats the refused row,
 * with phone, ID number and hash.
 */
export const NEVER_LOGGED = ['headers.authorization', '*.headers.authorization', 'err.detail', 'err.where'] as const;

/** Builds the HTTP server; `listen` on the result starts it. */
export async function createHttpServer(options: HttpOptions): Promise<HttpServer> {
  const headers = await securityHeaders();
  const limits = { ...LIMITS, ...options.limits };
  const app = Fastify({
    logger: { level: options.logLevel, redact: [...NEVER_LOGGED] },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustOf(options.trustProxy),
    bodyLimit: JSON_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_CONNECTION_MS,
    http: { headersTimeout: limits.deadlineMs, connectionsCheckingInterval: HEADERS_CHECK_MS },
    // `Requests` refuses with our own error body.
    return503OnClosing: false,
    genReqId: () => newId(options.world),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    forceCloseConnections: 'idle',
    // Errors before a route is found, such as an address that cannot be decoded.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers);
      answerError(error, request, reply as never);
    },
    clientErrorHandler: refuseUnreadable(headers),
  });
  acceptEmptyJson(app);
  const { requests, ...watched } = watch(app, options, limits);
  app.setErrorHandler((error, request, reply) => {
    // For a method that HTTP knows and Fastify does not, no hook ran before this handler.
    reply.headers(headers);
    const code = refusalOf(error)?.code ?? 'internal_error';
    watched.figures.count('ushirika_refusals_total', 'Requests that were refused, by code.', { code });
    answerError(error, request, reply);
    requests.leave(request, reply.statusCode);
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  serveProbes(app, { ...watched, metricsToken: options.metricsToken ?? null });
  await app.register(multipart);
  await app.register(compress, COMPRESSION);
  await documentation(app, options);
  const bound = bindContract(app, options, requests);
  watched.figures.reads(() => readingsOf({ ...watched, ...bound, requests, database: options.services.database }));
  if (options.simulator) await app.register(options.simulator, { prefix: '/simulator' });
  await serveWebClient(app, options.webFolder, options.pageSettings, options.keptBuildsFolder);
  return Object.assign(app as FastifyInstance, { requests });
}

/**
 * Counts and limits connections and requests, and closes them in order: streams, then requests under way, then
 * connections.
 */
function watch(app: FastifyInstance, options: HttpOptions, limits: RequestLimits) {
  const { lifecycle = new Lifecycle(), figures = new Figures(), isDatabaseAnswering = () => true } = options;
  const requests = new Requests({ limits, lifecycle, figures, isDatabaseAnswering });
  const connections = new Connections(app.server, requests);
  app.decorateRequest('underway', null);
  app.decorateRequest('asker', null);
  app.decorateRequest('countedAs', null);
  // A hook of each route knows the route's kind; a global hook would look it up for every request.
  app.addHook('onRoute', (route) => {
    const kind = route.config?.ushirika;
    const enter: onRequestHookHandler = (request, reply, done) => {
      const refusal = requests.enter(request, reply, kind);
      if (refusal) done(refusal);
      else done();
    };
    route.onRequest = [enter, ...[route.onRequest ?? []].flat()];
    // Requests to routes of the contract leave when their handler ends: that costs less than waiting for the end of the
    // answer.
    const leave: onResponseHookHandler = (request, reply, done) => {
      requests.leave(request, reply.statusCode);
      done();
    };
    if (!kind) route.onResponse = [leave, ...[route.onResponse ?? []].flat()];
  });
  let closingIdle: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    lifecycle.close();
    requests.endBy(performance.now() + CLOSING_MS_MAX);
    closingIdle = setInterval(() => connections.closeIdle(), 50);
  });
  app.addHook('onClose', async () => {
    clearInterval(closingIdle);
    requests.stop();
  });
  return { lifecycle, figures, requests, connections };
}

/** Fastify takes a number of trusted proxies only as a function. Hop 0 is the proxy nearest to us. */
function trustOf(setting: HttpOptions['trustProxy']): boolean | string | ((address: string, hop: number) => boolean) {
  return typeof setting === 'number' ? (_address, hop) => hop < setting : setting;
}

/** A JSON content type with an empty body is accepted: the spec's logout sends one. */
function acceptEmptyJson(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body as string, done);
  });
  // Routes of providers take forms. No other route does: a page of another site could send a form.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    const { ushirika } = request.routeOptions.config as { readonly ushirika?: { readonly isOfProvider?: boolean } };
    if (ushirika?.isOfProvider) done(null, Object.fromEntries(new URLSearchParams(body as string)));
    else
      done(
        Object.assign(new Error('Unsupported Media Type'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 }),
      );
  });
}

function bindContract(app: FastifyInstance, options: HttpOptions, requests: Requests) {
  assertAllBound(options.contract, options.bindings);
  const openStreams: OpenStreams = new Map();
  const handlers: RouteHandler[] = [];
  const counts = options.rateLimits && new RequestCounts(options.rateLimits);
  const services = { ...options.services, counts };
  for (const binding of options.bindings) {
    bindRoute(app, binding, { ...options, services }, { openStreams, requests, handlers });
  }
  app.addHook('preClose', async () => {
    // At different times, so that the pages do not all reconnect to the next process at once.
    for (const [index, end] of [...openStreams.keys()].entries()) end(RECONNECT_MS + ((index * 7) % RECONNECT_MS));
  });
  // All requests have been answered by now. Transactions that still wait for a silent database end with its
  // connections. The queues close together: one after another would take longer than the time allowed.
  app.addHook('onClose', async () => {
    await waitAtMost(BATCH_QUEUES_CLOSING_MS_MAX, Promise.all(handlers.map((handler) => handler.close())));
  });
  return { openStreams, handlers };
}

interface BoundTo {
  readonly openStreams: OpenStreams;
  readonly requests: Requests;
  readonly handlers: RouteHandler[];
}

/** Throws unless each route of the contract has a caller and exactly one binding, and each binding has a route. */
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

function bindRoute(app: FastifyInstance, binding: Binding, options: HttpOptions, bound: BoundTo): void {
  const { route } = binding;
  const { services } = options;
  const { openStreams, requests, handlers } = bound;
  const hooks = services.counts?.hooksOf(route, 'countedBy' in binding ? binding.countedBy : undefined) ?? {};
  const shared = {
    method: route.method,
    url: `${API_BASE}${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    bodyLimit: route.file ? route.file.bytesMax + JSON_BYTES_MAX : JSON_BYTES_MAX,
    config: { ushirika: { name: route.name, kind: kindOf(binding), isOfProvider: route.caller === 'provider' } },
    ...hooks,
    onRequest: [refuseForeignPages(route, options.publicUrl), hooks.onRequest ?? []].flat(),
  };
  if (binding.how === 'stream') {
    const stream = streamer(binding, services, openStreams);
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      requests.within(request, (deadline) => withDeadline(deadline, () => stream(request, reply)));
    // Fastify would add HEAD for each GET; the HEAD of a stream would never end.
    app.route({ ...shared, exposeHeadRoute: false, handler });
  } else if (binding.how === 'file') {
    app.route({
      ...shared,
      async handler(request, reply) {
        const send = async () => {
          const call = await readCall(route, request, services);
          return asCaller(route, call, () => binding.send(call as never));
        };
        const file = await requests.within(request, (deadline) => withDeadline(deadline, send));
        reply.header('Content-Type', file.contentType);
        reply.header('Cache-Control', file.cacheSeconds ? `public, max-age=${file.cacheSeconds}` : 'no-store');
        reply.header('Content-Security-Policy', "sandbox; default-src 'none'");
        reply.header('Content-Disposition', disposition(file.filename));
        return file.bytes;
      },
    });
  } else {
    const routeHandler = createRouteHandler(binding, services);
    handlers.push(routeHandler);
    app.route({
      ...shared,
      handler: (request, reply) => {
        reply.header('Cache-Control', 'no-store');
        return requests.within(request, (deadline) => routeHandler.run(request, reply, deadline));
      },
    });
  }
}

function kindOf({ how, route }: Binding): RouteKind['kind'] {
  if (how === 'stream') return 'stream';
  return route.file ? 'upload' : 'api';
}

function disposition(filename: string | undefined): string {
  return filename ? `attachment; filename="${filename.replaceAll(/[^\w.-]/g, '_')}"` : 'inline';
}

async function documentation(app: FastifyInstance, options: HttpOptions): Promise<void> {
  const document = openApiDocument(options.contract, options.publicUrl);
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true });
}
