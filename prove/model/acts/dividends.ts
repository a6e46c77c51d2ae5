import type { Change, Person, Sacco } from '../naive-books.ts';
import { nextYear, type Rates } from '../naive-dividends.ts';
import type { Act, Planned, Simulation } from '../simulation.ts';
import { officialsOf, proposal } from './changes.ts';

/* Two officials close a year (a change as any other); members declare a dividend by vote (acts/votes.ts). */

/** What a vote on a dividend carries. */
export const termsOf = (rates: Rates) => ({
  year: rates.year,
  share_rate: rates.shares / 100,
  savings_rate: rates.savings / 100,
  savings_method: rates.isFromItsMonth ? 'month_of' : 'month_after',
  record_date: rates.recordDay,
  share_tax: 5,
  savings_tax: 15,
});

export function proposeClosing(simulation: Simulation, sacco: Sacco, person: Person, year: number): Planned {
  const next = nextYear(sacco, simulation.now);
  const after: Change['after'] =
    next?.year === year ? { year, reserve: next.reserve, distributable: next.distributable } : { year };
  return {
    say: `person ${person.number} proposes to close ${year} of sacco ${sacco.number}`,
    asking: { route: 'closeYear', token: person.sessions.at(-1)?.token, sacco: sacco.id, body: { year } },
    ...proposal(simulation, sacco, person, { kind: 'year', after }),
  };
}

/** Somebody tries: mostly too early, or once more. Where loans are given, the naive books do not keep what was earned in which year. */
function planClosing(simulation: Simulation): Planned | null {
  const { random, now, lenders, books } = simulation;
  const here = (sacco: Sacco) => officialsOf(simulation, sacco, 'year').filter(({ sessions }) => sessions.length > 0);
  const led = books.saccos.filter(
    (sacco) => sacco.state === 'active' && !lenders.includes(sacco) && here(sacco).length > 0,
  );
  const sacco = led.length > 0 ? random.pick(led) : simulation.saccoIn('active');
  const person = sacco && led.includes(sacco) ? random.pick(here(sacco)) : simulation.someone();
  // An official could close it well, where nothing is known of what it earned.
  if (!sacco || !person || (lenders.includes(sacco) && here(sacco).includes(person))) return null;
  const current = new Date(now).getUTCFullYear();
  return proposeClosing(simulation, sacco, person, current - random.whole(0, 1));
}

export const dividendActs: readonly Act[] = [
  { name: 'close a year', routes: ['closeYear'], weight: 1, firstOften: 0.02, plan: planClosing },
];
