import { audit } from '../server/audit.ts';
import { tellTraders } from '../server/domains/market/tend-markets.ts';
import { trade } from '../server/domains/market/trade.ts';
import { startApp } from './app-process.ts';
import type { Bench, BenchContext, BenchServer, Measurement } from './bench.types.ts';
import { readProcessorTime } from './conditions.ts';
import { LoadGenerator, type LoadResult } from './http-load.ts';
import { auditIsDone, deepenBook, loadMarkets, type MarketLoad, randomOrders, withoutSms } from './market-load.ts';
import { fillPeople, type SignedIn } from './people.ts';
import { median } from './statistics.ts';

const crowd = { members: 10_000, saccos: 10, signedIn: 10_000, topUps: 0 };
const connections = 256;
const book = { deep: 1_000_000, shallow: 1_000 };

/** Orders of members in ten markets, each matched, paid, entered in the register and told, in its own commit's batch. */
export const bench: Bench = {
  id: 'B7',
  title:
    'Orders durably placed, matched and fully settled in the ledger: 10 markets, 10,000 members, about 0.7 trades an order',
  async run(context): Promise<Measurement[]> {
    const server = await context.startServer();
    const people = await fillPeople(server.url, crowd);
    await withoutSms(server.url);
    // Everybody's accounts are opened and the plans are made as in a market that has been open for a while.
    await loadMarkets(server.database, 4 * context.seconds, randomOrders(people, 0));
    await server.pgbenchTpcb(2);
    return [
      await inBatches(context, server, people),
      await throughHttp(context, server, people),
      await alone(context, server, people),
      await inDeepBooks(context),
    ];
  },
};

async function inBatches(
  context: BenchContext,
  server: BenchServer,
  people: readonly SignedIn[],
): Promise<Measurement> {
  const ours: MarketLoad[] = [];
  const theirs: number[] = [];
  const costs: [node: number, database: number][] = [];
  for (let pair = 0; pair < context.pairs; pair += 1) {
    const before = processorTimes(server);
    const load = await loadMarkets(server.database, context.seconds, randomOrders(people, pair + 1));
    const after = processorTimes(server);
    const tps = await server.pgbenchTpcb(context.seconds);
    ours.push(load);
    theirs.push(tps);
    costs.push([(after[0] - before[0]) / load.done, (after[1] - before[1]) / load.done]);
    context.say(`${inWords(load)}, TPC-B ${Math.round(tps)} tps`);
  }
  return {
    title: 'orders/s settled ÷ pgbench TPC-B tps',
    ratios: ours.map(({ perSecond }, index) => perSecond / (theirs[index] ?? Number.NaN)),
    threshold: { is: 'least', value: 2.5 },
    details: [
      `medians: ${Math.round(median(ours.map(({ perSecond }) => perSecond)))} orders/s, TPC-B ${Math.round(median(theirs))} tps`,
      `processor time: ${microseconds(costs.map(([node]) => node))} an order in Node, its caller's included, ${microseconds(costs.map(([, database]) => database))} in PostgreSQL`,
    ],
    ...(await breachOf(server)),
  };
}

async function throughHttp(
  context: BenchContext,
  server: BenchServer,
  people: readonly SignedIn[],
): Promise<Measurement> {
  // What the batch queues have traded is told first: the server's own job would do it meanwhile.
  await tellTraders(server.database);
  await auditIsDone(server.url);
  const app = await startApp(server.url);
  const generator = new LoadGenerator();
  const ours: LoadResult[] = [];
  const theirs: number[] = [];
  const drawOne = randomOrders(people, 77);
  const tokens = new Map(people.map(({ userId, token }) => [userId, token]));
  const requests = Array.from({ length: 50_000 }, () => {
    const command = drawOne();
    if (command.kind !== 'place') throw new Error('The load places orders.');
    const { saccoId: sacco, side, shares, priceCents } = command;
    const body = JSON.stringify({ sacco, side, shares, price: priceCents / 100 });
    const token = tokens.get(command.userId) ?? '';
    return { method: 'POST' as const, path: '/api/v1/sacco/order-book-items', token, body };
  });
  try {
    const load = (seconds: number, seed: number) =>
      generator.run({ port: app.port, connections, seconds, seed, requests, mayBeRefused: true });
    await load(2, 0);
    for (let pair = 0; pair < context.pairs; pair += 1) {
      const result = await load(context.seconds, pair + 1);
      const tps = await server.pgbenchTpcb(context.seconds);
      ours.push(result);
      theirs.push(tps);
      context.say(
        `${Math.round(placedOf(result))} orders/s through HTTP (p99 ${result.p99.toFixed(0)} ms), TPC-B ${Math.round(tps)} tps`,
      );
    }
  } finally {
    generator.stop();
    await app.stop();
  }
  return {
    title: `orders/s through HTTP with session, validation and key, ${connections} connections ÷ pgbench TPC-B tps`,
    ratios: ours.map((result, index) => placedOf(result) / (theirs[index] ?? Number.NaN)),
    threshold: { is: 'least', value: 1 },
    details: [
      `medians: ${Math.round(median(ours.map(placedOf)))} orders/s, p99 ${median(ours.map(({ p99 }) => p99)).toFixed(0)} ms, TPC-B ${Math.round(median(theirs))} tps`,
    ],
    ...(await breachOf(server)),
  };
}

