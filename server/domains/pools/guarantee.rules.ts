import type { Cents } from '@ushirika/contract/money';
import type { DeclineReason, PoolState } from '@ushirika/contract/pools';
import {
  allocate,
  capacityOf,
  crowdingOf,
  guaranteeFee,
  type Hundredths,
  ownLockOf,
  type PoolSettings,
  type PoolTerms,
  riskPercentage,
  riskWeight,
  type TenThousandths,
  utilisationOf,
  weightedExposure,
} from './pools.rules.ts';

/*
 * Whether a pool guarantees something now, and at what price (A5). The same function answers a dry run, a request, an acceptance and
 * the stewards; the last two hold the pool's row.
 */

/** Above this the stewards decide, however small the guarantee is. */
const AUTOMATIC_UTILISATION: TenThousandths = 8_000;
const AUTOMATIC_TRUST_ABOVE = 10;
const DAY_MS = 86_400_000;

export interface PoolNow {
  readonly state: PoolState;
  readonly positions: Cents;
  readonly notice: Cents;
  /** Notices that wait for guarantees to fall: no new guarantee goes before them. */
  readonly queued: Cents;
  readonly locked: Cents;
  readonly weighted: Cents;
  readonly terms: PoolTerms;
  readonly settings: PoolSettings;
}

export interface MemberNow {
  readonly joinedAt: Date;
  readonly position: Cents;
  readonly locked: Cents;
  /** Given and queued. */
  readonly notice: Cents;
}

export interface BorrowerNow {
  readonly trustScore: number;
  readonly isIdentitySeen: boolean;
  readonly isPhoneConfirmed: boolean;
  readonly isHeld: boolean;
  readonly daysPastDue: number;
  readonly wasCalledLately: boolean;
  /** Too few stewards could decide: nobody does about their own request, nor about that of an account related to theirs. */
  readonly hasConflict: boolean;
  /** A steward, or an official of the pool's sacco: never approved without the stewards. */
  readonly isInsider: boolean;
  /** Guarantees of this pool that are out for the borrower and accounts related to them, and how many are the borrower's. */
  readonly outstanding: Cents;
  readonly contracts: number;
  /** Until when something that they have asked of this pool, and that no loan uses yet, holds at the latest. */
  readonly undrawnUntil: Date | null;
  /** Until when they wait after a guarantee of this pool that no loan used. */
  readonly unusedUntil: Date | null;
  /** A related account has something that binds them both. What it is, and until when, is that account's own. */
  readonly isBoundByRelative: boolean;
  /** Too many of those who would decide about the loan have money in the pool. */
  readonly isUndecidable: boolean;
}

export interface Asked {
  readonly amount: Cents;
  readonly months: number;
  /** The loan's principal, where the loan is known. */
  readonly principal: Cents | null;
  /** What was quoted: its price holds. A quote that said that the stewards decide is never approved without them. */
  readonly signed?: { readonly riskWeight: TenThousandths; readonly isAutomatic: boolean };
}

export interface Judgement {
  readonly riskWeight: TenThousandths;
  readonly utilisationAfter: TenThousandths;
  readonly crowding: TenThousandths;
  readonly rate: Hundredths;
  readonly fee: Cents;
  readonly ownLock: Cents;
  /** Whether it is approved without the stewards. */
  readonly isAutomatic: boolean;
  readonly reasons: readonly DeclineReason[];
}

const MOST_UTILISATION: TenThousandths = 1_000_000;

