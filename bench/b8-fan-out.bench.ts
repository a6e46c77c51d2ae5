import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { announceMarkets } from '../server/domains/market/market-live.ts';
import { type AppProcess, startApp, startProgram } from './app-process.ts';
import type { Bench, BenchServer, Measurement } from './bench.types.ts';
import { readProcessorTime } from './conditions.ts';
import { Viewers, type ViewersResult } from './fan-out-viewers.ts';
import { fillPeople } from './people.ts';
import { median } from './statistics.ts';

const viewersMany = 1_000;
const perSecond = 100;
const updateBytes = 180;
const cutMany = 100;
const crowd = { members: viewersMany, saccos: 1, signedIn: viewersMany, topUps: 0 };

interface Reading extends ViewersResult {
  /** Deliveries for each second of a core that the server's process took. */
  readonly perCore: number;
  readonly databaseShare: number;
}

interface Scene {
  readonly server: BenchServer;
  readonly app: AppProcess;
  readonly naive: AppProcess;
  readonly viewers: Viewers;
  readonly saccoId: string;
  readonly tokens: readonly string[];
}

export const bench: Bench = {
  id: 'B8',
  title: `${viewersMany} live viewers of one market, ${perSecond} changes of ${updateBytes} bytes a second, beside a loop that sends each to each with the package ws`,
  async run(context): Promise<Measurement[]> {
    const server = await context.startServer();
    const people = await fillPeople(server.url, crowd);
    const saccoId = people[0]?.saccoId ?? '';
    const app = await startApp(server.url);
    const settings = { BENCH_UPDATE_BYTES: String(updateBytes), BENCH_UPDATES_PER_SECOND: String(perSecond) };
    const naive = await startProgram(join(import.meta.dirname, 'fan-out-naive.program.ts'), settings);
    const viewers = new Viewers();
    const scene: Scene = { server, app, naive, viewers, saccoId, tokens: people.map(({ token }) => token) };
    const ours: Reading[] = [];
    const theirs: Reading[] = [];
    try {
      await readOurs(scene, 2);
      await readTheirs(scene, 2);
      for (let pair = 0; pair < context.pairs; pair += 1) {
        const our = await readOurs(scene, context.seconds);
        const their = await readTheirs(scene, context.seconds);
        ours.push(our);
        theirs.push(their);
        context.say(`ours ${inWords(our)}; naive ${inWords(their)}`);
      }
      const broken = await cutAndComeBack(scene);
      return measurements(ours, theirs, breachOf([...ours, broken]));
    } finally {
      viewers.stop();
      await naive.stop();
      await app.stop();
    }
  },
};

function measurements(
  ours: readonly Reading[],
  theirs: readonly Reading[],
  breach: { readonly breach?: string },
): Measurement[] {
  const late = (of: readonly Reading[]) =>
    `p50 ${median(of.map(({ p50 }) => p50)).toFixed(0)} ms, p99 ${median(of.map(({ p99 }) => p99)).toFixed(0)} ms`;
  const rate = (of: readonly Reading[]) => Math.round(median(of.map(({ perCore }) => perCore)) / 1_000);
  return [
    {
      title: 'deliveries per second of the server process’s core ÷ naive ws loop',
      ratios: ours.map(({ perCore }, index) => perCore / (theirs[index]?.perCore ?? Number.NaN)),
      threshold: { is: 'least', value: 4 },
      details: [
        `medians: ${rate(ours)}k deliveries/s a core, naive ${rate(theirs)}k; a change that comes in a frame of several counts once for each viewer`,
        `ours reads from PostgreSQL, looks at each session and standing every second, and runs all the product's jobs; the naive loop makes its updates itself and asks nobody; PostgreSQL took ${(100 * median(ours.map(({ databaseShare }) => databaseShare))).toFixed(0)} % of what our process took, the 100 commits a second with it`,
      ],
      ...breach,
    },
    {
      title: 'milliseconds from publishing a change until a viewer has it, p99',
      ratios: ours.map(({ p99 }) => p99),
      threshold: { is: 'most', value: 100 },
      details: [
        `ours ${late(ours)}, of which a change waits 0 to 100 ms for its frame (ten a second); naive ${late(theirs)}`,
        `${cutMany} viewers were cut off for 150 ms and came back with Last-Event-ID: no gap and no reload`,
      ],
      ...breach,
    },
  ];
}

