import { formatCount } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { type Book, whyNoneOffered } from './market-sums.ts';

/** Why no shares of members can be bought now; null where there is simply nobody who offers any. */
export function whyNotFromMembers(book: Book): string | null {
  const why = whyNoneOffered(book);
  if (why === 'own_first') return say('Your own offer is the cheapest: cancel it to buy from other members.');
  if (why === 'below_lot') {
    return say('Members offer fewer than the {n} {n, plural, one {share} other {shares}} of one lot now.', {
      n: formatCount(book.terms.lot),
    });
  }
  return null;
}
