import { hasRefusedLately, type NameChange, type Person, type Sacco } from '../naive-books.ts';
import { endApplication, type Loan } from '../naive-loans.ts';
import type { Act, Planned, Simulation } from '../simulation.ts';

/* The names of officials: a new one holds once another official has confirmed it. */

const DAY_MS = 86_400_000;

type Books = Pick<Simulation, 'books' | 'now'>;

/** The saccos in which somebody holds an office and changes are decided. */
export function saccosLedBy({ books, now }: Books, person: Person): Sacco[] {
  return books.saccos.filter(
    (sacco) =>
      (sacco.state === 'active' || sacco.state === 'suspended') && books.officesOf(person, sacco, now).length > 0,
  );
}

function othersIn({ books, now }: Books, sacco: Sacco, person: Person): Person[] {
  const people = new Set(sacco.offices.map((held) => held.person));
  return [...people].filter((other) => other !== person && books.officesOf(other, sacco, now).length > 0);
}

/** Somebody who is signed in and not the only official of a sacco, or null. */
export function someOfficial(simulation: Simulation): Person | null {
  const officials = simulation.active.filter((person) =>
    saccosLedBy(simulation, person).some((sacco) => othersIn(simulation, sacco, person).length > 0),
  );
  return officials.length > 0 ? simulation.random.pick(officials) : null;
}

const waits = ({ isOpen, at }: NameChange, now: number) => isOpen && at + 7 * DAY_MS > now;

/** Why an official cannot propose this name now; null where they can, or hold no office. */
export function refusalOfName({ books, now }: Books, person: Person, lastName: string): string | null {
  const led = saccosLedBy({ books, now }, person);
  const own = books.names.filter(({ by }) => by === person);
  if (led.length === 0 || own.some((one) => waits(one, now) && one.lastName === lastName)) return null;
  if (own.filter(({ at }) => at > now - DAY_MS).length >= 5) return 'changes_limit_reached';
  return led.some((sacco) => othersIn({ books, now }, sacco, person).length > 0) ? null : 'second_official_required';
}

/** What becomes of a new name that nothing stands against: it holds, or (then this is true) it waits. */
export function takeName({ books, now }: Books, person: Person, lastName: string): boolean {
  const mayWait = saccosLedBy({ books, now }, person).length > 0;
  const own = books.names.filter(({ by }) => by === person);
  if (mayWait && own.some((one) => waits(one, now) && one.lastName === lastName)) return true;
  for (const one of own) one.isOpen = false;
  if (mayWait) books.names.push({ id: '', by: person, at: now, lastName, isOpen: true });
  else rename(books, person, lastName, now);
  return mayWait;
}

/** The card that was seen has another name, and nobody stands for what was asked for under the one before. */
function rename(books: Simulation['books'], person: Person, lastName: string, now: number): void {
  person.lastName = lastName;
  const isOpen = ({ state, expiresAt }: Loan) => state === 'submitted' || state === 'disbursing' || expiresAt !== null;
  for (const loan of books.loans.filter((each) => each.person === person && isOpen(each)))
    endApplication(books, loan, 'withdrawn');
  if (person.cardSeenUntil !== Number.POSITIVE_INFINITY) return;
  // A card counts on after its end where it had been seen for 30 days.
  person.cardSeenUntil = now - person.cardSeenAt >= 30 * 86_400_000 ? now : person.cardBefore;
}

/** Takes over by which id the page would decide on it. */
export async function learnOfName({ books, house }: Simulation, person: Person, token: string | undefined) {
  const profile = await house.ask({ route: 'getProfile', token });
  const name = books.names.findLast(({ by }) => by === person);
  if (!profile.ok || !name) return undefined;
  name.id = profile.reply.waiting_name?.change ?? '';
  return profile.reply.waiting_name?.last_name === name.lastName ? undefined : 'another name waits';
}

function planDecision(simulation: Simulation): Planned | null {
  const { random, books, now } = simulation;
  const known = books.names.filter(({ id }) => id !== '');
  const open = known.filter((one) => waits(one, now));
  const from = open.length > 0 && random.chance(0.95) ? open : known.slice(-20);
  if (from.length === 0) return null;
  const name = random.pick(from);
  const led = saccosLedBy(simulation, name.by);
  const sacco = led.length > 0 && random.chance(0.95) ? random.pick(led) : simulation.saccoIn('active', 'suspended');
  if (!sacco) return null;
  const others = othersIn(simulation, sacco, name.by).filter(({ sessions }) => sessions.length > 0);
  const isOwn = name.by.sessions.length > 0 && random.chance(0.2);
  const person = isOwn ? name.by : others.length > 0 ? random.pick(others) : simulation.someone();
  if (!person) return null;
  const route = isOwn
    ? random.pick(['withdrawSaccoChange', 'confirmSaccoChange'] as const)
    : random.pick(['confirmSaccoChange', 'confirmSaccoChange', 'refuseSaccoChange'] as const);
  return {
    say: `person ${person.number}: ${route} of the name of person ${name.by.number}`,
    asking: { route, token: person.sessions.at(-1)?.token, sacco: sacco.id, params: { id: name.id } },
    touches: [[`person ${person.number}`], [`person ${name.by.number}`], [`state ${sacco.number}`, 'members']],
    expect: () => decide(simulation, { route, name, sacco, person }),
  };
}

interface Decision {
  readonly route: string;
  readonly name: NameChange;
  readonly sacco: Sacco;
  readonly person: Person;
}

function decide({ books, now }: Simulation, { route, name, sacco, person }: Decision): string {
  if (route !== 'withdrawSaccoChange') {
    if (books.officesOf(person, sacco, now).length === 0) return 'not_allowed';
    if (sacco.state !== 'active' && sacco.state !== 'suspended') return 'sacco_inactive';
    if (books.officesOf(name.by, sacco, now).length === 0) return 'not_found';
    if (route === 'confirmSaccoChange' && person === name.by) return 'second_official_required';
  }
  if (!waits(name, now)) return 'change_conflict';
  if (route === 'refuseSaccoChange' && person !== name.by) {
    const same = books.names.filter(({ by }) => by === name.by);
    if (hasRefusedLately(same, person, now)) return 'change_conflict';
    name.refused = { by: person, at: now };
  }
  name.isOpen = false;
  if (route === 'confirmSaccoChange') rename(books, name.by, name.lastName, now);
  books.note(`${route} of a name`);
  return 'ok';
}

export const nameActs: readonly Act[] = [
  {
    name: 'decide on a name',
    routes: ['confirmSaccoChange', 'refuseSaccoChange', 'withdrawSaccoChange'],
    weight: 8,
    firstOften: 0.2,
    plan: planDecision,
  },
];
