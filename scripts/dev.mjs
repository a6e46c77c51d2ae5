// npm run dev: the server, restarted when its code changes, and Vite's server for the web client beside it.
import { join } from 'node:path';
import { assertNode24, ended, root, start } from './running.mjs';

assertNode24();
const server = start(process.execPath, ['--watch-path=server', '--watch-path=contract/src', 'server/main.ts']);
const vite = start(process.execPath, [join(root, 'node_modules', 'vite', 'bin', 'vite.js')], {
  cwd: join(root, 'web'),
  env: { ...process.env, API_ORIGIN: `http://127.0.0.1:${process.env.PORT || 3000}` },
});
const code = await Promise.race([ended(server), ended(vite)]);
for (const child of [server, vite]) child.kill('SIGTERM');
await Promise.all(
  [server, vite].map((child) => (child.exitCode === null && child.signalCode === null ? ended(child) : 0)),
);
process.exit(code);
