import type { Cents } from '@ushirika/contract/money';

/*
 * Prices, capital and shares of a guarantor pool (pools-voting-anchoring.md A5 and A6). Integers only: money in cents,
 * percentages in hundredths of a percent, ratios and weights in ten-thousandths. Products go through bigint, so that
 * no pool is too large to be exact.
 */

/** Hundredths of a percent, or of one: `386` is 3.86 %, and a factor of `150` is 1.50. */
export type Hundredths = number;
/** Ten-thousandths of one: `12850` is 1.2850. */
export type TenThousandths = number;

const ONE = 10_000;

export interface PoolTerms {
  readonly minContribution: Cents;
  /** Hundredths of a percent of a guarantee that the borrower's own position must cover. */
  readonly minContributionPerc: Hundredths;
  readonly minMemberPeriodDays: number;
  /** Hundredths of a percent a year. */
  readonly baseRisk: Hundredths;
  readonly riskWeightFactor: Hundredths;
  readonly minTrustScore: number;
}

export interface PoolSettings {
  /** Hundredths: 80 is M = 0.80. */
  readonly exposureMultiple: Hundredths;
  readonly kink: TenThousandths;
  /** Hundredths of a percent of the equity. */
  readonly maxBorrowerShare: Hundredths;
  /** Hundredths of a percent of a loan's principal. */
  readonly maxCover: Hundredths;
  readonly maxActivePerBorrower: number;
  /** Whole percents that add up to 100. */
  readonly feeSplit: { readonly members: number; readonly reserve: number; readonly sacco: number };
  /** Hundredths of a percent of the reserve. */
  readonly reserveDraw: Hundredths;
  readonly noticeDays: number;
  readonly autoLimit: Cents;
  /** Hundredths of a percent of the equity. */
  readonly autoLimitShare: Hundredths;
  /** Hundredths of a percent a year. */
  readonly rateCap: Hundredths;
}

/** What a new pool begins with (A2). */
export const defaultPoolSettings: PoolSettings = {
  exposureMultiple: 80,
  kink: 6_000,
  maxBorrowerShare: 2_000,
  maxCover: 8_000,
  maxActivePerBorrower: 3,
  feeSplit: { members: 70, reserve: 20, sacco: 10 },
  reserveDraw: 5_000,
  noticeDays: 30,
  autoLimit: 50_000_00,
  autoLimitShare: 500,
  rateCap: 3_000,
};

/** A pool opens with this many members … */
export const OPENING_MEMBERS = 5;
/** … and this many times its smallest contribution. */
export const OPENING_CONTRIBUTIONS = 10;

type Rounding = 'down' | 'up' | 'half-up';

/** `a * b / divisor` in whole numbers; all three are non-negative and the divisor is positive. */
function ratio(a: number, b: number | bigint, divisor: number, rounding: Rounding): number {
  const product = BigInt(a) * BigInt(b);
  const by = BigInt(divisor);
  if (rounding === 'half-up') return Number((2n * product + by) / (2n * by));
  return Number(rounding === 'up' ? (product + by - 1n) / by : product / by);
}

/** w = 1 + k × (100 − T) / 100: 1 for full trust, more the less a borrower is trusted. */
export function riskWeight(riskWeightFactor: Hundredths, trustScore: number): TenThousandths {
  return ONE + riskWeightFactor * (100 - trustScore);
}

/** What a guarantee takes of the capacity: ceil(G × w). */
export function weightedExposure(guarantee: Cents, weight: TenThousandths): Cents {
  return ratio(guarantee, weight, ONE, 'up');
}

/** E: positions less what is under notice of withdrawal. The reserve is not counted. */
export function equityOf(pool: { readonly positions: Cents; readonly notice: Cents }): Cents {
  return pool.positions - pool.notice;
}

/** M × E. */
export function capacityOf(equity: Cents, settings: Pick<PoolSettings, 'exposureMultiple'>): Cents {
  return ratio(equity, settings.exposureMultiple, 100, 'down');
}

/** The part of the capacity that is taken, rounded down; null where there is no capacity. */
export function utilisationOf(weighted: Cents, capacity: Cents): TenThousandths | null {
  return capacity === 0 ? null : ratio(weighted, ONE, capacity, 'down');
}

