import { ratesShown } from '@ushirika/contract/loan-rates';
import type { LoanMethod } from '@ushirika/contract/loans';
import type { Cents } from '@ushirika/contract/money';

/*
 * Schedules and prices of loans (domain.md 4.1). Money in cents, rates in hundredths of a percent a month (100 is 1 %), days as
 * `2026-11-24`. Products go through bigint, so that no loan is too large to be exact; all rounding is half up.
 */

/** Hundredths of a percent a month; of a rate a year a twelfth, so 108.33… for 13 % a year. */
export type MonthlyRate = number;

const ONE = 10_000n;
/** Ten-thousandths of a percent a year: what a rate is reckoned in, exactly. */
const yearly = (rate: MonthlyRate): bigint => BigInt(Math.round(rate * 1_200));
/** A month's interest on so much, at a yearly rate of 1 in the unit above, is 1. */
const MONTH = 12_000_000n;
const DAY_MS = 86_400_000;
/** The last day of a month on which instalments fall due: every month has it. */
const DUE_DAY_MAX = 28;
/** The least that an instalment is: M-Pesa moves whole shillings. */
export const INSTALMENT_LEAST: Cents = 1_00;
const SHILLING = 1_00;

export interface Terms {
  readonly method: LoanMethod;
  readonly rate: MonthlyRate;
  /** Each instalment is rounded up to whole shillings, and the last takes what is left. */
  readonly wholeShillings: boolean;
}

/** The terms as the row of a loan or of a product has them. */
export interface KeptTerms {
  readonly method: LoanMethod;
  readonly monthly_rate: MonthlyRate;
  readonly whole_shillings: boolean;
}

export const termsOf = ({ method, monthly_rate: rate, whole_shillings: wholeShillings }: KeptTerms): Terms => ({
  method,
  rate,
  wholeShillings,
});

/** One instalment as the schedule has it: its interest is that of the time from `startsOn` to `dueOn`. */
export interface ScheduledInstalment {
  readonly number: number;
  readonly startsOn: string;
  readonly dueOn: string;
  readonly principal: Cents;
  readonly interest: Cents;
}

export interface Schedule {
  readonly instalments: readonly ScheduledInstalment[];
  /** The largest instalment. */
  readonly instalment: Cents;
  readonly totalInterest: Cents;
}

/** `a / b` rounded half up; both are not negative, and `b` is positive. */
const halfUp = (a: bigint, b: bigint): Cents => Number((2n * a + b) / (2n * b));

/** The sum of an instalment: rounded up to whole shillings where the loan has them. */
export const instalmentSum = ({ wholeShillings }: Pick<Terms, 'wholeShillings'>, cents: Cents): Cents =>
  wholeShillings ? Math.ceil(cents / SHILLING) * SHILLING : cents;

export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same day so many months later, no later than the 28th. */
export function monthsAfter(day: string, months: number): string {
  // Without `Date`: a schedule of ten years asks for hundreds of them.
  const month = 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 1 + months;
  const date = Math.min(Number(day.slice(8)), DUE_DAY_MAX);
  return `${Math.floor(month / 12)}-${twoDigits((month % 12) + 1)}-${twoDigits(date)}`;
}

const twoDigits = (value: number) => (value < 10 ? `0${value}` : `${value}`);

/** The interest of one month on a balance. */
export const monthsInterest = (balance: Cents, rate: MonthlyRate): Cents =>
  halfUp(BigInt(balance) * yearly(rate), MONTH);

/** The interest of some days on a balance, at 365 days a year. */
export const daysInterest = (balance: Cents, rate: MonthlyRate, days: number): Cents =>
  halfUp(BigInt(balance) * yearly(rate) * 12n * BigInt(days), MONTH * 365n);

