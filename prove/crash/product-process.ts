import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, runningUrl } from '../../server/db/embedded.ts';
import { copyPrepared } from '../../server/db/test-server.ts';
import { ServerProcess } from '../support/server-process.ts';
import { sleep, whateverHappens } from '../support/waiting.ts';

interface ProductSettings {
  /** Where its data is; a temporary one unless given. */
  readonly folder?: string;
  /** A stopped cluster that it goes on with; without one it makes its own. */
  readonly prepared?: string;
  /** `server/main.ts` unless a negative control puts another in its place. */
  readonly program?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** For negative controls: the server that is broken as `BROKEN` says. */
export const BROKEN_SERVER = {
  program: fileURLToPath(new URL('./broken-server.program.ts', import.meta.url)),
} as const;
/** The one that answers before it commits. */
export const ANSWERS_EARLY = { ...BROKEN_SERVER, env: { BROKEN: 'acknowledged-before-commit' } } as const;

/** The real product with its data folder, which can be killed and started again on the same folder and port. */
export class ProductProcess {
  readonly folder: string;
  readonly #settings: ProductSettings;
  readonly #launched: ServerProcess[] = [];
  #port = 0;
  #undo = { done: () => {} };

  constructor(settings: ProductSettings = {}) {
    this.#settings = settings;
    this.folder = settings.folder ?? mkdtempSync(join(realpathSync(tmpdir()), 'ushirika-crash-'));
    if (settings.prepared) copyPrepared(settings.prepared, join(this.folder, 'postgres'));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/api/v1`;
  }

  get isRunning(): boolean {
    return this.#server?.isRunning ?? false;
  }

  /** All that it wrote, from its first start on. */
  get said(): string {
    return this.#launched.map(({ said }) => said).join('');
  }

  get #server(): ServerProcess | undefined {
    return this.#launched.at(-1);
  }

  /** Starts it and waits for its first answer. */
  async launch(): Promise<void> {
    if (this.#port === 0) this.#port = await freePort();
    const env = { DATA_DIR: this.folder, SIMULATOR_AUTO: 'approve', LOG_LEVEL: 'error', ...this.#settings.env };
    const { program } = this.#settings;
    const server = new ServerProcess({ port: this.#port, env, ...(program ? { program } : {}) });
    this.#launched.push(server);
    this.#undo.done();
    this.#undo = whateverHappens(() => this.#endAtOnce());
    await server.untilUp();
  }

  async kill(): Promise<void> {
    await this.#server?.kill();
  }

  /** Ends it kindly, PostgreSQL with it; whatever does not end is killed by its own id. The folder goes away. */
  async end(): Promise<void> {
    await this.#server?.end();
    await this.killPostgres();
    this.#undo.done();
    if (this.#settings.folder) return;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  #endAtOnce(): void {
    this.#server?.signal('SIGKILL');
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
    for (const [, point = ''] of this.said.matchAll(/^fault (\w+)$/gm)) counts[point] = (counts[point] ?? 0) + 1;
    return counts;
  }
}

function postmasterOf(cluster: string): number {
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
