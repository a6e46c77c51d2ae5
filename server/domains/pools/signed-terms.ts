import { createHash } from 'node:crypto';

type Value = string | number | null;

/** How a memorandum words the fee; a new wording gets a new number, and what was signed keeps its own. */
export type Wording = 1 | 2;
export const WORDING: Wording = 2;

/** SHA-256 over the JSON of exact terms, with its names in order: what a person accepts or signs. */
export function hashOfTerms(terms: Readonly<Record<string, Value | readonly Value[]>>): string {
  const inOrder = Object.entries(terms).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(inOrder)).digest('hex');
}

/** The columns of a pool's parameters that its terms are, and its settings. */
const PARAMETERS = [
  'min_contribution_cents',
  'min_contribution_perc',
  'min_member_period_days',
  'base_risk',
  'risk_weight_factor',
  'min_trust_score',
  'exposure_multiple',
  'kink',
  'max_borrower_share',
  'max_cover',
  'max_active_per_borrower',
  'fee_members',
  'fee_reserve',
  'fee_sacco',
  'reserve_draw',
  'notice_days',
  'auto_limit_cents',
  'auto_limit_share',
  'rate_cap',
] as const;

export type PoolParameters = Readonly<Record<(typeof PARAMETERS)[number], number>>;

/** What joining a pool accepts: the same terms have the same hash. */
export function termsHashOf(pool: PoolParameters): string {
  return hashOfTerms(Object.fromEntries(PARAMETERS.map((name) => [name, pool[name]])));
}
