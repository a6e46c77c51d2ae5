import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { freePort } from '../server/db/embedded.ts';
import { readProcessorTime } from './conditions.ts';

/** The product, or a part of it, as a process of its own. */
export interface AppProcess {
  readonly port: number;
  /** Microseconds of processor time that the process has used so far, all its threads together. */
  processorTime(): number;
  stop(): Promise<void>;
}

const server = join(import.meta.dirname, '../server/main.ts');

/** Starts the product as it runs in production, on a database that is there; only the limits per minute are off. */
export function startApp(databaseUrl: string): Promise<AppProcess> {
  return startProgram(server, {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: '00'.repeat(32),
    RATE_LIMITS: '0',
    // Nothing outside is called: the simulator stands where M-Pesa would.
    SIMULATOR: '1',
    DEMO: '0',
  });
}

/** Starts a program that serves on `PORT` and says "First answer" when it does. */
export async function startProgram(path: string, settings: NodeJS.ProcessEnv): Promise<AppProcess> {
  const port = await freePort();
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const flags = process.env.BENCH_NODE_FLAGS?.split(' ') ?? [];
  const child = spawn(process.execPath, [...flags, path], {
    env: { PATH, NODE_COMPILE_CACHE, PORT: String(port), ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('First answer')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`${basename(path)} ended with ${code}: ${said}`)));
  });
  return {
    port,
    processorTime: () => readProcessorTime(child.pid ?? 0) ?? Number.NaN,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
