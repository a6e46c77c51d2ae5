import { hash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '@ushirika/contract/refusal';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Figures } from './figures.ts';
import type { Lifecycle } from './lifecycle.ts';

export interface ProbeOptions {
  readonly lifecycle: Lifecycle;
  readonly figures: Figures;
  /** The bearer token that opens the metrics; null: only callers on this machine may read them. */
  readonly metricsToken: string | null;
}

/** How long a load balancer should wait before it asks again. */
const RETRY_SECONDS = 2;

/**
 * Serves three addresses outside the API (docs/operation.md). `/livez` answers while the event loop runs, `/readyz`
 * says whether the process should be sent requests, `/metrics` has its metrics.
 */
export function serveProbes(app: FastifyInstance, { lifecycle, figures, metricsToken }: ProbeOptions): void {
  const config = { ushirika: { name: 'probe', kind: 'probe' } } as const;
  app.get('/livez', { config }, (_request, reply) => {
    return reply.header('Cache-Control', 'no-store').send({ status: 'live' });
  });
  app.get('/readyz', { config }, (_request, reply) => {
    const reasons = lifecycle.reasonsAgainst();
    reply.header('Cache-Control', 'no-store');
    if (reasons.length === 0) return reply.send({ status: 'ready' });
    return reply.code(503).header('Retry-After', String(RETRY_SECONDS)).send({ status: 'not_ready', reasons });
  });
  app.get('/metrics', { config }, async (request, reply) => {
    if (!mayRead(request, metricsToken)) throw new Refusal('not_found');
    const text = await figures.text();
    return reply.header('Cache-Control', 'no-store').type('text/plain; version=0.0.4; charset=utf-8').send(text);
  });
}

const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'] as const;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/**
 * With a token set, only that token opens the metrics. Without one, only direct callers on this machine do, not those
 * that come through a proxy on it.
 */
function mayRead(request: FastifyRequest, token: string | null): boolean {
  if (token === null) {
    const isForwarded = PROXY_HEADERS.some((name) => request.headers[name] !== undefined);
    return !isForwarded && LOOPBACK.test(request.raw.socket.remoteAddress ?? '');
  }
  const shown = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hash('sha256', shown, 'buffer'), hash('sha256', token, 'buffer'));
}
