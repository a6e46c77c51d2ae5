import type { GuaranteeState, LoanState } from '@ushirika/contract/loans';
import { ABILITY_PARTS, GUARANTEES_LIVE_MAX, GUARANTOR_MEMBER_DAYS, QUALIFYING_DAYS } from '@ushirika/contract/loans';
import type { Cents } from '@ushirika/contract/money';
import { allocate } from '../pools/pools.rules.ts';
import { amountForInstalment, type Terms } from './schedule.rules.ts';

/* Limits of loans, of guarantors, and how pledges are released (domain.md 4.1). Pure. */

const DAY_MS = 86_400_000;
export const PLEDGE_RELEASE_LEAST: Cents = 100_00;
/** All loans of one member are a tenth of the core capital at most. */
const CORE_CAPITAL_PART = 10;
/** Applications that wait for their guarantors, and loans that are with the sacco before they are paid out. */
export const APPLICATION_STATES = ['guarantors_pending', 'returned'] as const satisfies LoanState[];
export const DECIDING_STATES = ['submitted', 'approved', 'accepted', 'disbursing'] as const satisfies LoanState[];
/** Loans whose guarantors may be replaced. In a default whoever stands in would have notices of their own, and every step would wait for them. */
const REPLACEABLE_STATES: readonly LoanState[] = ['active', 'in_arrears'];
export const isReplaceable = ({ state }: { readonly state: LoanState }): boolean => REPLACEABLE_STATES.includes(state);
/** States of a guarantee in which savings are held for it. */
export const PLEDGED_STATES = ['accepted', 'live'] as const satisfies GuaranteeState[];

/** What came into somebody's savings, by periods of 30 days: the first is the latest 30 days, six of them. */
export type RecentSavings = readonly Cents[];

const YOUNG_PERIODS = QUALIFYING_DAYS / 30;

/**
 * Savings that count for the limit: a lump sum only once it is 90 days old. Of the three youngest periods of 30 days, each
 * counts up to what was saved in the poorest of the three before.
 */
export const qualifyingSavings = (savings: Cents, recent: RecentSavings): Cents =>
  savingsThatCount(savings, recent).counts;

/** The same with what it was reckoned from. */
export function savingsThatCount(
  savings: Cents,
  recent: RecentSavings,
): {
  readonly counts: Cents;
  /** Of what came in in the last 90 days: it counts once it is 90 days old. */
  readonly later: Cents;
  /** What counts at once of each of the youngest periods. */
  readonly regular: Cents;
} {
  const young = recent.slice(0, YOUNG_PERIODS);
  const before = recent.slice(YOUNG_PERIODS, 2 * YOUNG_PERIODS);
  const regular = before.length < YOUNG_PERIODS ? 0 : Math.min(...before);
  const excess = young.reduce((total, saved) => total + Math.max(0, saved - regular), 0);
  const counts = Math.max(0, savings - excess);
  return { counts, later: savings - counts, regular };
}

export interface LimitInput {
  /** Savings, with what is pledged. */
  readonly savings: Cents;
  readonly recent: RecentSavings;
  /** Principal of one's other loans in the sacco; without one that is refinanced. */
  readonly otherPrincipal: Cents;
  /** Hundredths: 300 is three times. */
  readonly multiplier: number;
  readonly productMost: Cents;
  readonly coreCapital: Cents;
  readonly terms: Terms;
  readonly months: number;
  /** Left out where the income is not known yet. */
  readonly netIncome?: Cents | undefined;
}

export interface LimitPart {
  readonly kind: 'savings' | 'product' | 'core_capital' | 'ability';
  readonly amount: Cents;
}

/** What limits a loan, each with its figure. The smallest decides. */
export function limitParts(input: LimitInput): LimitPart[] {
  const { otherPrincipal, terms, months, netIncome } = input;
  const times = (BigInt(qualifyingSavings(input.savings, input.recent)) * BigInt(input.multiplier)) / 100n;
  const ability = netIncome === undefined ? null : Math.floor((netIncome * ABILITY_PARTS.most) / ABILITY_PARTS.of);
  return [
    { kind: 'savings', amount: Math.max(0, Number(times) - otherPrincipal) },
    { kind: 'product', amount: input.productMost },
    { kind: 'core_capital', amount: Math.max(0, partOfCapital(input.coreCapital) - otherPrincipal) },
    ...(ability === null ? [] : [{ kind: 'ability' as const, amount: amountForInstalment(terms, ability, months) }]),
  ];
}

/** What all loans of one member may be at most, of a sacco's own capital. */
export const partOfCapital = (coreCapital: Cents): Cents => Math.floor(coreCapital / CORE_CAPITAL_PART);