function breachOf(readings: readonly ViewersResult[]): { breach?: string } {
  const found = (['gaps', 'reloads', 'missing', 'hungUp'] as const).map((name) => {
    const sum = readings.reduce((total, reading) => total + reading[name], 0);
    return sum === 0 ? [] : `${name}: ${sum}`;
  });
  return found.flat().length === 0 ? {} : { breach: found.flat().join(', ') };
}

async function readOurs(scene: Scene, seconds: number): Promise<Reading> {
  const { viewers, app, server } = scene;
  await openOurs(scene);
  await viewers.execute({ do: 'reset' });
  const before = [app.processorTime(), databaseTime(server)] as const;
  const published = await publish(scene, seconds * perSecond);
  const until = published.first + published.at.length - 1;
  const result = await viewers.execute({ do: 'count', until, published });
  const own = app.processorTime() - before[0];
  const database = databaseTime(server) - before[1];
  await viewers.execute({ do: 'close' });
  return { ...result, perCore: (result.deliveries * 1e6) / own, databaseShare: database / own };
}

async function readTheirs({ viewers, naive }: Scene, seconds: number): Promise<Reading> {
  const { port } = naive;
  await viewers.execute({ do: 'open', viewers: viewersMany, port, path: '/', tokens: [] });
  await viewers.execute({ do: 'reset' });
  const before = naive.processorTime();
  await (await fetch(`http://127.0.0.1:${port}/?seconds=${seconds}`)).text();
  await sleep(200);
  const result = await viewers.execute({ do: 'count' });
  const own = naive.processorTime() - before;
  await viewers.execute({ do: 'close' });
  const missed = viewersMany * seconds * perSecond - result.deliveries;
  if (missed !== 0) throw new Error(`The naive loop's clients missed ${missed} messages.`);
  return { ...result, perCore: (result.deliveries * 1e6) / own, databaseShare: 0 };
}

async function cutAndComeBack(scene: Scene): Promise<ViewersResult> {
  const { viewers } = scene;
  await openOurs(scene);
  await viewers.execute({ do: 'reset' });
  const publishing = publish(scene, 2 * perSecond);
  await sleep(500);
  await viewers.execute({ do: 'cut', viewers: cutMany, forMs: 150 });
  const published = await publishing;
  const result = await viewers.execute({ do: 'count', until: published.first + published.at.length - 1 });
  await viewers.execute({ do: 'close' });
  return result;
}

async function openOurs({ viewers, app, saccoId, tokens }: Scene): Promise<void> {
  const path = `/api/v1/sacco/order-book/live?sacco=${saccoId}`;
  await viewers.execute({ do: 'open', viewers: viewersMany, port: app.port, path, tokens });
}

/** Publishes changes one after the other, as the market's verbs do: what they are, when each was committed. */
async function publish(
  { server: { database }, saccoId }: Scene,
  changes: number,
): Promise<{ first: number; at: number[] }> {
  const at: number[] = [];
  let first = 0;
  const started = performance.now();
  for (let change = 0; change < changes; change += 1) {
    const wait = started + (change * 1_000) / perSecond - performance.now();
    if (wait > 0) await sleep(wait);
    // A level and the trade at it: some 180 bytes on the wire.
    const content = {
      levels: [['sell', 100_00 + (change % 20) * 100, 1_000 + change, 3]],
      trades: [[database.newId(), 5, 100_00 + (change % 20) * 100, 'buy']],
    };
    const [row] = await database.sql<{ sequence: number }[]>`
      with market as (update markets set sequence = sequence + 1 where sacco_id = ${saccoId} returning sequence)
      insert into market_events (sacco_id, sequence, at, change)
      select ${saccoId}, sequence, ${database.now()}, ${database.sql.json(content as never)} from market returning sequence`;
    const sequence = row?.sequence ?? 0;
    first ||= sequence;
    at.push(performance.timeOrigin + performance.now());
    announceMarkets(database, [{ saccoId, sequence }]);
  }
  return { first, at };
}

function databaseTime({ embedded }: BenchServer): number {
  return readProcessorTime(embedded.pid) ?? Number.NaN;
}

function inWords({ perCore, p50, p99 }: Reading): string {
  return `${Math.round(perCore / 1_000)}k deliveries/s a core (p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms)`;
}
