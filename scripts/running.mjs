// What the scripts share: the right Node, and children that never outlive us.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Where a second process finds every module stripped of its types and compiled: half of what loading them takes. */
export const compiledModules = join(root, 'node_modules/.cache/compiled');

/** npm puts node_modules/.bin first, where the pinned Node 24 is; said clearly when something else runs us. */
export function assertNode24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return;
  console.error(
    `This needs Node 24, and Node ${process.versions.node} runs it. Use npm (npm start, npm test): it brings its own.`,
  );
  process.exit(1);
}

const children = new Set();
let isEnding = false;

/** Starts a program; Ctrl-C and SIGTERM are passed on once, to let it end cleanly. */
export function start(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
  children.add(child);
  child.once('exit', () => children.delete(child));
  child.once('error', () => children.delete(child));
  return child;
}

/** Resolves with the exit code of a program; a signal counts as 128 and its number would, that is as a failure. */
export function ended(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(String(error));
      resolve(1);
    });
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

export function run(command, args, options) {
  return ended(start(command, args, options));
}

export function isStopping() {
  return isEnding;
}

function end(signal) {
  isEnding = true;
  // A Ctrl-C in a terminal reaches the children as well; a second signal to them changes nothing.
  for (const child of children) child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
  if (children.size === 0) process.exit(signal === 'SIGINT' ? 130 : 143);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));

// A SIGTERM to npm alone reaches the shell between npm and us, which ends without a word: we then have another parent. Whoever
// starts us without npm may go away and leave us running.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    end('SIGTERM');
  }, 250);
  watch.unref();
}
process.on('exit', () => {
  for (const child of children) child.kill('SIGTERM');
});

/** Builds the web client unless what is there was built from the very sources that are here. */
export async function buildWebClient() {
  const stampFile = join(root, 'web', 'dist', '.built-from');
  const stamp = hashOf([
    'web/src',
    'web/public',
    'web/build',
    'web/index.html',
    'web/vite.config.ts',
    'web/package.json',
    'contract/src',
    'package-lock.json',
  ]);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return true;
  console.log('Building the web client …');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const code = await run(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: join(root, 'web') });
  if (code !== 0) return false;
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
  return true;
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) addTo(hash, path);
  return hash.digest('hex');
}

function addTo(hash, path) {
  const full = join(root, path);
  if (!existsSync(full)) return;
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).sort()) addTo(hash, `${path}/${name}`);
    return;
  }
  if (/\.test\.tsx?$/.test(path)) return;
  hash.update(`${path}\0`).update(readFileSync(full)).update('\0');
}
