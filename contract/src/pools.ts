import { z } from 'zod';
import { check } from './checks.ts';
import { formerName } from './former-name.ts';
import { centsFromShillings, positiveAmount, shillings } from './money.ts';
import { groupName, plainWords } from './plain-text.ts';
import { receipt } from './receipts.ts';
import { acted, listOf, pageQuery, route } from './route.ts';
import { said } from './said.ts';
import { sentence } from './sentence.ts';
import { instant } from './time.ts';
import { CODE_TYPED_MAX, percentHundredths } from './typed.ts';
import { PROPOSAL_STATES } from './voting-rules.ts';
import { wholeNumber } from './whole-number.ts';

/**
 * The states of a guarantor pool (pools-voting-anchoring.md A2). A pool is FORMING until it has five members and ten
 * times its smallest contribution; only an OPEN pool issues guarantees.
 */
export const POOL_STATES = ['FORMING', 'OPEN', 'SUSPENDED', 'CLOSING', 'CLOSED'] as const;
export type PoolState = (typeof POOL_STATES)[number];

/** An operator's look at a pool. Everybody sees one that was approved, or has five members and was not refused. */
export const POOL_REVIEWS = ['waiting', 'approved', 'refused'] as const;
export type PoolReview = (typeof POOL_REVIEWS)[number];

/** `suspend` is one steward's, for 30 days; `reopen` and `close` need the stewards. */
export const POOL_ACTS = ['join', 'deposit', 'withdraw', 'request_guarantee', 'suspend', 'reopen', 'close'] as const;

/**
 * A request for a guarantee (A7): `QUOTED` (72 hours) or `DECLINED` with its reasons at once, then `APPROVED`, or `IN_REVIEW` with the
 * stewards (72 hours). On `APPROVED` there is a contract.
 */
export const POOL_REQUEST_STATES = ['QUOTED', 'DECLINED', 'CANCELLED', 'EXPIRED', 'IN_REVIEW', 'APPROVED'] as const;
export type PoolRequestState = (typeof POOL_REQUEST_STATES)[number];

/**
 * A guarantee of a pool (A7).
 *
 * - `PENDING_LOAN`: locked, and no loan is paid out yet. After 14 days without a loan it is `RELEASED`, and no fee is taken.
 * - `ACTIVE`: the loan is paid out and the fee is paid. `RELEASING`: a part of the principal is paid back, and a part of the locks freed.
 * - `DEMAND`: the loan is 60 days late, and the pool was told. `DISPUTED`: a steward objects, and the sacco's supervisory committee decides.
 * - `CALLED`: to be paid. `SETTLED`: paid in full by the borrower's own position. `RECOVERING`: paid, and the borrower owes it to the pool.
 * - `RECOVERED`, `WRITTEN_OFF` (after two years), `RELEASED`: over.
 */
export const POOL_CONTRACT_STATES = [
  'PENDING_LOAN',
  'ACTIVE',
  'RELEASING',
  'DEMAND',
  'DISPUTED',
  'CALLED',
  'SETTLED',
  'RECOVERING',
  'RECOVERED',
  'WRITTEN_OFF',
  'RELEASED',
] as const;
export type PoolContractState = (typeof POOL_CONTRACT_STATES)[number];

/** Why a request is declined: the eight gates of A5 in their order, each with a sentence in the reply; `terms_changed` ended what waited. */
export const DECLINE_REASONS = [
  'pool_not_open',
  'member_too_short',
  'identity_not_seen',
  'phone_unconfirmed',
  'account_held',
  'conflict',
  'nobody_decides',
  'arrears',
  'called_lately',
  'trust_too_low',
  'own_position_too_small',
  'capacity',
  'borrower_share',
  'cover_too_large',
  'too_many_contracts',
  'undrawn',
  'unused_lately',
  'relative',
  'others_too_small',
  'terms_changed',
  'stewards',
] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

export const TRUST_PARTS = ['age', 'kyc', 'contributions', 'repayment', 'standing', 'defaults'] as const;
export type TrustPart = (typeof TRUST_PARTS)[number];

/** Hours in which a quote may be accepted, and in which the stewards decide. */
export const QUOTE_HOURS = 72;
export const REVIEW_HOURS = 72;
/** Days in which an approved guarantee waits for a loan; and days from the demand in which the pool may dispute it. */
export const PENDING_LOAN_DAYS = 14;
export const DISPUTE_DAYS = 14;
export const POOL_MONTHS_MAX = 120;
/** Days for which a request that was declined, or that nobody decided, is in its borrower's list of recent ones. Its own page stays. */
export const DECLINED_SHOWN_DAYS = 90;

