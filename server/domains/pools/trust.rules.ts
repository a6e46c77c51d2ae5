/*
 * The trust score (pools-voting-anchoring.md A4), in hundredths of a point and whole numbers. Each part is rounded half up to two
 * places, the total half up to a whole number.
 */

/** How somebody repaid, of the instalments that fell due in the last 24 months, and how they stand now. */
export interface RepaymentHistory {
  readonly onTime: number;
  /** 1 to 30 and 31 to 90 days late; and later, or still unpaid that long. */
  readonly late30: number;
  readonly late90: number;
  readonly worse: number;
  /** Days that any loan is behind now; 0 without arrears. */
  readonly daysPastDue: number;
  /** A default that is not cured: a loan more than 90 days late, or a called guarantee that is not made good. */
  readonly hasOpenDefault: boolean;
  /** Whole months since each cured default was cured. */
  readonly curedMonthsAgo: readonly number[];
}

export const NO_HISTORY: RepaymentHistory = {
  onTime: 0,
  late30: 0,
  late90: 0,
  worse: 0,
  daysPastDue: 0,
  hasOpenDefault: false,
  curedMonthsAgo: [],
};

export interface TrustInputs {
  /** Days since the first sacco was joined; null without one. */
  readonly daysInSacco: number | null;
  readonly isIdentitySeen: boolean;
  readonly isPhoneConfirmed: boolean;
  readonly isEmailConfirmed: boolean;
  readonly hasNextOfKin: boolean;
  /** Of the last twelve whole months: those since the sacco was joined, and those of them with savings. */
  readonly monthsDue: number;
  readonly monthsPaid: number;
  readonly repayment: RepaymentHistory;
  readonly isFrozen: boolean;
}

/** Hundredths of points; `score` in points. */
export interface Trust {
  readonly score: number;
  readonly age: number;
  readonly kyc: number;
  readonly contributions: number;
  readonly repayment: number;
  readonly standing: number;
  readonly defaults: number;
}

export const MOST = { age: 1_500, kyc: 1_500, contributions: 2_500, repayment: 3_500, standing: 1_000 } as const;
export const KYC = { identity: 700, phone: 400, email: 200, nextOfKin: 200 } as const;
export const AGE_DAYS = 730;
const DEFAULT_POINTS = 2_000;
const DEFAULT_MONTHS = 36;
const DEFAULTS_MOST = 6_000;
/** What an open default leaves. */
const OPEN_DEFAULT_MOST = 20;

const halfUp = (numerator: number, divisor: number) => Math.floor((2 * numerator + divisor) / (2 * divisor));

export function trustOf(inputs: TrustInputs): Trust {
  const parts = {
    age: halfUp(MOST.age * Math.min(AGE_DAYS, Math.max(0, inputs.daysInSacco ?? 0)), AGE_DAYS),
    kyc:
      (inputs.isIdentitySeen ? KYC.identity : 0) +
      (inputs.isPhoneConfirmed ? KYC.phone : 0) +
      (inputs.isEmailConfirmed ? KYC.email : 0) +
      (inputs.hasNextOfKin ? KYC.nextOfKin : 0),
    contributions: halfUp(MOST.contributions * (inputs.monthsPaid + 1), inputs.monthsDue + 2),
    repayment: repaymentPart(inputs.repayment),
    standing: standingPart(inputs.repayment.daysPastDue),
    defaults: defaultsPart(inputs.repayment.curedMonthsAgo),
  };
  const total = Object.values(parts).reduce((sum, part) => sum + part, 0);
  return { ...parts, score: capped(Math.min(100, Math.max(0, halfUp(total, 100))), inputs) };
}

/** 35 × (on time + 0.5 × up to 30 days late + 0.2 × up to 90 days late + 2) / (all + 4). */
function repaymentPart({ onTime, late30, late90, worse }: RepaymentHistory): number {
  const all = onTime + late30 + late90 + worse;
  return halfUp(MOST.repayment * (10 * onTime + 5 * late30 + 2 * late90 + 20), 10 * (all + 4));
}

function standingPart(daysPastDue: number): number {
  if (daysPastDue === 0) return MOST.standing;
  return daysPastDue <= 30 ? MOST.standing / 2 : 0;
}

/** Minus 20 for each cured default, less as the months go by; at most 60 in all. */
function defaultsPart(curedMonthsAgo: readonly number[]): number {
  const months = curedMonthsAgo.reduce((sum, ago) => sum + Math.max(0, DEFAULT_MONTHS - ago), 0);
  return 0 - Math.min(DEFAULTS_MOST, halfUp(DEFAULT_POINTS * months, DEFAULT_MONTHS));
}

function capped(score: number, { isFrozen, repayment }: TrustInputs): number {
  if (isFrozen) return 0;
  return repayment.hasOpenDefault ? Math.min(score, OPEN_DEFAULT_MOST) : score;
}

/** The contributions' part after twelve months with savings in each. */
const SAVED_TWELVE = halfUp(MOST.contributions * 13, 14);

export type Raise = 'identity' | 'phone' | 'save' | 'repay' | 'arrears' | 'time';

/** Steps that can be taken and would raise the score, with the points that it gives, the largest first: nothing confirms an email address yet. */
export function raisesOf(inputs: TrustInputs): { readonly raise: Raise; readonly hundredths: number }[] {
  const now = trustOf(inputs);
  const { repayment } = inputs;
  const better: [Raise, boolean, number][] = [
    ['identity', !inputs.isIdentitySeen, KYC.identity],
    ['phone', !inputs.isPhoneConfirmed, KYC.phone],
    ['arrears', repayment.daysPastDue > 0, MOST.standing - now.standing],
    ['save', inputs.daysInSacco !== null, SAVED_TWELVE - now.contributions],
    ['repay', true, repaymentPart({ ...repayment, onTime: repayment.onTime + 6 }) - now.repayment],
    ['time', (inputs.daysInSacco ?? 0) < AGE_DAYS, MOST.age - now.age],
  ];
  return better
    .filter(([, isPossible, hundredths]) => isPossible && hundredths > 0)
    .map(([raise, , hundredths]) => ({ raise, hundredths }))
    .sort((one, other) => other.hundredths - one.hundredths);
}
