/*
 * What a member gets of a year's surplus, to the cent (domain.md 4.5, docs/decisions/194). No I/O: the server pays by these rules, and a
 * page reckons them once more line by line. Each share is rounded down, so nobody gets what was not declared; what rounding leaves
 * stays in the surplus.
 */

/**
 * How savings are weighted: from the month after they came in, from that month itself, or by the lowest balance of each month.
 */
export const SAVINGS_METHODS = ['month_after', 'month_of', 'lowest_balance'] as const;
export type SavingsMethod = (typeof SAVINGS_METHODS)[number];

/** Of the surplus of a year what is kept before anything may be distributed (domain.md 3.6). */
export const STATUTORY_RESERVE_PERCENTAGE = 20;
const TWELFTHS = 12;
const WHOLE = 10_000n;

/** A percentage with two decimals at most as hundredths of a percent; null for another number. */
export function basisPointsOf(percentage: number): number | null {
  const points = Math.round(percentage * 100);
  return Number.isFinite(percentage) && Math.abs(percentage * 100 - points) < 1e-6 ? points : null;
}

export const daysOfYear = (year: number): number => dayNumber(`${year + 1}-01-01`) - dayNumber(`${year}-01-01`);
/** A day `2026-11-20` as a number; the next day has the next number. */
const dayNumber = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / 86_400_000);

/** An entry of the register of shares: above zero for shares received. */
export interface ShareMove {
  readonly day: string;
  readonly shares: number;
}

/** Days on which a member held so many shares. */
export interface ShareLine {
  readonly from: string;
  readonly days: number;
  readonly shares: number;
  readonly shareDays: number;
}

/**
 * A member's year in the register. The day of an entry counts for whoever has the shares after it: of a trade the buyer has that day
 * and all later ones, the seller those before it.
 */
export function shareLines(year: number, moves: readonly ShareMove[]): ShareLine[] {
  const [first, end] = [`${year}-01-01`, `${year + 1}-01-01`];
  const changes = new Map<string, number>([[first, 0]]);
  for (const { day, shares } of moves) {
    if (day >= end) continue;
    const from = dayNumber(day) < dayNumber(first) ? first : day;
    changes.set(from, (changes.get(from) ?? 0) + shares);
  }
  const days = [...changes.keys()].sort();
  let shares = 0;
  return days.map((from, place) => {
    shares += changes.get(from) ?? 0;
    const count = dayNumber(days[place + 1] ?? end) - dayNumber(from);
    return { from, days: count, shares, shareDays: count * shares };
  });
}

export const shareDaysOf = (lines: readonly ShareLine[]): number =>
  lines.reduce((days, { shareDays }) => days + shareDays, 0);

/** rate × share value × share-days / days of the year, in cents, rounded down. */
export function shareDividend(
  shareDays: number,
  { year, rate, shareValueCents }: { readonly year: number; readonly rate: number; readonly shareValueCents: number },
): number {
  return Number((BigInt(shareDays) * BigInt(shareValueCents) * BigInt(rate)) / (BigInt(daysOfYear(year)) * WHOLE));
}

/** One month of a member's savings: what came in less what went out, and the lowest balance in it. */
export interface SavingsMonth {
  readonly net: number;
  readonly lowest: number;
}

/** How many twelfths of the year what came in during a month counts. The first month is 1. */
export const twelfthsOf = (month: number, method: SavingsMethod): number =>
  TWELFTHS - month + (method === 'month_of' ? 1 : 0);

/** Savings × months, in cents: what a year's interest is reckoned on, twelve times over. */
export function savingsPoints(opening: number, months: readonly SavingsMonth[], method: SavingsMethod): number {
  if (method === 'lowest_balance') return months.reduce((points, { lowest }) => points + lowest, 0);
  return months.reduce((points, { net }, index) => points + net * twelfthsOf(index + 1, method), opening * TWELFTHS);
}

/** rate × points / 12, in cents, rounded down. */
export const savingsInterest = (points: number, rate: number): number =>
  Number((BigInt(points) * BigInt(rate)) / (BigInt(TWELFTHS) * WHOLE));

/** The tax that is withheld of an amount: to the nearest cent, half a cent up. */
export const withheldOf = (grossCents: number, rate: number): number =>
  Number((BigInt(grossCents) * BigInt(rate) + WHOLE / 2n) / WHOLE);

/** How a surplus is kept apart: the reserve is rounded up. Called with a surplus only. */
export function shareOutSurplus(surplusCents: number): { readonly reserve: number; readonly distributable: number } {
  if (surplusCents <= 0) return { reserve: 0, distributable: 0 };
  const reserve = Math.ceil((surplusCents * STATUTORY_RESERVE_PERCENTAGE) / 100);
  return { reserve, distributable: surplusCents - reserve };
}

/** What a sacco owns and owes to itself, in cents. */
export interface Capital {
  readonly shareCapital: number;
  readonly reserves: number;
  readonly assets: number;
  readonly deposits: number;
}

/** Percentages below which a payout must not bring them (domain.md 3.8). */
export interface CapitalMinimums {
  readonly core_to_assets: number;
  readonly institutional_to_assets: number;
  readonly core_to_deposits: number;
}
export type CapitalRatios = Readonly<Record<keyof CapitalMinimums, number | null>>;

/** Core capital is shares and reserves; institutional capital is the reserves alone. In percent; null where there is nothing to compare with. */
export function capitalRatios({ shareCapital, reserves, assets, deposits }: Capital): CapitalRatios {
  const of = (part: number, whole: number) => (whole > 0 ? Math.round((part / whole) * 10_000) / 100 : null);
  return {
    core_to_assets: of(shareCapital + reserves, assets),
    institutional_to_assets: of(reserves, assets),
    core_to_deposits: of(shareCapital + reserves, deposits),
  };
}

/** The same after so much has left the reserves and the sacco. */
export const afterPayout = (capital: Capital, cents: number): Capital => ({
  ...capital,
  reserves: capital.reserves - cents,
  assets: capital.assets - cents,
});

/** Which ratios are below their minimum. */
export function belowMinimum(ratios: CapitalRatios, minimums: CapitalMinimums): (keyof CapitalMinimums)[] {
  return (Object.keys(minimums) as (keyof CapitalMinimums)[]).filter((name) => {
    const ratio = ratios[name];
    return ratio !== null && ratio < minimums[name];
  });
}