const hash = z
  .string()
  .min(64)
  .max(64)
  .regex(/^[0-9a-f]+$/);

interface Range {
  /** The bounds as a person writes them. */
  readonly least: string;
  readonly most: string;
  readonly wholeOnly?: boolean;
}

/**
 * The bounds of the six numbers of a pool (A2), as a person writes them. The floors of own part and trust keep stewards from guaranteeing
 * friends with others’ money.
 */
export const POOL_FIELD_RANGES = {
  min_contribution: { least: '1.00', most: '10000000.00' },
  min_contribution_perc: { least: '10.00', most: '100.00' },
  min_member_period: { least: '0', most: '1095', wholeOnly: true },
  base_risk_percentage: { least: '0.00', most: '20.00' },
  risk_weight_factor: { least: '0.00', most: '3.00' },
  min_trust_score: { least: '40', most: '100', wholeOnly: true },
} as const satisfies Record<string, Range>;

export const POOL_NAME_LENGTH_MIN = 3;
export const POOL_NAME_LENGTH_MAX = 80;

/**
 * A number that was entered as text (spec 5), or a JSON number, read as an exact decimal with at most two places.
 * Gives hundredths, or null for anything else: NaN, exponents, a third place, a comma for the point.
 */
export function hundredthsFromDecimal(value: string | number): number | null {
  return centsFromShillings(value);
}

/** Gives integer hundredths: cents for money, hundredths of a percent for a percentage, 100 for the factor 1.00. */
function hundredths(range: Range, read: (text: string) => number | null = hundredthsFromDecimal) {
  const [least, most] = [Number(range.least) * 100, Number(range.most) * 100];
  const bounds = { least: range.least, most: range.most };
  const wrong = range.wholeOnly
    ? check('Enter a whole number from {least} to {most}.', bounds)
    : check('Enter a number from {least} to {most} with at most two decimals.', bounds);
  return z.union([z.string().max(20), z.number()], { error: wrong }).transform((value, context): number => {
    const parsed = typeof value === 'string' ? read(value) : hundredthsFromDecimal(value);
    if (parsed === null || parsed < least || parsed > most || (range.wholeOnly && parsed % 100 !== 0)) {
      context.addIssue({ code: 'custom', message: wrong });
      return z.NEVER;
    }
    return parsed;
  });
}

const percent = (range: Range) => hundredths(range, percentHundredths);

function whole(range: Range) {
  return hundredths(range).transform((parsed) => parsed / 100);
}

/**
 * The seven fields of a pool; strings or numbers come in. Parsed: `min_contribution` is cents; the two percentages and
 * the factor are integer hundredths; days and score are whole numbers.
 */
export const poolFields = z.object({
  name: groupName({ least: POOL_NAME_LENGTH_MIN, most: POOL_NAME_LENGTH_MAX, label: sentence('A name') }),
  min_contribution: hundredths(POOL_FIELD_RANGES.min_contribution),
  min_contribution_perc: percent(POOL_FIELD_RANGES.min_contribution_perc),
  min_member_period: whole(POOL_FIELD_RANGES.min_member_period),
  base_risk_percentage: percent(POOL_FIELD_RANGES.base_risk_percentage),
  risk_weight_factor: hundredths(POOL_FIELD_RANGES.risk_weight_factor),
  min_trust_score: whole(POOL_FIELD_RANGES.min_trust_score),
});

/** As the database writes it: a vote keeps it as text. */
export const lowerUuid = z.uuid().toLowerCase();

/** The pool's terms as a vote of its members changes them: the fields of the form but for the name. */
export const poolTermsAsked = poolFields.omit({ name: true }).extend({ pool: lowerUuid });

/**
 * The bounds of the settings that are not in the form, as a person writes them (A2; docs/decisions/198). Narrower than what the
 * table takes: no majority shuts in the money of a few, or gives it away.
 */
export const POOL_LIMIT_RANGES = {
  exposure_multiple: { least: '0.50', most: '1.00' },
  kink: { least: '0.30', most: '0.90' },
  max_borrower_share: { least: '5.00', most: '30.00' },
  max_cover: { least: '20.00', most: '80.00' },
  max_active_per_borrower: { least: '1', most: '10', wholeOnly: true },
  fee_members: { least: '50', most: '90', wholeOnly: true },
  fee_reserve: { least: '10', most: '50', wholeOnly: true },
  fee_sacco: { least: '0', most: '20', wholeOnly: true },
  reserve_draw: { least: '25.00', most: '75.00' },
  notice_days: { least: '7', most: '60', wholeOnly: true },
  auto_limit: { least: '0.00', most: '100000.00' },
  auto_limit_share: { least: '0.00', most: '10.00' },
  rate_cap: { least: '10.00', most: '30.00' },
} as const satisfies Record<string, Range>;

