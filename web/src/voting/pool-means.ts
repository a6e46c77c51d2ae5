import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { formatShillings } from '@ushirika/contract/format';
import type { PoolDetails } from '@ushirika/contract/pools';
import { say } from '../words/say.ts';

/** An example that everybody can reckon from. */
const GUARANTEE = 10_000;
const MONTHS = 12;
const TRUST = 75;

type Values = Readonly<{ before: ChangedValues; after: ChangedValues }>;
/** Of the pool what a sentence needs; `me` is null for whoever has nothing in it. */
export type MeantPool = Pick<PoolDetails, 'equity' | 'reserve' | 'me'> & {
  readonly settings: Pick<PoolDetails['settings'], 'rate_cap'>;
};

/** What other terms of a pool would come to, in shillings and days, also for whoever reads it; a sentence for each that changes. */
export function poolTermsMean({ before, after }: Values, pool: MeantPool): string[] {
  const now = (name: string) => Number(before[name]);
  const then = (name: string) => Number(after[name]);
  const differs = (name: string) => Number.isFinite(then(name)) && then(name) !== now(name);
  const sentences: string[] = [];
  if (differs('min_contribution')) {
    if ((pool.me?.position ?? 0) > 0)
      sentences.push(
        say('Your deposit of {amount} stays as it is. You may leave the pool as before.', {
          amount: formatShillings(pool.me?.position ?? 0),
        }),
      );
    sentences.push(
      say('Whoever withdraws a part must leave {then} in the pool. Now it is {now}.', {
        then: formatShillings(then('min_contribution')),
        now: formatShillings(now('min_contribution')),
      }),
    );
  }
  if (differs('min_contribution_perc')) {
    const own = (percent: number) => formatShillings((GUARANTEE * percent) / 100);
    sentences.push(
      say('For a guarantee of {amount} the borrower needs {then} of their own in the pool. Now it is {now}.', {
        amount: formatShillings(GUARANTEE),
        then: own(then('min_contribution_perc')),
        now: own(now('min_contribution_perc')),
      }),
    );
  }
  if (differs('min_member_period')) {
    sentences.push(
      say(
        'Nobody may ask for a guarantee before {then, plural, one {1 day} other {# days}} in the pool. Now it is {now, plural, one {1 day} other {# days}}.',
        { then: then('min_member_period'), now: now('min_member_period') },
      ),
    );
  }
  const price = feeOf(after, pool.settings.rate_cap);
  if ((differs('base_risk_percentage') || differs('risk_weight_factor')) && Number.isFinite(price)) {
    sentences.push(
      say(
        'A guarantee of {amount} for 12 months costs {then} once, for a trust score of {score} in a quiet pool. Now it is {now}.',
        {
          ...{ amount: formatShillings(GUARANTEE), score: TRUST },
          ...{ then: formatShillings(price), now: formatShillings(feeOf(before, pool.settings.rate_cap)) },
        },
      ),
    );
  }
  if (differs('min_trust_score'))
    sentences.push(
      say('Nobody is guaranteed below a trust score of {then}. Now it is {now}.', {
        then: then('min_trust_score'),
        now: now('min_trust_score'),
      }),
    );
  return sentences;
}

/** The same of other limits of a pool. */
export function poolLimitsMean({ before, after }: Values, pool: MeantPool): string[] {
  const now = (name: string) => Number(before[name]);
  const then = (name: string) => Number(after[name]);
  const differs = (...names: string[]) => names.some((name) => Number.isFinite(then(name)) && then(name) !== now(name));
  const both = (inWords: (of: typeof now) => string) => ({ then: inWords(then), now: inWords(now) });
  const percentOfPool = (name: string) => both((of) => formatShillings(floorCents((pool.equity * of(name)) / 100)));
  const sentences: string[] = [];
  if (differs('exposure_multiple'))
    sentences.push(
      say(
        'With what is in the pool today it could guarantee {then} at most. Now it is {now}.',
        both((of) => formatShillings(floorCents(pool.equity * of('exposure_multiple')))),
      ),
    );
  if (differs('max_borrower_share'))
    sentences.push(
      say('One borrower could be guaranteed for {then} at most. Now it is {now}.', percentOfPool('max_borrower_share')),
    );
  if (differs('max_cover'))
    sentences.push(
      say('Of a loan of {amount} the pool could guarantee {then}. Now it is {now}.', {
        amount: formatShillings(GUARANTEE),
        ...both((of) => formatShillings((GUARANTEE * of('max_cover')) / 100)),
      }),
    );
  if (differs('fee_members', 'fee_reserve', 'fee_sacco'))
    sentences.push(
      say(
        'Of each Ksh. 100 of fees members get {then}. Now it is {now}.',
        both((of) => formatShillings(of('fee_members'))),
      ),
    );
  if (differs('reserve_draw'))
    sentences.push(
      say(
        'Of the reserve of today one call could draw {then}. Now it is {now}.',
        both((of) => formatShillings(floorCents((pool.reserve * of('reserve_draw')) / 100))),
      ),
    );
  if (differs('notice_days'))
    sentences.push(
      say(
        'Whoever gives notice after that waits {then, plural, one {1 day} other {# days}} for the money. Now it is {now, plural, one {1 day} other {# days}}.',
        { then: then('notice_days'), now: now('notice_days') },
      ),
    );
  if (differs('auto_limit', 'auto_limit_share'))
    sentences.push(
      say(
        'Guarantees up to {then} would be approved without the stewards. Now it is {now}.',
        both((of) =>
          formatShillings(Math.min(of('auto_limit'), floorCents((pool.equity * of('auto_limit_share')) / 100))),
        ),
      ),
    );
  return sentences;
}

const floorCents = (shillings: number) => Math.floor(Math.round(shillings * 1e4) / 100) / 100;

/** The fee of the example: the price of A5 without crowding, on a balance that falls each month. Shillings. */
function feeOf(terms: ChangedValues, cap: number): number {
  const weight = 1 + (Number(terms.risk_weight_factor) * (100 - TRUST)) / 100;
  const rate = Math.min(cap, Math.round(Number(terms.base_risk_percentage) * weight * 100) / 100);
  return Math.round((GUARANTEE * rate * (MONTHS + 1)) / 24) / 100;
}
