import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../server/db/database.ts';
import { freePort } from '../../server/db/embedded.ts';
import { copyTemplate, type TestDatabase } from '../../server/db/test-copy.ts';
import type { Gatekeepers } from '../../server/http/admit.ts';
import { realWorld, type World } from '../../server/world.ts';
import { startProduct } from '../support/product.ts';
import { ServerProcess } from '../support/server-process.ts';

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

/** Processes of `server/main.ts`, or of a program that stands in its place, on one database. */
export async function processes(serverUrl: string, count: number, program?: string) {
  const world = { ...realWorld, advance: () => {}, setNow: () => {} };
  const database: TestDatabase = await copyTemplate(serverUrl, { world, poolSize: 10 });
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'ushirika-sign-in-'));
  const env = { DATABASE_URL: database.url, DATA_DIR: folder, SIMULATOR_AUTO: 'off', LOG_LEVEL: 'error' };
  const servers: ServerProcess[] = [];
  while (servers.length < count) {
    const server = new ServerProcess({ port: await freePort(), env, ...(program ? { program } : {}) });
    servers.push(server);
    await server.untilUp();
  }
  return {
    database,
    origins: servers.map(({ origin }) => origin),
    close: async () => {
      await Promise.all(servers.map((server) => server.end()));
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function twoProcesses(serverUrl: string): Promise<TwoServers> {
  const { origins, ...both } = await processes(serverUrl, 2);
  const [first = '', second = ''] = origins;
  return { ...both, origins: [first, second] };
}