const FEES_ADD_UP = check('The three parts of the fees must be 100 together.');

/** The pool's settings as a vote of its members changes them. Parsed as `poolFields` are; `fee_*` and `notice_days` are whole. */
export const poolLimitsAsked = z
  .object({
    pool: lowerUuid,
    exposure_multiple: hundredths(POOL_LIMIT_RANGES.exposure_multiple),
    kink: hundredths(POOL_LIMIT_RANGES.kink),
    max_borrower_share: percent(POOL_LIMIT_RANGES.max_borrower_share),
    max_cover: percent(POOL_LIMIT_RANGES.max_cover),
    max_active_per_borrower: whole(POOL_LIMIT_RANGES.max_active_per_borrower),
    fee_members: whole(POOL_LIMIT_RANGES.fee_members),
    fee_reserve: whole(POOL_LIMIT_RANGES.fee_reserve),
    fee_sacco: whole(POOL_LIMIT_RANGES.fee_sacco),
    reserve_draw: percent(POOL_LIMIT_RANGES.reserve_draw),
    notice_days: whole(POOL_LIMIT_RANGES.notice_days),
    auto_limit: hundredths(POOL_LIMIT_RANGES.auto_limit),
    auto_limit_share: percent(POOL_LIMIT_RANGES.auto_limit_share),
    rate_cap: percent(POOL_LIMIT_RANGES.rate_cap),
  })
  .refine(({ fee_members, fee_reserve, fee_sacco }) => fee_members + fee_reserve + fee_sacco === 100, {
    path: ['fee_members'],
    error: FEES_ADD_UP,
  });

/** A claim of a pool is given up so many days after the pool paid, and not earlier. */
export const WRITE_OFF_AFTER_DAYS = 2 * 365;

/** Stewards that members of a pool elect. Until there are as many, whoever created it is one. */
export const POOL_STEWARDS_MAX = 3;

/**
 * A pool on a list. Everybody gets its name, terms and figures; for a visitor who is not signed in, one's own standing
 * in it is null ('Login to view Pool').
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
  pool_size: z.number(),
  /** Members with a position above zero. */
  members_count: z.number().int(),
  /** The part of the capacity that guarantees take, 0 to 1. */
  utilisation: z.number(),
  /** Shillings of risk-weighted guarantees that the pool can still take on. */
  available_capacity: z.number(),
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

/** A guarantee that was called: called = own + reserve + members, and still_out = reserve + members - recovered. */
export const poolCall = z.object({
  contract: z.uuid(),
  at: instant,
  /** For the borrower, those whose money backed it, and the stewards. */
  borrower: z.string().nullable(),
  called: shillings,
  /** Of the borrower's own position, the reserve, and what was locked of other members. */
  own: shillings,
  reserve: shillings,
  members: shillings,
  members_count: z.number().int(),
  recovered: shillings,
  still_out: shillings,
  /** The members gave the rest up. */
  is_given_up: z.boolean(),
  /** What of it was whose asks, what of that came back, and what is still out. */
  my_part: shillings,
  my_recovered: shillings,
  my_still_out: shillings,
});
export type PoolCall = z.output<typeof poolCall>;

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
  /** The stewards who decide now: a guarantee above the automatic limit takes two. */
  deciders_count: z.number().int(),
  stewards: z
    .array(
      z.object({
        /** The number of the place: a vote on its end names it. */
        id: z.uuid(),
        first_name: z.string(),
        last_name: z.string(),
        /** By a vote of the pool's members; else it is whoever created it. */
        is_elected: z.boolean(),
        is_me: z.boolean(),
        /** True for a steward with money in the pool that is not under notice. */
        decides: z.boolean(),
      }),
    )
    .nullable(),
  /** Whether whoever asks could draft a vote of this pool now. Nobody could in a pool for members of all saccos. */
  may_propose: z.boolean(),
  /** Votes about this pool that are drafted, coming or open, or are to be carried out; newest first, ten at most. For members of its sacco. */
  votes: z.array(z.object({ id: z.uuid(), title: z.string(), state: z.enum(PROPOSAL_STATES) })),
  /** Over the exact terms and settings that hold now; `join` sends it back. */
  terms_hash: hash,
  /** How whoever asks stands in it; null for those who never joined. */
  me: z
    .object({
      member_ref: z.string(),
      joined_at: instant,
      position: shillings,
      /** Backs guarantees, of others or one's own. */
      locked: shillings,
      /** To be withdrawn. */
      notice: shillings,
      /** Whether all of it is under notices that were given: who leaves does not vote. */
      is_leaving: z.boolean(),
      /** Neither locked nor to be withdrawn: the most that a withdrawal may ask for. */
      free: shillings,
      /** Withdrawing a part leaves at least that much: the smallest minimum since joining. */
      least: shillings,
      /** What fees of borrowers have brought so far; and what calls have taken and borrowers have not paid back. */
      earned: shillings,
      lost: shillings,
    })
    .nullable(),
  /** What whoever asks may do with it now. */
  may: z.array(z.enum(POOL_ACTS)),
  /** The latest calls, newest first: for its members and stewards; null for others. */
  calls: z.array(poolCall).nullable(),
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
    /** Only the pools in which whoever asks has money. */
    mine: z.enum(['yes']).optional(),
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

