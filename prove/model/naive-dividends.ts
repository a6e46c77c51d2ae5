import { dayOf, type Member, type NaiveBooks, type Person, type Sacco } from './naive-books.ts';

/* The surplus of a year, as a treasurer would share it out on paper: what came in, what is kept, and what each member held day by day. */

const DAY_MS = 86_400_000;
/** Kept of a surplus; withheld of dividends, and of interest. In percent. */
const [RESERVE, SHARE_TAX, SAVINGS_TAX] = [20, 5, 15];

/** What a member had at the end of a day, and of each day after it until another entry. */
export interface Standing {
  readonly day: string;
  readonly shares: number;
  readonly saved: number;
}

export interface Rates {
  readonly year: number;
  /** In hundredths of a percent. */
  readonly shares: number;
  readonly savings: number;
  readonly isFromItsMonth: boolean;
  readonly recordDay: string;
}

export interface Closed {
  readonly year: number;
  readonly reserve: number;
  readonly distributable: number;
  readonly at: number;
  /** Since the last run of the job. */
  isReckoned: boolean;
  dividend: Dividend | null;
}

export interface Dividend {
  readonly rates: Rates;
  owed: number;
  readonly tax: number;
  isPaid: boolean;
}

export interface Surplus {
  readonly closed: Closed[];
  reserve: number;
  retained: number;
  tax: number;
}

export const newSurplus = (): Surplus => ({ closed: [], reserve: 0, retained: 0, tax: 0 });

/** Before anything happens on a new day: what everybody had at the end of the last one. */
export function noteDay(books: NaiveBooks, now: number): void {
  const today = dayOf(now);
  const { lastDay } = books;
  if (today === lastDay) return;
  for (const { days, shares, savings, pledged } of books.members) {
    const [last, saved] = [days.at(-1), savings + pledged];
    if ((last?.shares ?? 0) !== shares || (last?.saved ?? 0) !== saved) days.push({ day: lastDay, shares, saved });
  }
  books.lastDay = today;
}

const numberOf = (day: string) => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS);
const lengthOf = (year: number) => numberOf(`${year + 1}-01-01`) - numberOf(`${year}-01-01`);

/** Shares times days. */
function shareDays({ days }: Member, year: number): number {
  const [from, to] = [numberOf(`${year}-01-01`), numberOf(`${year + 1}-01-01`)];
  return days.reduce((sum, { day, shares }, place) => {
    const next = days[place + 1];
    const first = Math.max(from, numberOf(day));
    const end = Math.min(to, next ? numberOf(next.day) : to);
    return sum + Math.max(0, end - first) * shares;
  }, 0);
}

/** What came in counts for the months after it, and for its own where members say so. */
function savedMonths({ days }: Member, year: number, isFromItsMonth: boolean): number {
  const before = (day: string) => days.findLast((each) => each.day < day)?.saved ?? 0;
  const first = (month: number) => (month > 12 ? `${year + 1}-01-01` : `${year}-${String(month).padStart(2, '0')}-01`);
  let points = before(first(1)) * 12;
  for (let month = 1; month <= 12; month += 1) {
    const came = before(first(month + 1)) - before(first(month));
    points += came * (12 - month + (isFromItsMonth ? 1 : 0));
  }
  return points;
}

interface Part {
  readonly person: Person;
  readonly gross: number;
  readonly tax: number;
}

export function partsOf(books: NaiveBooks, sacco: Sacco, { year, ...rates }: Rates): Part[] {
  const percent = (amount: number, rate: number, over: number) =>
    Number((BigInt(amount) * BigInt(rate)) / (BigInt(over) * 10_000n));
  const withheld = (amount: number, tax: number) => Math.floor((amount * tax + 50) / 100);
  return books.members
    .filter((member) => member.sacco === sacco)
    .map((member) => {
      const shares = percent(shareDays(member, year) * sacco.shareValue, rates.shares, lengthOf(year));
      const savings = percent(savedMonths(member, year, rates.isFromItsMonth), rates.savings, 12);
      const tax = withheld(shares, SHARE_TAX) + withheld(savings, SAVINGS_TAX);
      return { person: member.person, gross: shares + savings, tax };
    })
    .filter(({ gross }) => gross > 0);
}

const sumOf = (parts: readonly Part[], what: 'gross' | 'tax') => parts.reduce((sum, part) => sum + part[what], 0);

