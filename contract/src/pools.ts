import { z } from 'zod';
import { check } from './checks.ts';
import { centsFromShillings } from './money.ts';
import { nameOf } from './names.ts';
import { acted, listOf, pageQuery, route } from './route.ts';
import { said } from './said.ts';
import { sentence } from './sentence.ts';
import { instant } from './time.ts';

/**
 * The states of a guarantor pool (pools-voting-anchoring.md A2). A pool is FORMING until it has five members and ten
 * times its smallest contribution; only an OPEN pool issues guarantees.
 */
export const POOL_STATES = ['FORMING', 'OPEN', 'SUSPENDED', 'CLOSING', 'CLOSED'] as const;
export type PoolState = (typeof POOL_STATES)[number];

/** An operator's look at a pool. Everybody sees one that was approved, or has five members and was not refused. */
export const POOL_REVIEWS = ['waiting', 'approved', 'refused'] as const;
export type PoolReview = (typeof POOL_REVIEWS)[number];

interface Range {
  /** The bounds as a person writes them. */
  readonly least: string;
  readonly most: string;
  readonly wholeOnly?: boolean;
}

/** The bounds of the six numbers of a pool (A2), as a person writes them. */
export const POOL_FIELD_RANGES = {
  min_contribution: { least: '1.00', most: '10000000.00' },
  min_contribution_perc: { least: '0.00', most: '100.00' },
  min_member_period: { least: '0', most: '1095', wholeOnly: true },
  base_risk_percentage: { least: '0.00', most: '20.00' },
  risk_weight_factor: { least: '0.00', most: '3.00' },
  min_trust_score: { least: '0', most: '100', wholeOnly: true },
} as const satisfies Record<string, Range>;

export const POOL_NAME_LENGTH_MIN = 3;
export const POOL_NAME_LENGTH_MAX = 80;

/**
 * A number that was entered as text (spec 5), or a JSON number, read as an exact decimal with at most two places.
 * Gives hundredths, or null for anything else: NaN, exponents, a third place, thousands separators, a sign.
 */
export function hundredthsFromDecimal(value: string | number): number | null {
  return centsFromShillings(value);
}

/** Gives integer hundredths: cents for money, hundredths of a percent for a percentage, 100 for the factor 1.00. */
function hundredths(range: Range) {
  const [least, most] = [Number(range.least) * 100, Number(range.most) * 100];
  const bounds = { least: range.least, most: range.most };
  const wrong = range.wholeOnly
    ? check('Enter a whole number from {least} to {most}.', bounds)
    : check('Enter a number from {least} to {most} with at most two decimals.', bounds);
  return z.union([z.string().max(20), z.number()], { error: wrong }).transform((value, context): number => {
    const parsed = hundredthsFromDecimal(value);
    if (parsed === null || parsed < least || parsed > most || (range.wholeOnly && parsed % 100 !== 0)) {
      context.addIssue({ code: 'custom', message: wrong });
      return z.NEVER;
    }
    return parsed;
  });
}

function whole(range: Range) {
  return hundredths(range).transform((parsed) => parsed / 100);
}

/**
 * The seven fields of a pool; strings or numbers come in. Parsed: `min_contribution` is cents; the two percentages and
 * the factor are integer hundredths; days and score are whole numbers.
 */
export const poolFields = z.object({
  name: nameOf({ kind: 'group', least: POOL_NAME_LENGTH_MIN, most: POOL_NAME_LENGTH_MAX, label: sentence('A name') }),
  min_contribution: hundredths(POOL_FIELD_RANGES.min_contribution),
  min_contribution_perc: hundredths(POOL_FIELD_RANGES.min_contribution_perc),
  min_member_period: whole(POOL_FIELD_RANGES.min_member_period),
  base_risk_percentage: hundredths(POOL_FIELD_RANGES.base_risk_percentage),
  risk_weight_factor: hundredths(POOL_FIELD_RANGES.risk_weight_factor),
  min_trust_score: whole(POOL_FIELD_RANGES.min_trust_score),
});

/**
 * A pool on a list. A visitor who is not signed in gets its name and terms; what the pool holds and how the visitor
 * stands in it are null ('Login to view Pool').
 */
export const pool = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The sacco whose members it is for; null for an open pool, which takes members of any active sacco. */
  sacco: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** Shillings. */
  min_contribution: z.number(),
  /** Percent of a guarantee that the borrower's own position must cover. */
  min_contribution_perc: z.number(),
  /** Days since joining before a guarantee may be asked for. */
  min_member_period: z.number().int(),
  /** Percent a year for a borrower of full trust in a quiet pool. */
  base_risk_percentage: z.number(),
  risk_weight_factor: z.number(),
  min_trust_score: z.number().int(),
  state: z.enum(POOL_STATES),
  created_at: instant,
  /** Whether everybody sees it; until then its creator and its members do, and the members of its sacco. */
  is_public: z.boolean(),
  /** Shillings: the sum of the members' positions. */
  pool_size: z.number().nullable(),
  /** Members with a position above zero. */
  members_count: z.number().int().nullable(),
  /** The part of the capacity that guarantees take, 0 to 1. */
  utilisation: z.number().nullable(),
  /** Shillings of risk-weighted guarantees that the pool can still take on. */
  available_capacity: z.number().nullable(),
  is_member: z.boolean().nullable(),
  is_steward: z.boolean().nullable(),
  /** Shillings. */
  my_position: z.number().nullable(),
});
export type Pool = z.output<typeof pool>;