/** A trust score with its parts: everything that it is made of, and nothing else counts (A4). */
export const trustScore = z.object({
  /** 0 to 100. */
  score: z.number().int(),
  parts: z.array(
    z.object({
      part: z.enum(TRUST_PARTS),
      /** Points with two decimals; below zero for defaults. */
      points: z.number(),
      /** The most that the part can give; 0 for defaults. */
      most: z.number(),
      /** What it was reckoned from. */
      text: said,
    }),
  ),
  /** Why the score is capped, whatever the parts say; empty where it is not. */
  caps: z.array(said),
  /** What would raise it, the largest gain first. */
  raises: z.array(z.object({ part: z.enum(TRUST_PARTS), points: z.number(), text: said })),
  at: instant,
});
export type TrustScore = z.output<typeof trustScore>;

/** What a guarantee would be and cost at this moment (A5). */
export const guaranteeQuote = z.object({
  pool: z.object({ id: z.uuid(), name: z.string() }),
  amount: shillings,
  period_months: z.number().int(),
  trust: trustScore,
  /** 1 for full trust; it raises both price and use of capacity. */
  risk_weight: z.number(),
  utilisation_after: z.number(),
  crowding: z.number(),
  /** Percent a year. */
  risk_percentage: z.number(),
  /** Once, from the wallet, when the loan is paid out. */
  fee: shillings,
  /** Locked in one's own position, and in those of others. */
  own_lock: shillings,
  others_lock: shillings,
  /** Whether it is approved at once when it is accepted, without the stewards. */
  is_automatic: z.boolean(),
  /** What stands against it, in the order in which it is checked; empty where it can be had. */
  reasons: z.array(z.object({ reason: z.enum(DECLINE_REASONS), text: said })),
});
export type GuaranteeQuote = z.output<typeof guaranteeQuote>;

/** How a request came to nothing: by the pool's rules, by the stewards, or because nobody decided in time. */
export const poolRequestEnd = z.object({
  by: z.enum(['rules', 'stewards', 'nobody']),
  at: instant,
  /** What stood against it by the pool's rules. */
  reasons: z.array(said),
  /** What the stewards wrote, without their names. */
  words: z.array(z.string()),
});
export type PoolRequestEnd = z.output<typeof poolRequestEnd>;

export const poolRequest = guaranteeQuote.extend({
  id: z.uuid(),
  state: z.enum(POOL_REQUEST_STATES),
  purpose: z.string(),
  /** The loan for which it was asked, where there was one. */
  loan: z.uuid().nullable(),
  /** Over the exact terms that an acceptance signs. */
  quote_hash: hash,
  requested_at: instant,
  /** Until when the quote may be accepted, or the stewards decide; null once neither waits. */
  expires_at: instant.nullable(),
  /** The contract, once there is one. */
  contract: z.uuid().nullable(),
  /** Null for what waits, was approved, was taken back, or lapsed unsigned. */
  end: poolRequestEnd.nullable(),
  /** What an acceptance signs, a sentence a line. */
  memorandum: z.array(said),
  may: z.array(z.enum(['accept', 'cancel'])),
});
export type PoolRequest = z.output<typeof poolRequest>;

export const POOL_CONTRACT_EVENTS = [
  'approved',
  'attached',
  'given_back',
  'activated',
  'released_part',
  'reminded',
  'demanded',
  'disputed',
  'dispute_upheld',
  'dispute_refused',
  'dispute_lapsed',
  'cured',
  'called',
  'settled',
  'recovered_part',
  'recovered',
  'written_off',
  'released',
] as const;

