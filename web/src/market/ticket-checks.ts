import { formatShillings } from '@ushirika/contract/format';
import type { OrderSide } from '@ushirika/contract/market';
import { sentencesBesideFields } from '../api/api-form.tsx';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { formatCount } from '../ui/figures.tsx';
import type { Explanation } from '../ui/form.tsx';
import { say } from '../words/say.ts';
import type { Book } from './market-book.ts';
import { isPriceAllowed } from './market-sums.ts';
import { costOf, type Terms, type Trader } from './ticket.rules.ts';

/** Cents for a person: `Ksh. 5,226.00`. */
export function fromCents(cents: number): string {
  return formatShillings(cents / 100);
}

/** What a ticket holds that cannot be sent, with its sentence beside the field; null when all is well. */
export function unfitOrder({
  side,
  shares,
  priceCents,
  terms,
  trader,
  book,
}: {
  side: OrderSide;
  shares: number | null;
  priceCents: number | null;
  terms: Terms;
  trader: Trader;
  book: Book;
}): Explanation | null {
  const fields: Record<string, string> = {};
  const ofShares =
    shares === null ? say('Enter a whole number of shares.') : unfitShares(side, shares, terms, trader, book);
  if (ofShares) fields.shares = ofShares;
  if (priceCents === null) fields.price = say('Enter a price in shillings.');
  else if (!isPriceAllowed(priceCents, terms)) fields.price = bandWords(terms);
  if (!ofShares && !fields.price && side === 'buy' && shares !== null && priceCents !== null) {
    const needed = costOf(shares, priceCents, terms);
    if (needed > trader.availableCents) {
      fields.shares = say('This needs {x}, and your wallet has {y}.', {
        x: fromCents(needed),
        y: fromCents(trader.availableCents),
      });
    }
  }
  return Object.keys(fields).length > 0 ? { toasts: [], fields } : null;
}

/** The reason why an order cannot have so many shares, or null. */
export function unfitShares(side: OrderSide, shares: number, terms: Terms, trader: Trader, book: Book): string | null {
  const isOddSale = side === 'sell' && trader.isLeaving && shares === book.free_shares;
  if (shares % terms.lot !== 0 && !isOddSale)
    return say('Orders are whole lots of {n} {n, plural, one {share} other {shares}}.', { n: formatCount(terms.lot) });
  if (side === 'sell') {
    if (shares > book.free_shares)
      return say('You have {n} free {n, plural, one {share} other {shares}}.', { n: formatCount(book.free_shares) });
    if (!trader.isLeaving && book.free_shares - shares < trader.minShares) {
      return say('Keep at least {n} {n, plural, one {share} other {shares}}, or give notice to leave.', {
        n: formatCount(trader.minShares),
      });
    }
    return null;
  }
  const own = book.free_shares + book.held_shares;
  if (trader.isProvisional && own + shares < trader.minShares) {
    return say(
      'Your first order must be for at least {n} {n, plural, one {share} other {shares}}, the sacco’s minimum.',
      {
        n: formatCount(trader.minShares - own),
      },
    );
  }
  if (shares > trader.room) {
    return say('No member may hold more than one fifth of the shares. You can buy at most {n} more.', {
      n: formatCount(trader.room),
    });
  }
  return null;
}

/** The prices that an order may have here. */
export function bandWords(terms: Terms): string {
  if (terms.isPar) return say('Shares are traded at their value here: {x}.', { x: fromCents(terms.valueCents) });
  return say('Prices here are from {x} to {y}, in steps of {z}.', {
    x: fromCents(terms.floorCents),
    y: fromCents(terms.ceilingCents),
    z: fromCents(terms.tickCents),
  });
}

const FIELD_OF: Readonly<Record<string, string>> = {
  price_not_allowed: 'price',
  self_trade: 'price',
  lot_mismatch: 'shares',
  insufficient_shares: 'shares',
  minimum_holding: 'shares',
  minimum_shares_not_met: 'shares',
  one_fifth_exceeded: 'shares',
  insufficient_funds: 'shares',
  expiry_not_allowed: 'expiry',
};

/** A refusal of the server beside the field that it is about; any other in passing. */
export function refusalBesideField(error: unknown): Explanation {
  if (error instanceof CallFailure && error.kind === 'aborted') return { toasts: [] };
  const code = error instanceof CallFailure ? error.code : '';
  // The profile tells until when.
  if (code === 'payout_held') void refresh(['Client']);
  const field = FIELD_OF[code];
  const fields = sentencesBesideFields(error);
  if (field) return { toasts: [], fields: { [field]: wordsFor(error), ...fields } };
  return { toasts: [wordsFor(error)], fields };
}
