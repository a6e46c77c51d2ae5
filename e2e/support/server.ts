import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../../..');

export interface RunningServer {
  readonly url: string;
  readonly dataFolder: string;
  readonly pid: number;
  /** What it has printed so far. */
  output(): string;
  /** kill -9, as a power cut would. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** An existing data folder to go on with; a new empty one unless given, removed at the end. */
  readonly dataFolder?: string;
  /** A free one unless told. */
  readonly port?: number;
  readonly env?: Record<string, string>;
  /** The time that its start may take; the demonstration data needs more. */
  readonly patienceMs?: number;
}

/** Starts the product as `npm start` does, without the demonstration data, and waits until it answers. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'ushirika-e2e-')));
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: url,
      DATA_DIR: dataFolder,
      DEMO: '0',
      RATE_LIMITS: '0',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      printed += String(chunk);
    });
  try {
    await untilItAnswers(url, child, options.patienceMs ?? 60_000);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`The server did not start: ${String(error)}\n${printed}`);
  }
  return {
    url,
    dataFolder,
    pid: child.pid ?? 0,
    output: () => printed,
    async kill() {
      child.kill('SIGKILL');
      await ended(child);
    },
    async stop() {
      child.kill('SIGTERM');
      await ended(child);
      if (!options.dataFolder) await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function untilItAnswers(url: string, child: ChildProcess, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    try {
      const reply = await fetch(`${url}/api/v1/public/figures`);
      if (reply.ok) return;
    } catch {
      // Not yet.
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`it gave no answer within ${patienceMs / 1_000} s`);
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (!address || typeof address === 'string') throw new Error('no port');
  return address.port;
}
