import { Refusal } from '@ushirika/contract/refusal';
import type { Route } from '@ushirika/contract/route';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { isGuarded } from '#faults';

/**
 * Refuses what the page of another site sends, for routes that change something. A browser says where a request began, and
 * no page can make it say otherwise; a client that is no browser says nothing and goes on. It comes before the limit
 * of requests, so that a foreign page does not use up what its visitor's network may ask.
 * @see https://www.w3.org/TR/fetch-metadata/ and https://fetch.spec.whatwg.org/#origin-header
 */
export function refuseForeignPages(route: Route, publicUrl: string): onRequestHookHandler[] {
  if (route.method === 'GET' || route.caller === 'provider') return [];
  const ours = new URL(publicUrl).origin;
  return [
    (request, _reply, done) => {
      if (isFromForeignPage(request, ours) && isGuarded('own_pages_only')) done(new Refusal('cross_site_request'));
      else done();
    },
  ];
}

/** By `Sec-Fetch-Site` where the browser sends it (https and localhost), else by `Origin`. */
function isFromForeignPage({ headers, host }: FastifyRequest, ours: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = headers;
  if (origin === undefined || origin === ours) return false;
  // `null` is what a sandboxed frame says, and no address at all.
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