/** The interest of the days of a period that come after one, on a balance: their share of the month's, or of the period's at 365 days a year. */
export function interestFrom(
  { rate }: Pick<Terms, 'rate'>,
  balance: Cents,
  { startsOn, dueOn }: Pick<ScheduledInstalment, 'startsOn' | 'dueOn'>,
  day: string,
): Cents {
  const days = daysBetween(day, dueOn);
  if (!isMonth(startsOn, dueOn)) return daysInterest(balance, rate, days);
  return halfUp(BigInt(balance) * yearly(rate) * BigInt(days), MONTH * BigInt(daysBetween(startsOn, dueOn)));
}

/**
 * What an instalment is to the principal, as a fraction: annuity i(1+i)^n / ((1+i)^n - 1); the others 1/n + i, which for equal
 * principals is the first and largest.
 */
function instalmentParts({ method, rate }: Pick<Terms, 'method' | 'rate'>, months: number): { of: bigint; by: bigint } {
  const n = BigInt(months);
  const i = yearly(rate);
  if (method !== 'annuity' || i === 0n) return { of: MONTH + i * n, by: MONTH * n };
  const grown = (MONTH + i) ** n;
  return { of: i * grown, by: MONTH * (grown - MONTH ** n) };
}

/** The instalment of a loan in whole months. */
export function instalmentOf(terms: Terms, amount: Cents, months: number): Cents {
  const { of, by } = instalmentParts(terms, months);
  return instalmentSum(terms, halfUp(BigInt(amount) * of, by));
}

/** The largest loan whose instalment is no more than `instalment`. */
export function amountForInstalment(terms: Terms, instalment: Cents, months: number): Cents {
  const { of, by } = instalmentParts(terms, months);
  const within = terms.wholeShillings ? instalment - (instalment % SHILLING) : instalment;
  const most = Number((BigInt(within) * by) / of);
  return Number.isSafeInteger(most) ? most : Number.MAX_SAFE_INTEGER;
}

export interface ScheduleInput extends Terms {
  readonly amount: Cents;
  readonly months: number;
  /** The day from which interest runs. */
  readonly from: string;
  /** The number of the first instalment; 1 for a new loan. */
  readonly firstNumber?: number;
}

/**
 * A schedule. The first period is a month, unless the loan begins after the 28th: then its interest is that of its days. The last
 * instalment takes what rounding has left, also less than whole shillings. None is below one shilling: what would be left for it is paid with the one before.
 */
export function scheduleOf(input: ScheduleInput): Schedule {
  const { amount, months, from, firstNumber = 1 } = input;
  const principalOf = principals(input);
  const instalments: ScheduledInstalment[] = [];
  let balance = amount;
  let dueOn = from;
  for (let k = 1; balance > 0 && k <= months; k += 1) {
    const startsOn = dueOn;
    dueOn = monthsAfter(from, k);
    const whole = interestOf(input, balance, k);
    const ofPeriod = isMonth(startsOn, dueOn)
      ? whole
      : daysInterest(base(input, balance), input.rate, daysBetween(startsOn, dueOn));
    const sum = Math.max(principalOf(k, ofPeriod) + ofPeriod, INSTALMENT_LEAST);
    const wanted = instalmentSum(input, sum) - ofPeriod;
    const isLast = k === months || wanted >= balance || isTooLittle(input, balance - wanted, k + 1);
    const principal = isLast ? balance : wanted;
    const interest = isLast ? ofPeriod + interestBehind(input, k) : ofPeriod;
    instalments.push({ number: firstNumber + k - 1, startsOn, dueOn, principal, interest });
    balance -= principal;
  }
  return {
    instalments,
    instalment: Math.max(...instalments.map(({ principal, interest }) => principal + interest)),
    totalInterest: instalments.reduce((sum, { interest }) => sum + interest, 0),
  };
}

/** Between the same day of two months; `dueOn` is in the month after. */
const isMonth = (startsOn: string, dueOn: string) => startsOn.slice(8) === dueOn.slice(8);

const base = ({ method, amount }: ScheduleInput, balance: Cents) => (method === 'flat' ? amount : balance);

