import helmet from '@fastify/helmet';
import Fastify from 'fastify';

/** What a page may load: our own files and nothing else. Tailwind and the components write no inline style elements. */
export const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    // Style attributes only (positions of menus, heights of bars); style elements and sheets come from our own files.
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
 * Helmet's headers, as every answer has them. They are the same each time, so helmet makes them once, for an answer that
 * nobody gets: made anew for each request they took a tenth of its time.
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

/** What HTTP itself adds to an answer. */
const NOT_FIXED = new Set(['connection', 'content-length', 'content-type', 'date', 'transfer-encoding']);