/** c: 0 up to the kink, then rising to 1 in a full pool. */
export function crowdingOf(utilisation: TenThousandths, kink: TenThousandths): TenThousandths {
  if (utilisation <= kink) return 0;
  return Math.min(ONE, ratio(utilisation - kink, ONE, ONE - kink, 'down'));
}

/** r = base × w × (1 + c), half-up to hundredths of a percent, no more than the cap. */
export function riskPercentage(
  base: Hundredths,
  weight: TenThousandths,
  crowding: TenThousandths,
  cap: Hundredths = defaultPoolSettings.rateCap,
): Hundredths {
  const uncapped = ratio(base, BigInt(weight) * BigInt(ONE + crowding), ONE * ONE, 'half-up');
  return Math.min(uncapped, cap);
}

/** The fee of a guarantee that declines with an n-month loan of equal principals: G × r × (n + 1) / 24. */
export function guaranteeFee(guarantee: Cents, rate: Hundredths, months: number): Cents {
  return ratio(guarantee, BigInt(rate) * BigInt(months + 1), ONE * 24, 'half-up');
}

/** The fee for any schedule: the guaranteed balance at the opening of each month, × r / 12. */
export function guaranteeFeeOfSchedule(openingBalances: readonly Cents[], rate: Hundredths): Cents {
  const sum = openingBalances.reduce((total, balance) => total + balance, 0);
  return ratio(sum, rate, ONE * 12, 'half-up');
}

/** How much of the fee the pool has earned after month k of n: in proportion to the balance that was guaranteed. */
export function earnedFee(fee: Cents, months: number, monthsPassed: number): Cents {
  const whole = (months * (months + 1)) / 2;
  const left = months - monthsPassed;
  return ratio(fee, whole - (left * (left + 1)) / 2, whole, 'down');
}

/**
 * Splits a total by weights, to the cent: largest remainder; of equal remainders the earlier in the list wins, so the
 * list is in the order of the members' sequence numbers.
 * @throws RangeError when there is something to split and no weight to split it by.
 */
export function allocate(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n);
  if (sum === 0n) {
    if (total === 0) return weights.map(() => 0);
    throw new RangeError('there is nobody to allocate to');
  }
  const exact = weights.map((weight) => BigInt(total) * BigInt(weight));
  const shares = exact.map((value) => Number(value / sum));
  const left = total - shares.reduce((all, share) => all + share, 0);
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: value % sum }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of byRemainder.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}

/** What an earned part of the fee gives to the lock holders, the reserve and the sacco. */
export function splitFee(
  earned: Cents,
  split: PoolSettings['feeSplit'],
): { members: Cents; reserve: Cents; sacco: Cents } {
  const [members = 0, reserve = 0, sacco = 0] = allocate(earned, [split.members, split.reserve, split.sacco]);
  return { members, reserve, sacco };
}

/** The part of a guarantee that is locked in the borrower's own position first: ceil(percentage × G). */
export function ownLockOf(guarantee: Cents, minContributionPerc: Hundredths): Cents {
  return ratio(guarantee, minContributionPerc, ONE, 'up');
}

/** What is still guaranteed as the loan's principal is paid back: ceil(G × principal left / principal at the start). */
export function guaranteeLeft(guarantee: Cents, principalLeft: Cents, principalAtStart: Cents): Cents {
  return ratio(guarantee, principalLeft, principalAtStart, 'up');
}

/** The locks that remain when the guarantee falls to `left`: released in proportion, so that no lock ever rises. */
export function locksAfterRelease(locks: readonly Cents[], left: Cents): Cents[] {
  const locked = locks.reduce((total, lock) => total + lock, 0);
  const released = allocate(locked - left, locks);
  return locks.map((lock, index) => lock - (released[index] ?? 0));
}

export interface CallInput {
  /** What the pool has to pay: the least of the guarantee left and the principal left after the borrower's own means. */
  readonly shortfall: Cents;
  /** The borrower's own position: what is free, and what is locked for this contract. */
  readonly borrowerPosition: Cents;
  readonly reserve: Cents;
  readonly reserveDraw: Hundredths;
  /** The other members' locks of this contract. */
  readonly locks: readonly Cents[];
}

