import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';

/**
 * What most would write: a WebSocket server that sends every update to every client as it comes. It is the package `ws`
 * itself, as Playwright brings it along. Updates of so many bytes come from nowhere: no database, no session, no rights.
 */
interface Client {
  send(text: string): void;
}
interface WebSocketServer {
  readonly clients: ReadonlySet<Client>;
  on(event: 'connection', listener: (client: Client, request: IncomingMessage) => void): void;
}
type MakeServer = new (options: { readonly server: unknown }) => WebSocketServer;

const require = createRequire(import.meta.url);
const { wsServer } = require('playwright-core/lib/utilsBundle') as { readonly wsServer: MakeServer };

const bytes = Number(process.env.BENCH_UPDATE_BYTES);
const perSecond = Number(process.env.BENCH_UPDATES_PER_SECOND);

/** `GET /?seconds=4` publishes for so long and answers how many updates there were. */
const http = createServer(async (request, response) => {
  const seconds = Number(new URL(request.url ?? '/', 'http://bench').searchParams.get('seconds'));
  response.end(String(await publish(seconds * perSecond)));
});
const sockets = new wsServer({ server: http });

async function publish(updates: number): Promise<number> {
  const started = performance.now();
  for (let update = 0; update < updates; update += 1) {
    const wait = started + (update * 1_000) / perSecond - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const text = JSON.stringify({ at: performance.timeOrigin + performance.now(), update, rest: '' });
    const padded = `${text.slice(0, -2)}${'.'.repeat(bytes - text.length)}"}`;
    for (const client of sockets.clients) client.send(padded);
  }
  return updates;
}

http.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('First answer'));
process.on('SIGTERM', () => process.exit(0));
