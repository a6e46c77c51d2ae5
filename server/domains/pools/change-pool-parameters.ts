import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { shillingsFromCents } from '@ushirika/contract/money';
import { poolLimitsAsked, poolTermsAsked } from '@ushirika/contract/pools';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { z } from 'zod';
import type { Tx } from '../../db/tx.ts';
import type { About, ChangeExecutor } from '../saccos/changes.types.ts';
import type { PoolLocked } from './pool-rows.ts';
import { endWaitingRequests } from './request-guarantee.ts';
import type { PoolParameters } from './signed-terms.ts';
import { refusalOfClosed, refusalOfSacco, votedPool } from './voted-pool.ts';

type Parameters = Partial<PoolParameters>;
/** Between two versions of one millisecond: each has a moment of its own. */
const LATER_MS = 1;

/** Terms in the form in which a vote keeps them: as a person writes them. */
export const poolTermsToKeep = (terms: z.output<typeof poolTermsAsked>): ChangedValues => ({
  ...terms,
  min_contribution: shillingsFromCents(terms.min_contribution),
  min_contribution_perc: terms.min_contribution_perc / 100,
  base_risk_percentage: terms.base_risk_percentage / 100,
  risk_weight_factor: terms.risk_weight_factor / 100,
});

/** The same of the limits. */
export const poolLimitsToKeep = (limits: z.output<typeof poolLimitsAsked>): ChangedValues => ({
  ...limits,
  exposure_multiple: limits.exposure_multiple / 100,
  kink: limits.kink / 100,
  max_borrower_share: limits.max_borrower_share / 100,
  max_cover: limits.max_cover / 100,
  reserve_draw: limits.reserve_draw / 100,
  auto_limit: shillingsFromCents(limits.auto_limit),
  auto_limit_share: limits.auto_limit_share / 100,
  rate_cap: limits.rate_cap / 100,
});

const termsOf = (pool: PoolLocked): ChangedValues =>
  poolTermsToKeep({
    pool: pool.id,
    min_contribution: pool.min_contribution_cents,
    min_contribution_perc: pool.min_contribution_perc,
    min_member_period: pool.min_member_period_days,
    base_risk_percentage: pool.base_risk,
    risk_weight_factor: pool.risk_weight_factor,
    min_trust_score: pool.min_trust_score,
  });

function termsKept(payload: ChangedValues): Parameters {
  const terms = poolTermsAsked.parse(payload);
  return {
    min_contribution_cents: terms.min_contribution,
    min_contribution_perc: terms.min_contribution_perc,
    min_member_period_days: terms.min_member_period,
    base_risk: terms.base_risk_percentage,
    risk_weight_factor: terms.risk_weight_factor,
    min_trust_score: terms.min_trust_score,
  };
}

const limitsOf = (pool: PoolLocked): ChangedValues =>
  poolLimitsToKeep({
    pool: pool.id,
    exposure_multiple: pool.exposure_multiple,
    kink: pool.kink / 100,
    max_borrower_share: pool.max_borrower_share,
    max_cover: pool.max_cover,
    max_active_per_borrower: pool.max_active_per_borrower,
    fee_members: pool.fee_members,
    fee_reserve: pool.fee_reserve,
    fee_sacco: pool.fee_sacco,
    reserve_draw: pool.reserve_draw,
    notice_days: pool.notice_days,
    auto_limit: pool.auto_limit_cents,
    auto_limit_share: pool.auto_limit_share,
    rate_cap: pool.rate_cap,
  });

function limitsKept(payload: ChangedValues): Parameters {
  const { pool: _, kink, auto_limit, ...limits } = poolLimitsAsked.parse(payload);
  return { ...limits, kink: kink * 100, auto_limit_cents: auto_limit };
}

const notices = { announce: async () => {}, recall: async () => {} };

/** The members of a pool change its terms. They hold for what is asked for from then on. */
export const poolTermsChange: ChangeExecutor = {
  ...notices,
  offices: [],
  isDelayed: false,
  words: sentence('the terms of a guarantor pool'),
  async current(tx, about, payload): Promise<ChangedValues> {
    const pool = await votedPool(tx, about, payload);
    return pool ? termsOf(pool) : {};
  },
  async refusalOf(tx, about, payload) {
    if (!(await votedPool(tx, about, payload))) return refusalOfClosed();
    // A draft may be older than the floors of own part and trust.
    if (!poolTermsAsked.safeParse(payload).success) return new Refusal('change_conflict');
    return refusalOfSacco(tx, about);
  },
  apply: (tx, about, payload) => addVersion(tx, about, payload, { to: termsKept(payload), event: 'terms_changed' }),
};

/** The members of a pool change its settings, by two thirds. */
export const poolLimitsChange: ChangeExecutor = {
  ...notices,
  offices: [],
  isDelayed: false,
  words: sentence('the settings of a guarantor pool'),
  async current(tx, about, payload): Promise<ChangedValues> {
    const pool = await votedPool(tx, about, payload);
    return pool ? limitsOf(pool) : {};
  },
  async refusalOf(tx, about, payload) {
    const pool = await votedPool(tx, about, payload);
    if (!pool) return refusalOfClosed();
    return (await refusalOfSacco(tx, about)) ?? refusalOfCapacity(pool, limitsKept(payload));
  },
  apply: (tx, about, payload) => addVersion(tx, about, payload, { to: limitsKept(payload), event: 'settings_changed' }),
};

/** A pool guarantees no more than its capacity (pools-voting-anchoring.md A10, I4). */
function refusalOfCapacity(pool: PoolLocked, { exposure_multiple = 0 }: Parameters): Refusal | null {
  const equity = BigInt(pool.positions_cents - pool.notice_cents);
  if (BigInt(pool.weighted_cents) * 100n <= equity * BigInt(exposure_multiple)) return null;
  return new Refusal('change_conflict', {
    message: sentence('The pool guarantees more than that already. Its guarantees have to fall first.'),
  });
}

/** Adds a version of a pool's parameters, which holds from now on. Requests that wait end: what they quote or sign is not the pool's any more. */
async function addVersion(
  tx: Tx,
  about: About,
  payload: ChangedValues,
  { to, event }: { readonly to: Parameters; readonly event: 'terms_changed' | 'settings_changed' },
): Promise<void> {
  const pool = await votedPool(tx, about, payload);
  if (!pool || about.proposalId === undefined) throw new Error('A pool is changed by a vote.');
  const [last] = await tx.sql<(PoolParameters & { readonly valid_from: Date })[]>`
    select * from pool_parameters where pool_id = ${pool.id} order by valid_from desc limit 1`;
  if (!last) throw new Error('A pool has parameters.');
  const from = new Date(Math.max(tx.now.getTime(), last.valid_from.getTime() + LATER_MS));
  const version = { ...last, ...to, valid_from: from, changed_by: about.proposedBy, proposal_id: about.proposalId };
  await tx.sql`insert into pool_parameters ${tx.sql(version)}`;
  await tx.sql`
    insert into pool_events (id, pool_id, kind, caused_by, at) values (${tx.newId()}, ${pool.id}, ${event}, null, ${tx.now})`;
  await endWaitingRequests(tx, about.proposedBy, pool, {
    reason: 'terms_changed',
    template: 'pool_terms_changed',
    text: sentence('{pool}: its terms have changed by a vote. Your request for a guarantee has ended. Ask once more.', {
      pool: pool.name,
    }),
  });
}