const placedOf = ({ statuses, seconds }: LoadResult) => (statuses['201'] ?? 0) / seconds;

/** One order after the other, nothing else going on: what a person waits for, without HTTP. */
async function alone(context: BenchContext, server: BenchServer, people: readonly SignedIn[]): Promise<Measurement> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const draw = randomOrders(people, 99);
  for (let pair = 0; pair < context.pairs; pair += 1) {
    const ends = performance.now() + context.seconds * 1_000;
    let orders = 0;
    const started = performance.now();
    while (performance.now() < ends) {
      await server.database.transaction((tx) => trade(tx, [draw()]));
      orders += 1;
    }
    ours.push((performance.now() - started) / orders);
    theirs.push(1_000 / (await server.pgbenchTpcb(context.seconds, 1)));
  }
  return {
    title: 'milliseconds of one order, nothing else going on ÷ one pgbench TPC-B transaction of 1 client',
    ratios: ours.map((milliseconds, index) => milliseconds / (theirs[index] ?? Number.NaN)),
    threshold: { is: 'most', value: 3 },
    details: [`medians: ${median(ours).toFixed(2)} ms an order, ${median(theirs).toFixed(2)} ms a TPC-B transaction`],
  };
}

/** Two servers by turns: the same orders where a thousand rest, and where a million do. */
async function inDeepBooks(context: BenchContext): Promise<Measurement> {
  const servers = [];
  for (const resting of [book.shallow, book.deep]) {
    const server = await context.startServer();
    const people = await fillPeople(server.url, { ...crowd, members: 40_000 });
    await deepenBook(server.database, server.url, resting);
    await loadMarkets(server.database, context.seconds, randomOrders(people, 0));
    servers.push({ server, people });
  }
  const ratios: number[] = [];
  const said: string[] = [];
  for (let pair = 0; pair < context.pairs; pair += 1) {
    const costs: number[] = [];
    for (const { server, people } of servers) {
      const before = processorTimes(server);
      const load = await loadMarkets(server.database, context.seconds, randomOrders(people, pair + 1));
      const after = processorTimes(server);
      costs.push((after[0] - before[0] + after[1] - before[1]) / load.done);
    }
    ratios.push((costs[1] ?? Number.NaN) / (costs[0] ?? Number.NaN));
    said.push(costs.map((cost) => cost.toFixed(0)).join(' and '));
  }
  const breaches = await Promise.all(servers.map(({ server }) => breachOf(server)));
  return {
    title: `processor time of an order at ${book.deep.toLocaleString('en')} resting orders ÷ at ${book.shallow.toLocaleString('en')}`,
    ratios,
    threshold: { is: 'most', value: 1.2 },
    details: [`µs an order, Node and PostgreSQL: ${said.join('; ')}`],
    ...(breaches.find(({ breach }) => breach) ?? {}),
  };
}

/** Of this process, and of PostgreSQL. */
function processorTimes({ embedded }: BenchServer): [node: number, database: number] {
  const { user, system } = process.cpuUsage();
  return [user + system, readProcessorTime(embedded.pid) ?? Number.NaN];
}

const microseconds = (values: readonly number[]) => `${median(values).toFixed(0)} µs`;

function inWords({ perSecond, trades, done, refused, batchSize, batchP50, batchP99 }: MarketLoad): string {
  return `${Math.round(perSecond)} orders/s, ${(trades / done).toFixed(2)} trades an order, ${refused} refused, batches of ${batchSize.toFixed(0)}, p50 ${batchP50.toFixed(0)} ms, p99 ${batchP99.toFixed(0)} ms`;
}

async function breachOf(server: BenchServer): Promise<{ breach?: string }> {
  const broken = (await audit(server.url)).flatMap(({ breach }) => (breach ? [breach.name] : []));
  return broken.length === 0 ? {} : { breach: broken.join('; ') };
}