export const poolContract = z.object({
  id: z.uuid(),
  pool: z.object({ id: z.uuid(), name: z.string() }),
  state: z.enum(POOL_CONTRACT_STATES),
  borrower: z.object({ member_ref: z.string(), name: z.string() }),
  loan: z.uuid().nullable(),
  period_months: z.number().int(),
  amount: shillings,
  /** Still guaranteed: at once the sum of all locks. */
  outstanding: shillings,
  risk_percentage: z.number(),
  fee: shillings,
  locks_total: shillings,
  /** What of one's own position backs it, and what one has lost to it and got back. */
  my_lock: shillings,
  my_loss: shillings,
  my_recovered: shillings,
  approved_at: instant,
  activated_at: instant.nullable(),
  ended_at: instant.nullable(),
  /** Until when a loan must use it; null once one did. */
  use_by: instant.nullable(),
  /** From when it may be called, once the pool was told that the loan is late. */
  callable_from: instant.nullable(),
  /** What was paid when it was called, the borrower's own position first; 0 before. */
  paid: shillings,
  /** What of that the reserve and the other members have paid: the borrower owes it; and what of that came back. */
  claim: shillings,
  recovered: shillings,
});
export type PoolContract = z.output<typeof poolContract>;

/** Who reads a guarantee. A steward whose own money backs it is `steward`; the borrower is `borrower` whatever else they are. */
export const POOL_CONTRACT_READERS = ['borrower', 'steward', 'backer'] as const;

export const poolContractDetail = poolContract.extend({
  reader: z.enum(POOL_CONTRACT_READERS),
  /** What was signed, a sentence a line; its hash, who signed and when. For the borrower and stewards. */
  memorandum: z.object({ lines: z.array(said), hash, signed_name: z.string(), signed_at: instant }).nullable(),
  timeline: z.array(
    z.object({ at: instant, event: z.enum(POOL_CONTRACT_EVENTS), amount: shillings.nullable(), text: said }),
  ),
  /** `write_off` is of the stewards; where members of the pool decide it, whoever could vote on it has `propose_write_off`. */
  may: z.array(z.enum(['give_back', 'dispute', 'write_off', 'propose_write_off', 'pay_back'])),
  /** Where it can be given back: from when on its borrower could ask this pool again. */
  ask_again_at: instant.nullable(),
});
export type PoolContractDetail = z.output<typeof poolContractDetail>;

export const POOL_WITHDRAWAL_STATES = ['waiting', 'paid', 'cancelled'] as const;

/** A notice of withdrawal: paid when its time has come, its turn is there and the guarantees that are out allow it (A8). */
export const poolWithdrawal = z.object({
  id: z.uuid(),
  pool: z.object({ id: z.uuid(), name: z.string() }),
  amount: shillings,
  state: z.enum(POOL_WITHDRAWAL_STATES),
  /** Whether one leaves the pool with it. */
  is_all: z.boolean(),
  given_at: instant,
  /** No earlier than this. */
  due_at: instant,
  /** How many notices stand before it. */
  ahead: z.number().int(),
  /** When it is likely to be paid, by the schedules of the guarantees; null once it is over. */
  estimated_on: z.iso.date().nullable(),
  ended_at: instant.nullable(),
});
export type PoolWithdrawal = z.output<typeof poolWithdrawal>;

const poolAmount = z.object({ pool: z.uuid(), amount: positiveAmount });
const moved = acted({ pool: poolDetails, receipt });
const months = wholeNumber(1, POOL_MONTHS_MAX);
const ofPool = z.object({ id: z.uuid() });

export const joinPool = route({
  name: 'joinPool',
  method: 'POST',
  path: '/guarantors/pools/join',
  summary:
    'Join a pool with a first deposit from the wallet, after accepting its terms by the hash that was shown. It can be lost for others.',
  caller: 'signed_in',
  repetition: 'key',
  body: poolAmount.extend({
    accept_terms: z.literal(true, { error: check('Accept the terms of the pool to join it.') }),
    terms_hash: hash,
  }),
  status: 201,
  reply: moved,
  refusals: [
    'proof_required',
    'payout_held',
    'not_a_member',
    'pool_state_conflict',
    'already_in_pool',
    'terms_changed',
    'pool_amount_not_allowed',
    'not_allowed',
    'insufficient_funds',
  ],
});

export const depositToPool = route({
  name: 'depositToPool',
  method: 'POST',
  path: '/guarantors/pools/deposit',
  summary: 'Add to one’s position in a pool from the wallet.',
  caller: 'signed_in',
  repetition: 'key',
  body: poolAmount,
  reply: moved,
  refusals: [
    'proof_required',
    'payout_held',
    'not_a_pool_member',
    'not_a_member',
    'pool_state_conflict',
    'insufficient_funds',
  ],
});

