import type { Person, Pool } from '../naive-books.ts';
import { actsLeft } from '../naive-loans.ts';
import { barred, freeOf, mayWithdraw, noticeOf, placeOf, putIn } from '../naive-pools.ts';
import { noteMoved, proofFor } from '../naive-proof.ts';
import type { Act, Planned, Simulation } from '../simulation.ts';

/* Money into guarantor pools, and out of them after a notice. Their terms were read where people were brought together (lend.ts). */

const shillings = (cents: number) => cents / 100;
const tokenOf = ({ sessions }: Person) => sessions.at(-1)?.token;

const touchesOf = (person: Person, { nameKey, sacco }: Pool): Planned['touches'] => [
  [`person ${person.number}`],
  [`pool ${nameKey}`],
  [`state ${sacco?.number}`, 'members'],
];

/** A pool whose terms were read, and somebody who is here: one of its members, or another. */
function meet({ books, random, active }: Simulation, isIn: boolean): { person: Person; pool: Pool } | null {
  const pools = books.pools.filter(({ termsHash }) => termsHash !== '');
  const people = active.filter(({ isOperator }) => !isOperator);
  const pairs = pools.flatMap((pool) =>
    people.filter((person) => (placeOf(pool, person) !== null) === isIn).map((person) => ({ person, pool })),
  );
  return pairs.length > 0 ? random.pick(pairs) : null;
}

const someCents = ({ random }: Simulation, { wallet }: Person, least: number) =>
  random.chance(0.85)
    ? random.whole(least, Math.max(least, Math.min(wallet, 500_00)))
    : random.whole(1, wallet + 1_000);

/** Why money does not go in, or null. */
function notPaid({ now }: Simulation, person: Person, cents: number): string | null {
  if (person.payoutHeldUntil > now) return 'payout_held';
  return person.wallet < cents ? 'insufficient_funds' : proofFor(person, cents, now);
}

function pay(simulation: Simulation, pool: Pool, person: Person, cents: number): string {
  const refusal = notPaid(simulation, person, cents);
  if (refusal) return refusal;
  noteMoved(person, cents, simulation.now);
  putIn(pool, person, cents);
  return 'ok';
}

// biome-ignore lint/suspicious/noExplicitAny: replies of every route
function wrongPlace(reply: any, pool: Pool, person: Person): string | undefined {
  const position = shillings(placeOf(pool, person)?.position ?? 0);
  const { my_position: is } = reply.pool;
  return is === position ? undefined : `a position of ${is} (${position})`;
}

export function planJoinPool(simulation: Simulation): Planned | null {
  const { books, random } = simulation;
  const found = meet(simulation, random.chance(0.05));
  if (!found) return null;
  const { person, pool } = found;
  const cents = someCents(simulation, person, pool.min);
  const isOther = random.chance(0.05);
  const hash = isOther ? '0'.repeat(64) : pool.termsHash;
  return {
    say: `person ${person.number} joins the pool ${pool.nameKey} with ${cents}`,
    asking: {
      ...{ route: 'joinPool', token: tokenOf(person) },
      body: { pool: pool.id, amount: shillings(cents), accept_terms: true, terms_hash: hash },
    },
    touches: touchesOf(person, pool),
    isKeyed: true,
    expect() {
      const refusal = barred(books, pool, person, pool.creator === person);
      if (refusal) return refusal;
      if (placeOf(pool, person)) return 'already_in_pool';
      if (isOther) return 'terms_changed';
      if (cents < pool.min) return 'pool_amount_not_allowed';
      if (leavesTooFew(simulation, pool, person)) return 'not_allowed';
      return pay(simulation, pool, person, cents);
    },
    learn: (reply) => wrongPlace(reply, pool, person),
  };
}

