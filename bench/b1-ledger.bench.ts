import { breaches } from '../server/ledger/invariants.ts';
import { type BatchLoad, outstanding } from './batch-load.ts';
import type { Bench, BenchServer, Measurement } from './bench.types.ts';
import { readProcessorTime } from './conditions.ts';
import { loadLedger, openWallets, randomPairs } from './ledger-load.ts';
import { median } from './statistics.ts';

export const bench: Bench = {
  id: 'B1',
  title:
    'Durable transfers per second through post in batches: 100,000 accounts drawn by Zipf, overdraft rule, unique keys',
  async run(context): Promise<Measurement[]> {
    const server = await context.startServer();
    const { wallets } = await openWallets(server.database);
    await loadLedger(server.database, 2, randomPairs(wallets, 0));
    await server.pgbenchTpcb(1);
    const ours: BatchLoad[] = [];
    const theirs: number[] = [];
    const costs: number[] = [];
    const theirCosts: number[] = [];
    for (let pair = 0; pair < context.pairs; pair += 1) {
      const start = processorTime(server);
      const load = await loadLedger(server.database, context.seconds, randomPairs(wallets, pair + 1));
      const middle = processorTime(server);
      const tps = await server.pgbenchTpcb(context.seconds);
      const end = processorTime(server);
      costs.push((middle.server + middle.client - start.server - start.client) / load.done);
      theirCosts.push((end.server - middle.server) / (tps * context.seconds));
      ours.push(load);
      theirs.push(tps);
      context.say(`${Math.round(load.perSecond)} transfers/s (${loadInWords(load)}), TPC-B ${Math.round(tps)} tps`);
    }
    return [
      {
        title: 'transfers/s ÷ pgbench TPC-B tps',
        ratios: ours.map(({ perSecond }, index) => perSecond / (theirs[index] ?? Number.NaN)),
        threshold: { is: 'least', value: 10 },
        details: [
          `medians: ${Math.round(median(ours.map(({ perSecond }) => perSecond)))} transfers/s with ${outstanding} under way, TPC-B ${Math.round(median(theirs))} tps`,
          `processor time: ${median(costs).toFixed(1)} µs a transfer, its client's included; ${median(theirCosts).toFixed(0)} µs a TPC-B transaction, its client's left out: ${(median(theirCosts) / median(costs)).toFixed(1)} times`,
        ],
        ...(await breachOf(server)),
      },
    ];
  },
};

/** Of PostgreSQL, and of this process: the client. */
function processorTime({ embedded }: BenchServer): { server: number; client: number } {
  const { user, system } = process.cpuUsage();
  return { server: readProcessorTime(embedded.pid) ?? Number.NaN, client: user + system };
}

export function loadInWords({ batchSize, batchP50, batchP99, refused }: BatchLoad): string {
  return `batches of ${batchSize.toFixed(0)}, p50 ${batchP50.toFixed(1)} ms, p99 ${batchP99.toFixed(1)} ms, ${refused} overdrafts refused`;
}

/** The ledger's own audit at the end of a run: a figure that breaks an invariant is worth nothing. */
export async function breachOf({ database }: BenchServer): Promise<{ breach?: string }> {
  const found = await database.sql.begin(async (snapshot) => {
    await snapshot`set local statement_timeout = 0`;
    return breaches(snapshot);
  });
  return found.length === 0 ? {} : { breach: found.map(({ name }) => name).join('; ') };
}