export const limitOf = (parts: readonly LimitPart[]): Cents => Math.min(...parts.map(({ amount }) => amount));

export interface GuarantorFacts {
  readonly isBorrower: boolean;
  readonly membership: 'provisional' | 'active' | 'leaving' | 'exited' | null;
  readonly joinedAt: Date | null;
  /** Holds an office in the sacco. */
  readonly isOfficial: boolean;
  readonly isSuspended: boolean;
  /** Owes a loan in the sacco that is in arrears, or has not paid guarantors back. */
  readonly isInArrears: boolean;
  readonly liveGuarantees: number;
  /** The borrower guarantees, or was asked to guarantee and accepted, a loan of theirs that is not over. */
  readonly isReciprocal: boolean;
  /** The same phone, device or address as the borrower's. */
  readonly isRelated: boolean;
  readonly phoneConfirmed: boolean;
  readonly freeSavings: Cents;
}

export type GuarantorReason =
  | 'borrower'
  | 'not_active'
  | 'too_new'
  | 'official'
  | 'suspended'
  | 'in_arrears'
  | 'too_many'
  | 'reciprocal'
  | 'related'
  | 'phone'
  | 'savings';

/** The first reason why somebody cannot guarantee so much, or null. The borrower never learns which it is. */
export function reasonAgainstGuarantor(facts: GuarantorFacts, pledge: Cents, now: Date): GuarantorReason | null {
  if (facts.isBorrower) return 'borrower';
  if (facts.membership !== 'active' || !facts.joinedAt) return 'not_active';
  if (facts.isSuspended) return 'suspended';
  if (now.getTime() - facts.joinedAt.getTime() < GUARANTOR_MEMBER_DAYS * DAY_MS) return 'too_new';
  if (facts.isOfficial) return 'official';
  if (facts.isInArrears) return 'in_arrears';
  if (facts.liveGuarantees >= GUARANTEES_LIVE_MAX) return 'too_many';
  if (facts.isReciprocal) return 'reciprocal';
  if (facts.isRelated) return 'related';
  if (!facts.phoneConfirmed) return 'phone';
  if (facts.freeSavings < pledge) return 'savings';
  return null;
}

export interface CoverInput {
  readonly amount: Cents;
  /** Own free savings, or what is held of them. */
  readonly own: Cents;
  readonly pledges: readonly Cents[];
  readonly pool: Cents;
  readonly minGuarantors: number;
}

/** Whether a loan is covered: savings and pledges reach the principal, and enough members stand behind it. */
export function coverOf({ amount, own, pledges, pool, minGuarantors }: CoverInput): {
  readonly ownUsed: Cents;
  readonly toCover: Cents;
  readonly guarantorsNeeded: number;
  readonly isCovered: boolean;
} {
  const pledged = pledges.reduce((total, each) => total + each, 0);
  const ownUsed = Math.max(0, Math.min(own, amount - pledged - pool));
  const toCover = Math.max(0, amount - pledged - pool - ownUsed);
  const needsNone = own >= amount || (pool > 0 && own + pool >= amount);
  const guarantorsNeeded = needsNone ? 0 : Math.max(0, minGuarantors - pledges.length);
  return { ownUsed, toCover, guarantorsNeeded, isCovered: toCover === 0 && guarantorsNeeded === 0 };
}

export interface Pledge {
  readonly kind: 'member' | 'self';
  /** What was pledged when the loan was paid out; the sum is what proportions are of. */
  readonly start: Cents;
  readonly pledged: Cents;
}

/**
 * What is released of each pledge once so much principal is owed: pledges shrink in proportion to the principal, those of
 * members first and by what is pledged, then one's own. Below Kes 100 in all nothing is released before the loan is paid.
 */
export function releasesOf(pledges: readonly Pledge[], principal: Cents, principalAtStart: Cents): Cents[] {
  const held = pledges.reduce((total, { pledged }) => total + pledged, 0);
  const start = pledges.reduce((total, each) => total + each.start, 0);
  const needed = Number((BigInt(start) * BigInt(principal) + BigInt(principalAtStart) - 1n) / BigInt(principalAtStart));
  const release = Math.max(0, held - needed);
  if (release === 0 || (release < PLEDGE_RELEASE_LEAST && principal > 0)) return pledges.map(() => 0);
  const ofKind = (kind: Pledge['kind']) => pledges.map((each) => (each.kind === kind ? each.pledged : 0));
  const members = ofKind('member');
  const ofMembers = Math.min(
    release,
    members.reduce((total, each) => total + each, 0),
  );
  const shares = allocate(ofMembers, members);
  const own = allocate(release - ofMembers, ofKind('self'));
  return pledges.map((_, index) => (shares[index] ?? 0) + (own[index] ?? 0));
}
