import net from 'node:net';
import type { LoadPlan, LoadResult } from './http-load.ts';
import { quantile, seeded } from './statistics.ts';

/**
 * The load generator, a process of its own: bare sockets and as little work per request as can be, because it takes its
 * share of the same cores. Each connection sends its next request when it has the whole answer to the one before.
 */
process.on('message', (plan: LoadPlan) => {
  run(plan).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

let runs = 0;

async function run(plan: LoadPlan): Promise<LoadResult> {
  runs += 1;
  const random = seeded(plan.seed);
  const requests = plan.requests.map(halves);
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  let sample = '';
  let sent = 0;
  const prefix = `${process.pid}-${runs}-`;
  const ends = performance.now() + plan.seconds * 1_000;
  const client = (socket: net.Socket): Promise<void> =>
    new Promise((resolve, reject) => {
      let started = 0;
      let pending = '';
      const next = () => {
        started = performance.now();
        if (started >= ends) {
          socket.end();
          resolve();
          return;
        }
        const [before, after] = requests[Math.floor(random() * requests.length)] as [string, string | null];
        sent += 1;
        socket.write(after === null ? before : before + prefix + sent + after, 'latin1');
      };
      socket.on('error', reject);
      socket.on('close', () => (performance.now() < ends ? reject(new Error('The server hung up.')) : resolve()));
      socket.on('data', (chunk) => {
        pending = pending === '' ? chunk.toString('latin1') : pending + chunk.toString('latin1');
        if (!isWhole(pending)) return;
        times.push(performance.now() - started);
        const status = pending.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (sample === '' && !status.startsWith('2')) sample = pending.slice(0, 2_000);
        pending = '';
        next();
      });
      next();
    });
  const sockets = await Promise.all(Array.from({ length: plan.connections }, () => connect(plan.port)));
  const started = performance.now();
  await Promise.all(sockets.map(client));
  return {
    seconds: (performance.now() - started) / 1_000,
    answers: times.length,
    statuses,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    sample,
  };
}

/** An answer is whole when its head has come and as many bytes after it as the head says. */
function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const field = answer.indexOf('content-length: ');
  if (field < 0 || field > head) throw new Error(`An answer without its length: ${answer.slice(0, head)}`);
  return answer.length >= head + 4 + Number.parseInt(answer.slice(field + 16, field + 28), 10);
}

/** The request's text, in two parts where a fresh idempotency key goes between them. */
function halves({ method, path, token, saccoId, body }: LoadPlan['requests'][number]): [string, string | null] {
  const head = `${method} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Token ${token}\r\n${saccoId ? `saccoId: ${saccoId}\r\n` : ''}`;
  if (body === undefined) return [`${head}\r\n`, null];
  const length = Buffer.byteLength(body);
  return [`${head}Content-Type: application/json\r\nContent-Length: ${length}\r\nIdempotency-Key: `, `\r\n\r\n${body}`];
}

function connect(port: number): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}
