import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { type Config, readConfig } from './config.ts';
import { runningUrl, startEmbedded } from './db/embedded.ts';
import { FolderInUse } from './db/folder-lock.ts';
import { sharesInvariants } from './domains/shares/shares.invariants.ts';
import { type Breach, breaches, breachesShown, type Invariant, ledgerInvariants } from './ledger/invariants.ts';

/** Everything that is checked. A domain's own list is added here. */
export const invariants: readonly Invariant[] = [...ledgerInvariants, ...sharesInvariants];

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

/** `npm run audit`: prints a line for each invariant and the rows that break one; the exit code is 1 on any breach. */
async function main(): Promise<void> {
  const { url, stop } = await findDatabase(readConfig(process.env));
  try {
    const lines = await audit(url, invariants, print);
    const broken = lines.filter(({ breach }) => breach).length;
    const verdict = broken === 0 ? `All ${lines.length} invariants hold.` : `${broken} of ${lines.length} are BROKEN.`;
    console.log(`\n${verdict}`);
    process.exitCode = broken === 0 ? 0 : 1;
  } finally {
    await stop();
  }
}

/** The configured server, or the embedded one: started for the audit, or joined where the product is running. */
async function findDatabase(config: Config): Promise<{ url: string; stop: () => Promise<void> }> {
  if (config.databaseUrl) return { url: config.databaseUrl, stop: async () => {} };
  const folder = join(config.dataDir, 'postgres');
  if (!existsSync(folder))
    throw new Error(`There is no database to audit in ${config.dataDir}: start the product first.`);
  try {
    const server = await startEmbedded({ folder });
    return { url: server.url, stop: () => server.stop() };
  } catch (error) {
    const url = error instanceof FolderInUse ? runningUrl(folder) : null;
    if (!url) throw error;
    return { url, stop: async () => {} };
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
