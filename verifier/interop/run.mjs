// Lets the Go program beside this file check the log of a running server: node verifier/interop/run.mjs https://HOST/api/v1/log/platform
// It ends with 0 where the log is right, with 1 where it is not, and with 0 and a sentence where there is no Go to run it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [log] = process.argv.slice(2);
if (!log) {
  console.error('node verifier/interop/run.mjs https://HOST/api/v1/log/platform');
  process.exit(2);
}
const go = ['go', '/usr/local/go/bin/go'].find((path) => spawnSync(path, ['version']).status === 0);
if (!go) skip('there is no Go on this machine');

const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly' };
const run = (args) =>
  spawnSync(go, args, { cwd: fileURLToPath(new URL('.', import.meta.url)), env, encoding: 'utf8', timeout: 300_000 });

const { status, stderr } = run(['mod', 'download']);
if (status !== 0) skip(`Go cannot get its modules: ${stderr.trim()}`);
const checked = run(['run', '.', log]);
process.stdout.write(checked.stdout);
process.stderr.write(checked.stderr);
process.exit(checked.status ?? 1);

function skip(why) {
  console.log(`SKIPPED: ${why}.`);
  process.exit(0);
}
