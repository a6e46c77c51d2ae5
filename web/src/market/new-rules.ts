import type { ChangedValues } from '@ushirika/contract/change-kinds';
import { centsOf } from '@ushirika/contract/format';
import type { MarketTerms, Order } from '@ushirika/contract/market';
import { formatCount } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import type { Book } from './market-book.ts';
import { isPriceAllowed, type PriceTerms } from './market-sums.ts';
import { outside } from './ticket.rules.ts';

/** What of a market's rules decides whether an order may stay. */
export interface NewRules extends PriceTerms {
  readonly lot: number;
  readonly days: number;
}

/** The rules that a change proposes, in a market with these terms. */
export function rulesProposed(after: ChangedValues, { share_value }: MarketTerms): NewRules {
  return newRules(
    {
      isPar: after.price_mode === 'par',
      floor: Number(after.floor_percentage),
      ceiling: Number(after.ceiling_percentage),
      tickCents: centsOf(Number(after.tick)),
      lot: Number(after.lot),
      days: Number(after.order_days_max),
    },
    centsOf(share_value),
  );
}

/** `floor` and `ceiling` are percentages of the share value. */
export function newRules(
  {
    floor,
    ceiling,
    ...rest
  }: Pick<NewRules, 'isPar' | 'tickCents' | 'lot' | 'days'> & Record<'floor' | 'ceiling', number>,
  valueCents: number,
): NewRules {
  const floorCents = Math.min(valueCents, (valueCents * floor) / 100);
  return { ...rest, valueCents, floorCents, ceilingCents: Math.max(valueCents, (valueCents * ceiling) / 100) };
}

/** Whether rules may close any order of the book as it stands. */
export const closesSome = ({ bids, asks, terms }: Pick<Book, 'bids' | 'asks' | 'terms'>, rules: NewRules): boolean =>
  outside([...bids, ...asks], rules).orders > 0 || rules.lot !== terms.lot || rules.days < terms.order_days_max;

/** What rules would do to the orders in the book as it stands, in sentences. */
export function effectInWords({ bids, asks, terms }: Pick<Book, 'bids' | 'asks' | 'terms'>, rules: NewRules): string {
  const hit = outside([...bids, ...asks], rules);
  const sentences = [
    hit.orders === 0
      ? say('No open order has a price that would no longer be allowed.')
      : say(
          'Open orders whose price would no longer be allowed: {n}, for {m} {m, plural, one {share} other {shares}}. They would be cancelled, and what they hold would be free again.',
          { n: formatCount(hit.orders), m: formatCount(hit.shares) },
        ),
  ];
  if (rules.lot !== terms.lot) sentences.push(say('Orders of which no whole lots are left would be closed, too.'));
  if (rules.days < terms.order_days_max) sentences.push(say('So would orders that wait longer.'));
  return sentences.join(' ');
}

/** Whether an open order closes once the rules hold, as the server closes them (close-unfit.ts). */
export function closesUnder(
  { side, price, remaining, expires_at }: Pick<Order, 'side' | 'price' | 'remaining' | 'expires_at'>,
  rules: NewRules,
  { terms, from, isLeaving }: { terms: Pick<MarketTerms, 'lot' | 'order_days_max'>; from: string; isLeaving: boolean },
): boolean {
  if (!isPriceAllowed(centsOf(price), rules)) return true;
  const isOddLot = rules.lot !== terms.lot && remaining % rules.lot !== 0;
  if (isOddLot && !(side === 'sell' && isLeaving)) return true;
  return rules.days < terms.order_days_max && Date.parse(expires_at) > Date.parse(from) + rules.days * 86_400_000;
}
