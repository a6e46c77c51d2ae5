import { centsOf } from '@ushirika/contract/format';
import { Button } from '../ui/button.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import type { Book } from './market-book.ts';
import { waysToBuy } from './market-sums.ts';
import { formatPrice } from './market-words.ts';
import { whyNotFromMembers } from './no-offers.ts';
import { fromCents } from './ticket-checks.ts';

/** What the sacco itself sells at, always beside the members' offers, so that nobody pays more without knowing. */
export function PrimaryCard({
  book,
  shares,
  closed,
  waits,
  onBuy,
}: {
  book: Book;
  /** How many are about to be bought; null for none. */
  shares: number | null;
  closed: string | null;
  /** Why the sacco sells none for some days. */
  waits: string | null;
  onBuy: () => void;
}) {
  const box = 'bg-ochre-tint px-4.5 py-3.5 text-small';
  if (waits) return <p className={box}>{waits}</p>;
  return (
    <div className={box}>
      <p>
        {say('The sacco itself sells at')} <Money shillings={book.terms.share_value} className="font-bold" />
        {say(', any number.')}
      </p>
      <p className="num mt-1 min-h-10 text-ink-2">{comparison(book, shares)}</p>
      <Button look="line" className="mt-2.5 w-full" disabledReason={closed} onClick={onBuy}>
        {say('Buy from the sacco')}
      </Button>
    </div>
  );
}

/** Which of the two is cheaper: for the number that is typed with the fee, else by the price of one. */
export function comparison(book: Book, shares: number | null): string {
  const { offered, members, order, savedCents } = waysToBuy(shares, book, book.terms.share_value);
  if (!offered) return whyNotFromMembers(book) ?? say('No other member offers shares now.');
  if (shares === null || shares % offered.lot !== 0) {
    const difference = centsOf(offered.price) - centsOf(book.terms.share_value);
    const by = formatPrice(Math.abs(difference) / 100);
    if (difference > 0)
      return say('That is {by} a share less than the cheapest member asks, and without a fee.', { by });
    if (difference === 0) return say('That is what the cheapest member asks, and without a fee.');
    return say('The cheapest member asks {by} a share less, before the transfer fee.', { by });
  }
  const n = formatCount(shares);
  if (!members) {
    return say(
      'Members offer {m} {m, plural, one {share} other {shares}} in all; the sacco sells you all {n} at once.',
      {
        m: formatCount(offered.shares),
        n,
      },
    );
  }
  const by = fromCents(savedCents);
  if (savedCents === 0)
    return say('For {n} {n, plural, one {share} other {shares}} both cost the same, fee included.', { n });
  return order[0] === 'sacco'
    ? say(
        '{n} {n, plural, one {share costs} other {shares cost}} {by} less here than at the members’ cheapest offers with the fee.',
        {
          n,
          by,
        },
      )
    : say(
        '{n} {n, plural, one {share costs} other {shares cost}} {by} more here than at the members’ cheapest offers with the fee.',
        {
          n,
          by,
        },
      );
}
