import type { MarketTerms, PriceMode, Trading } from '@ushirika/contract/market';
import type { FeeTerms } from '@ushirika/contract/market-fees';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { SaccoState } from '@ushirika/contract/saccos';
import { sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import { money } from './market-words.ts';

/** A market's terms, as in its row. */
export interface TermsRow extends FeeTerms {
  readonly price_mode: PriceMode;
  readonly floor_percentage: number;
  readonly ceiling_percentage: number;
  readonly tick_cents: Cents;
  readonly lot: number;
  readonly order_days_max: number;
  readonly trading: Trading;
}

/** The columns of `markets` for a `TermsRow`. */
export const TERMS_COLUMNS = `price_mode, floor_percentage, ceiling_percentage, tick_cents, lot, fee_basis_points,
  fee_min_cents, order_days_max, trading`;

export interface Band {
  readonly floorCents: Cents;
  readonly ceilingCents: Cents;
}

/**
 * The lowest and the highest price of an order, in cents: whole steps within the percentages of the share value. The
 * share value itself is always allowed (domain.md 4.3).
 */
export function bandOf(terms: TermsRow, shareValueCents: Cents): Band {
  if (terms.price_mode === 'par') return { floorCents: shareValueCents, ceilingCents: shareValueCents };
  const { tick_cents: tick, floor_percentage, ceiling_percentage } = terms;
  const floor = Math.ceil((shareValueCents * floor_percentage) / (100 * tick)) * tick;
  const ceiling = Math.floor((shareValueCents * ceiling_percentage) / (100 * tick)) * tick;
  return { floorCents: Math.min(shareValueCents, floor), ceilingCents: Math.max(shareValueCents, ceiling) };
}

/** Refuses trading, changes of rules and price alerts while a sacco is not active. */
export function refusalOfState({ name, state }: { readonly name: string; readonly state: SaccoState }): Refusal | null {
  if (state === 'active') return null;
  return new Refusal('sacco_inactive', {
    message: sentence('{name} is not active: its shares are not traded now.', { name }),
  });
}

/** Refuses orders while the market is closed: by two officials for 14 days, or by a vote (docs/decisions/191). */
export function refusalOfClosed({ trading }: Pick<TermsRow, 'trading'>, name: string): Refusal | null {
  if (trading === 'open') return null;
  return new Refusal('sacco_inactive', {
    message: sentence('The share market of {name} is closed: nobody buys or sells shares of other members now.', {
      name,
    }),
  });
}

/** Whether an order may have a price. */
export function isPriceAllowed(priceCents: Cents, terms: TermsRow, shareValueCents: Cents): boolean {
  if (priceCents === shareValueCents) return true;
  const { floorCents, ceilingCents } = bandOf(terms, shareValueCents);
  return priceCents >= floorCents && priceCents <= ceilingCents && priceCents % terms.tick_cents === 0;
}

export function refusalOfPrice(priceCents: Cents, terms: TermsRow, shareValueCents: Cents): Refusal | null {
  if (isPriceAllowed(priceCents, terms, shareValueCents)) return null;
  if (terms.price_mode === 'par') {
    return new Refusal('price_not_allowed', {
      message: sentence('Shares are traded at their value here: {value}.', { value: money(shareValueCents) }),
    });
  }
  const { floorCents, ceilingCents } = bandOf(terms, shareValueCents);
  return new Refusal('price_not_allowed', {
    message: sentence('Prices here are from {floor} to {ceiling}, in steps of {tick}.', {
      floor: money(floorCents),
      ceiling: money(ceilingCents),
      tick: money(terms.tick_cents),
    }),
  });
}

/** Refuses a lot that is larger than the minimum shares: a member who holds the minimum must be able to sell. */
export function refusalOfNewTerms({ lot }: Pick<TermsRow, 'lot'>, minShares: number): Refusal | null {
  const most = Math.max(1, minShares);
  if (lot <= most || !isGuarded('lot_within_minimum')) return null;
  const tooMany = sentence('A lot is at most {most} here, the minimum shares: else members could not sell.', { most });
  return new Refusal('validation_failed', { errors: { lot: [tooMany] } });
}

export function termsOnWire(terms: TermsRow, shareValueCents: Cents): MarketTerms {
  const { floorCents, ceilingCents } = bandOf(terms, shareValueCents);
  return {
    price_mode: terms.price_mode,
    share_value: shillingsFromCents(shareValueCents),
    floor: shillingsFromCents(floorCents),
    ceiling: shillingsFromCents(ceilingCents),
    floor_percentage: terms.floor_percentage,
    ceiling_percentage: terms.ceiling_percentage,
    tick: shillingsFromCents(terms.tick_cents),
    lot: terms.lot,
    fee_percentage: terms.fee_basis_points / 100,
    fee_min: shillingsFromCents(terms.fee_min_cents),
    order_days_max: terms.order_days_max,
    trading: terms.trading,
  };
}
