import { claimReceipt } from '../../server/domains/wallet/claim-receipt.ts';
import { withdraw } from '../../server/domains/wallet/withdraw.ts';
import type { Harness, Outcome, Run, Tier } from '../harness.ts';
import { atOnce, type Person, statuses } from '../support/product.ts';
import { type CallbackWorld, callbackWorld } from './callback-world.ts';
import { breakDatabase, controls, replacedFor, SEEN_IN_THE_FLOOD } from './controls.ts';
import { genuineRound } from './genuine.ts';
import { beHostile, type Genuine, MUTATIONS } from './hostile.ts';
import { genuineCallbacks, lootOf } from './loot.ts';
import { findLostCallbacks } from './lost.ts';
import { fillWallets, pay, playSetPieces } from './set-pieces.ts';
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
  c: { people: 9, rounds: 5, hostile: 60 },
  n: { people: 24, rounds: 200, hostile: 500 },
  r: { people: 24, rounds: 600, hostile: 500 },
};
/** Without these a run proves little; the rest of the bad luck comes as it comes. */
const LUCK_WANTED = ['drop', 'duplicate', 'delay', 'reorder', 'lost_response', 'http_500', 'revoke_token'];

/** A control needs no more than to be seen: it plays the set pieces and loses callbacks, or has a flood for a while. */
const CONTROL_SIZE: Size = { people: 6, rounds: 6, hostile: 120 };

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
    return await runCallbacks(world, size);
  } finally {
    await world.close();
  }
}

async function runCallbacks(world: CallbackWorld, size: Size): Promise<Outcome> {
  if (SEEN_IN_THE_FLOOD.has(world.run.broken ?? '')) return floodUntilSeen(world, size);
  await playSetPieces(world);
  await compareWithTruth(world, 'after the set pieces');
  if (world.run.broken !== undefined) return runControl(world);
  for (const name of Object.keys(MUTATIONS)) world.count(`hostile: ${name}`, 0);
  for (const name of LUCK_WANTED) world.count(`bad luck: ${name}`, 0);
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
  await raceOperators(world);
  await compareBounds(world);
  return {
    violations: world.violations,
    fired: world.fired,
    figures: {
      P5:
        `${hostile.toLocaleString('en')} hostile callbacks of ${Object.keys(MUTATIONS).length} kinds moved nothing; ` +
        `${payments} payments and ${payouts} payouts are in the books as at M-Pesa; ` +
        `${lost} lost callbacks were found, the slowest after ${seconds} s`,
    },
  };
}

async function runControl(world: CallbackWorld): Promise<Outcome> {
  if (world.violations.length === 0) {
    await findLostCallbacks(world);
    await compareWithTruth(world, 'after callbacks were lost');
  }
  return { violations: world.violations, fired: {}, figures: {} };
}

async function floodUntilSeen(world: CallbackWorld, size: Size): Promise<Outcome> {
  await fillWallets(world);
  const lastYear = await aYearAgo(world);
  for (let round = 0; round < size.rounds && world.violations.length === 0; round += 1) {
    await genuineRound(world, round);
    await beginPayout(world, round);
    await beHostile(world, await lootOf(world, lastYear), size.hostile);
    await world.pass(150_000, 150_000);
  }
  if (world.violations.length === 0) {
    await comeToRest(world);
    await compareWithTruth(world, 'at rest');
  }
  return { violations: world.violations, fired: {}, figures: {} };
}

/** A payout that M-Pesa makes, and of which it tells only after the flood. */
async function beginPayout({ people, control, product, quiet }: CallbackWorld, round: number): Promise<void> {
  const { id: userId, phone } = people[round % people.length] as Person;
  await control('faults', { call: 'b2c', phone, faults: 'delay=90000' });
  await product.database.transaction((tx) => withdraw(tx, { userId }, { amountCents: 100_00, phone }));
  await quiet();
}

