import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./life.program.ts', import.meta.url));

export interface ServerProcess {
  readonly port: number;
  /** Bytes of memory that it has now. */
  rss(): number;
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
  readonly isRunning: boolean;
  /** Its exit code; null after a signal. */
  readonly ended: Promise<number | null>;
  /** What it wrote. */
  said(): string;
}

/** Starts the product on a database of somebody else's. */
export async function startServer(databaseUrl: string, env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'ushirika-life-'));
  const said: string[] = [];
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      DEMO: '0',
      RATE_LIMITS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => said.push(String(data)));
  const ended = once(child, 'exit').then(([code]) => {
    rmSync(folder, { recursive: true, force: true });
    return code as number | null;
  });
  await untilUp(child, () => said.join(''));
  return {
    port,
    ended,
    rss: () => rssOf(child.pid ?? 0),
    signal: (name) => void child.kill(name),
    get isRunning() {
      return isRunning(child);
    },
    said: () => said.join(''),
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

async function untilUp(child: ChildProcess, said: () => string): Promise<void> {
  while (isRunning(child) && !said().includes('First answer after')) await wait(20);
  if (!isRunning(child)) throw new Error(`The server did not start: ${said()}`);
}

function rssOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as net.AddressInfo;
  probe.close();
  return port;
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
