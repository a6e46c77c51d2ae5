import type { Server } from './house.ts';
import { earnFees, newMember, type Person, type Sacco, save } from './naive-books.ts';
import { noteMoved, proofFor } from './naive-proof.ts';
import type { Simulation } from './simulation.ts';

/*
 * Acts that do get in each other's way, fired at once: what comes of them must be what some order of them comes to. For
 * amounts out of one wallet that is so when the successes fit into it together, and no failure would still have fitted.
 */

interface Racer {
  readonly person: Person;
  readonly sacco: Sacco;
  readonly token: string;
}

/** A member of an active sacco who is signed in and has money. */
function racer({ books, random }: Simulation): Racer | null {
  const able = books.members.filter(
    ({ person, sacco, state }) =>
      person.sessions.length > 0 &&
      person.wallet > 100 &&
      sacco.state === 'active' &&
      state !== 'exited' &&
      state !== 'leaving',
  );
  if (able.length === 0) return null;
  const { person, sacco } = random.pick(able);
  return { person, sacco, token: person.sessions.at(-1)?.token ?? '' };
}

const KINDS = ['race for one wallet', 'race with one key', 'race to join'] as const;

/** What nobody has tried so far comes first. Answers what is wrong, if anything. */
export async function race(simulation: Simulation): Promise<string | undefined> {
  const found = racer(simulation);
  if (!found) return;
  const never = KINDS.filter((kind) => simulation.fired[kind] === undefined);
  const kind = simulation.random.pick(never.length > 0 ? never : KINDS);
  if (kind === 'race for one wallet') return raceForOneWallet(simulation, found);
  return kind === 'race with one key' ? raceWithOneKey(simulation, found) : raceToJoin(simulation, found.person);
}

/** Through queues of their own, so that several transactions meet at one wallet, key or membership. */
const doorOf = (index: number): Server => (['racing', 'first', 'second'] as const)[index % 3] ?? 'racing';

/**
 * Several savings at once, of which not all can be paid. What is left is saved as well, so that
 * a seed goes on alike whoever was the first.
 */
async function raceForOneWallet(simulation: Simulation, { person, sacco, token }: Racer): Promise<string | undefined> {
  const { random, books, house, world } = simulation;
  const before = person.wallet;
  if (proofFor(person, before, simulation.now) !== null) return;
  const amounts = Array.from({ length: random.whole(2, 8) }, () => random.whole(1, before));
  const saveAt = (cents: number, index: number) => {
    const asking = { route: 'depositSavings', token, body: { sacco: sacco.id, amount: cents / 100 } };
    return world.doing(`race ${simulation.acts} ${index}`, () => house.ask(asking, doorOf(index)));
  };
  const answers = await Promise.all(amounts.map(saveAt));
  let spent = 0;
  for (const [index, answer] of answers.entries()) if (answer.ok) spent += amounts[index] ?? 0;
  const left = before - spent;
  const member = books.memberOf(person, sacco);
  if (left < 0 || !member) return `${amounts.length} savings at once took ${spent} out of a wallet of ${before}`;
  for (const [index, answer] of answers.entries()) {
    if (answer.ok) continue;
    if (answer.code !== 'insufficient_funds') return `savings at once were refused with ${answer.code}`;
    if ((amounts[index] ?? 0) <= left) return `savings of ${amounts[index]} were refused, and ${left} were left`;
  }
  if (left > 0 && !(await saveAt(left, amounts.length)).ok)
    return `of ${before} the ${left} that were left could not be saved`;
  simulation.acts += amounts.length;
  noteMoved(person, before, simulation.now);
  person.wallet = 0;
  sacco.cash += before;
  save(member, before, simulation.now);
  simulation.count('race for one wallet');
  return;
}

/** One request many times at once under one key: one effect, and one answer for all. */
async function raceWithOneKey(simulation: Simulation, { person, sacco, token }: Racer): Promise<string | undefined> {
  const { random, books, house, world } = simulation;
  const cents = random.whole(1, Math.max(1, Math.floor(person.wallet / 2)));
  if (proofFor(person, cents, simulation.now) !== null) return;
  const times = random.whole(2, 8);
  const asking = {
    route: 'depositSavings',
    token,
    key: `race-${simulation.seed}-${simulation.acts}`,
    body: { sacco: sacco.id, amount: cents / 100 },
  };
  const asks = (_: unknown, index: number) =>
    world.doing(`race ${simulation.acts} ${index}`, () => house.ask(asking, doorOf(index)));
  const answers = await Promise.all(Array.from({ length: times }, asks));
  simulation.acts += times;
  const replies = new Set(answers.map((answer) => JSON.stringify(answer)));
  const member = books.memberOf(person, sacco);
  if (replies.size !== 1 || !answers[0]?.ok || !member)
    return `one key ${times} times at once had ${[...replies].join(' and ')}`;
  noteMoved(person, cents, simulation.now);
  person.wallet -= cents;
  sacco.cash += cents;
  save(member, cents, simulation.now);
  simulation.count('race with one key');
  return;
}

/** The same person joins one sacco many times at once: one membership, one fee. */
async function raceToJoin(simulation: Simulation, person: Person): Promise<string | undefined> {
  const { random, books, house, world, now } = simulation;
  const open = books.saccos.filter(
    (sacco) =>
      sacco.state === 'active' &&
      !books.memberOf(person, sacco) &&
      sacco.regFee <= person.wallet &&
      proofFor(person, sacco.regFee, now) === null,
  );
  if (open.length === 0) return;
  const sacco = random.pick(open);
  const terms = { reg_fee: sacco.regFee / 100, min_shares: sacco.minShares, share_value: sacco.shareValue / 100 };
  const body = { sacco: sacco.id, ...terms, total: sacco.regFee / 100 };
  const token = person.sessions.at(-1)?.token;
  const times = random.whole(2, 5);
  const join = (_: unknown, index: number) =>
    world.doing(`race ${simulation.acts} ${index}`, () =>
      house.ask({ route: 'joinSacco', token, body }, doorOf(index)),
    );
  const answers = await Promise.all(Array.from({ length: times }, join));
  simulation.acts += times;
  const codes = answers.map((answer) => (answer.ok ? 'ok' : answer.code)).sort();
  const expected = [...Array.from({ length: times - 1 }, () => 'already_a_member'), 'ok'].sort();
  if (codes.join() !== expected.join()) return `joining ${times} times at once came to ${codes.join(', ')}`;
  noteMoved(person, sacco.regFee, now);
  person.wallet -= sacco.regFee;
  sacco.cash += sacco.regFee;
  earnFees(sacco, sacco.regFee, now);
  for (const referral of books.referrals) {
    if (referral.referred === person && referral.status === 'lead') referral.status = 'joined';
  }
  books.addMember(newMember(person, sacco, now));
  simulation.count('race to join');
  return;
}