/** Who pays when a guarantee is called: the borrower, then at most a part of the reserve, then locks in proportion. */
export function callWaterfall(call: CallInput): { borrower: Cents; reserve: Cents; members: Cents[] } {
  const borrower = Math.min(call.shortfall, call.borrowerPosition);
  const reserveMost = ratio(call.reserve, call.reserveDraw, ONE, 'down');
  const reserve = Math.min(call.shortfall - borrower, reserveMost);
  const locked = call.locks.reduce((total, lock) => total + lock, 0);
  const rest = Math.min(call.shortfall - borrower - reserve, locked);
  return { borrower, reserve, members: allocate(rest, call.locks) };
}

/** What a recovery gives back: to the members by what they lost until they are whole, then to the reserve. */
export function shareRecovery(
  recovered: Cents,
  losses: { readonly members: readonly Cents[]; readonly reserve: Cents },
): { members: Cents[]; reserve: Cents } {
  const lost = losses.members.reduce((total, loss) => total + loss, 0);
  const toMembers = Math.min(recovered, lost);
  return {
    members: allocate(toMembers, losses.members),
    reserve: Math.min(recovered - toMembers, losses.reserve),
  };
}

export interface Price {
  readonly trustScore: number;
  readonly utilisationAfter: TenThousandths;
  readonly riskWeight: TenThousandths;
  readonly crowding: TenThousandths;
  readonly riskPercentage: Hundredths;
  readonly amount: Cents;
  readonly months: number;
  readonly fee: Cents;
}

/** The price of one guarantee at a given trust and fullness of the pool. */
export function priceOf(
  terms: Pick<PoolTerms, 'baseRisk' | 'riskWeightFactor'>,
  settings: Pick<PoolSettings, 'kink' | 'rateCap'>,
  guarantee: { trustScore: number; utilisationAfter: TenThousandths; amount: Cents; months: number },
): Price {
  const weight = riskWeight(terms.riskWeightFactor, guarantee.trustScore);
  const crowding = crowdingOf(guarantee.utilisationAfter, settings.kink);
  const rate = riskPercentage(terms.baseRisk, weight, crowding, settings.rateCap);
  return {
    ...guarantee,
    riskWeight: weight,
    crowding,
    riskPercentage: rate,
    fee: guaranteeFee(guarantee.amount, rate, guarantee.months),
  };
}

const EXAMPLE_AMOUNT: Cents = 10_000_00;
const EXAMPLE_STEP: Cents = 100_00;
const EXAMPLE_MONTHS = 12;

/** Ksh. 10,000, or in whole hundreds what one borrower can have at most, where that is less. A pool without money shows Ksh. 10,000. */
function exampleAmount(most: Cents): Cents {
  const whole = most - (most % EXAMPLE_STEP);
  return whole === 0 ? EXAMPLE_AMOUNT : Math.min(EXAMPLE_AMOUNT, whole);
}

/** The most that a pool with this equity guarantees for one borrower. */
export const mostOfOneBorrower = (equity: Cents, { maxBorrowerShare }: Pick<PoolSettings, 'maxBorrowerShare'>): Cents =>
  Number((BigInt(Math.max(0, equity)) * BigInt(maxBorrowerShare)) / 10_000n);

/**
 * What Ksh. 10,000 for 12 months would cost, or less where one borrower cannot have as much: the least trusted borrower that the pool takes, one in the middle and one
 * of full trust, each in a quiet, a busy and a full pool.
 */
export function priceExamples(
  terms: PoolTerms,
  settings: Pick<PoolSettings, 'kink' | 'rateCap' | 'maxBorrowerShare'>,
  equity: Cents,
): Price[] {
  const amount = exampleAmount(mostOfOneBorrower(equity, settings));
  const scores = [...new Set([terms.minTrustScore, Math.ceil((terms.minTrustScore + 100) / 2), 100])];
  const busy = settings.kink + Math.floor((ONE - settings.kink) / 2);
  return scores.flatMap((trustScore) =>
    [Math.floor(settings.kink / 2), busy, ONE].map((utilisationAfter) =>
      priceOf(terms, settings, { trustScore, utilisationAfter, amount, months: EXAMPLE_MONTHS }),
    ),
  );
}
