import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contract } from '@ushirika/contract/contract';
import type { Harness, Outcome, Run, Tier } from '../harness.ts';
import { whateverHappens } from '../support/waiting.ts';
import { parserProperties } from './parsers.ts';
import { type Order, type Result, skirmish } from './skirmish.ts';

/** How much is done in each tier: requests in each process, and cases for the parsers. */
const SIZES: Readonly<Record<Tier, { processes: number; requests: number; cases: number }>> = {
  c: { processes: 1, requests: 2_000, cases: 20_000 },
  n: { processes: 2, requests: 100_000, cases: 10_000_000 },
  r: { processes: 2, requests: 300_000, cases: 30_000_000 },
};
const CONTROL_REQUESTS = 6_000;
/** Routes that the fuzzer cannot use as they are meant, and why. Any other that never does what it is for fails tiers N and R. */
const NEVER: Readonly<Record<string, string>> = {
  confirmPhone: 'wants the code of an SMS, and from its own person',
  acceptOffice: 'wants the code of an SMS, and from its own person',
  recordIdentityCheck: 'wants the number on the card of the very member',
  recordOperatorIdentityCheck: 'wants the number on the card of the very person',
  withdrawIdentityCheck: 'wants a card that was recorded',
  withdrawOperatorIdentityCheck: 'the same',
  objectByCode: 'wants the code of an SMS that a payer was sent',
  objectSignedIn: 'wants a payment of one’s own that two operators give to somebody else',
  readDeepestTile: 'wants a log of 256,000 entries',
  reviewHeldReferral: 'wants a reward that waits for an operator, which takes weeks to come about',
};
/** A market in which nothing is traded would not be attacked at all. */
const TRADING = ['placeOrder', 'takeOffer', 'changeOrder', 'cancelOrder', 'readContractNote', 'marketLive'];

export const harness: Harness = {
  name: 'fuzz',
  title: 'No input gives a fault of ours, an SQL error, a leak or a hang',
  promises: ['P16'],
  tiers: ['c', 'n', 'r'],
  controls: [
    {
      name: 'text in a statement',
      breaks: 'a new route builds its ORDER BY out of what a client sent, and swallows the error',
      expected: /^weakSorted makes PostgreSQL complain: SQLSTATE 42/,
    },
    {
      name: 'an unexpected throw',
      breaks: 'a new route makes a pattern of what a client sent, and throws at some',
      expected: /^weakSearched answered 500/,
    },
    {
      name: 'a field too many',
      breaks: 'a new route replies with a field that its schema does not have, and the server does not check',
      expected: /^weakTalkative gave a reply with a field/,
    },
    { name: 'no answer', breaks: 'a new route never answers some', expected: /^weakSilent did not answer within/ },
    {
      name: 'a line that is cut',
      breaks: 'a new route hangs up on those who ask it over a line',
      expected: /^weakBrusque cut the line without an answer/,
    },
    {
      name: 'another person’s phone',
      breaks: 'a new route gives phone numbers to whoever asks',
      expected: /^weakIndiscreet gives the phone of/,
    },
  ],
  run: (run) => (run.broken === undefined ? whole(run) : control(run)),
};

async function control(run: Run): Promise<Outcome> {
  const { violations, fired } = await skirmish({
    serverUrl: run.serverUrl,
    seed: run.seed,
    requests: CONTROL_REQUESTS,
    limitMs: run.broken === 'no answer' ? 1_000 : 5_000,
    violationsMax: 1,
    ...(run.broken === undefined ? {} : { broken: run.broken }),
  });
  return { violations, fired, figures: {} };
}

async function whole(run: Run): Promise<Outcome> {
  const { processes, requests, cases } = SIZES[run.tier];
  const orders = Array.from({ length: processes }, (_, index): Order => {
    return {
      serverUrl: run.serverUrl,
      seed: run.seed + index,
      requests,
      limitMs: 5_000,
      violationsMax: 15,
      wanted: run.tier === 'c' ? TRADING : contract.map(({ name }) => name).filter((name) => !(name in NEVER)),
    };
  });
  // The parsers leave no time for anything else: in a process of their own where there are others, else afterwards.
  const isSmall = run.tier === 'c';
  const campaigns = isSmall
    ? Promise.all(orders.map((order) => skirmish(order, run.tell)))
    : Promise.all(orders.map(apart));
  if (isSmall) await campaigns;
  const parsed = await parserProperties(run.seed, cases);
  const results = await campaigns;
  const fired = { ...parsed.fired };
  for (const result of results)
    for (const [name, times] of Object.entries(result.fired)) fired[name] = (fired[name] ?? 0) + times;
  for (const name of TRADING)
    fired[`${name} did what it is for`] = results.filter(({ never }) => !never.includes(name)).length;
  const sent = results.reduce((sum, result) => sum + result.requests, 0);
  const answered = new Set(results.flatMap((result) => result.answered));
  const times = results.flatMap((result) => result.milliseconds).sort((a, b) => a - b);
  const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
  const growth = Math.max(...results.map(({ grownMegabytes }) => grownMegabytes));
  run.tell(
    `${sent} requests; ${answered.size} routes answered with what they are for; never: ${results[0]?.never.filter((name) => !answered.has(name)).join(', ') || 'none'}`,
  );
  const unused = (results[0]?.never ?? []).filter((name) => !answered.has(name) && !(name in NEVER));
  const untried =
    run.tier === 'c' ? [] : unused.map((name) => `${name} never did what it is for: its answer was not judged`);
  const figure = `${sent.toLocaleString('en')} requests to ${results[0]?.routes} routes (${answered.size} of them did what they are for), ${cases.toLocaleString('en')} cases for the parsers: 0 faults, 0 SQL errors, 0 leaks, 0 hangs`;
  const slow = run.tier === 'c' ? '' : `; p99 ${p99.toFixed(0)} ms, memory grew by ${growth.toFixed(0)} MB`;
  const heavy =
    run.tier !== 'c' && growth > 100 ? [`memory grew by ${growth.toFixed(0)} MB over ${requests} requests`] : [];
  const late = run.tier !== 'c' && p99 > 1_000 ? [`one request in a hundred took more than ${p99.toFixed(0)} ms`] : [];
  return {
    violations: [
      ...results.flatMap(({ violations }) => violations),
      ...parsed.violations,
      ...untried,
      ...heavy,
      ...late,
    ],
    fired,
    figures: { P16: `${figure}${slow}` },
  };
}

/** In a process of its own, so that two cores are used. */
async function apart(order: Order): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'ushirika-fuzz-'));
  const file = join(folder, 'result.json');
  const child = fork(join(import.meta.dirname, 'skirmish.program.ts'), [JSON.stringify({ order, file })]);
  const ending = whateverHappens(() => child.kill('SIGKILL'));
  const [code] = await once(child, 'exit');
  ending.done();
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Result;
  } catch (error) {
    throw new Error(`A process of the fuzzer ended with ${code} and no result.`, { cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
