import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../server/db/database.ts';
import { startEmbedded } from '../server/db/embedded.ts';
import { migrate } from '../server/db/migrate.ts';
import { realWorld } from '../server/world.ts';
import type { Bench, BenchContext, BenchServer, Measurement } from './bench.types.ts';
import { describeMachine, describeQuiet, measureFdatasync, readCpuTimes, stealPercent } from './conditions.ts';
import { initialiseTpcb, measureTpcb } from './pgbench.ts';
import { median } from './statistics.ts';

/** `npm run bench [-- B1 B2 --pairs=5 --seconds=4]`: every ratio the product is held to, with its conditions. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string', default: '5' }, seconds: { type: 'string', default: '4' } },
});

const benches = await findBenches(positionals);
console.log(`${describeMachine()}; ${describeQuiet()}\n`);
const failed: string[] = [];
for (const bench of benches) {
  console.log(`${bench.id}  ${bench.title}`);
  for (const measurement of await runOne(bench)) if (!report(measurement)) failed.push(bench.id);
  console.log('');
}
console.log(failed.length === 0 ? 'Every threshold is met.' : `Not met: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function findBenches(ids: readonly string[]): Promise<Bench[]> {
  const folder = import.meta.dirname;
  const files = readdirSync(folder).filter((name) => name.endsWith('.bench.ts'));
  const all = await Promise.all(
    files.map(async (name) => ((await import(join(folder, name))) as { bench: Bench }).bench),
  );
  const number = ({ id }: Bench) => Number(id.replace(/\D/g, ''));
  all.sort((a, b) => number(a) - number(b));
  const unknown = ids.filter((id) => !all.some((bench) => bench.id === id));
  if (unknown.length > 0)
    throw new Error(`There is no bench ${unknown.join(', ')}; there are ${all.map(({ id }) => id).join(', ')}.`);
  return ids.length === 0 ? all : all.filter(({ id }) => ids.includes(id));
}

async function runOne(bench: Bench): Promise<readonly Measurement[]> {
  const ends: (() => Promise<void>)[] = [];
  const context: BenchContext = {
    pairs: Number(values.pairs),
    seconds: Number(values.seconds),
    say: (line) => console.log(`    ${line}`),
    startServer: async (options) => {
      const { server, end } = await startServer(options?.poolSize ?? 4);
      ends.push(end);
      return server;
    },
  };
  const before = readCpuTimes();
  try {
    return await bench.run(context);
  } finally {
    console.log(`    stolen by the host: ${stealPercent(before, readCpuTimes())}`);
    for (const end of ends.reverse()) await end();
  }
}

async function startServer(poolSize: number): Promise<{ server: BenchServer; end: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'ushirika-bench-'));
  const embedded = await startEmbedded({ folder });
  await migrate(embedded.url);
  const database = openDatabase({ url: embedded.url, world: realWorld, poolSize });
  const [version] = await database.sql<{ version: string }[]>`select current_setting('server_version') as version`;
  console.log(`    PostgreSQL ${version?.version}, fsync on, ${Math.round(measureFdatasync(folder))} fdatasync/s`);
  let pgbenchUrl: string | null = null;
  const server: BenchServer = {
    embedded,
    database,
    url: embedded.url,
    pgbenchTpcb: async (seconds, clients) => {
      if (!pgbenchUrl) {
        pgbenchUrl = embedded.urlOf('postgres');
        await initialiseTpcb(pgbenchUrl);
        await measureTpcb(pgbenchUrl, 2);
      }
      return measureTpcb(pgbenchUrl, seconds, clients);
    },
  };
  const end = async () => {
    await database.close();
    await embedded.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { server, end };
}

/** Prints one ratio against its threshold; true when it is met. */
function report({ title, ratios, threshold, details, breach }: Measurement): boolean {
  const middle = breach ? 0 : median(ratios);
  const isMet = !breach && (threshold.is === 'least' ? middle >= threshold.value : middle <= threshold.value);
  const range =
    ratios.length > 1
      ? ` (${figure(Math.min(...ratios))} to ${figure(Math.max(...ratios))}, ${ratios.length} pairs)`
      : '';
  const wanted = `${threshold.is === 'least' ? 'at least' : 'at most'} ${threshold.value}`;
  for (const line of details) console.log(`    ${line}`);
  if (breach) console.log(`    AN INVARIANT WAS BROKEN, the run counts as 0: ${breach}`);
  console.log(`  ${isMet ? 'met    ' : 'NOT MET'}  ${title}: ${figure(middle)}${range}, wanted ${wanted}`);
  return isMet;
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
