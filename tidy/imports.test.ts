import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Import, importsOf, isTest, read, root, sourceFiles } from './source.ts';

/** A domain may import only from those above it: the list in ARCHITECTURE.md. */
const domains = (
  /A domain imports only from domains that stand before it, in the server and in the web client:\n([^.]+)\./.exec(
    read('ARCHITECTURE.md'),
  )?.[1] ?? ''
)
  .split(',')
  .map((name) => name.trim());

const all = sourceFiles().flatMap(importsOf);
const product = all.filter(({ from }) => !isTest(from) && !/^(bench|e2e|prove|tidy|scripts)\//.test(from));
const show = (found: Import[]) => found.map(({ from, to, line }) => `${from}:${line} -> ${to}`);

test('the contract imports only itself, zod, the phone library and the one for ICU texts', () => {
  const allowed = /^(contract\/src\/|zod|libphonenumber-js|@messageformat\/)/;
  expect(show(product.filter(({ from, to }) => from.startsWith('contract/') && !allowed.test(to)))).toEqual([]);
});

test('the web client and the server meet only in the contract', () => {
  const crossing = product.filter(
    ({ from, to }) =>
      (from.startsWith('web/') && /^(server\/|@ushirika\/server|node:)/.test(to)) ||
      (from.startsWith('server/') && /^(web\/|@ushirika\/web)/.test(to)),
  );
  expect(show(crossing)).toEqual([]);
});

/** The verifier is packed without the contract's package: it takes the recount along by its path. */
const TAKEN_ALONG = /^contract\/src\/(recount|secret-ballots|voting-rules)\.ts$/;

test('the contract is imported by its name, not by a path', () => {
  const byPath = all.filter(({ from, to }) => !from.startsWith('contract/') && to.startsWith('contract/'));
  expect(show(byPath.filter(({ from, to }) => !from.startsWith('verifier/') || !TAKEN_ALONG.test(to)))).toEqual([]);
});

test('the verifier imports only itself, Node, and the recount of the contract', () => {
  const wrong = product.filter(
    ({ from, to }) => from.startsWith('verifier/') && !/^(verifier\/|node:)/.test(to) && !TAKEN_ALONG.test(to),
  );
  expect(show(wrong)).toEqual([]);
});

/** Which part of the server a file is of: the arrows go from left to right in ARCHITECTURE.md. */
function layerOf(path: string): string {
  return /^server\/(http|domains|ledger|db|gateways|simulator|demo)\//.exec(path)?.[1] ?? 'top';
}

const mayImport: Record<string, readonly string[]> = {
  top: ['top', 'http', 'domains', 'ledger', 'db', 'gateways', 'simulator', 'demo'],
  demo: ['demo', 'domains', 'gateways', 'ledger', 'db', 'top'],
  http: ['http', 'ledger', 'db', 'top'],
  domains: ['domains', 'ledger', 'db', 'gateways', 'top'],
  gateways: ['gateways', 'db', 'top'],
  simulator: ['simulator', 'db', 'top'],
  ledger: ['ledger', 'db', 'top'],
  db: ['db', 'top'],
};

/** The files at the top of the server that any layer may use: they import nothing of the layers. */
const sharedTop = new Set([
  'server/world.ts',
  'server/config.ts',
  'server/jobs.ts',
  'server/network-of.ts',
  'server/faults.ts',
  'server/concurrency-limiter.ts',
  'server/wait-at-most.ts',
]);

/** A domain's `*.routes.ts` says how the contract's routes are carried out, in the words of `http/bind.ts`; no other file does. */
test('inside the server the arrows go http -> domains -> ledger -> db', () => {
  const wrong = product.filter(({ from, to }) => {
    if (!from.startsWith('server/') || !to.startsWith('server/')) return false;
    const [fromLayer, toLayer] = [layerOf(from), layerOf(to)];
    if (to === 'server/http/bind.ts' && from.endsWith('.routes.ts')) return false;
    if (toLayer === 'top' && fromLayer !== 'top') return !sharedTop.has(to);
    return !mayImport[fromLayer]?.includes(toLayer);
  });
  expect(show(wrong)).toEqual([]);
});

test('fault points are steered from prove/ alone: the product knows them by `#faults`, which does nothing', () => {
  const wrong = all.filter(
    ({ from, to }) => to === 'server/faults.proving.ts' && !from.startsWith('prove/') && !isTest(from),
  );
  expect(show(wrong)).toEqual([]);
});

test('a domain imports only from domains above it', () => {
  const domainOf = (path: string) => /^server\/domains\/([^/]+)\//.exec(path)?.[1];
  const wrong = product.filter(({ from, to }) => {
    const [own, other] = [domainOf(from), domainOf(to)];
    if (!own || !other || own === other) return false;
    return domains.indexOf(other) > domains.indexOf(own) || !domains.includes(other);
  });
  expect(show(wrong)).toEqual([]);
});

test('ARCHITECTURE.md says where each domain stands', () => {
  const folders = sourceFiles().flatMap((path) => /^server\/domains\/([^/]+)\//.exec(path)?.[1] ?? []);
  expect([...new Set(folders)].filter((name) => !domains.includes(name))).toEqual([]);
});

test('the words of an SMS stand in a domain’s *.sms.ts, and each of these has its test', () => {
  const makesWords = /import \{[^}]*\b(?:fixed|sms)\b[^}]*\} from '[^']*sms-words\.ts'/;
  const files = sourceFiles().filter((path) => !isTest(path));
  expect(files.filter((path) => !path.endsWith('.sms.ts') && makesWords.test(read(path)))).toEqual([]);
  const texts = files.filter((path) => path.endsWith('.sms.ts'));
  expect(texts.filter((path) => !existsSync(join(root, path.replace(/ts$/, 'test.ts'))))).toEqual([]);
  expect(texts).not.toEqual([]);
});

