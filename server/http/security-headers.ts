import helmet from '@fastify/helmet';
import Fastify from 'fastify';

/** What a page may load: our own files only. Tailwind and our components write no inline style elements. */
export const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    // Inline style attributes are allowed (positions of menus, heights of bars); style elements and sheets must be our
    // files.
    styleSrc: ["'self'"],
    styleSrcAttr: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'blob:', 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    workerSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    formAction: ["'self'"],
  },
};

/**
 * Helmet's headers, for every answer. They never change, so helmet makes them once, on a throwaway request. Made for
 * each request they took a tenth of its time.
 */
export async function securityHeaders(): Promise<Readonly<Record<string, string>>> {
  const model = Fastify();
  await model.register(helmet, { contentSecurityPolicy, crossOriginEmbedderPolicy: false });
  model.get('/', (_request, reply) => reply.hijack().raw.end());
  const { headers } = await model.inject('/');
  await model.close();
  const fixed = Object.entries(headers).filter(([name]) => !NOT_FIXED.has(name));
  return Object.fromEntries(fixed.map(([name, value]) => [name, String(value)]));
}

/** Headers that Node's HTTP adds to an answer. */
const NOT_FIXED = new Set(['connection', 'content-length', 'content-type', 'date', 'transfer-encoding']);
