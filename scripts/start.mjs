// npm start: the web client when it is stale, then the server.
import { assertNode24, buildWebClient, compiledModules, isStopping, run } from './running.mjs';

assertNode24();
if (!(await buildWebClient())) process.exit(isStopping() ? 130 : 1);
// glibc keeps a heap for each thread that asks for memory, and gives little of what pictures leave in them back: decision 137.
const env = { NODE_COMPILE_CACHE: compiledModules, MALLOC_ARENA_MAX: '2', ...process.env };
process.exit(await run(process.execPath, ['server/main.ts'], { env }));
