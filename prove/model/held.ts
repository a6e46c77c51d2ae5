import { planForgot, planLogin, planReset } from './acts/entrance.ts';
import { HELD_ACTS, marketActs } from './acts/market.ts';
import type { Person } from './naive-books.ts';
import type { Planned, Simulation } from './simulation.ts';

/** Plans drawn until one is of the person who is looked for. */
const DRAWS_MAX = 200;
const PAUSE_MS = 61_000;
const NAMES: Readonly<Record<(typeof HELD_ACTS)[number], string>> = {
  place: 'place an order',
  take: 'take an offer',
  change: 'change an order',
  cancel: 'cancel an order',
};

/**
 * Somebody resets the password, signs in and goes to market, all within an hour. Left to chance the clock would have jumped past
 * the hold before they came back.
 */
export async function tradeAfterReset(simulation: Simulation, settle: () => Promise<void>): Promise<void> {
  const person = traderAtHand(simulation);
  if (!person) return;
  await one(simulation, planForgot(simulation, person), 'forgot password');
  // The code comes by SMS.
  await settle();
  if (person.resetCodes.length === 0) return;
  await one(simulation, planReset(simulation, person), 'reset password');
  if (person.payoutHeldUntil <= simulation.now) return;
  await one(simulation, planLogin(simulation, person), 'sign in');
  for (const what of HELD_ACTS) await one(simulation, planOf(simulation, person, NAMES[what]), NAMES[what]);
}

/** Who has an order waiting, as a rule: then there is one to change. */
function traderAtHand({ books, active, random }: Simulation): Person | null {
  const members = active.filter(({ isOperator, resetCodes }) => !isOperator && resetCodes.length === 0);
  const waits = (person: Person) =>
    books.saccos.some(({ market }) => market.open.some((order) => order.person === person));
  const waiting = members.filter(waits);
  const from = waiting.length > 0 ? waiting : members;
  return from.length === 0 ? null : random.pick(from);
}

function planOf(simulation: Simulation, person: Person, name: string): Planned | null {
  const act = marketActs.find((other) => other.name === name);
  for (let draw = 0; act && person.sessions.length > 0 && draw < DRAWS_MAX; draw += 1) {
    const plan = act.plan(simulation);
    if (plan?.say.startsWith(`person ${person.number} `)) return plan;
  }
  return null;
}

async function one(simulation: Simulation, plan: Planned | null, name: string): Promise<void> {
  if (!plan) return;
  await simulation.wave([plan], [name]);
  simulation.world.advance(PAUSE_MS);
}
