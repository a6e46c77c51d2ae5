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
    const isHigher = then('min_contribution') > now('min_contribution');
    const amount = formatShillings(pool.me?.position ?? 0);
    if ((pool.me?.position ?? 0) > 0)
      sentences.push(
        isHigher
          ? say(
              'Your deposit of {amount} stays as it is. What must be left in when you withdraw a part does not rise for you.',
              { amount },
            )
          : say('Your deposit of {amount} stays as it is.', { amount }),
      );
    const both = {
      next: formatShillings(then('min_contribution')),
      now: formatShillings(now('min_contribution')),
    };
    sentences.push(
      isHigher
        ? say('Whoever joins from then on puts in {next} at least. Now it is {now}.', both)
        : say(
            'Whoever joins puts in {next} at least, and whoever withdraws a part leaves as much. Now it is {now}.',
            both,
          ),
    );
  }
  if (differs('min_contribution_perc')) {
    const own = (percent: number) => formatShillings((GUARANTEE * percent) / 100);
    sentences.push(
      say('For a guarantee of {amount} the borrower needs {next} of their own in the pool. Now it is {now}.', {
        amount: formatShillings(GUARANTEE),
        next: own(then('min_contribution_perc')),
        now: own(now('min_contribution_perc')),
      }),
    );
  }
  if (differs('min_member_period')) {
    sentences.push(
      say(
        'Nobody may ask for a guarantee before {next, plural, one {1 day} other {# days}} in the pool. Now it is {now, plural, one {1 day} other {# days}}.',
        { next: then('min_member_period'), now: now('min_member_period') },
      ),
    );
  }
  const price = feeOf(after, pool.settings.rate_cap);
  if ((differs('base_risk_percentage') || differs('risk_weight_factor')) && Number.isFinite(price)) {
    sentences.push(
      say(
        'A guarantee of {amount} for 12 months costs {next} once, for a trust score of {score} in a quiet pool. Now it is {now}.',
        {
          ...{ amount: formatShillings(GUARANTEE), score: TRUST },
          ...{ next: formatShillings(price), now: formatShillings(feeOf(before, pool.settings.rate_cap)) },
        },
      ),
    );
  }
  if (differs('min_trust_score'))
    sentences.push(
      say('Nobody is guaranteed below a trust score of {next}. Now it is {now}.', {
        next: then('min_trust_score'),
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
  const both = (inWords: (of: typeof now) => string) => ({ next: inWords(then), now: inWords(now) });
  const percentOfPool = (name: string) => both((of) => formatShillings(floorCents((pool.equity * of(name)) / 100)));
  const sentences: string[] = [];
  if (differs('exposure_multiple'))
    sentences.push(
      say(
        'With what is in the pool today it could guarantee {next} at most. Now it is {now}.',
        both((of) => formatShillings(floorCents(pool.equity * of('exposure_multiple')))),
      ),
    );
  if (differs('max_borrower_share'))
    sentences.push(
      say('One borrower could be guaranteed for {next} at most. Now it is {now}.', percentOfPool('max_borrower_share')),
    );
  if (differs('max_cover'))
    sentences.push(
      say('Of a loan of {amount} the pool could guarantee {next}. Now it is {now}.', {
        amount: formatShillings(GUARANTEE),
        ...both((of) => formatShillings((GUARANTEE * of('max_cover')) / 100)),
      }),
    );
  if (differs('fee_members', 'fee_reserve', 'fee_sacco'))
    sentences.push(
      say(
        'Of each Ksh. 100 of fees members get {next}. Now it is {now}.',
        both((of) => formatShillings(of('fee_members'))),
      ),
    );
  if (differs('reserve_draw'))
    sentences.push(
      say(
        'Of the reserve of today one call could draw {next}. Now it is {now}.',
        both((of) => formatShillings(floorCents((pool.reserve * of('reserve_draw')) / 100))),
      ),
    );
  if (differs('notice_days'))
    sentences.push(
      say(
        'Whoever gives notice after that waits {next, plural, one {1 day} other {# days}} for the money. Now it is {now, plural, one {1 day} other {# days}}.',
        { next: then('notice_days'), now: now('notice_days') },
      ),
    );
  if (differs('auto_limit', 'auto_limit_share'))
    sentences.push(
      say(
        'Guarantees up to {next} would be approved without the stewards. Now it is {now}.',
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