/** Flat interest is that of the whole loan, shared so that no cent is lost; the others’ is that of the balance. */
function interestOf(input: ScheduleInput, balance: Cents, k: number): Cents {
  if (input.method !== 'flat') return monthsInterest(balance, input.rate);
  return interestUpTo(input, k) - interestUpTo(input, k - 1);
}

/** Whether so much is too little for an instalment of its own. */
const isTooLittle = (input: ScheduleInput, left: Cents, k: number) =>
  left + interestOf(input, left, k) < INSTALMENT_LEAST;

/** Flat interest of the months behind the last instalment: it is that of the whole loan, however early it ends. */
const interestBehind = (input: ScheduleInput, k: number): Cents =>
  input.method === 'flat' ? interestUpTo(input, input.months) - interestUpTo(input, k) : 0;

const interestUpTo = ({ rate, amount, months }: ScheduleInput, count: number): Cents =>
  halfUp(BigInt(amount) * yearly(rate) * BigInt(months) * BigInt(count), MONTH * BigInt(months));

/** How much principal the k-th instalment pays, given its interest. */
function principals(input: ScheduleInput): (k: number, interest: Cents) => Cents {
  const { method, amount, months } = input;
  if (method === 'annuity') {
    const each = instalmentOf(input, amount, months);
    return (_, interest) => Math.max(0, each - interest);
  }
  const upTo = (count: number) => halfUp(BigInt(amount) * BigInt(count), BigInt(months));
  return (k) => upTo(k) - upTo(k - 1);
}

/** A percentage of an amount, in hundredths of a percent. */
export const percentOf = (amount: Cents, hundredths: number): Cents => halfUp(BigInt(amount) * BigInt(hundredths), ONE);

/**
 * Percent a month, with four decimals, at which the payments of a schedule are worth what was paid out. Newton's method on a
 * function that falls and is convex, so it converges from 0. No money is reckoned from it.
 */
export function trueMonthlyRate(paidOut: Cents, payments: readonly Cents[]): number {
  if (paidOut <= 0) return 0;
  let rate = 0;
  for (let round = 0; round < 60; round += 1) {
    let worth = -paidOut;
    let slope = 0;
    let discount = 1;
    payments.forEach((payment, index) => {
      discount /= 1 + rate;
      worth += payment * discount;
      slope -= ((index + 1) * payment * discount) / (1 + rate);
    });
    const step = worth / slope;
    if (!Number.isFinite(step)) break;
    rate -= step;
    if (Math.abs(step) < 1e-12) break;
  }
  return Math.round(rate * 1_000_000) / 10_000;
}

/** Rounding to shillings leaves the rate of a product as it is. */
type Priced = Pick<Terms, 'method' | 'rate'>;

/** True percent a month of a loan over whole months, its fee included: what compares products. `feeRate` is in hundredths of a percent. */
export function trueRateOfTerms(terms: Priced & { readonly feeRate: number }, months: number): number {
  if (terms.method !== 'flat' && terms.feeRate === 0) return ratesShown(terms.rate / 100).monthly_rate;
  const amount = 10_000_000;
  const { instalments } = scheduleOf({ ...terms, wholeShillings: false, amount, months, from: '2026-01-01' });
  return trueMonthlyRate(
    amount - (amount * terms.feeRate) / 10_000,
    instalments.map(({ principal, interest }) => principal + interest),
  );
}

/** The least and the most of it over all whole months of a product. */
export function trueRatesOfTerms(
  terms: Priced & { readonly feeRate: number },
  { from, to }: { readonly from: number; readonly to: number },
): { readonly least: number; readonly most: number } {
  // A fee weighs less the longer a loan runs. Flat interest weighs most somewhere in between.
  const months =
    terms.method === 'flat' ? Array.from({ length: to - from + 1 }, (_, index) => from + index) : [from, to];
  const rates = months.map((count) => trueRateOfTerms(terms, count));
  return { least: Math.min(...rates), most: Math.max(...rates) };
}
