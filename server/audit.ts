import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { readConfig } from './config.ts';
import { invariants } from './domains.ts';
import { findDatabase } from './find-database.ts';
import { type Breach, breaches, breachesShown } from './ledger/invariants.ts';
import { newId, realWorld, type World } from './world.ts';

export interface AuditLine {
  readonly name: string;
  readonly breach: Breach | null;
  readonly milliseconds: number;
}

/** Checks every invariant on one snapshot of a database, as its owner; changes nothing. */
export async function audit(
  url: string,
  checked = invariants,
  tell: (line: AuditLine) => void = () => {},
): Promise<AuditLine[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: 'ushirika audit' } });
  try {
    return await sql.begin('isolation level repeatable read read only', async (snapshot) => {
      // Sorting millions of transfers goes to disk rather than to memory, and takes the time that it takes.
      await snapshot`select set_config('statement_timeout', '0', true), set_config('work_mem', '64MB', true)`;
      const lines: AuditLine[] = [];
      for (const invariant of checked) {
        const started = performance.now();
        const [breach] = await breaches(snapshot, [invariant]);
        const line = { name: invariant.name, breach: breach ?? null, milliseconds: performance.now() - started };
        lines.push(line);
        tell(line);
      }
      return lines;
    });
  } finally {
    await sql.end();
  }
}

/**
 * The same, and notes in the database that it ran and what it found, for the operators' page: `npm run audit` and the
 * nightly job of every process do it this way.
 */
export async function auditAndNote(url: string, world: World, tell?: (line: AuditLine) => void): Promise<AuditLine[]> {
  const lines = await audit(url, invariants, tell);
  const broken = lines.filter(({ breach }) => breach).length;
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: 'ushirika audit' } });
  try {
    await sql`insert into audit_runs (id, ran_at, breaches) values (${newId(world)}, ${world.now()}, ${broken})`;
  } finally {
    await sql.end();
  }
  return lines;
}

/** The nightly look at the books; a breach is told to whoever reads the log, and shown to the operators. */
export function auditTasks(databaseUrl: string, world: World) {
  return {
    audit_books: async () => {
      const lines = await auditAndNote(databaseUrl, world);
      const broken = lines.flatMap(({ breach, name }) => (breach ? [name] : []));
      if (broken.length > 0) console.error(`The nightly audit found ${broken.length} broken: ${broken.join('; ')}`);
    },
  };
}

export const auditSchedules = [{ task: 'audit_books', everySeconds: 86_400 }];

/** `npm run audit`: prints a line for each invariant and the rows that break one; the exit code is 1 on any breach. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'postgres'))) {
    throw new Error(`There is no database to audit in ${config.dataDir}: start the product first.`);
  }
  const { url, stop } = await findDatabase(config);
  try {
    const lines = await auditAndNote(url, realWorld, print);
    const broken = lines.filter(({ breach }) => breach).length;
    const verdict = broken === 0 ? `All ${lines.length} invariants hold.` : `${broken} of ${lines.length} are BROKEN.`;
    console.log(`\n${verdict}`);
    process.exitCode = broken === 0 ? 0 : 1;
  } finally {
    await stop();
  }
}

function print({ name, breach, milliseconds }: AuditLine): void {
  console.log(`${breach ? 'BROKEN' : 'holds '} ${milliseconds.toFixed(0).padStart(7)} ms  ${name}`);
  if (!breach) return;
  console.table(breach.rows);
  if (breach.rows.length === breachesShown) console.log(`(the first ${breachesShown} rows)`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main().catch((error: unknown) => {
    console.error((error as Error).message);
    process.exitCode = 1;
  });
}