export function judgeGuarantee(
  pool: PoolNow,
  member: MemberNow,
  borrower: BorrowerNow,
  asked: Asked,
  now: Date,
): Judgement {
  const { terms, settings } = pool;
  const weight = asked.signed?.riskWeight ?? riskWeight(terms.riskWeightFactor, borrower.trustScore);
  const equity = pool.positions - pool.notice - pool.queued;
  const capacity = capacityOf(equity, settings);
  const weightedAfter = pool.weighted + weightedExposure(asked.amount, weight);
  const utilisationAfter = Math.min(utilisationOf(weightedAfter, capacity) ?? MOST_UTILISATION, MOST_UTILISATION);
  const crowding = crowdingOf(utilisationAfter, settings.kink);
  const rate = riskPercentage(terms.baseRisk, weight, crowding, settings.rateCap);
  const ownLock = ownLockOf(asked.amount, terms.minContributionPerc);
  const autoLimit = Math.min(settings.autoLimit, partOf(equity, settings.autoLimitShare));
  const isAutomatic =
    asked.signed?.isAutomatic !== false &&
    // All that is out counts: several small guarantees are a large one.
    borrower.outstanding + asked.amount <= autoLimit &&
    borrower.trustScore >= terms.minTrustScore + AUTOMATIC_TRUST_ABOVE &&
    utilisationAfter <= AUTOMATIC_UTILISATION &&
    !borrower.isInsider;
  return {
    riskWeight: weight,
    utilisationAfter,
    crowding,
    rate,
    fee: guaranteeFee(asked.amount, rate, asked.months),
    ownLock,
    isAutomatic,
    reasons: [
      ...reasonsOfPerson(pool, member, { ...borrower, isAutomatic }, now),
      ...reasonsOfMoney(pool, member, borrower, asked, { equity, capacity, weightedAfter, ownLock }),
    ],
  };
}

const partOf = (cents: Cents, share: Hundredths): Cents => Number((BigInt(cents) * BigInt(share)) / 10_000n);

/** Gates 1 and 2. */
function reasonsOfPerson(
  pool: PoolNow,
  member: MemberNow,
  borrower: BorrowerNow & Pick<Judgement, 'isAutomatic'>,
  now: Date,
): DeclineReason[] {
  const days = Math.floor((now.getTime() - member.joinedAt.getTime()) / DAY_MS);
  const against: [DeclineReason, boolean][] = [
    ['pool_not_open', pool.state !== 'OPEN'],
    ['member_too_short', days < pool.terms.minMemberPeriodDays],
    ['identity_not_seen', !borrower.isIdentitySeen],
    ['phone_unconfirmed', !borrower.isPhoneConfirmed],
    ['account_held', borrower.isHeld],
    ['conflict', borrower.hasConflict && !borrower.isAutomatic],
    ['nobody_decides', borrower.isUndecidable],
    ['arrears', borrower.daysPastDue > 30],
    ['called_lately', borrower.wasCalledLately],
    ['trust_too_low', borrower.trustScore < pool.terms.minTrustScore],
  ];
  return against.flatMap(([reason, holds]) => (holds ? [reason] : []));
}

interface Sums {
  readonly equity: Cents;
  readonly capacity: Cents;
  readonly weightedAfter: Cents;
  readonly ownLock: Cents;
}

/** Gates 3 to 8. */
function reasonsOfMoney(
  pool: PoolNow,
  member: MemberNow,
  borrower: BorrowerNow,
  asked: Asked,
  { equity, capacity, weightedAfter, ownLock }: Sums,
): DeclineReason[] {
  const { settings } = pool;
  const ownFree = member.position - member.notice - member.locked;
  const othersFree = pool.positions - pool.notice - pool.queued - pool.locked - ownFree;
  const against: [DeclineReason, boolean][] = [
    ['own_position_too_small', member.position - member.notice < ownLock || ownFree < ownLock],
    ['capacity', weightedAfter > capacity],
    ['borrower_share', borrower.outstanding + asked.amount > partOf(equity, settings.maxBorrowerShare)],
    ['cover_too_large', asked.principal !== null && asked.amount > partOf(asked.principal, settings.maxCover)],
    ['too_many_contracts', borrower.contracts >= settings.maxActivePerBorrower],
    ['undrawn', borrower.undrawnUntil !== null],
    ['unused_lately', borrower.undrawnUntil === null && borrower.unusedUntil !== null],
    ['relative', borrower.isBoundByRelative],
    ['others_too_small', othersFree < asked.amount - ownLock],
  ];
  return against.flatMap(([reason, holds]) => (holds ? [reason] : []));
}

/** How a guarantee is locked: the borrower's own part first, the rest by what others have free, in the order of joining. */
export function locksOf(
  amount: Cents,
  ownLock: Cents,
  others: readonly { readonly memberId: string; readonly free: Cents }[],
): { readonly memberId: string; readonly cents: Cents }[] {
  const shares = allocate(
    amount - ownLock,
    others.map(({ free }) => free),
  );
  return others.flatMap(({ memberId }, index) => {
    const cents = shares[index] ?? 0;
    return cents > 0 ? [{ memberId, cents }] : [];
  });
}