/** The year that is closed next, at first the one in which the sacco began, and what it adds; null where it is not over. */
export function nextYear({ surplus, createdAt, feesOfMonth, rewardsOfMonth }: Sacco, now: number) {
  const current = Number(dayOf(now).slice(0, 4));
  const year = (surplus.closed.at(-1)?.year ?? Number(dayOf(createdAt).slice(0, 4)) - 1) + 1;
  if (year >= current) return null;
  const until = (months: ReadonlyMap<string, number>) =>
    [...months].reduce((sum, [month, cents]) => (Number(month.slice(0, 4)) <= year ? sum + cents : sum), 0);
  const kept = surplus.closed.reduce((sum, each) => sum + each.reserve + each.distributable, 0);
  const earned = until(feesOfMonth) - until(rewardsOfMonth) - kept;
  return { year, earned, ...sharedOut(surplus, earned) };
}

/** A fifth is kept; a loss takes what was not distributed, and then of what was kept. */
function sharedOut({ retained, reserve }: Surplus, earned: number): { reserve: number; distributable: number } {
  if (earned >= 0) {
    const kept = Math.ceil((earned * RESERVE) / 100);
    return { reserve: kept, distributable: earned - kept };
  }
  const ofRetained = Math.min(retained, -earned);
  return { reserve: -Math.min(reserve, -earned - ofRetained) || 0, distributable: -ofRetained || 0 };
}

export function closeYear({ surplus }: Sacco, closing: Readonly<Record<string, unknown>>, now: number): void {
  const [year, reserve, distributable] = [closing.year, closing.reserve, closing.distributable].map(Number) as [
    number,
    number,
    number,
  ];
  surplus.reserve += reserve;
  surplus.retained += distributable;
  surplus.closed.push({ year, reserve, distributable, at: now, isReckoned: false, dividend: null });
}

/** What a vote on a dividend says was there to be shared out. */
export function sharedNow({ surplus }: Sacco): Readonly<Record<string, number>> {
  const last = surplus.closed.at(-1);
  return last ? { year: last.year, distributable: surplus.retained } : {};
}

/** Whether so much may be distributed of the last closed year. */
export function mayDeclare(books: NaiveBooks, sacco: Sacco, rates: Rates): boolean {
  const { surplus, type, cash, capital } = sacco;
  const last = surplus.closed.at(-1);
  if (last?.year !== rates.year || last.dividend !== null || !last.isReckoned) return false;
  const [earliest, latest] = [dayOf(last.at + 14 * DAY_MS), dayOf(last.at + 365 * DAY_MS)];
  if (rates.recordDay < earliest || rates.recordDay > latest) return false;
  const gross = sumOf(partsOf(books, sacco, rates), 'gross');
  if (gross === 0 || gross > surplus.retained || gross > cash) return false;
  if (type !== 'sacco') return true;
  const own = surplus.reserve + surplus.retained - gross;
  const deposits = books.members.reduce(
    (sum, each) => (each.sacco === sacco ? sum + each.savings + each.pledged : sum),
    0,
  );
  const isBelow = (part: number, whole: number, least: number) =>
    whole > 0 && Math.round((part / whole) * 10_000) / 100 < least;
  return !(
    isBelow(capital + own, cash - gross, 10) ||
    isBelow(own, cash - gross, 8) ||
    isBelow(capital + own, deposits, 8)
  );
}

/** Whether members may be asked about it: before its record day, and while two officials do not close the year after it. */
export function mayAskFor(books: NaiveBooks, sacco: Sacco, rates: Rates, now: number): boolean {
  const isClosing = books.changes.some(
    (each) =>
      each.sacco === sacco && each.kind === 'year' && each.state === 'confirmed' && each.after.year === rates.year + 1,
  );
  return rates.recordDay >= dayOf(now) && !isClosing && mayDeclare(books, sacco, rates);
}

export function declare(books: NaiveBooks, sacco: Sacco, rates: Rates): void {
  const { surplus } = sacco;
  const parts = partsOf(books, sacco, rates);
  const [gross, tax] = [sumOf(parts, 'gross'), sumOf(parts, 'tax')];
  surplus.retained -= gross;
  surplus.tax += tax;
  const last = surplus.closed.at(-1);
  if (last) last.dividend = { rates, owed: gross - tax, tax, isPaid: false };
  books.note('dividend declared');
}

/** What each member’s year counts for is known; and after the record day everybody has their part in the wallet. */
export function payDividends(books: NaiveBooks, now: number): void {
  for (const sacco of books.saccos) {
    for (const closed of sacco.surplus.closed) {
      closed.isReckoned = true;
      const { dividend } = closed;
      if (!dividend || dividend.isPaid || dividend.rates.recordDay >= dayOf(now)) continue;
      for (const { person, gross, tax } of partsOf(books, sacco, dividend.rates)) person.wallet += gross - tax;
      sacco.cash -= dividend.owed;
      Object.assign(dividend, { owed: 0, isPaid: true });
      books.note('dividend paid');
    }
  }
}
