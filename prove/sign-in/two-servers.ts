import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../server/db/database.ts';
import { copyTemplate, type TestDatabase } from '../../server/db/test-copy.ts';
import type { Gatekeepers } from '../../server/http/admit.ts';
import { realWorld, type World } from '../../server/world.ts';
import { startProduct } from '../support/product.ts';

const SERVER_PROGRAM = fileURLToPath(new URL('../../server/main.ts', import.meta.url));

/** Two servers of the product on one database, by their addresses. */
export interface TwoServers {
  readonly database: TestDatabase;
  readonly origins: readonly [string, string];
  close(): Promise<void>;
}

/** Both in this process, each with its own connections and memory, which share nothing but the database. */
export async function twoHouses(serverUrl: string, cacheMs: number): Promise<TwoServers> {
  const database = await copyTemplate(serverUrl, { poolSize: 10 });
  const { url, world, owner } = database;
  const second = Object.assign(openDatabase({ url, world, poolSize: 6 }), { url, world, owner });
  const replaced = () => (cacheMs > 0 ? { gatekeepers: (ours: Gatekeepers) => remembering(ours, world, cacheMs) } : {});
  const products = [await startProduct(database, {}, replaced()), await startProduct(second, {}, replaced())] as const;
  return {
    database,
    origins: [products[0].origin, products[1].origin],
    close: async () => {
      await products[1].close();
      await products[0].close();
    },
  };
}

/** The negative control: who a token is, is remembered for so long by the product's own clock. */
function remembering(ours: Gatekeepers, world: World, forMs: number): Gatekeepers {
  const known = new Map<string, { at: number; session: ReturnType<Gatekeepers['readSession']> }>();
  return {
    ...ours,
    readSession: (token, options) => {
      const remembered = known.get(token);
      const at = world.now().getTime();
      if (remembered && at - remembered.at < forMs) return remembered.session;
      const session = ours.readSession(token, options);
      known.set(token, { at, session });
      return session;
    },
  };
}

/** Two processes of `server/main.ts`. */
export async function twoProcesses(serverUrl: string): Promise<TwoServers> {
  const world = { ...realWorld, advance: () => {}, setNow: () => {} };
  const database = await copyTemplate(serverUrl, { world, poolSize: 10 });
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'ushirika-sign-in-'));
  const children: ChildProcess[] = [];
  const launched = async () => {
    const port = await freePort();
    children.push(await launch(port, { DATABASE_URL: database.url, DATA_DIR: folder }));
    return `http://127.0.0.1:${port}`;
  };
  const origins = [await launched(), await launched()] as const;
  return {
    database,
    origins,
    close: async () => {
      await Promise.all(children.map(end));
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launch(port: number, env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const settings = { PORT: String(port), DEMO: '0', RATE_LIMITS: '0', SIMULATOR_AUTO: 'off', LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [SERVER_PROGRAM], {
    env: { PATH: process.env.PATH, ...settings, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: string[] = [];
  child.stdout?.on('data', (data) => said.push(String(data)));
  const latest = performance.now() + 120_000;
  while (!said.join('').includes('First answer after')) {
    if (child.exitCode !== null || performance.now() > latest) throw new Error(`It did not start: ${said.join('')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), 30_000);
  await ended;
  clearTimeout(patience);
}

async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as net.AddressInfo;
  probe.close();
  return port;
}