/** What a guarantee would cost, by the pool's terms: `GET /guarantors/pools/{id}/details` shows a few of them. */
export const priceExample = z.object({
  trust_score: z.number().int(),
  /** How full the pool would be with this guarantee, 0 to 1. */
  utilisation_after: z.number(),
  /** 1 for full trust; it raises both price and use of capacity. */
  risk_weight: z.number(),
  /** 0 in a quiet pool to 1 in a full one. */
  crowding: z.number(),
  /** Percent a year. */
  risk_percentage: z.number(),
  /** Shillings guaranteed. */
  amount: z.number(),
  period_months: z.number().int(),
  /** Shillings, once, when the guarantee begins. */
  fee: z.number(),
});
export type PriceExample = z.output<typeof priceExample>;

export const poolDetails = pool.extend({
  /** Shillings: positions less those under notice of withdrawal; the reserve is not in it. */
  equity: z.number(),
  reserve: z.number(),
  locked: z.number(),
  free: z.number(),
  /** Shillings: the risk-weighted sum of the guarantees that are out. */
  rwe: z.number(),
  capacity: z.number(),
  settings: z.object({
    /** Capacity is this times the equity. */
    exposure_multiple: z.number(),
    /** The utilisation above which crowding raises the price. */
    kink: z.number(),
    /** Percent of the equity that one borrower's guarantees may reach. */
    max_borrower_share: z.number(),
    /** Percent of a loan's principal that guarantees may cover. */
    max_cover: z.number(),
    max_active_per_borrower: z.number().int(),
    fee_split: z.object({ members: z.number(), reserve: z.number(), sacco: z.number() }),
    /** Percent of the reserve that one call may draw. */
    reserve_draw: z.number(),
    notice_days: z.number().int(),
    /** Shillings, and percent of the equity, up to which the smaller of both is approved without the stewards. */
    auto_limit: z.number(),
    auto_limit_share: z.number(),
    /** Percent a year that no price passes. */
    rate_cap: z.number(),
    valid_from: instant,
  }),
  price_examples: z.array(priceExample),
  contracts_summary: z.object({
    active: z.number().int(),
    /** Shillings still guaranteed. */
    outstanding: z.number(),
  }),
  /** What is still missing until a FORMING pool opens; null in every other state. */
  until_open: z.object({ members: z.number().int(), contributions: z.number() }).nullable(),
  /** Where the operators' look stands, with the reason of a refusal: for its members and stewards, and for operators. */
  review: z.object({ state: z.enum(POOL_REVIEWS), reason: z.string().nullable() }).nullable(),
  /** Names of stewards are for members of the pool (and the stewards); others get their number. */
  stewards_count: z.number().int(),
  stewards: z.array(z.object({ first_name: z.string(), last_name: z.string() })).nullable(),
  history: z.array(
    z.object({
      at: instant,
      event: z.enum(['created', 'state_changed', 'terms_changed', 'settings_changed']),
      /** One sentence for a person. */
      text: said,
    }),
  ),
});
export type PoolDetails = z.output<typeof poolDetails>;

export const poolMember = z.object({
  member_ref: z.string(),
  name: z.string(),
  /** Shillings. */
  position: z.number(),
  locked: z.number(),
  joined_at: instant,
});
export type PoolMember = z.output<typeof poolMember>;

export const createPool = route({
  name: 'createPool',
  method: 'POST',
  path: '/guarantors/pools',
  summary:
    'Create a guarantor pool: of the sacco in the saccoId header, or an open one without it. Others see it after a review, or once it has five members.',
  caller: 'signed_in',
  repetition: 'key',
  body: poolFields,
  status: 201,
  reply: acted({ pool }),
  refusals: ['sacco_required', 'not_a_member', 'sacco_inactive', 'pool_name_taken', 'pools_forming_limit_reached'],
});

export const listPools = route({
  name: 'listPools',
  method: 'GET',
  path: '/guarantors/pools',
  summary: 'Guarantor pools, newest first: names and terms for everyone, figures for those who are signed in.',
  caller: 'anyone',
  repetition: 'read',
  query: z.object({
    /** A part of the name. */
    search: z.string().trim().max(80).optional(),
    /** Only the pools of this sacco. */
    sacco: z.uuid().optional(),
    /** With `sacco`: the pools for members of any sacco, too. */
    open: z.enum(['yes']).optional(),
    ...pageQuery,
  }),
  reply: listOf(pool),
});

export const poolDetailsOf = route({
  name: 'poolDetailsOf',
  method: 'GET',
  path: '/guarantors/pools/{id}/details',
  summary: 'One pool: its terms, its figures, what a guarantee would cost and what has happened to it.',
  caller: 'signed_in',
  repetition: 'read',
  params: z.object({ id: z.uuid() }),
  reply: poolDetails,
});

export const listPoolMembers = route({
  name: 'listPoolMembers',
  method: 'GET',
  path: '/guarantors/pool/members',
  summary: 'The members of a pool and their positions; for its members and stewards only.',
  caller: 'signed_in',
  repetition: 'read',
  query: z.object({ pool: z.uuid(), ...pageQuery }),
  reply: listOf(poolMember),
  refusals: ['not_a_pool_member'],
});

export const poolsContract = [createPool, listPools, poolDetailsOf, listPoolMembers] as const;