/**
 * The web client from the bottom up: what knows nothing of saccos, the domains in their order, the pages that put domains
 * together, and the shell around them.
 */
const webOrder = [
  'clock.ts',
  'new-build.ts',
  'paths.ts',
  'preferences.ts',
  'words',
  'ui',
  'session',
  'api',
  'layouts',
  'receipts',
  // Checks a receipt of the books without our server: knows the verifier alone.
  'verify',
]
  .concat(domains)
  // The officials' desk of the loans shows parts of several domains.
  .concat(['loans-desk', 'pages', 'shell', 'pages.tsx', 'signed-in-routes.tsx', 'routes.tsx', 'main.tsx']);
/** These two name each other: the shell draws the links of the pages, whose routes are within it. */
const shell = new Set(['shell', 'pages.tsx']);
const webPartOf = (path: string) => /^web\/src\/([^/?]+)/.exec(path)?.[1];

test('a folder of the web client imports only from folders before it', () => {
  const wrong = product.filter(({ from, to }) => {
    const [own, other] = [webPartOf(from), webPartOf(to)];
    if (own === undefined || other === undefined || own === other || (shell.has(own) && shell.has(other))) return false;
    return webOrder.indexOf(other) > webOrder.indexOf(own);
  });
  expect(show(wrong)).toEqual([]);
});

test('each folder of the web client is a domain’s or has its place among them', () => {
  const parts = sourceFiles().flatMap((path) => webPartOf(path) ?? []);
  expect([...new Set(parts)].filter((name) => !webOrder.includes(name) && !/\.test\.tsx?$/.test(name))).toEqual([]);
});

test('a page imports nothing of another page', () => {
  const pageOf = (path: string) => /^web\/src\/pages\/([^/]+)\//.exec(path)?.[1];
  const wrong = product.filter(({ from, to }) => pageOf(from) && pageOf(to) && pageOf(from) !== pageOf(to));
  expect(show(wrong)).toEqual([]);
});

test('there are no barrels', () => {
  expect(sourceFiles().filter((path) => /\/index\.tsx?$/.test(path))).toEqual([]);
});

test('every relative import names a file that exists', () => {
  const missing = all.filter(
    ({ to }) =>
      /^(contract|server|web|bench|e2e|prove|tidy|scripts)\//.test(to) &&
      !to.includes('?') &&
      !existsSync(join(root, to)),
  );
  expect(show(missing)).toEqual([]);
});

test('every file is reached from an entry point or is one', () => {
  const entries = [
    /^server\/(main|audit|operator)\.ts$/,
    /^verifier\/(src\/cli\.ts|build\.mjs|interop\/run\.mjs)$/,
    /^web\/src\/(main|entry|service-worker)\.tsx?$/,
    /^(bench|prove|scripts|tidy|e2e)\//,
    /\.test\.tsx?$/,
    // Found by server/db/row-cases.ts.
    /^server\/domains\/.*\.row-cases\.ts$/,
    // Found by web/src/pages/dashboard/waiting-of-domains.ts.
    /^web\/src\/[^/]+\/waiting-for-you\.tsx$/,
    // Found by web/src/notifications/page-of-notice.ts.
    /^web\/src\/[^/]+\/notice-pages\.ts$/,
    /\.program\.ts$/,
    /^server\/db\/(global-setup|test-database)\.ts$/,
    /^contract\/src\//,
    /\.d\.ts$/,
    /^web\/src\/.*\.worker\.ts$/,
  ];
  const reached = new Set<string>();
  const bySource = Map.groupBy(all, ({ from }) => from);
  const walk = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { to } of bySource.get(path) ?? []) walk(to.replace(/\?.*$/, ''));
  };
  const files = sourceFiles();
  for (const path of files) if (entries.some((entry) => entry.test(path))) walk(path);
  expect(files.filter((path) => !reached.has(path))).toEqual([]);
});