export const withdrawFromPool = route({
  name: 'withdrawFromPool',
  method: 'POST',
  path: '/guarantors/pools/withdraw',
  summary:
    'Give notice to withdraw a free part of one’s position, or all of it. It is paid in turn, once the notice is over and the guarantees allow it.',
  caller: 'signed_in',
  repetition: 'key',
  body: poolAmount,
  status: 201,
  reply: acted({ pool: poolDetails, withdrawal: poolWithdrawal }),
  refusals: ['payout_held', 'not_a_pool_member', 'pool_amount_not_allowed'],
});

export const listPoolWithdrawals = route({
  name: 'listPoolWithdrawals',
  method: 'GET',
  path: '/guarantors/pools/withdrawals',
  summary: 'One’s own notices of withdrawal, newest first.',
  caller: 'signed_in',
  repetition: 'read',
  query: z.object({ pool: z.uuid().optional(), ...pageQuery }),
  reply: listOf(poolWithdrawal),
});

export const cancelPoolWithdrawal = route({
  name: 'cancelPoolWithdrawal',
  method: 'POST',
  path: '/guarantors/pools/withdrawals/{id}/cancellation',
  summary: 'Take a notice of withdrawal back: the money stays in the pool and backs guarantees again.',
  caller: 'signed_in',
  repetition: 'natural',
  params: ofPool,
  reply: acted({ pool: poolDetails, withdrawal: poolWithdrawal }),
  refusals: ['pool_withdrawal_conflict'],
});

export const readTrustScore = route({
  name: 'readTrustScore',
  method: 'GET',
  path: '/guarantors/trust-score',
  summary: 'One’s own trust score, everything that it is made of, and what would raise it.',
  caller: 'signed_in',
  repetition: 'read',
  reply: trustScore,
});

export const quoteGuarantee = route({
  name: 'quoteGuarantee',
  method: 'POST',
  path: '/guarantors/pools/quote',
  summary: 'What a guarantee would cost and lock now, and what stands against it. Nothing is kept.',
  caller: 'signed_in',
  repetition: 'read',
  body: poolAmount.extend({ period_months: months, loan: z.uuid().optional() }),
  reply: guaranteeQuote,
  refusals: ['not_a_pool_member', 'pool_request_conflict'],
});

export const requestGuarantee = route({
  name: 'requestGuarantee',
  method: 'POST',
  path: '/guarantors/pools/request-guarantee',
  summary:
    'Ask a pool of which one is a member for a guarantee: the answer is a quote for 72 hours, or the reasons why there is none.',
  caller: 'signed_in',
  repetition: 'key',
  body: poolAmount.extend({
    period_months: months,
    /** One’s own application that it is for. Without it the loan is named when one applies. */
    loan: z.uuid().optional(),
    purpose: plainWords(200, check('Say what the guarantee is for.')),
  }),
  status: 201,
  reply: acted({ request: poolRequest }),
  refusals: ['not_a_pool_member', 'pool_request_limit_reached', 'pool_request_conflict'],
});

export const listPoolRequests = route({
  name: 'listPoolRequests',
  method: 'GET',
  path: '/guarantors/pools/requests',
  summary: 'One’s own requests for guarantees, newest first.',
  caller: 'signed_in',
  repetition: 'read',
  query: z.object({
    pool: z.uuid().optional(),
    /** `recent`: those that wait, and those that were declined, or that nobody decided, in the last 90 days. */
    status: z.enum(['open', 'over', 'recent']).optional(),
    ...pageQuery,
  }),
  reply: listOf(poolRequest),
});

export const readPoolRequest = route({
  name: 'readPoolRequest',
  method: 'GET',
  path: '/guarantors/pools/requests/{id}',
  summary: 'One of one’s own requests.',
  caller: 'signed_in',
  repetition: 'read',
  params: ofPool,
  reply: poolRequest,
});

export const cancelPoolRequest = route({
  name: 'cancelPoolRequest',
  method: 'POST',
  path: '/guarantors/pools/requests/{id}/cancellation',
  summary: 'Take a request back before it is approved.',
  caller: 'signed_in',
  repetition: 'natural',
  params: ofPool,
  reply: acted({ request: poolRequest }),
  refusals: ['pool_request_conflict'],
});

