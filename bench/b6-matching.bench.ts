import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Bench, BenchContext, Measurement } from './bench.types.ts';
import { type HalfRun, OurMarket, PeerMarket } from './matching-books.ts';
import { type Shape, type Stream, streamOf } from './matching-stream.ts';
import { median } from './statistics.ts';

const shapes: readonly (Shape & { readonly least: number })[] = [
  { name: 'mixed', resting: 2_000, width: 100, operations: 1_000_000, seed: 6, least: 20 },
  { name: 'deep', resting: 50_000, width: 100, operations: 1_000_000, seed: 7, least: 60 },
];

export const bench: Bench = {
  id: 'B6',
  title:
    'Matching in memory, with fills written down, self-trade prevention and holds with fees, beside nodejs-order-book 10.1.1 without them, on the same orders',
  async run(context): Promise<Measurement[]> {
    return shapes.map((shape) => compare(context, shape));
  },
};

function compare(context: BenchContext, shape: Shape & { readonly least: number }): Measurement {
  const stream = streamOf(shape);
  const ours: Half[] = [];
  const theirs: Half[] = [];
  let breach: string | undefined;
  // A short pair that counts for nothing: both have been compiled when the first one that counts begins.
  for (let pair = -1; pair < context.pairs; pair += 1) {
    const seconds = pair < 0 ? Math.min(1, context.seconds) : context.seconds;
    const peer = runPeer(stream, seconds);
    const our = runOurs(stream, peer.last.operations, seconds);
    breach ??= differenceOf(our.last, peer.last) ?? our.last.breach;
    if (pair < 0) continue;
    theirs.push(peer);
    ours.push(our);
    context.say(
      `${shape.name}: ${thousands(our.rate)} operations/s, the peer ${thousands(peer.rate)} (the first ${peer.last.operations} of the stream, ${our.last.fills.count} equal fills)`,
    );
  }
  return {
    title: `${shape.name}: operations/s ÷ those of nodejs-order-book`,
    ratios: ours.map(({ rate }, index) => rate / (theirs[index]?.rate ?? Number.NaN)),
    threshold: { is: 'least', value: shape.least },
    details: [
      `${shape.name}: ${stream.about}`,
      `medians: ${thousands(median(ours.map(({ rate }) => rate)))} operations/s, the peer ${thousands(median(theirs.map(({ rate }) => rate)))}; holds, cash and shares add up after each run`,
      `processor time of the thread: ${nanoseconds(ours)} an operation, the peer ${nanoseconds(theirs)}`,
    ],
    ...(breach ? { breach } : {}),
  };
}

interface Half {
  /** Operations a second. */
  readonly rate: number;
  /** Processor time of the thread for an operation, in nanoseconds: on a busy machine the truer figure. */
  readonly cost: number;
  readonly last: HalfRun;
}

/** Once, as far as the stream or the time goes; the orders that rest at the beginning are placed before the clock starts. */
function runPeer(stream: Stream, seconds: number): Half {
  const market = new PeerMarket(stream);
  market.run(stream.resting);
  const clock = new Clock();
  clock.start();
  while (market.operations < stream.operations && clock.running() < seconds)
    market.run(Math.min(stream.operations, market.operations + slice));
  clock.stop();
  return { ...clock.per(market.operations - stream.resting), last: market.result() };
}

/** The same operations, from a new book, again and again until the time is up. */
function runOurs(stream: Stream, operations: number, seconds: number): Half {
  const clock = new Clock();
  for (let runs = 1; ; runs += 1) {
    const market = new OurMarket(stream);
    market.run(stream.resting);
    clock.start();
    while (market.operations < operations) market.run(Math.min(operations, market.operations + slice));
    clock.stop();
    if (clock.seconds >= seconds) return { ...clock.per(runs * (operations - stream.resting)), last: market.result() };
  }
}

/** Operations between two looks at the clock. */
const slice = 512;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Time on the wall and on the processor; nobody pays for the garbage of whoever ran before. */
class Clock {
  seconds = 0;
  #microseconds = 0;
  #start = 0;
  #cpuStart = process.threadCpuUsage();

  start(): void {
    collectGarbage();
    this.#cpuStart = process.threadCpuUsage();
    this.#start = performance.now();
  }

  running(): number {
    return (performance.now() - this.#start) / 1_000;
  }

  stop(): void {
    this.seconds += this.running();
    const { user, system } = process.threadCpuUsage(this.#cpuStart);
    this.#microseconds += user + system;
  }

  per(operations: number): { rate: number; cost: number } {
    return { rate: operations / this.seconds, cost: (this.#microseconds * 1_000) / operations };
  }
}

/** What is not the same in two runs: the number of fills, or the shares or the price of one. */
function differenceOf(our: HalfRun, peer: HalfRun): string | undefined {
  if (our.fills.count !== peer.fills.count) return `${our.fills.count} fills here, ${peer.fills.count} at the peer`;
  for (let index = 0; index < our.fills.count; index += 1)
    if (our.fills.shares[index] !== peer.fills.shares[index] || our.fills.prices[index] !== peer.fills.prices[index])
      return `fill ${index}: ${our.fills.shares[index]} shares at ${our.fills.prices[index]} here, ${peer.fills.shares[index]} at ${peer.fills.prices[index]} at the peer`;
  return our.resting === peer.resting ? undefined : `${our.resting} orders rest here, ${peer.resting} at the peer`;
}

const thousands = (rate: number) => `${Math.round(rate / 1_000).toLocaleString('en')} thousand`;

const nanoseconds = (halves: readonly Half[]) => `${Math.round(median(halves.map(({ cost }) => cost)))} ns`;
