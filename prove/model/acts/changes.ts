import { isDeepStrictEqual } from 'node:util';
import { type Change, hasRefusedLately, type Person, type Sacco } from '../naive-books.ts';
import { isRefused, valuesNow } from '../naive-changes.ts';
import type { Terms } from '../naive-market.ts';
import type { Act, Planned, Simulation } from '../simulation.ts';

/* What two officials change together: one proposes, another confirms, and a day later it holds (naive-changes.ts). */

const DAY_MS = 86_400_000;
const shillings = (cents: number) => cents / 100;
/** Who may propose and confirm what. */
const OFFICES: Readonly<Record<Change['kind'], readonly string[]>> = {
  market: ['chair', 'secretary', 'treasurer'],
  referrals: ['chair', 'secretary', 'treasurer'],
  loans: ['chair', 'secretary', 'treasurer'],
  year: ['chair', 'secretary', 'treasurer'],
};

export function officialsOf({ books, now }: Simulation, sacco: Sacco, kind: Change['kind']): Person[] {
  const people = new Set(sacco.offices.map(({ person }) => person));
  return [...people].filter((person) => books.officesOf(person, sacco, now).some((one) => OFFICES[kind].includes(one)));
}

const isHere = ({ sessions }: Person) => sessions.length > 0;

const isOpen = ({ state }: Change) => state === 'proposed' || state === 'confirmed';

/** What becomes of a proposal in the naive books. */
function propose(simulation: Simulation, change: Change): string {
  const { books, now } = simulation;
  const { sacco, kind, by } = change;
  if (!officialsOf(simulation, sacco, kind).includes(by)) return 'not_allowed';
  if (isRefused(books, change, now)) return 'change_conflict';
  if (kind === 'market' && sacco.state !== 'active') return 'sacco_inactive';
  change.before = valuesNow(sacco, kind, now);
  if (isDeepStrictEqual(change.before, change.after)) return 'change_conflict';
  const others = books.changes.filter((other) => other.sacco === sacco && other.kind === kind);
  if (others.some(isOpen)) return 'change_conflict';
  if (others.filter((other) => other.by === by && other.at > now - DAY_MS).length >= 5) return 'changes_limit_reached';
  if (!officialsOf(simulation, sacco, kind).some((person) => person !== by)) return 'second_official_required';
  books.changes.push(change);
  return 'ok';
}

export function proposal(simulation: Simulation, sacco: Sacco, by: Person, change: Pick<Change, 'kind' | 'after'>) {
  const made: Change = { ...change, id: '', sacco, by, at: simulation.now, before: {}, state: 'proposed', from: null };
  return {
    touches: [[`person ${by.number}`], [`state ${sacco.number}`, 'members'], [`changes ${sacco.number}`]],
    expect: () => propose(simulation, made),
    learn(reply: { change: { id: string } }) {
      made.id = reply.change.id;
      return undefined;
    },
  } satisfies Partial<Planned>;
}

function planMarketTerms(simulation: Simulation): Planned | null {
  const { random, books } = simulation;
  const leads = (sacco: Sacco) => officialsOf(simulation, sacco, 'market').filter(isHere);
  const led = books.saccos.filter((sacco) => sacco.state === 'active' && leads(sacco).length > 0);
  // Where some wait at another price than the share value, other terms may close their orders.
  const isBanded = ({ market, shareValue }: Sacco) => market.open.some(({ price }) => price !== shareValue);
  const banded = led.filter(isBanded);
  // One official alone changes nothing.
  const byTwo = led.filter((one) => officialsOf(simulation, one, 'market').length > 1);
  const ready = byTwo.length > 0 && random.chance(0.7) ? byTwo : led;
  const from = banded.length > 0 && random.chance(0.5) ? banded : ready;
  const sacco =
    from.length > 0 && random.chance(0.9) ? random.pick(from) : simulation.saccoIn('active', 'suspended', 'pending');
  if (!sacco) return null;
  const here = leads(sacco);
  const person = here.length > 0 && random.chance(0.9) ? random.pick(here) : simulation.someone();
  if (!person) return null;
  const terms: Terms = {
    isPar: random.chance(isBanded(sacco) ? 0.4 : 0.1),
    floor: random.whole(80, 100),
    ceiling: random.whole(100, 125),
    tick: random.pick([1, 33, 50, 100, 100, 250]),
    lot: random.pick([1, 1, 1, 1, 2, 5].filter((lot) => lot <= Math.max(1, sacco.minShares))),
    feeShare: random.pick([0, 25, 50, 150, 300]),
    feeMin: random.pick([0, 1, 500, 1_000, 2_500]),
    days: random.pick([7, 30, 60, 90]),
  };
  return {
    say: `person ${person.number} proposes terms of the market of sacco ${sacco.number}`,
    asking: {
      route: 'setMarketTerms',
      token: person.sessions.at(-1)?.token,
      sacco: sacco.id,
      body: {
        price_mode: terms.isPar ? 'par' : 'band',
        floor_percentage: terms.floor,
        ceiling_percentage: terms.ceiling,
        tick: shillings(terms.tick),
        lot: terms.lot,
        fee_basis_points: terms.feeShare,
        fee_min: shillings(terms.feeMin),
        order_days_max: terms.days,
      },
    },
    ...proposal(simulation, sacco, person, { kind: 'market', after: { ...terms } }),
  };
}

