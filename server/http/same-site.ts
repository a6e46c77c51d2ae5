import { Refusal } from '@ushirika/contract/refusal';
import type { Route } from '@ushirika/contract/route';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { isGuarded } from '#faults';

/**
 * Refuses requests that change something and come from a page of another site. The browser names the page's site in a
 * header, and no page can change that header. Clients that are not browsers send no such header and are accepted. It
 * runs before the rate limit, so that foreign pages do not use up the limit of their visitors' network.
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
  // A sandboxed frame sends `null`, which is not a URL.
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
