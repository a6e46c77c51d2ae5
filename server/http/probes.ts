import { hash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '@ushirika/contract/refusal';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Figures } from './figures.ts';
import type { Lifecycle } from './lifecycle.ts';

export interface ProbeOptions {
  readonly lifecycle: Lifecycle;
  readonly figures: Figures;
  /** Who shows this as a bearer token may read the metrics; null: only a caller on this machine may. */
  readonly metricsToken: string | null;
}

/** A balancer that reads this waits so long before it asks again. */
const RETRY_SECONDS = 2;

/**
 * What machines ask of a process, outside the API (docs/operation.md): `/livez` whether it turns at all, `/readyz`
 * whether it should be sent requests, `/metrics` what it counts.
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

/** With a token set, the token alone counts. Without one, a caller on this machine, and not a proxy that stands on it. */
function mayRead(request: FastifyRequest, token: string | null): boolean {
  if (token === null) {
    const isForwarded = PROXY_HEADERS.some((name) => request.headers[name] !== undefined);
    return !isForwarded && LOOPBACK.test(request.raw.socket.remoteAddress ?? '');
  }
  const shown = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hash('sha256', shown, 'buffer'), hash('sha256', token, 'buffer'));
}
