// Runs before every command, under whatever Node there is (18 or newer): installs what is missing, and nothing else.
// With --browser it makes sure of Chromium too.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser, isBestBrowser } from './browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

if (!isInstalled()) install();
if (process.argv.includes('--browser')) ensureBrowser();

/** Whether node_modules holds what package-lock.json asks for: npm leaves its own copy of the lockfile inside. */
function isInstalled() {
  const inside = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(inside) || !existsSync(join(root, 'node_modules', '.bin', 'node'))) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(inside, 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, link, optional, peer }]) => {
    if (!path.startsWith('node_modules/') || link || optional) return true;
    return present[path] ? present[path].version === version : Boolean(peer);
  });
}

function install() {
  console.log('Installing what is missing (npm ci) …');
  // Development tools too, whatever NODE_ENV says: the web client is built and the types are checked with them. Node 24 and
  // PostgreSQL come by an install script, whatever a .npmrc says of scripts; package.json lists the two that may run.
  const flags = ['--include=dev', '--ignore-scripts=false', '--no-fund', '--no-audit', '--loglevel=warn'];
  const done = spawnSync('npm', ['ci', ...flags], { cwd: root, stdio: 'inherit' });
  if (done.status !== 0) {
    console.error('npm ci failed: see above.');
    process.exit(1);
  }
}

/** The headless shell, else Chromium: what is there already is good enough where nothing can be installed. */
function ensureBrowser() {
  if (isBestBrowser()) return;
  const isRoot = process.getuid && process.getuid() === 0;
  if (isRoot && onPath('apt-get')) {
    aptGet('update');
    for (const name of ['chromium-headless-shell', 'chromium']) {
      if (isBestBrowser() || (name === 'chromium' && findBrowser())) break;
      console.log(`Installing ${name} (apt-get install ${name}) …`);
      aptGet('install', '-y', '--no-install-recommends', name);
    }
  }
  if (findBrowser()) return;
  console.error(
    'The browser journeys need Chromium: install the package "chromium" (Debian: apt-get install chromium), or set CHROMIUM_PATH.',
  );
  process.exit(1);
}

function aptGet(...args) {
  // Without a network it gives up soon.
  spawnSync('apt-get', ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

function onPath(program) {
  return (process.env.PATH || '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}
