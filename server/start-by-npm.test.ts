import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, inject, test } from 'vitest';
import { freePort, runningUrl } from './db/embedded.ts';
import { copyPrepared } from './db/test-server.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync('/tmp/ushirika-npm-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What `npm start` does, without building the web client: npm, its shell, the script, the server, PostgreSQL. */
function writePackage(): void {
  const script = `
    import { run } from ${JSON.stringify(path('../scripts/running.mjs'))};
    process.exit(await run(process.execPath, [${JSON.stringify(path('./start.program.ts'))}]));`;
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'package/start.mjs'), script);
  const start = `${JSON.stringify(process.execPath)} start.mjs`;
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ private: true, scripts: { start } }));
}

test('npm start that alone gets SIGTERM leaves neither a server nor a database behind', async () => {
  writePackage();
  const PORT = String(await freePort());
  const data = join(folder, 'data');
  mkdirSync(data);
  copyPrepared(inject('preparedFolder'), join(data, 'postgres'));
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const npm = spawn('npm', ['start'], {
    cwd: join(folder, 'package'),
    env: { PATH, HOME, NODE_COMPILE_CACHE, DATA_DIR: data, PORT },
    stdio: 'ignore',
  });
  const asked = () =>
    fetch(`http://127.0.0.1:${PORT}/`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(asked, { timeout: 40_000 }).toBe(200);
  const database = () => runningUrl(join(data, 'postgres'));
  expect(database()).not.toBeNull();
  const ended = once(npm, 'exit');
  process.kill(npm.pid ?? 0, 'SIGTERM');
  await ended;
  await expect.poll(asked, { timeout: 20_000 }).toBe(0);
  await expect.poll(database, { timeout: 20_000 }).toBeNull();
}, 90_000);

test('npm start sets itself up where .npmrc says ignore-scripts=true (field case P8)', async () => {
  const checkout = join(folder, 'checkout');
  const programs = join(checkout, 'node_modules/.bin');
  mkdirSync(programs, { recursive: true });
  mkdirSync(join(checkout, 'scripts'));
  for (const name of ['package.json', 'scripts/set-up.mjs', 'scripts/browser.mjs']) {
    copyFileSync(path(`../${name}`), join(checkout, name));
  }
  writeFileSync(join(checkout, '.npmrc'), 'ignore-scripts=true\n');
  // Stands in for the npm that would install for a minute: it keeps what it was asked.
  writeFileSync(join(programs, 'npm'), '#!/bin/sh\necho "$@" > asked\nexit 1\n', { mode: 0o755 });
  const { PATH, HOME } = process.env;
  const npm = spawn('npm', ['start'], { cwd: checkout, env: { PATH, HOME }, stdio: 'ignore' });
  await once(npm, 'exit');
  expect(readFileSync(join(checkout, 'asked'), 'utf8')).toMatch(/^ci .*--ignore-scripts=false/);
}, 30_000);
