// Builds dist/: plain JavaScript with types, for Node 20 and newer. `npm pack` and `npm publish` run it.
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const dist = join(folder, 'dist');
const own = join(dist, 'verifier', 'src');

rmSync(dist, { recursive: true, force: true });
const compiler = resolve(folder, '../node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);

// The compiler writes each file whose types it has read. Of the contract only what runs is kept: the recount, and what it imports.
const kept = new Set();
const keep = (file) => {
  if (kept.has(file)) return;
  kept.add(file);
  const code = readFileSync(file, 'utf8');
  for (const [, to] of code.matchAll(/(?:from|import)\s*\(?['"]([^'"]+)['"]/g)) {
    if (to.startsWith('.')) keep(resolve(dirname(file), to));
    else if (!to.startsWith('node:')) throw new Error(`${file} imports ${to}: the package has no dependency.`);
  }
};
for (const name of readdirSync(own).filter((each) => each.endsWith('.js'))) keep(join(own, name));
for (const each of readdirSync(dist, { recursive: true })) {
  const name = join(dist, each);
  if (/\.js$/.test(each) ? !kept.has(name) : /^contract.*\.d\.ts$/.test(each)) rmSync(name);
}
chmodSync(join(own, 'cli.js'), 0o755);
