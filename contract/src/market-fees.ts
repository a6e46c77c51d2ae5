import type { Cents } from './money.ts';

/** No order pays more than 3 % of what it has traded, whatever its least fee is. */
export const FEE_MAX_BASIS_POINTS = 300;
/** The highest least fee that a sacco may set: Kes 50. */
export const FEE_MIN_CENTS_MAX: Cents = 50_00;

/** What a trade costs each side; kept on the order from the moment it was placed, so that what was shown is what is paid. */
export interface FeeTerms {
  /** Hundredths of a percent: 50 is 0.5 %. */
  readonly fee_basis_points: number;
  readonly fee_min_cents: Cents;
  /** 10,000 on orders from before the cap of 3 % (migration 0119); it holds where this is left out. */
  readonly fee_max_basis_points?: number;
}

/**
 * The fee of an order that has traded this value so far, in cents: a share of the value, at least the minimum, and never
 * more than 3 % of the value. It is of the order as a whole: an order filled in ten parts pays what it would have paid
 * for one (domain.md 4.3; docs/decisions/130, 153). Half a cent is rounded up.
 */
export function feeOf(
  valueCents: Cents,
  { fee_basis_points, fee_min_cents, fee_max_basis_points = FEE_MAX_BASIS_POINTS }: FeeTerms,
): Cents {
  const share = Math.floor((valueCents * fee_basis_points + 5_000) / 10_000);
  const most = Math.floor((valueCents * fee_max_basis_points) / 10_000);
  return Math.min(most, Math.max(fee_min_cents, share));
}

/**
 * What an order to buy keeps held, in cents: the price of what is left, and the fee that it may still owe.
 * @param traded the value, in cents, that the order has traded already
 */
export function holdOf(priceCents: Cents, remaining: number, traded: Cents, terms: FeeTerms): Cents {
  const rest = priceCents * remaining;
  return rest + feeOf(traded + rest, terms) - feeOf(traded, terms);
}