export const askContractCode = route({
  name: 'askContractCode',
  method: 'POST',
  path: '/guarantors/pools/guarantee-contract/code',
  summary: 'Send the borrower an SMS with the code that signs, which says what is signed.',
  caller: 'signed_in',
  repetition: 'natural',
  body: z.object({ request: z.uuid(), quote_hash: hash }),
  reply: acted({ expires_at: instant }),
  refusals: ['phone_unconfirmed', 'pool_quote_changed', 'pool_request_conflict', 'guarantee_declined'],
});

export const acceptGuaranteeContract = route({
  name: 'acceptGuaranteeContract',
  method: 'POST',
  path: '/guarantors/pools/guarantee-contract',
  summary:
    'Sign the memorandum of a quoted guarantee with one’s name and the code of the SMS. It is approved and locked at once, or goes to the stewards.',
  caller: 'signed_in',
  // The state of the request: what was signed once is not signed again.
  repetition: 'natural',
  body: z.object({
    request: z.uuid(),
    accept: z.literal(true, { error: check('Accept the memorandum to sign it.') }),
    quote_hash: hash,
    /** One’s own name as the account has it, typed. */
    signed_name: z.string().trim().min(1).max(120),
    code: z.string().max(CODE_TYPED_MAX),
  }),
  status: 201,
  reply: acted({ request: poolRequest, contract: poolContractDetail.nullable() }),
  refusals: [
    'payout_held',
    'phone_unconfirmed',
    'otp_not_accepted',
    'signature_mismatch',
    'pool_quote_changed',
    'pool_request_conflict',
    'guarantee_declined',
  ],
});

export const listPoolContracts = route({
  name: 'listPoolContracts',
  method: 'GET',
  path: '/guarantors/pools/contracts',
  summary: 'Guarantees that one has from pools, or that one’s own money backs, newest first.',
  caller: 'signed_in',
  repetition: 'read',
  query: z.object({
    as: z.enum(['borrower', 'backer']).default('borrower'),
    pool: z.uuid().optional(),
    status: z.enum(['open', 'over']).optional(),
    ...pageQuery,
  }),
  reply: listOf(poolContract),
});

export const readPoolContract = route({
  name: 'readPoolContract',
  method: 'GET',
  path: '/guarantors/pools/contracts/{id}',
  summary: 'One guarantee, for its borrower, those whose money backs it, and the stewards.',
  caller: 'signed_in',
  repetition: 'read',
  params: ofPool,
  reply: poolContractDetail,
});

export const giveGuaranteeBack = route({
  name: 'giveGuaranteeBack',
  method: 'POST',
  path: '/guarantors/pools/contracts/{id}/return',
  summary:
    'The borrower gives an approved guarantee back that no loan used: all locks are free at once, and no fee is taken.',
  caller: 'signed_in',
  repetition: 'natural',
  params: ofPool,
  reply: acted({ contract: poolContractDetail }),
  refusals: ['pool_contract_conflict'],
});

/* Stewards. */

export const poolReview = poolRequest.extend({
  borrower: z.object({
    member_ref: z.string(),
    name: z.string(),
    former_name: formerName.nullable(),
    position: shillings,
    joined_at: instant,
  }),
  /** Votes so far, and how many decide. */
  voices: z.object({ approve: z.number().int(), decline: z.number().int(), needed: z.number().int() }),
  my_voice: z.enum(['approve', 'decline']).nullable(),
  /**
   * The money of whoever decides in that pool: all of it, and what of it is free. `would_lock`: what an approval would lock of it as
   * things are now, to a cent; null once the request is decided.
   */
  mine: z.object({ position: shillings, free: shillings, would_lock: shillings.nullable() }),
});
export type PoolReviewItem = z.output<typeof poolReview>;

export const listPoolReviews = route({
  name: 'listPoolReviews',
  method: 'GET',
  path: '/guarantors/pools/reviews',
  summary: 'Requests that wait for the stewards of the pools whose steward one is, never one’s own.',
  caller: 'signed_in',
  repetition: 'read',
  query: z.object({ pool: z.uuid().optional(), ...pageQuery }),
  reply: listOf(poolReview),
});

export const decidePoolRequest = route({
  name: 'decidePoolRequest',
  method: 'POST',
  path: '/guarantors/pools/requests/{id}/decision',
  summary: 'One steward’s voice about a request. Two decide, each with money in the pool that is not under notice.',
  caller: 'signed_in',
  repetition: 'natural',
  params: ofPool,
  body: z.object({
    decision: z.enum(['approve', 'decline']),
    reason: plainWords(300, check('Write the reason.')),
  }),
  reply: acted({ review: poolReview }),
  refusals: ['not_allowed', 'proof_required', 'pool_request_conflict', 'guarantee_declined'],
});

