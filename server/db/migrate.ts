import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Logger, runMigrations } from 'graphile-worker';
import postgres from 'postgres';

export interface Migration {
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, in hex. */
  readonly checksum: string;
}

const migrationsFolder = fileURLToPath(new URL('./migrations/', import.meta.url));
/**
 * Other checksums under which migrations have landed. No more may be added (tidy/migrations.test.ts): 0101 was edited
 * after it had landed, in a function that 0103 replaces.
 */
const ALSO_LANDED: Readonly<Record<string, string>> = {
  '0101_post_and_write_markets_at_once.sql': '7d3dd9842200331718e7e2bdb3306a31da6e7ce9dea04f941a5b8f1429d48d05',
};
/** Any number works, if every process that migrates uses the same. */
const migrationLock = 7_241_963_001;

/**
 * The migration files of a folder, sorted by number. Two with one number are refused, because their order would be
 * undefined.
 */
export function readMigrations(folder = migrationsFolder): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const numbers = names.map((name) => /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1] ?? '');
  names.forEach((name, index) => {
    if (numbers[index] === '') throw new Error(`A migration is called NNNN_name.sql, not ${name}.`);
    if (numbers.indexOf(numbers[index] ?? '') !== index) throw new Error(`Two migrations have the number of ${name}.`);
  });
  return names.map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
  });
}

/** One checksum over all migrations, for generated types and template databases. */
export function checksumOf(migrations: readonly Migration[]): string {
  const all = migrations.map(({ name, checksum }) => `${name} ${checksum}\n`).join('');
  return createHash('sha256').update(all).digest('hex');
}

/**
 * A migration that waits for a lock makes all others wait behind it, sign-in too: it gives up after this long, lets them
 * pass, and tries again.
 */
const LOCK_TIMEOUT_MS = 1_000;
const PAUSE_MS = 1_000;
/** A transaction that holds a lock for longer than ten minutes of tries does not end by itself. */
const TRIES_MAX = 300;
const LOCK_NOT_AVAILABLE = '55P03';
/** The first line of a file that runs outside a transaction, such as one with `create index concurrently`. */
const OUTSIDE_TRANSACTION = '-- outside a transaction';

/**
 * Migrates a database, as its owner: each file once, in order, in its own transaction. Several processes may call it at
 * once: one works, the others wait. A file that changed after it ran is refused. Servers of the old version go on
 * serving: no statement waits longer than `lockTimeoutMs` for a lock. Returns the names of the migrations that ran now.
 */
export async function migrate(
  url: string,
  migrations: readonly Migration[] = readMigrations(),
  lockTimeoutMs = LOCK_TIMEOUT_MS,
): Promise<string[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: 'ushirika migrate' } });
  try {
    await sql`select pg_advisory_lock(${migrationLock}::bigint)`;
    await runMigrations({ connectionString: url, logger: new Logger(() => () => {}) });
    return await applyMissing(sql, migrations, lockTimeoutMs);
  } finally {
    await sql.end();
  }
}

async function applyMissing(
  sql: postgres.Sql,
  migrations: readonly Migration[],
  lockTimeoutMs: number,
): Promise<string[]> {
  await sql`create schema if not exists migration`;
  await sql`
    create table if not exists migration.applied (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`;
  const applied = await sql<{ name: string; checksum: string }[]>`select name, checksum from migration.applied`;
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  refuseUnknown(migrations, checksums);
  const ran: string[] = [];
  for (const migration of migrations.filter((each) => !checksums.has(each.name))) {
    const { name, text } = migration;
    const apply = text.startsWith(OUTSIDE_TRANSACTION) ? applyByStatement : applyAtOnce;
    await untilLocked(name, () => apply(sql, migration, lockTimeoutMs)).catch((error: unknown) => {
      throw new Error(`The migration ${name} failed: ${(error as Error).message}`, { cause: error });
    });
    ran.push(name);
  }
  return ran;
}

async function applyAtOnce(sql: postgres.Sql, { name, text, checksum }: Migration, lockTimeoutMs: number) {
  await sql.begin(async (tx) => {
    await tx.unsafe(`set local lock_timeout = ${lockTimeoutMs}`);
    await tx.unsafe(text).simple();
    await tx`insert into migration.applied (name, checksum) values (${name}, ${checksum})`;
  });
}

/**
 * Runs statement after statement, each by itself; a statement ends with `;` at the end of a line. After a failure all of
 * them run again, so each must be one that may be repeated: `drop index concurrently if exists` before `create index concurrently`.
 */
async function applyByStatement(sql: postgres.Sql, { name, text, checksum }: Migration) {
  for (const statement of text.split(/;[ \t]*$/m).filter((each) => each.trim() !== '')) {
    await sql.unsafe(statement).simple();
  }
  await sql`insert into migration.applied (name, checksum) values (${name}, ${checksum})`;
}

async function untilLocked(name: string, apply: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await apply();
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || tries === TRIES_MAX) throw error;
      if (tries === 1)
        console.warn(`The migration ${name} waits for other transactions to end, and lets requests pass.`);
      await sleep(PAUSE_MS);
    }
  }
}

function refuseUnknown(migrations: readonly Migration[], checksums: ReadonlyMap<string, string>): void {
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  for (const [name, checksum] of checksums) {
    if (!known.has(name)) throw new Error(`The database has the migration ${name}, which this version does not know.`);
    if (known.get(name) !== checksum && ALSO_LANDED[name] !== checksum) {
      throw new Error(`The migration ${name} was changed after it ran. Restore it and add a new one instead.`);
    }
  }
}
