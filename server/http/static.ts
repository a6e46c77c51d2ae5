import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import { Refusal } from '@ushirika/contract/refusal';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findKept, keepBuild } from './kept-builds.ts';

const YEAR_S = 31_536_000;

/** Settings of this server that the web client needs before its first request. */
export interface PageSettings {
  /** Added to the number of active members that a screen shows (domain.md 4.12). */
  readonly displayedMemberOffset: number;
  /** Countries that SMS are sent to, by two letters; without them the page uses its default. */
  readonly smsCountries?: readonly string[];
}

/**
 * Serves the built web client from compressed files. A request for a page (Accept: text/html) at any other path gets
 * index.html, whose script has the routes. Other unknown paths are `not_found`.
 * @param kept the folder that has the last builds' files, for pages of theirs that are open; without, this build's alone
 */
export async function serveWebClient(
  app: FastifyInstance,
  folder: string | null,
  settings: PageSettings,
  kept?: string,
): Promise<void> {
  const built = folder !== null && existsSync(join(folder, 'index.html'));
  const sendShell = built ? shellSender(readFileSync(join(folder, 'index.html'), 'utf8'), settings) : null;
  if (built && kept) keepBuild(folder, kept);
  if (built && sendShell) {
    app.get('/', sendShell);
    app.get('/index.html', sendShell);
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      wildcard: true,
      index: false,
      cacheControl: false,
      setHeaders(response, path) {
        const named = basename(dirname(path)) === 'assets';
        response.header('Cache-Control', named ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
    const isApi = request.url.startsWith('/api/') || request.url.startsWith('/simulator');
    if (sendShell && wantsPage && !isApi) return sendShell(request, reply);
    const asset = sendShell && kept ? findKept(kept, request.url) : null;
    if (asset) return reply.code(200).sendFile(asset.path, asset.folder);
    throw new Refusal('not_found');
  });
}

/** The page that asks a server of a chain, which its reader may choose: a document loaded there alone may ask others than us. */
const ASKS_CHAINS = '/verify';
const POLICY = 'content-security-policy';
const allowingChains = (policy: string): string =>
  policy.replace("connect-src 'self'", "connect-src 'self' https: http://localhost:* http://127.0.0.1:*");

/** Sends index.html with this server's settings in it, compressed once. */
function shellSender(html: string, { displayedMemberOffset, smsCountries = [] }: PageSettings) {
  const setting = `<meta name="displayed-member-offset" content="${displayedMemberOffset}" />`;
  const countries = `<meta name="sms-countries" content="${smsCountries.join(',')}" />`;
  const plain = Buffer.from(html.replace('</head>', `  ${setting}\n    ${countries}\n  </head>`));
  const bodies = { br: brotliCompressSync(plain), gzip: gzipSync(plain), identity: plain };
  return (request: FastifyRequest, reply: FastifyReply) => {
    if (request.url.split('?')[0] === ASKS_CHAINS)
      reply.header(POLICY, allowingChains(String(reply.getHeader(POLICY))));
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const encoding = accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : 'identity';
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    reply.header('Vary', 'Accept-Encoding').header('Cache-Control', 'no-cache');
    return reply.type('text/html; charset=utf-8').send(bodies[encoding]);
  };
}
