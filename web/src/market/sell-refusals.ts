import { centsOf, formatShillings } from '@ushirika/contract/format';
import type { MarketTerms } from '@ushirika/contract/market';
import { amountToSend } from '@ushirika/contract/typed';
import { sentencesBesideFields } from '../api/api-form.tsx';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { shareCount } from '../shares/shares-amount.ts';
import { formatCount } from '../ui/figures.tsx';
import type { Explanation } from '../ui/form.tsx';
import { say } from '../words/say.ts';
import { isPriceAllowed, priceTermsOf } from './market-sums.ts';

/** A price in shillings with at most two decimals, above zero, or null. */
export function priceOf(text: string): number | null {
  const plain = amountToSend(text).trim();
  const price = /^\d{1,7}(\.\d{1,2})?$/.test(plain) ? Number(plain) : 0;
  return price > 0 ? price : null;
}

interface Limits {
  /** Shares that no order holds. */
  free: number;
  /** Those that may be sold: what must stay is taken off. */
  most: number;
  mustStay: number;
  terms: MarketTerms;
}

/** What speaks against an order to sell before it is sent, each beside its field; null when nothing does. */
export function unfitToSell(values: Readonly<Record<'shares' | 'price', string>>, limits: Limits): Explanation | null {
  const fields: Record<string, string> = {};
  const shares = unfitShares(shareCount(values.shares), limits);
  const price = unfitPrice(priceOf(values.price), limits.terms);
  if (shares) fields.shares = shares;
  if (price) fields.price = price;
  const sentences = Object.values(fields);
  return sentences.length > 0 ? { toasts: sentences, fields } : null;
}

function unfitShares(shares: number | null, { free, most, mustStay, terms }: Limits): string | null {
  if (!shares) return say('Enter a whole number of shares.');
  if (shares > free) return say('You have {n} free {n, plural, one {share} other {shares}}.', { n: formatCount(free) });
  if (free - shares < mustStay) {
    return say('{kept} {kept, plural, one {share} other {shares}} must stay yours: sell {n} at most.', {
      kept: formatCount(mustStay),
      n: formatCount(most),
    });
  }
  // Whoever leaves may sell the odd rest too.
  if (shares % terms.lot !== 0 && (mustStay > 0 || shares !== free))
    return say('Shares are traded in lots of {n}.', { n: formatCount(terms.lot) });
  return null;
}

function unfitPrice(price: number | null, terms: MarketTerms): string | null {
  if (price && isPriceAllowed(centsOf(price), priceTermsOf(terms))) return null;
  if (terms.price_mode === 'par') return say('The price is {price}.', { price: formatShillings(terms.share_value) });
  return say('A price from {floor} to {ceiling}, in steps of {tick}.', {
    floor: formatShillings(terms.floor),
    ceiling: formatShillings(terms.ceiling),
    tick: formatShillings(terms.tick),
  });
}

/** The field that a refusal of the server is about. */
const FIELDS: Readonly<Record<string, 'shares' | 'price'>> = {
  insufficient_shares: 'shares',
  minimum_holding: 'shares',
  lot_mismatch: 'shares',
  price_not_allowed: 'price',
  self_trade: 'price',
};

/** A refusal as a passing sentence, and beside the field that it is about. */
export function besideTheirFields(error: unknown): Explanation {
  if (error instanceof CallFailure && error.kind === 'aborted') return { toasts: [] };
  const words = wordsFor(error);
  const field = error instanceof CallFailure ? FIELDS[error.code] : undefined;
  return { toasts: [words], fields: { ...(field ? { [field]: words } : {}), ...sentencesBesideFields(error) } };
}