/** Whether an official's money in a pool of their sacco takes something from those who decide about its loans. */
function leavesTooFew({ books, now }: Simulation, pool: Pool, person: Person): boolean {
  const { sacco } = pool;
  if (!sacco) return false;
  const inside = sacco.offices.map((held) => held.person).filter((one) => placeOf(pool, one));
  const left = actsLeft(books, sacco, [...inside, person], now);
  return [...actsLeft(books, sacco, inside, now)].some((act) => !left.has(act));
}

export function planDepositToPool(simulation: Simulation): Planned | null {
  const { books, random } = simulation;
  const found = meet(simulation, random.chance(0.9));
  if (!found) return null;
  const { person, pool } = found;
  const cents = someCents(simulation, person, 100);
  return {
    say: `person ${person.number} adds ${cents} to the pool ${pool.nameKey}`,
    asking: { route: 'depositToPool', token: tokenOf(person), body: { pool: pool.id, amount: shillings(cents) } },
    touches: touchesOf(person, pool),
    isKeyed: true,
    expect() {
      if (!placeOf(pool, person)) return 'not_a_pool_member';
      return barred(books, pool, person, true) ?? pay(simulation, pool, person, cents);
    },
    learn: (reply) => wrongPlace(reply, pool, person),
  };
}

export function planWithdrawFromPool(simulation: Simulation): Planned | null {
  const { random, now, fired } = simulation;
  const found = meet(simulation, random.chance(0.95));
  if (!found) return null;
  const { person, pool } = found;
  const place = placeOf(pool, person);
  const free = place ? freeOf(place) : 100;
  const allOften = fired['withdraw from a pool done'] === undefined ? 0.9 : 0.4;
  const cents = free > 0 && random.chance(allOften) ? free : random.whole(1, free + 100);
  const notice = noticeOf(cents, now);
  return {
    say: `person ${person.number} gives notice of ${cents} to the pool ${pool.nameKey}`,
    asking: { route: 'withdrawFromPool', token: tokenOf(person), body: { pool: pool.id, amount: shillings(cents) } },
    touches: touchesOf(person, pool),
    isKeyed: true,
    expect() {
      if (!place) return 'not_a_pool_member';
      if (person.payoutHeldUntil > now) return 'payout_held';
      if (!mayWithdraw(pool, place, cents)) return 'pool_amount_not_allowed';
      place.notices.push(notice);
      return 'ok';
    },
    learn(reply) {
      notice.id = reply.withdrawal.id;
      const due = new Date(notice.dueAt).toISOString();
      return reply.withdrawal.due_at === due ? wrongPlace(reply, pool, person) : `paid at ${reply.withdrawal.due_at}`;
    },
  };
}

export function planCancelNotice(simulation: Simulation): Planned | null {
  const { books, random } = simulation;
  const given = books.pools.flatMap((pool) =>
    pool.places.flatMap((place) => place.notices.map((notice) => ({ pool, place, notice }))),
  );
  const here = given.filter(({ place }) => place.person.sessions.length > 0);
  if (here.length === 0) return null;
  const { pool, place, notice } = random.pick(here);
  return {
    say: `person ${place.person.number} takes a notice to the pool ${pool.nameKey} back`,
    asking: { route: 'cancelPoolWithdrawal', token: tokenOf(place.person), params: { id: notice.id } },
    touches: touchesOf(place.person, pool),
    expect() {
      if (!place.notices.includes(notice)) return 'pool_withdrawal_conflict';
      place.notices = place.notices.filter((each) => each !== notice);
      return 'ok';
    },
  };
}

/** What is drawn while somebody lends, as for loans. */
export const poolActs: readonly Act[] = [
  { name: 'join a pool', routes: ['joinPool'], weight: 3, plan: planJoinPool },
  { name: 'deposit to a pool', routes: ['depositToPool'], weight: 2, plan: planDepositToPool },
  {
    name: 'withdraw from a pool',
    routes: ['withdrawFromPool'],
    weight: 2,
    leadsTo: 'take a pool notice back',
    plan: planWithdrawFromPool,
  },
  { name: 'take a pool notice back', routes: ['cancelPoolWithdrawal'], weight: 0.5, plan: planCancelNotice },
];
