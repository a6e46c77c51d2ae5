import type { Refusal } from '@ushirika/contract/refusal';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose session it came with, so that a refusal can be noted with who was refused. */
    asker: string | null;
  }
}

/**
 * Every 401 and 403 leaves a line for whoever looks into an attack (ASVS 16.3.1, 16.3.2): the route by its pattern, the
 * code, the person and the address; neither token nor path nor body, which hold ids and secrets. A request without any
 * session is every crawler's, and is no warning.
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
