import type { Harness, Outcome, Run, Tier } from '../harness.ts';
import { atOnce, statuses } from '../support/product.ts';
import { type CallbackWorld, callbackWorld } from './callback-world.ts';
import { breakDatabase, controls, replacedFor } from './controls.ts';
import { genuineRound } from './genuine.ts';
import { beHostile, type Genuine, MUTATIONS } from './hostile.ts';
import { genuineCallbacks, lootOf } from './loot.ts';
import { findLostCallbacks } from './lost.ts';
import { compareBounds, compareWithTruth } from './truth.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

interface Size {
  readonly people: number;
  readonly rounds: number;
  /** Hostile callbacks a round. */
  readonly hostile: number;
}

const SIZES: Readonly<Record<Tier, Size>> = {
  c: { people: 9, rounds: 14, hostile: 180 },
  n: { people: 24, rounds: 200, hostile: 500 },
  r: { people: 24, rounds: 600, hostile: 500 },
};
/** A control needs no more than to be seen. */
const CONTROL_SIZE: Size = { people: 6, rounds: 5, hostile: 80 };

export const harness: Harness = {
  name: 'callbacks',
  title: 'Whatever M-Pesa, its callbacks and those who forge them do, our books are what M-Pesa really took and paid',
  promises: ['P5'],
  tiers: ['c', 'n', 'r'],
  controls,
  run,
};

async function run(run: Run): Promise<Outcome> {
  const size = run.broken === undefined ? SIZES[run.tier] : CONTROL_SIZE;
  let made: CallbackWorld | null = null;
  const built = () => {
    if (!made) throw new Error('The world is not there yet.');
    return made;
  };
  const world = await callbackWorld(run, size, replacedFor(run.broken, built));
  made = world;
  try {
    await breakDatabase(world);
    return await carryOut(world, size);
  } finally {
    await world.close();
  }
}

async function carryOut(world: CallbackWorld, size: Size): Promise<Outcome> {
  for (const name of Object.keys(MUTATIONS)) world.count(`hostile: ${name}`, 0);
  const lastYear = await aYearAgo(world);
  let hostile = 0;
  for (let round = 0; round < size.rounds; round += 1) {
    await genuineRound(world, round);
    hostile += await beHostile(world, await lootOf(world, lastYear), size.hostile);
    const moment = world.random.pick([20_000, 35_000, 70_000, 150_000]);
    await world.pass(moment, moment);
    if (round % 20 === 19) world.run.tell(`round ${round + 1} of ${size.rounds}, ${hostile} hostile callbacks`);
  }
  await comeToRest(world);
  const { payments, payouts } = await compareWithTruth(world, 'at rest');
  const { seconds, lost } = await findLostCallbacks(world);
  await compareWithTruth(world, 'after callbacks were lost');
  if (world.run.broken === undefined) await raceOperators(world);
  await compareBounds(world);
  return {
    violations: world.violations,
    fired: world.run.broken === undefined ? world.fired : {},
    figures: {
      P5:
        `${hostile.toLocaleString('en')} hostile callbacks of ${Object.keys(MUTATIONS).length} kinds moved nothing; ` +
        `${payments} payments and ${payouts} payouts are in the books as at M-Pesa; ` +
        `${lost} lost callbacks were found, the slowest after ${seconds} s`,
    },
  };
}

/** Some honest business of long ago, whose callbacks somebody kept. */
async function aYearAgo(world: CallbackWorld): Promise<readonly Genuine[]> {
  await genuineRound(world, 0);
  await world.pass(5 * MINUTE_MS);
  await genuineRound(world, 1);
  await comeToRest(world);
  const kept = (await genuineCallbacks(world, 100)).filter(({ body }) => /"ResultCode":0|TransID/.test(body));
  if (kept.length === 0) throw new Error('Nothing happened a year ago.');
  world.product.database.world.advance(365 * DAY_MS);
  await world.pass(MINUTE_MS);
  return kept;
}

/** Luck is good again and time passes, with all that is late: a week and more. */
async function comeToRest(world: CallbackWorld): Promise<void> {
  await world.clearFaults();
  await world.pass(6 * MINUTE_MS);
  for (const hours of [1, 1, 6, 6, 24, 24, 72, 48]) {
    await world.pass(hours * 60 * MINUTE_MS, hours * 60 * MINUTE_MS);
    await world.pass(3 * MINUTE_MS);
  }
}

/** Money in suspense, given away by operators at the same moment: once each. */
async function raceOperators(world: CallbackWorld): Promise<void> {
  const { product, people } = world;
  const operator = await product.operator();
  const rows = await product.database.owner<{ id: string }[]>`
    select id from money_exceptions where held_in = 'suspense' and resolved_at is null order by id limit 4`;
  world.count('suspense credited in a race', rows.length);
  for (const { id } of rows) {
    const answers = await atOnce(8, (index) =>
      product.call('POST', `/operator/deposits/${id}/resolution`, {
        as: operator,
        key: `race-${id}-${index}`,
        body: { action: 'credit', user: world.random.pick(people).idNumber, reason: 'They showed us the SMS.' },
      }),
    );
    const seen = statuses(answers);
    if (seen[200] !== 1 || seen[409] !== 7) {
      world.violate(`of eight credits of one exception at once, these were the answers: ${JSON.stringify(seen)}`);
    }
  }
  await compareWithTruth(world, 'after operators raced');
}
