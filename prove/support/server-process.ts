import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sleep, whateverHappens } from './waiting.ts';

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
const START_MS_MAX = 120_000;
const END_MS_MAX = 30_000;

export interface ServerSettings {
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  /** `server/main.ts` unless another stands in its place. */
  readonly program?: string;
}

/** The real product as a process of its own, without the demonstration data. It never outlives the one that began it. */
export class ServerProcess {
  readonly port: number;
  /** Its exit code; null after a signal. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  readonly #said: string[] = [];

  /** Begins it. With the fault points of `server/faults.ts`, which do nothing unless `FAULTS` names them. */
  constructor({ port, env, program = MAIN }: ServerSettings) {
    this.port = port;
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const child = spawn(process.execPath, ['--conditions=proving', program], {
      env: { PATH, NODE_COMPILE_CACHE, PORT: String(port), DEMO: '0', RATE_LIMITS: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => this.#said.push(String(data)));
    const ending = whateverHappens(() => this.signal('SIGKILL'));
    this.ended = once(child, 'exit').then(([code]) => {
      ending.done();
      return code as number | null;
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** All that it wrote. */
  get said(): string {
    return this.#said.join('');
  }

  /** Bytes of memory that it has now. */
  rss(): number {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) * 1024;
  }

  /** Waits for its first answer; throws with what it said where it ends before that, or takes too long. */
  async untilUp(): Promise<void> {
    const latest = performance.now() + START_MS_MAX;
    while (!this.said.includes('First answer after')) {
      if (!this.isRunning || performance.now() > latest) throw new Error(`The server did not start: ${this.said}`);
      await sleep(20);
    }
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    this.#child.kill(name);
  }

  /** -9: no handler runs, nothing is written down in time. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended;
  }

  /** Ends it kindly, and at once where it does not end. */
  async end(): Promise<void> {
    this.signal('SIGTERM');
    const patience = setTimeout(() => this.signal('SIGKILL'), END_MS_MAX);
    await this.ended;
    clearTimeout(patience);
  }
}
