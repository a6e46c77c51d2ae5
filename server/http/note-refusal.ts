import type { Refusal } from '@ushirika/contract/refusal';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The person whose session the request came with, for the log; null without one. */
    asker: string | null;
  }
}

/**
 * Logs every 401 and 403, so that attacks can be investigated (ASVS 16.3.1, 16.3.2). The line has the route's pattern,
 * the code, the person and the address. It has no token, path or body, which hold ids and secrets. Requests without a
 * session are logged as `info` only: crawlers make many of them.
 */
export function noteRefusal(request: FastifyRequest, refusal: Refusal): void {
  if (refusal.status !== 401 && refusal.status !== 403) return;
  const line = {
    code: refusal.code,
    method: request.method,
    route: request.routeOptions?.url ?? null,
    user: request.asker ?? null,
    address: request.ip,
  };
  if (refusal.code === 'not_signed_in') request.log.info(line, 'refused');
  else request.log.warn(line, 'refused');
}
