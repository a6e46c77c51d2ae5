import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Finds the system's pgbench: PostgreSQL's own measure, which does not come with the embedded server. */
function findPgbench(): string {
  if (spawnSync('pgbench', ['--version']).status === 0) return 'pgbench';
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(debian, version, 'bin', 'pgbench')).find((path) => existsSync(path));
  if (found) return found;
  throw new Error(
    'pgbench is missing: install the package postgresql-contrib (Debian: apt-get install postgresql-contrib).',
  );
}

/** Makes pgbench's tables at scale 20, in the database of the URL. */
export async function initialiseTpcb(url: string): Promise<void> {
  await run(
    findPgbench(),
    ['--initialize', '--scale=20', '--quiet', ...connectionOf(url).arguments],
    connectionOf(url),
  );
}

/** Transactions per second of TPC-B: prepared statements, 16 clients unless told. */
export async function measureTpcb(url: string, seconds: number, clients = 16): Promise<number> {
  const { stdout } = await run(
    findPgbench(),
    [
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${clients}`,
      '--jobs=1',
      `--time=${seconds}`,
      ...connectionOf(url).arguments,
    ],
    connectionOf(url),
  );
  const tps = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  if (!(tps > 0)) throw new Error(`pgbench said nothing of its rate: ${stdout}`);
  return tps;
}

function connectionOf(url: string): { arguments: string[]; env: NodeJS.ProcessEnv } {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    arguments: ['--host', hostname, '--port', port, '--username', username, pathname.slice(1)],
    env: { PATH: process.env.PATH ?? '', PGPASSWORD: password },
  };
}
