import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import fastify, { type FastifyInstance } from 'fastify';
import { build } from 'vite';
import { serveWebClient } from '../server/http/static.ts';
import { expect, test } from './support/test.ts';

/* Two builds of the web client at once, behind one proxy. */

const root = resolve(fileURLToPath(import.meta.url), '../..');
const made: string[] = [];
const open: { close(): unknown }[] = [];

test.describe.configure({ mode: 'default' });

let newer = '';

test.beforeAll(async () => {
  test.setTimeout(120_000);
  newer = join(folder(), 'dist');
  // The same source under other names, as after a change of every file.
  const named = 'assets/newer-[name]-[hash]';
  const output = { entryFileNames: `${named}.js`, chunkFileNames: `${named}.js`, assetFileNames: `${named}[extname]` };
  await build({
    configFile: join(root, 'web/vite.config.ts'),
    logLevel: 'silent',
    build: { outDir: newer, emptyOutDir: true, rolldownOptions: { output } },
  });
});

test.afterAll(async () => {
  for (const one of open) await one.close();
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'ushirika-builds-'));
  made.push(path);
  return path;
}

/** A server of one build, as the product serves it. */
async function serverOf(built: string, kept: string): Promise<string> {
  const app: FastifyInstance = fastify();
  await serveWebClient(app, built, { displayedMemberOffset: 0 }, kept);
  open.push(app);
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** Sends each request to the next of its servers, and calls of the API to the journeys' server. */
async function proxyTo(next: () => string): Promise<string> {
  const proxy: Server = createServer((incoming, reply) => {
    const isApi = incoming.url?.startsWith('/api/') || incoming.url === '/readyz';
    const to = isApi ? (process.env.E2E_URL ?? '') : next();
    const onward = request(`${to}${incoming.url}`, { method: incoming.method, headers: incoming.headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    onward.on('error', () => reply.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  open.push({ close: () => proxy.closeAllConnections() ?? proxy.close() });
  const address = proxy.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

test('two builds behind one proxy, each on a machine of its own, show the page to every fresh visitor', async () => {
  test.setTimeout(120_000);
  const older = join(root, 'web/dist');
  const [firstKept, secondKept] = [folder(), folder()];
  const old = await serverOf(older, firstKept);
  // The second machine ran the older build before.
  await serverOf(older, secondKept);
  const fresh = await serverOf(newer, secondKept);
  let turn = 0;
  const origin = await proxyTo(() => (turn++ % 2 === 0 ? fresh : old));
  const browser = await chromium.launch(test.info().project.use.launchOptions);
  for (let visit = 0; visit < 15; visit += 1) {
    const page = await browser.newPage();
    await page.goto(origin, { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 }), `visit ${visit}`).toBeVisible({ timeout: 20_000 });
    expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).toContain('Figtree');
    await page.context().close();
  }
  await browser.close();
});
