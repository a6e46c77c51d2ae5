import type { Harness, Outcome, Run, Tier } from '../harness.ts';
import { commitHangs, cutOff, drip, flood, lockedOut, stall, withHangingCommits } from './bad-days.ts';
import { endBehindALock, endUnderLoad, endWhileStalled } from './ending.ts';
import { readMetrics } from './metrics.ts';
import { type House, type Limits, openHouse, SHIPPED } from './world.ts';

interface Size {
  readonly flood: number;
  readonly stallSeconds: number;
  readonly cutSeconds: number;
}

const sizes: Record<Tier, Size & { readonly rounds: number }> = {
  c: { flood: 150, stallSeconds: 3.5, cutSeconds: 1, rounds: 1 },
  n: { flood: 1_000, stallSeconds: 30, cutSeconds: 15, rounds: 1 },
  r: { flood: 3_000, stallSeconds: 30, cutSeconds: 30, rounds: 5 },
};

/** Each control runs the one day on which its loss must be noticed. */
const days: Record<string, (house: House) => Promise<unknown>> = {
  unbounded: (house) => flood(house, sizes.c.flood),
  late_commit: lockedOut,
  stays_silent: (house) => stall(house, sizes.c.stallSeconds),
  stays_cut: (house) => cutOff(house, 2),
  forgets_commit: (house) => withHangingCommits(house, () => commitHangs(house)),
  ready_to_the_end: endUnderLoad,
  drops_under_way: endUnderLoad,
};

export const harness: Harness = {
  name: 'lifecycle',
  title: 'The process bears floods and stalls, answers in time, and ends without dropping anybody',
  promises: ['P19'],
  tiers: ['c', 'n', 'r'],
  controls: [
    { name: 'unbounded', breaks: 'any number of requests may be under way', expected: /under way at once, where/ },
    {
      name: 'stays_silent',
      breaks: 'who waits for a silent database waits with it',
      expected: /^while the database was stalled a request waited [23]\d{3} ms/,
    },
    {
      name: 'stays_cut',
      breaks: 'a line that was lost once is never taken up again',
      expected: /^\d+ ms after the database came back it is not well/,
    },
    { name: 'late_commit', breaks: 'a transaction outlives its request', expected: /was done after the lock/ },
    {
      name: 'forgets_commit',
      breaks: 'a request is refused as undone whose COMMIT is under way',
      expected: /while COMMIT hung a deposit was answered 503 unavailable/,
    },
    { name: 'ready_to_the_end', breaks: 'readiness does not turn', expected: /nobody was told/ },
    { name: 'drops_under_way', breaks: 'the end cuts off what is under way', expected: /was cut off/ },
  ],
  async run(run: Run): Promise<Outcome> {
    if (run.broken !== undefined) return runBroken(run, run.broken);
    const size = sizes[run.tier];
    const outcome = { violations: [] as string[], fired: {} as Record<string, number>, said: [] as string[] };
    const live = async (day: (house: House) => Promise<string[]>, limits?: Limits) => {
      const house = await openHouse(run.serverUrl, limits ? { limits } : {});
      try {
        const said = await day(house);
        for (const line of said) run.tell(line);
        outcome.said.push(...said);
      } finally {
        await house.close();
      }
      outcome.violations.push(...house.violations);
      for (const [name, times] of Object.entries(house.fired)) outcome.fired[name] = (outcome.fired[name] ?? 0) + times;
    };
    for (let round = 0; round < size.rounds; round += 1) await live((house) => aLife(house, size));
    if (run.tier !== 'c') {
      await live(async (house) => [await endWhileStalled(house)]);
      await live((house) => asShipped(house, size), SHIPPED);
      await live(async (house) => [`as shipped: ${await endBehindALock(house)}`], SHIPPED);
    }
    return { violations: outcome.violations, fired: outcome.fired, figures: { P19: outcome.said.join('; ') } };
  },
};

/** From a fresh process to its end, with every bad day in between. */
async function aLife(house: House, size: Size): Promise<string[]> {
  // One after the other: a deposit behind the lock keeps back those of its sacco that come after it.
  const late = async () => {
    await lockedOut(house);
    await withHangingCommits(house, () => commitHangs(house));
  };
  await Promise.all([drip(house), late()]);
  const said = [
    await flood(house, size.flood),
    await cutOff(house, size.cutSeconds),
    await stall(house, size.stallSeconds),
  ];
  await readMetrics(house);
  said.push(await endUnderLoad(house));
  for (const fault of house.faults()) house.violated(`a fault of ours: ${fault.slice(0, 1_500)}`);
  return said;
}

/** The bad days that the limits of the product decide, under those with which it comes. */
async function asShipped(house: House, size: Size): Promise<string[]> {
  const many = house.limits.requestsMax + size.flood;
  const said = [
    // A process that has done nothing yet takes what it needs for so many at once, and keeps it.
    await flood(house, many, { grownMax: 300 }),
    await flood(house, many),
    await cutOff(house, size.cutSeconds),
    await stall(house, size.stallSeconds),
    await endWhileStalled(house),
  ];
  for (const fault of house.faults()) house.violated(`a fault of ours: ${fault.slice(0, 1_500)}`);
  return said.map((line) => `as shipped: ${line}`);
}

async function runBroken(run: Run, broken: string): Promise<Outcome> {
  const house = await openHouse(run.serverUrl, { broken });
  try {
    await days[broken]?.(house);
    return { violations: house.violations, fired: house.fired, figures: {} };
  } finally {
    await house.close();
  }
}
