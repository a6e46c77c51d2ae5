import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';

const FILES = [
  ['/phone.css', 'phone.css', 'text/css; charset=utf-8'],
  ['/phone.js', 'phone.js', 'text/javascript; charset=utf-8'],
] as const;

/** The page that looks like a phone: three plain files and the house's font, so that a strict CSP holds. */
export async function pageRoutes(app: FastifyInstance): Promise<void> {
  const page = await readFile(new URL('./page/phone.html', import.meta.url));
  app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  for (const [path, name, type] of FILES) {
    const bytes = await readFile(new URL(`./page/${name}`, import.meta.url));
    app.get(path, (_request, reply) => reply.type(type).send(bytes));
  }
  const font = await readFile(fontPath()).catch(() => null);
  if (font) app.get('/figtree.woff2', (_request, reply) => reply.type('font/woff2').send(font));
}

function fontPath(): string {
  try {
    const require = createRequire(new URL('../../web/package.json', import.meta.url));
    return require.resolve('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2');
  } catch {
    return '';
  }
}
