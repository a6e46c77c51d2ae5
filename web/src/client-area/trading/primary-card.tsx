import { feeOf } from '@ushirika/contract/market-fees';
import { Button } from '../../ui/button.tsx';
import { formatCount, Money } from '../../ui/figures.tsx';
import { say } from '../../words/say.ts';
import type { Book } from './market-book.ts';
import { formatPrice } from './market-words.ts';
import { centsOf, estimate, termsInCents } from './ticket.rules.ts';
import { fromCents } from './ticket-checks.ts';

/** What the sacco itself sells at, always beside the members' offers, so that nobody pays more without knowing. */
export function PrimaryCard({
  book,
  shares,
  closed,
  onBuy,
}: {
  book: Book;
  /** How many are about to be bought; null for none. */
  shares: number | null;
  closed: string | null;
  onBuy: () => void;
}) {
  return (
    <div className="bg-ochre-tint px-4.5 py-3.5 text-small">
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
function comparison(book: Book, shares: number | null): string {
  const valueCents = centsOf(book.terms.share_value);
  if (book.best_ask === null) return say('No member offers shares now.');
  if (shares === null) {
    const difference = centsOf(book.best_ask) - valueCents;
    const by = formatPrice(Math.abs(difference) / 100);
    if (difference > 0)
      return say('That is {by} a share less than the cheapest member asks, and without a fee.', { by });
    if (difference === 0) return say('That is what the cheapest member asks, and without a fee.');
    return say('The cheapest member asks {by} a share less, before the transfer fee.', { by });
  }
  const offers = book.asks.map(({ price, shares: offered }) => ({
    priceCents: centsOf(price),
    shares: offered,
    own: false,
  }));
  const { valueCents: paid, waits } = estimate('buy', shares, Number.POSITIVE_INFINITY, offers);
  const n = formatCount(shares);
  if (waits > 0) {
    return say('Members offer {m} shares in all; the sacco sells you all {n} at once.', {
      m: formatCount(shares - waits),
      n,
    });
  }
  const ofSacco = valueCents * shares;
  const ofMembers = paid + feeOf(paid, termsInCents(book.terms));
  const by = fromCents(Math.abs(ofMembers - ofSacco));
  if (ofMembers === ofSacco) return say('For {n} shares both cost the same, fee included.', { n });
  return ofSacco < ofMembers
    ? say('For {n} shares the sacco is cheaper by {by}, the members’ fee included.', { n, by })
    : say('For {n} shares the members are cheaper by {by}, fee included.', { n, by });
}