function planReferralTerms(simulation: Simulation): Planned | null {
  const { random, books } = simulation;
  const byTwo = books.saccos.filter((one) => {
    const people = officialsOf(simulation, one, 'referrals');
    return people.length > 1 && people.some(isHere);
  });
  const anySacco = simulation.saccoIn('active', 'active', 'suspended', 'pending');
  const sacco = byTwo.length > 0 && random.chance(0.8) ? random.pick(byTwo) : anySacco;
  if (!sacco) return null;
  const officials = officialsOf(simulation, sacco, 'referrals').filter(isHere);
  const person = officials.length > 0 && random.chance(0.85) ? random.pick(officials) : simulation.someone();
  if (!person) return null;
  const reward = random.pick([0, 1, 2, 5, 20.5]);
  const monthlyMax = random.whole(1, 3);
  return {
    say: `person ${person.number} proposes the reward of sacco ${sacco.number}: ${reward}`,
    asking: {
      route: 'changeReferralTerms',
      token: person.sessions.at(-1)?.token,
      sacco: sacco.id,
      body: { reward, monthly_rewards_max: monthlyMax },
    },
    ...proposal(simulation, sacco, person, { kind: 'referrals', after: { reward: reward * 100, monthlyMax } }),
  };
}

/** Why it cannot be decided any more. */
function decided({ state, at }: Change, states: readonly Change['state'][], now: number): string | null {
  return states.includes(state) && !(state === 'proposed' && at + 7 * DAY_MS <= now) ? null : 'change_conflict';
}

function planDecision(simulation: Simulation): Planned | null {
  const { random, books } = simulation;
  const known = books.changes.filter(({ id }) => id !== '');
  const open = known.filter(isOpen);
  const from = open.length > 0 && random.chance(0.95) ? open : known.slice(-20);
  if (from.length === 0) return null;
  const change = random.pick(from);
  const { sacco, kind, by } = change;
  const others = officialsOf(simulation, sacco, kind).filter((person) => person !== by && isHere(person));
  const isOwn = isHere(by) && random.chance(0.15);
  const person = isOwn ? by : others.length > 0 ? random.pick(others) : simulation.someone();
  if (!person) return null;
  const route = isOwn
    ? random.pick(['withdrawSaccoChange', 'confirmSaccoChange'] as const)
    : random.chance(0.85)
      ? 'confirmSaccoChange'
      : 'refuseSaccoChange';
  return decideChange(simulation, change, person, route);
}

/** What becomes of a change by the word of an official. */
export function decideChange(
  simulation: Simulation,
  change: Change,
  person: Person,
  route: 'confirmSaccoChange' | 'refuseSaccoChange' | 'withdrawSaccoChange',
): Planned {
  const { books, now } = simulation;
  const { sacco, kind, by } = change;
  return {
    say: `person ${person.number}: ${route} of sacco ${sacco.number}`,
    asking: { route, token: person.sessions.at(-1)?.token, sacco: sacco.id, params: { id: change.id } },
    touches: [[`person ${person.number}`], [`state ${sacco.number}`, 'members'], [`changes ${sacco.number}`]],
    expect() {
      if (route === 'withdrawSaccoChange') {
        const late = decided(change, ['proposed', 'confirmed'], now);
        if (!late) change.state = 'ended';
        return late ?? 'ok';
      }
      const held = books.officesOf(person, sacco, now);
      if (held.length === 0) return 'not_allowed';
      if (sacco.state !== 'active' && sacco.state !== 'suspended') return 'sacco_inactive';
      if (route === 'refuseSaccoChange') {
        const late = decided(change, ['proposed', 'confirmed'], now);
        if (late) return late;
        const same = books.changes.filter((other) => other.sacco === sacco && other.kind === kind);
        if (person !== by && hasRefusedLately(same, person, now)) return 'change_conflict';
        Object.assign(change, { state: 'ended' }, person === by ? {} : { refused: { by: person, at: now } });
        return 'ok';
      }
      if (!held.some((office) => OFFICES[kind].includes(office))) return 'not_allowed';
      if (person === by) return 'second_official_required';
      const late = decided(change, ['proposed'], now);
      if (late) return late;
      if (isRefused(books, change, now)) return 'change_conflict';
      if (kind === 'market' && sacco.state !== 'active') return 'sacco_inactive';
      if (!isDeepStrictEqual(valuesNow(sacco, kind, now), change.before)) return 'change_conflict';
      change.state = 'confirmed';
      change.from = now + DAY_MS;
      return 'ok';
    },
  };
}

export const changeActs: readonly Act[] = [
  { name: 'market terms', routes: ['setMarketTerms'], weight: 4, firstOften: 0.15, plan: planMarketTerms },
  { name: 'referral terms', routes: ['changeReferralTerms'], weight: 4, plan: planReferralTerms },
  {
    name: 'decide on a change',
    routes: ['confirmSaccoChange', 'refuseSaccoChange', 'withdrawSaccoChange'],
    weight: 12,
    firstOften: 0.3,
    plan: planDecision,
  },
];
