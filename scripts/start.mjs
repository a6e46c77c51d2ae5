// npm start: the web client when it is stale, then the server.
import { join } from 'node:path';
import { assertNode24, buildWebClient, isStopping, root, run } from './running.mjs';

assertNode24();
if (!(await buildWebClient())) process.exit(isStopping() ? 130 : 1);
// The second start finds every module stripped of its types and compiled: that was half of what loading them takes.
const compiled = join(root, 'node_modules/.cache/compiled');
// glibc keeps a heap for each thread that asks for memory, and gives little of what pictures leave in them back: decision 137.
const env = { NODE_COMPILE_CACHE: compiled, MALLOC_ARENA_MAX: '2', ...process.env };
process.exit(await run(process.execPath, ['server/main.ts'], { env }));