export const changePoolState = route({
  name: 'changePoolState',
  method: 'POST',
  path: '/guarantors/pools/{id}/state',
  summary:
    'A steward suspends a pool at once, for 30 days; two, where there are two or more, reopen it or begin to close it. A closing pool takes no new guarantees and pays everybody out.',
  caller: 'signed_in',
  repetition: 'natural',
  params: ofPool,
  body: z.object({
    act: z.enum(['suspend', 'reopen', 'close']),
    reason: plainWords(300, check('Write the reason.')),
  }),
  reply: acted({ pool: poolDetails }),
  refusals: ['not_allowed', 'proof_required', 'pool_state_conflict'],
});

export const payPoolClaim = route({
  name: 'payPoolClaim',
  method: 'POST',
  path: '/guarantors/pools/contracts/{id}/repayments',
  summary: 'The borrower pays back from the wallet what the pool paid: those who lost get it first.',
  caller: 'signed_in',
  whileSuspended: true,
  repetition: 'key',
  params: ofPool,
  body: z.object({ amount: positiveAmount }),
  reply: acted({ receipt }),
  refusals: [
    'proof_required',
    'payout_held',
    'pool_amount_not_allowed',
    'pool_contract_conflict',
    'insufficient_funds',
  ],
});

export const disputePoolCall = route({
  name: 'disputePoolCall',
  method: 'POST',
  path: '/guarantors/pools/contracts/{id}/dispute',
  summary:
    'A steward objects to a demand, before it is paid: nothing is paid until the sacco’s supervisory committee has decided.',
  caller: 'signed_in',
  repetition: 'natural',
  params: ofPool,
  body: z.object({ reason: plainWords(500, check('Write the reason.')) }),
  reply: acted({ contract: poolContractDetail }),
  refusals: ['not_allowed', 'pool_contract_conflict'],
});

export const writeOffPoolClaim = route({
  name: 'writeOffPoolClaim',
  method: 'POST',
  path: '/guarantors/pools/contracts/{id}/write-off',
  summary:
    'The stewards give a claim up in the pool’s books two years after it was paid. What comes later is still shared out.',
  caller: 'signed_in',
  repetition: 'natural',
  params: ofPool,
  body: z.object({ reason: plainWords(300, check('Write the reason.')) }),
  reply: acted({ contract: poolContractDetail }),
  refusals: ['not_allowed', 'proof_required', 'change_conflict', 'pool_contract_conflict'],
});

/* The supervisory committee of the sacco whose loan is guaranteed. */

export const poolDispute = z.object({
  contract: poolContract,
  reason: z.string(),
  disputed_at: instant,
  disputed_by: z.string(),
});

export const listPoolDisputes = route({
  name: 'listPoolDisputes',
  method: 'GET',
  path: '/sacco/pool-disputes',
  summary: 'Demands of the sacco that a pool disputes, oldest first.',
  caller: 'official',
  offices: ['supervisory_committee'],
  repetition: 'read',
  query: z.object({ limit: wholeNumber(1, 100).default(100) }),
  reply: listOf(poolDispute),
});

export const decidePoolDispute = route({
  name: 'decidePoolDispute',
  method: 'POST',
  path: '/sacco/pool-disputes/{id}/decision',
  summary: 'The supervisory committee says whether a demand stands. One that does not stand is taken back.',
  caller: 'official',
  offices: ['supervisory_committee'],
  repetition: 'natural',
  params: ofPool,
  body: z.object({
    decision: z.enum(['stands', 'taken_back']),
    reason: plainWords(500, check('Write the reason.')),
  }),
  reply: acted({ contract: poolContract }),
  refusals: ['not_allowed', 'proof_required', 'pool_contract_conflict'],
});

export const poolsContract = [
  createPool,
  listPools,
  poolDetailsOf,
  listPoolMembers,
  joinPool,
  depositToPool,
  withdrawFromPool,
  listPoolWithdrawals,
  cancelPoolWithdrawal,
  readTrustScore,
  quoteGuarantee,
  requestGuarantee,
  listPoolRequests,
  readPoolRequest,
  cancelPoolRequest,
  askContractCode,
  acceptGuaranteeContract,
  listPoolContracts,
  readPoolContract,
  giveGuaranteeBack,
  payPoolClaim,
  listPoolReviews,
  decidePoolRequest,
  changePoolState,
  disputePoolCall,
  writeOffPoolClaim,
  listPoolDisputes,
  decidePoolDispute,
] as const;
