import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runningUrl } from '../../server/db/embedded.ts';
import { sleep, whateverHappens } from './part.ts';

export const SERVER_PROGRAM = fileURLToPath(new URL('../../server/main.ts', import.meta.url));

export interface ProductSettings {
  /** Where its data is; a temporary one unless given. */
  readonly folder?: string;
  /** `server/main.ts` unless a negative control puts another in its place. */
  readonly program?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The real product as a process of its own, which can be killed and started again on the same folder and port. */
export class ProductProcess {
  readonly folder: string;
  readonly said: string[] = [];
  readonly #settings: ProductSettings;
  #port = 0;
  #child: ChildProcess | null = null;
  #undo = { done: () => {} };

  constructor(settings: ProductSettings = {}) {
    this.#settings = settings;
    this.folder = settings.folder ?? mkdtempSync(join(realpathSync(tmpdir()), 'ushirika-crash-'));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/api/v1`;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts it and waits for its first answer. With the fault points, which do nothing unless `FAULTS` names them. */
  async launch(): Promise<void> {
    if (this.#port === 0) this.#port = await freePort();
    const from = this.said.length;
    const child = spawn(process.execPath, ['--conditions=proving', this.#settings.program ?? SERVER_PROGRAM], {
      env: {
        PATH: process.env.PATH,
        PORT: String(this.#port),
        DATA_DIR: this.folder,
        DEMO: '0',
        RATE_LIMITS: '0',
        SIMULATOR_AUTO: 'approve',
        LOG_LEVEL: 'error',
        ...this.#settings.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#undo.done();
    this.#undo = whateverHappens(() => this.#endAtOnce());
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => this.said.push(String(data)));
    const words = () => this.said.slice(from).join('');
    const latest = performance.now() + 120_000;
    while (!words().includes('First answer after')) {
      if (!this.isRunning || performance.now() > latest) throw new Error(`The server did not start: ${words()}`);
      await sleep(20);
    }
  }

  /** -9: no handler runs, nothing is written down in time. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || !this.isRunning) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Ends it kindly, PostgreSQL with it; whatever does not end is killed by its own id. The folder goes away. */
  async end(): Promise<void> {
    const child = this.#child;
    if (child && this.isRunning) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const patience = setTimeout(() => child.kill('SIGKILL'), 30_000);
      await ended;
      clearTimeout(patience);
    }
    await this.killPostgres();
    this.#undo.done();
    if (this.#settings.folder) return;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  #endAtOnce(): void {
    this.#child?.kill('SIGKILL');
    const { postmaster } = this;
    if (postmaster > 0) for (const pid of [postmaster, ...childrenOf(postmaster)]) signal(pid);
    if (!this.#settings.folder) rmSync(this.folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });
  }

  get cluster(): string {
    const folder = join(this.folder, 'postgres');
    const pointer = join(folder, 'location');
    return join(existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : folder, 'cluster');
  }

  /** The postmaster's id; 0 where none runs. */
  get postmaster(): number {
    return postmasterOf(this.cluster);
  }

  /** -9 to the postmaster and each of its children. */
  async killPostgres(): Promise<void> {
    await killPostmaster(this.postmaster);
  }

  /** The owner's connection, past the product. */
  get ownerUrl(): string {
    const found = runningUrl(join(this.folder, 'postgres'));
    if (!found) throw new Error('PostgreSQL is not running.');
    return found;
  }

  /** How often a fault point of the process has fired, by its own words. */
  faults(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const [, point = ''] of this.said.join('').matchAll(/^fault (\w+)$/gm))
      counts[point] = (counts[point] ?? 0) + 1;
    return counts;
  }
}

export function postmasterOf(cluster: string): number {
  try {
    const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return isAlive(pid) ? pid : 0;
  } catch {
    return 0;
  }
}

/** -9 to a postmaster and its children, and waits until they are gone. */
export async function killPostmaster(postmaster: number): Promise<void> {
  if (postmaster === 0) return;
  const all = [postmaster, ...childrenOf(postmaster)];
  for (const pid of all) signal(pid);
  while (all.some(isAlive)) await sleep(5);
}

/** -9 to one process; false where it was gone already. */
export function signal(pid: number): boolean {
  // 0 and below would be our own group, or everybody.
  if (!(pid > 1)) throw new Error(`${pid} is no process to kill.`);
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}

/**
 * -9 to one process of PostgreSQL's. Its postmaster then ends all the others and begins anew: resolves when they are
 * gone, since until it has noticed it would still take connections, and break them.
 */
export async function killBackend(postmaster: number, pid: number): Promise<boolean> {
  const others = childrenOf(postmaster);
  if (!signal(pid)) return false;
  const latest = performance.now() + 30_000;
  while (others.some(isAlive) && performance.now() < latest) await sleep(5);
  return true;
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => parentOf(pid) === parent)
    .map(Number);
}

function parentOf(pid: string): number {
  try {
    // The name in brackets may hold anything; the parent is the second field after it.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return 0;
  }
}

/** A process that has ended and that nobody has looked after yet is no longer alive. */
function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0] !== 'Z';
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as net.AddressInfo;
  probe.close();
  return port;
}
