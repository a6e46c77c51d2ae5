import { formatShillings } from '@ushirika/contract/format';
import { feeOf } from '@ushirika/contract/market-fees';
import type { ChangedValues, ChangeKind, SaccoChange } from '@ushirika/contract/sacco-changes';
import { formatCount } from '../ui/figures.tsx';
import { currentLanguage, say } from '../words/say.ts';

/** One value that changes, in words, from what it was to what it will be. */
export interface ChangedLine {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export function titleOf(kind: ChangeKind): string {
  if (kind === 'market_terms') return say('New market rules');
  return kind === 'referral_terms' ? say('A new reward for referrals') : say('A new name for an official');
}

/** Only what changes, each with its name. */
export function linesOf({ kind, before, after }: Pick<SaccoChange, 'kind' | 'before' | 'after'>): ChangedLine[] {
  const valuesOf = kind === 'market_terms' ? marketValues : kind === 'referral_terms' ? referralValues : nameValues;
  const old = valuesOf(before);
  return valuesOf(after).flatMap(([name, words], index) => {
    const [, was = ''] = old[index] ?? [];
    return was === words ? [] : [{ name, before: was, after: words }];
  });
}

type Values = (readonly [name: string, words: string])[];

const percent = (basisPoints: number) => `${basisPoints / 100}%`;

function marketValues(values: ChangedValues): Values {
  const of = (name: string) => Number(values[name]);
  const isPar = values.price_mode === 'par';
  return [
    [say('Transfer fee'), percent(of('fee_basis_points'))],
    [say('Least fee of an order'), formatShillings(of('fee_min'))],
    [
      say('Prices'),
      isPar
        ? say('At the share value only')
        : say('{floor}% to {ceiling}% of the share value', {
            floor: of('floor_percentage'),
            ceiling: of('ceiling_percentage'),
          }),
    ],
    [say('Step of prices'), formatShillings(of('tick'))],
    [say('Lot (shares)'), formatCount(of('lot'))],
    [say('An order waits at most (days)'), formatCount(of('order_days_max'))],
  ];
}

function referralValues(values: ChangedValues): Values {
  return [
    [say('Reward'), formatShillings(Number(values.reward))],
    [say('Maximum a month for one referrer'), formatCount(Number(values.monthly_rewards_max))],
  ];
}

function nameValues(values: ChangedValues): Values {
  return [[say('Name'), `${values.first_name} ${values.last_name}`]];
}

/** What it means for the members, in sentences: what an official reads before saying yes. */
export function meaningOf(change: Pick<SaccoChange, 'kind' | 'before' | 'after'>): string[] {
  const { kind, before, after } = change;
  if (kind === 'official_name') {
    return [
      say('Members, and everybody who looks at the sacco, will see the new name.'),
      say('Say yes only if you know that this is the person’s real name.'),
    ];
  }
  if (kind === 'referral_terms') {
    return [
      say('It applies to people who sign up from then on. Earlier promises stay as they were.'),
      say('Rewards come out of fees that the sacco has earned, never out of savings or shares.'),
    ];
  }
  return [
    feeMeans(before, after),
    say('Open orders keep the fee that they were placed with.'),
    say('Open orders that no longer fit are closed. What they hold is free again, and their members are told.'),
  ];
}

/** A trade of Ksh. 5,000 as an example: everybody can reckon from there. */
function feeMeans(before: ChangedValues, after: ChangedValues): string {
  const [old, next] = [feeOfExample(before), feeOfExample(after)];
  const values = { fee: formatShillings(next) };
  if (next > old) return say('Trading becomes dearer: a trade of Ksh. 5,000 will cost each side {fee}.', values);
  if (next < old) return say('Trading becomes cheaper: a trade of Ksh. 5,000 will cost each side {fee}.', values);
  return say('A trade of Ksh. 5,000 will cost each side {fee}, as before.', values);
}

function feeOfExample(values: ChangedValues): number {
  const terms = { fee_basis_points: Number(values.fee_basis_points), fee_min_cents: 100 * Number(values.fee_min) };
  return feeOf(5_000_00, terms) / 100;
}

const zone = { timeZone: 'Africa/Nairobi', weekday: 'short', day: 'numeric', month: 'short' } as const;
const clock = { timeZone: 'Africa/Nairobi', hour: '2-digit', minute: '2-digit', hour12: false } as const;

/** `Tue 24 Nov, 10:15` in Nairobi. */
export function momentWords(iso: string): string {
  const locale = currentLanguage() === 'sw' ? 'sw-KE' : 'en-GB';
  const at = Date.parse(iso);
  const day = new Intl.DateTimeFormat(locale, zone).format(at).replace(',', '');
  return `${day}, ${new Intl.DateTimeFormat('en-GB', clock).format(at)}`;
}
