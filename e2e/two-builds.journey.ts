import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import fastify, { type FastifyInstance } from 'fastify';
import { build } from 'vite';
import { serveWebClient } from '../server/http/static.ts';
import { shareholder } from './support/market.ts';
import { activeSacco, becomeSignedIn } from './support/people.ts';
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

/** The build whose first script a page runs. */
const buildOf = (page: Page) =>
  page.evaluate(() =>
    document.querySelector('script[type=module]')?.getAttribute('src')?.includes('newer-') ? 'newer' : 'older',
  );

/** A browser whose service worker has the older build, and a server that has the newer one alone from now on. */
async function visitedBefore(): Promise<{ browser: Browser; page: Page; origin: string; goOver: () => void }> {
  const old = await serverOf(join(root, 'web/dist'), folder());
  const fresh = await serverOf(newer, folder());
  let isNewer = false;
  const origin = await proxyTo(() => (isNewer ? fresh : old));
  const browser = await chromium.launch(test.info().project.use.launchOptions);
  const page = await (await browser.newContext({ reducedMotion: 'reduce', serviceWorkers: 'allow' })).newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(origin);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  const goOver = () => {
    isNewer = true;
  };
  return { browser, page, origin, goOver };
}

test('a page that is open since before a new build goes on with it at the next page, though the old service worker answers', async () => {
  const { browser, page, goOver } = await visitedBefore();
  const other = await page.context().newPage();
  await other.goto(page.url());
  expect(await buildOf(page)).toBe('older');
  goOver();
  await page.getByRole('link', { name: 'Saccos' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/saccos/);
  await expect.poll(() => buildOf(page).catch(() => ''), { timeout: 15_000 }).toBe('newer');
  await expect(page.getByText(/could not be loaded|newer version/)).toHaveCount(0);
  await browser.close();
});

test('a half-typed form outlives a new build: a sentence says so, and the person loads the page again', async () => {
  const sacco = await activeSacco();
  const member = await shareholder(sacco);
  const { browser, page, origin, goOver } = await visitedBefore();
  await becomeSignedIn(page, member, sacco);
  await page.goto(`${origin}/client/share-trading`);
  const shares = page.locator('input[name=shares]').first();
  await shares.fill('3');
  goOver();
  await page
    .getByRole('button', { name: /Kiswahili/ })
    .first()
    .click();
  await expect(page.getByText(/This could not be loaded/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Top Up' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Not loaded' });
  await expect(dialog.getByText(/A newer version of this page is out/)).toBeVisible();
  await page.waitForTimeout(1_000);
  await expect(shares).toHaveValue('3');
  expect(await buildOf(page)).toBe('older');
  await dialog.getByRole('button', { name: 'Load again' }).click();
  await expect(page.getByRole('dialog', { name: 'Top Up Your Wallet' })).toBeVisible();
  expect(await buildOf(page)).toBe('newer');
  await browser.close();
});

test('the installed app starts while its service worker has the older build, and its next page is of the newer one', async () => {
  const { browser, page, origin, goOver } = await visitedBefore();
  goOver();
  const app = await page.context().newPage();
  await page.close();
  await app.goto(`${origin}/`);
  await expect(app.getByRole('heading', { level: 1 })).toBeVisible();
  await app.getByRole('link', { name: 'Saccos' }).first().click();
  await expect(app).toHaveURL(/saccos/);
  await expect.poll(() => buildOf(app).catch(() => ''), { timeout: 15_000 }).toBe('newer');
  await expect(app.getByRole('heading', { level: 1 })).toBeVisible();
  await browser.close();
});
