import { audit } from '../server/audit.ts';
import { type AppProcess, startApp } from './app-process.ts';
import type { Bench, BenchServer, Measurement } from './bench.types.ts';
import { readProcessorTime } from './conditions.ts';
import { LoadGenerator, type LoadResult } from './http-load.ts';
import { fillPeople, type SignedIn } from './people.ts';
import { median } from './statistics.ts';

const crowd = { members: 10_000, saccos: 20, signedIn: 10_000, topUps: 0 };
const connections = 256;

export const bench: Bench = {
  id: 'B5',
  title: `Durable savings deposits through the whole HTTP stack (session, validation, idempotency key, batch queue): ${connections} connections, 10,000 members of 20 saccos`,
  async run(context): Promise<Measurement[]> {
    const server = await context.startServer();
    const people = await fillPeople(server.url, crowd);
    const before = await depositsIn(server);
    const app = await startApp(server.url);
    const generator = new LoadGenerator();
    const ours: LoadResult[] = [];
    const theirs: number[] = [];
    const costs: [http: number, database: number][] = [];
    const theirCosts: number[] = [];
    let acknowledged = 0;
    try {
      const load = async (seconds: number, seed: number) => {
        const plan = { port: app.port, connections, seconds, seed, requests: people.map(deposit) };
        const result = await generator.run(plan);
        acknowledged += result.answers;
        return result;
      };
      await load(2, 0);
      await server.pgbenchTpcb(3);
      for (let pair = 0; pair < context.pairs; pair += 1) {
        const start = processorTimes(app, server);
        const result = await load(context.seconds, pair + 1);
        const middle = processorTimes(app, server);
        const tps = await server.pgbenchTpcb(context.seconds);
        const end = processorTimes(app, server);
        costs.push([(middle[0] - start[0]) / result.answers, (middle[1] - start[1]) / result.answers]);
        theirCosts.push((end[1] - middle[1]) / (tps * context.seconds));
        ours.push(result);
        theirs.push(tps);
        context.say(`${inWords(result)}, TPC-B ${Math.round(tps)} tps`);
      }
    } finally {
      generator.stop();
      await app.stop();
    }
    const breach = await breachOf(server, (await depositsIn(server)) - before, acknowledged);
    return [
      {
        title: 'deposits/s through HTTP ÷ pgbench TPC-B tps',
        ratios: ours.map((result, index) => rate(result) / (theirs[index] ?? Number.NaN)),
        threshold: { is: 'least', value: 2 },
        details: [
          `medians: ${Math.round(median(ours.map(rate)))} deposits/s, TPC-B ${Math.round(median(theirs))} tps; the load generator, the server and PostgreSQL share the cores`,
          `processor time: ${microseconds(costs.map(([http]) => http))} a deposit in the server and ${microseconds(costs.map(([, database]) => database))} in PostgreSQL; ${microseconds(theirCosts)} a TPC-B transaction in PostgreSQL`,
          `${acknowledged} acknowledged, each found as one journal; the audit is clean`,
        ],
        ...breach,
      },
      {
        title: 'p99 of the same deposits, milliseconds',
        ratios: ours.map(({ p99 }) => p99),
        threshold: { is: 'most', value: 25 },
        details: [
          `with ${connections} requests under way the mean is ${connections} divided by the rate, whatever a single one costs`,
        ],
        ...breach,
      },
    ];
  },
};

const rate = ({ answers, seconds }: LoadResult) => answers / seconds;

/** Of the server's process, and of PostgreSQL. */
function processorTimes(app: AppProcess, { embedded }: BenchServer): [http: number, database: number] {
  return [app.processorTime(), readProcessorTime(embedded.pid) ?? Number.NaN];
}

const microseconds = (values: readonly number[]) => `${median(values).toFixed(0)} µs`;

function inWords(result: LoadResult): string {
  return `${Math.round(rate(result))} deposits/s (p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms)`;
}

function deposit({ token, saccoId }: SignedIn) {
  const body = JSON.stringify({ sacco: saccoId, amount: 1 });
  return { method: 'POST' as const, path: '/api/v1/sacco/savings/deposit', token, body };
}

async function depositsIn({ database }: BenchServer): Promise<number> {
  const [row] = await database.sql<{ count: number }[]>`
    select count(*)::int as count from journals where kind = 'savings_deposited'`;
  return row?.count ?? 0;
}

async function breachOf(server: BenchServer, found: number, acknowledged: number): Promise<{ breach?: string }> {
  if (found !== acknowledged)
    return { breach: `${acknowledged} deposits were acknowledged, ${found} are in the ledger` };
  const broken = (await audit(server.url)).flatMap(({ breach }) => (breach ? [breach.name] : []));
  return broken.length === 0 ? {} : { breach: broken.join('; ') };
}
