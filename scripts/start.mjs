// npm start: the web client when it is stale, then the server.
import { join } from 'node:path';
import { assertNode24, buildWebClient, isStopping, root, run } from './running.mjs';

assertNode24();
if (!(await buildWebClient())) process.exit(isStopping() ? 130 : 1);
// The second start finds every module stripped of its types and compiled: that was half of what loading them takes.
const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'), ...process.env };
process.exit(await run(process.execPath, ['server/main.ts'], { env }));
