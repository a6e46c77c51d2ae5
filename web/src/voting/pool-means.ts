import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { formatShillings } from '@ushirika/contract/format';
import type { PoolDetails, PriceExample } from '@ushirika/contract/pools';
import { say } from '../words/say.ts';

/** An example that everybody can reckon from, where the pool names none. */
const GUARANTEE = 10_000;
const MONTHS = 12;
const TRUST = 75;

type Values = Readonly<{ before: ChangedValues; after: ChangedValues }>;
/** Of the pool what a sentence needs; `me` is null for whoever has nothing in it. */
export type MeantPool = Pick<PoolDetails, 'equity' | 'reserve'> & {
  readonly me: { readonly position: number } | null;
  readonly settings: Pick<PoolDetails['settings'], 'rate_cap'>;
  /** Their guarantee is one that the pool can give. */
  readonly price_examples: readonly Pick<PriceExample, 'amount'>[];
};

const guaranteeOf = ({ price_examples: [example] }: Pick<MeantPool, 'price_examples'>): number =>
  example?.amount ?? GUARANTEE;

type Of = (name: string) => number;

/** The two sides of a change as numbers. What is not filled in yet has not changed. */
function sidesOf({ before, after }: Values) {
  const old: Of = (name) => Number(before[name]);
  const next: Of = (name) => (Number.isFinite(Number(after[name])) ? Number(after[name]) : old(name));
  return {
    old,
    next,
    differs: (...names: string[]) => names.some((name) => !Object.is(next(name), old(name))),
    /** A figure as it would be and as it is, for a sentence. */
    both: (inWords: (of: Of) => string) => ({ next: inWords(next), now: inWords(old) }),
  };
}

/** What other terms of a pool would come to, in shillings and days, also for whoever reads it; a sentence for each that changes. */
export function poolTermsMean(values: Values, pool: MeantPool): string[] {
  const { old, next, differs, both } = sidesOf(values);
  const guarantee = guaranteeOf(pool);
  const sentences = differs('min_contribution') ? contributionMeans(values, pool) : [];
  if (differs('min_contribution_perc'))
    sentences.push(
      say('For a guarantee of {amount} the borrower needs {next} of their own in the pool. Now it is {now}.', {
        amount: formatShillings(guarantee),
        ...both((of) => formatShillings((guarantee * of('min_contribution_perc')) / 100)),
      }),
    );
  if (differs('min_member_period'))
    sentences.push(
      say(
        'Nobody may ask for a guarantee before {next, plural, one {1 day} other {# days}} in the pool. Now it is {now, plural, one {1 day} other {# days}}.',
        { next: next('min_member_period'), now: old('min_member_period') },
      ),
    );
  if (differs('base_risk_percentage', 'risk_weight_factor'))
    sentences.push(
      say(
        'A guarantee of {amount} for 12 months costs {next} once, for a trust score of {score} in a quiet pool. Now it is {now}.',
        {
          ...{ amount: formatShillings(guarantee), score: TRUST },
          ...both((of) => formatShillings(feeOf(guarantee, of, pool.settings.rate_cap))),
        },
      ),
    );
  if (differs('min_trust_score'))
    sentences.push(
      say('Nobody is guaranteed below a trust score of {next}. Now it is {now}.', {
        next: next('min_trust_score'),
        now: old('min_trust_score'),
      }),
    );
  return sentences;
}

/** A higher minimum is for those who join from then on: what a member must leave in is the smallest since they joined (docs/decisions/198). */
function contributionMeans(values: Values, { me }: MeantPool): string[] {
  const { old, next, both } = sidesOf(values);
  const isHigher = next('min_contribution') > old('min_contribution');
  const amount = formatShillings(me?.position ?? 0);
  const sides = both((of) => formatShillings(of('min_contribution')));
  const own = isHigher
    ? say(
        'Your position of {amount} stays as it is. What must be left in when you withdraw a part does not rise for you.',
        { amount },
      )
    : say('Your position of {amount} stays as it is.', { amount });
  const all = isHigher
    ? say('Whoever joins from then on puts in {next} at least. Now it is {now}.', sides)
    : say(
        'Whoever joins puts in {next} at least, and whoever withdraws a part leaves as much. Now it is {now}.',
        sides,
      );
  return (me?.position ?? 0) > 0 ? [own, all] : [all];
}

/** The fee of the example: the price of A5 without crowding, on a balance that falls each month. Shillings. */
function feeOf(guarantee: number, of: Of, cap: number): number {
  const weight = 1 + (of('risk_weight_factor') * (100 - TRUST)) / 100;
  const rate = Math.min(cap, Math.round(of('base_risk_percentage') * weight * 100) / 100);
  return Math.round((guarantee * rate * (MONTHS + 1)) / 24) / 100;
}

/** The same of other settings of a pool. */
export function poolLimitsMean(values: Values, pool: MeantPool): string[] {
  const { equity, reserve } = pool;
  const { old, next, differs, both } = sidesOf(values);
  const sentences: string[] = [];
  if (differs('exposure_multiple'))
    sentences.push(
      say(
        'With what is in the pool today it could guarantee {next} at most. Now it is {now}.',
        both((of) => partInWords(equity, 100 * of('exposure_multiple'))),
      ),
    );
  if (differs('max_borrower_share'))
    sentences.push(
      say(
        'One borrower could be guaranteed for {next} at most. Now it is {now}.',
        both((of) => partInWords(equity, of('max_borrower_share'))),
      ),
    );
  if (differs('max_cover'))
    sentences.push(
      say('Of a loan of {amount} the pool could guarantee {next}. Now it is {now}.', {
        amount: formatShillings(guaranteeOf(pool)),
        ...both((of) => partInWords(guaranteeOf(pool), of('max_cover'))),
      }),
    );
  if (differs('fee_members'))
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
        both((of) => partInWords(reserve, of('reserve_draw'))),
      ),
    );
  if (differs('notice_days'))
    sentences.push(
      say(
        'Whoever gives notice after that waits {next, plural, one {1 day} other {# days}} for the money. Now it is {now, plural, one {1 day} other {# days}}.',
        { next: next('notice_days'), now: old('notice_days') },
      ),
    );
  return [...sentences, ...(differs('auto_limit', 'auto_limit_share') ? [withoutStewards(values, equity)] : [])];
}

const withoutStewards = (values: Values, equity: number): string =>
  say(
    'Guarantees up to {next} would be approved without the stewards. Now it is {now}.',
    sidesOf(values).both((of) => formatShillings(Math.min(of('auto_limit'), partOf(equity, of('auto_limit_share'))))),
  );

/** So many percent of an amount, down to the cent. */
const partOf = (shillings: number, percent: number): number =>
  Math.floor(Math.round(shillings * percent * 1e4) / 1e4) / 100;
const partInWords = (shillings: number, percent: number): string => formatShillings(partOf(shillings, percent));
