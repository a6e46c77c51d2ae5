import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestLog, testKey, testReceipt } from './src/test-log.ts';

const run = promisify(execFile);
/** The Node that runs the tests, and the system's own where there is one. */
const nodes = [process.execPath, '/usr/bin/node', '/usr/local/bin/node'].filter(
  (path) => existsSync(path) && Number(execFileSync(path, ['-p', 'process.versions.node.split(".")[0]'])) >= 20,
);
const keys = testKey('sacco.example/log/1', 'log');
let folder: string;

/** Packs the package as `npm publish` would, and unpacks it in an empty folder: no server, no repository, no other package. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packed-'));
  await run('npm', ['pack', '--pack-destination', folder], { cwd: import.meta.dirname });
  const [tarball = ''] = await readdir(folder);
  await run('tar', ['-xzf', tarball], { cwd: folder });
  const receipt = testReceipt(new TestLog('sacco.example/log/1', keys), `0x${'ab'.repeat(20)}`);
  await writeFile(join(folder, 'right.json'), JSON.stringify(receipt));
  await writeFile(join(folder, 'wrong.json'), JSON.stringify({ ...receipt, entry: { ...receipt.entry, i: 1 } }));
});
afterAll(() => rm(folder, { recursive: true }));

test.each(nodes)('the packed verifier checks a receipt by itself, with %s', async (node) => {
  const check = (file: string) =>
    run(node, ['package/dist/verifier/src/cli.js', 'receipt', file, '--key', keys.vkey], { cwd: folder, env: {} });
  expect((await check('right.json')).stdout).toContain('What was checked is right');
  await expect(check('wrong.json')).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('FAILED') });
});

test('the package holds its command, its functions with their types, its README, and no test', async () => {
  const files = (await readdir(join(folder, 'package'), { recursive: true })).sort();
  expect(files).toEqual(expect.arrayContaining(['README.md', 'package.json', 'dist/verifier/src/receipt.d.ts']));
  expect(files.filter((name) => /test|voting\.js|zod|\.ts$/.test(name) && !name.endsWith('.d.ts'))).toEqual([]);
  const words = "import('@ushirika/verifier/tree.js').then((tree) => console.log(typeof tree.isConsistent))";
  await run('mkdir', ['-p', 'node_modules/@ushirika'], { cwd: folder });
  await run('cp', ['-r', 'package', 'node_modules/@ushirika/verifier'], { cwd: folder });
  expect((await run(process.execPath, ['-e', words], { cwd: folder })).stdout).toBe('function\n');
});