/** Some honest business of long ago, whose callbacks somebody kept. */
async function aYearAgo(world: CallbackWorld): Promise<readonly Genuine[]> {
  await genuineRound(world, 0);
  await world.pass(5 * MINUTE_MS);
  await genuineRound(world, 1);
  await world.clearFaults();
  await world.pass(10 * MINUTE_MS);
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

const CLAIMED = 'suspense credited and claimed at once';
const CREDITED = 'suspense credited eight times at once';
const DISMISSED = 'exceptions dismissed twelve times at once';

/** Payments to account numbers that are nobody's, by people who are somebody. */
async function payNobody(world: CallbackWorld, times: number): Promise<void> {
  for (const person of world.people.slice(0, times)) {
    await world.control('faults', { call: 'c2b', phone: person.phone, faults: 'no_validation' });
    await pay(world, person, 321, 'ROOF-2026');
  }
  await world.pass(MINUTE_MS);
}

/** Money in suspense, given away by operators at the same moment, while its payer claims it: once each. */
async function raceOperators(world: CallbackWorld): Promise<void> {
  const { product, people } = world;
  for (const race of [CLAIMED, CREDITED, DISMISSED]) world.count(race, 0);
  await payNobody(world, 2);
  const [operator, second] = [await product.operator(), await product.operator('Second')];
  const rows = await product.database.owner<{ id: string; receipt: string; phone: string }[]>`
    select e.id, e.receipt, p.phone from money_exceptions e join simulator.payment p on p.receipt = e.receipt
    where e.held_in = 'suspense' and e.resolved_at is null order by e.id desc limit 4`;
  for (const [index, { id, receipt, phone }] of rows.entries()) {
    const payer = people.find((person) => person.phone === phone);
    const isClaimed = payer !== undefined && index % 2 === 0;
    if (isClaimed)
      await product.database.transaction((tx) => claimReceipt(tx, { userId: payer.id }, { receipt, phone }));
    const user = world.random.pick(people);
    // Who shows the SMS of a payment need not wait for its payer to object.
    await product.database.owner`
      update money_exceptions set detail = detail || jsonb_build_object('claimed_by', ${user.id}::text) where id = ${id}`;
    const body = { action: 'credit', user: user.idNumber, reason: 'They showed us the SMS.' };
    const propose = () => product.call('POST', `/operator/deposits/${id}/resolution`, { as: operator, body });
    const credit = async () => {
      const proposals = statuses(await atOnce(4, propose));
      const [open] = await product.database.owner<{ id: string }[]>`
        select id from operator_proposals where about_id = ${id}`;
      if ((proposals[200] ?? 0) > 1) world.violate(`of four proposals at once, ${proposals[200]} were taken`);
      return atOnce(8, (attempt) =>
        product.call('POST', `/operator/proposals/${open?.id ?? id}/confirmation`, {
          as: second,
          key: `race-${id}-${attempt}`,
          body: { reason: 'So it is.' },
        }),
      );
    };
    const [answers] = await Promise.all([credit(), isClaimed ? world.quiet() : null]);
    const { 200: credited = 0, 409: refused = 0, 404: unproposed = 0 } = statuses(answers);
    if (credited + refused + unproposed !== 8 || credited > 1 || (credited === 0 && !isClaimed)) {
      world.violate(`of eight credits of one exception at once, ${credited} were made and ${refused} refused`);
    }
    world.count(isClaimed ? CLAIMED : CREDITED);
  }
  await dismissInRace(world, operator);
  await compareWithTruth(world, 'after operators raced');
}

/** What holds no money is dismissed once, however many do it. */
async function dismissInRace(world: CallbackWorld, operator: Person): Promise<void> {
  const { product } = world;
  const rows = await product.database.owner<{ id: string }[]>`
    select id from money_exceptions where held_in = 'nowhere' and resolved_at is null order by id limit 2`;
  for (const { id } of rows) {
    const answers = await atOnce(12, (attempt) =>
      product.call('POST', `/operator/deposits/${id}/resolution`, {
        as: operator,
        key: `dismiss-${id}-${attempt}`,
        body: { action: 'dismiss', reason: 'Forged, as we could see.' },
      }),
    );
    const { 200: dismissed = 0, 409: refused = 0 } = statuses(answers);
    if (dismissed !== 1 || refused !== 11) {
      world.violate(`of twelve dismissals of one exception at once, ${dismissed} were made and ${refused} refused`);
    }
    world.count(DISMISSED);
  }
}
