import { OPEN_ORDERS_MAX } from '@ushirika/contract/constants';
import type { OrderSide } from '@ushirika/contract/market';
import type { FeeTerms } from '@ushirika/contract/market-fees';
import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { daysSaid, sentence, sharesSaid } from '@ushirika/contract/sentence';
import { HOLDING_LIMIT_PERCENTAGE } from '@ushirika/contract/shares';
import { isGuarded } from '#faults';
import { refusalOfHold } from '../identity/account-hold.rules.ts';
import { isLimited, tooLargeAHolding } from '../shares/shares.rules.ts';
import type { MarketNow, MemberNow, OrderNow, Shown, TakeOffer } from './market.types.ts';
import { money } from './market-words.ts';
import { bandOf, refusalOfClosed, refusalOfPrice, refusalOfState, termsOnWire } from './terms.rules.ts';

const DAY_MS = 86_400_000;

/** The first reason why a member may not trade in a market at all, or null. */
export function refusalOfStanding(market: MarketNow, member: MemberNow, side: OrderSide, now: Date): Refusal | null {
  const { name } = market.sacco;
  if (member.membership === null || member.membership === 'exited') {
    return new Refusal('not_a_member', { message: sentence('Join {name} before you trade its shares.', { name }) });
  }
  const held = refusalOfHeldTrader(member, now);
  if (held) return held;
  const closed = refusalOfState(market.sacco) ?? refusalOfClosed(market.terms, name);
  if (closed) return closed;
  if (side === 'buy' && member.membership === 'leaving') {
    return new Refusal('exit_conflict', {
      message: sentence('You have given notice to {name}: you can sell shares there, and buy none.', { name }),
    });
  }
  return member.blocked === null ? null : new Refusal('trading_blocked', { message: member.blocked });
}

/**
 * Refuses a member whose password was reset or phone changed within a day: it may have been a thief. A trade at a bad
 * price moves money to another member just as a payout does (decision 142). Orders from before were placed by the owner
 * and stay.
 */
function refusalOfHeldTrader({ heldUntil }: MemberNow, now: Date): Refusal | null {
  return refusalOfHold('payout_held', heldUntil, now, TRADING_HELD);
}

const TRADING_HELD = sentence(
  'Shares are not bought or sold for 24 hours after a change of password or phone. You can still cancel your orders.',
);

/**
 * The most that a buyer pays for a share of an offer: the price that the buyer saw, or the offer's present price if
 * that is less.
 */
export function mostForTaken(
  offer: Pick<OrderNow, 'price_cents'>,
  { priceCents }: Pick<TakeOffer, 'priceCents'>,
): Cents {
  return Math.min(offer.price_cents, priceCents ?? offer.price_cents);
}

/**
 * Refuses a command whose terms have become worse since the member saw them: a higher fee, larger lots, or fewer
 * prices. Better terms apply without a question.
 * @param fee what the order pays; null where it keeps the fee that it was placed with
 */
export function refusalOfShown(
  market: MarketNow,
  shown: Shown | null | undefined,
  fee: FeeTerms | null,
): Refusal | null {
  if (!shown || !isGuarded('terms_as_shown')) return null;
  const { terms, sacco } = market;
  const { floorCents, ceilingCents } = bandOf(terms, sacco.share_value_cents);
  const isDearer =
    fee !== null && (fee.fee_basis_points > shown.feeBasisPoints || fee.fee_min_cents > shown.feeMinCents);
  const isNarrower = floorCents > shown.floorCents || ceilingCents < shown.ceilingCents;
  if (!isDearer && !isNarrower && terms.lot <= shown.lot) return null;
  return new Refusal('terms_changed', {
    message: sentence('The rules of this market have changed since you looked. See the new ones and confirm again.'),
    extra: { terms: termsOnWire(terms, sacco.share_value_cents) },
  });
}

/** The price and shares of an order. */
export interface Terms {
  readonly priceCents: Cents;
  readonly shares: number;
}

/** @param odd a number of shares that is allowed although it is not whole lots */
export function refusalOfTerms(market: MarketNow, { priceCents, shares }: Terms, odd?: number): Refusal | null {
  const { terms, sacco } = market;
  return refusalOfPrice(priceCents, terms, sacco.share_value_cents) ?? refusalOfLot(market, shares, odd);
}

/** @param odd a number of shares that is allowed although it is not whole lots */
export function refusalOfLot({ terms }: MarketNow, shares: number, odd?: number): Refusal | null {
  if (shares % terms.lot === 0 || shares === odd) return null;
  return new Refusal('lot_mismatch', {
    message: sentence('Shares are traded here by {lot}: {lot}, {twice} and so on.', {
      lot: terms.lot,
      twice: 2 * terms.lot,
    }),
  });
}

/** A leaving member may sell all their shares at once: a rest that is not whole lots could otherwise never be sold. */
export function oddSale(member: MemberNow, side: OrderSide): number | undefined {
  return side === 'sell' && member.membership === 'leaving' ? member.free : undefined;
}

export function refusalOfExpiry({ terms }: MarketNow, expiresAt: Date | null, now: Date): Refusal | null {
  if (expiresAt === null) return null;
  if (expiresAt.getTime() <= now.getTime()) {
    return new Refusal('expiry_not_allowed', { message: sentence('That time is past already. Choose a later one.') });
  }
  if (expiresAt.getTime() <= now.getTime() + terms.order_days_max * DAY_MS) return null;
  return new Refusal('expiry_not_allowed', {
    message: sentence('An order here waits for {days} at most.', { days: daysSaid(terms.order_days_max) }),
  });
}

/** When an order expires. */
export function expiryOf({ terms }: MarketNow, expiresAt: Date | null, now: Date): Date {
  return expiresAt ?? new Date(now.getTime() + terms.order_days_max * DAY_MS);
}

export function refusalOfNumber(member: MemberNow): Refusal | null {
  if (member.openOrders + member.newlyOpen < OPEN_ORDERS_MAX) return null;
  return new Refusal('open_orders_limit_reached');
}

/**
 * Why a member may not sell so many shares, or null.
 * @param freed shares that the sale itself frees: those held by the order that it replaces
 */
export function refusalOfSale(market: MarketNow, member: MemberNow, shares: number, freed = 0): Refusal | null {
  const { name, min_shares } = market.sacco;
  const free = member.free + freed;
  if (shares > free) {
    return new Refusal('insufficient_shares', {
      message: sentence('You have {shares} of {name} that you can sell.', { shares: sharesSaid(free), name }),
    });
  }
  if (member.membership === 'leaving' || free - shares >= min_shares) return null;
  const most = Math.max(0, free - min_shares);
  const kept = { shares: sharesSaid(min_shares), name };
  return new Refusal('minimum_holding', {
    message:
      most === 0
        ? sentence(
            'Members keep at least {shares} of {name}: you can sell none now. Who gives notice to leave may sell all.',
            kept,
          )
        : sentence(
            'Members keep at least {shares} of {name}: you can sell at most {most} now. Who gives notice to leave may sell all.',
            { ...kept, most },
          ),
  });
}

/** Why a member may not buy so many shares, or null. */
export function refusalOfHolding(market: MarketNow, member: MemberNow, shares: number): Refusal | null {
  const before = member.free + member.held;
  const tooFew = refusalOfFirst(market, member, shares);
  if (tooFew) return tooFew;
  if (holdsWithinLimit(market, before + shares)) return null;
  const most = Math.max(0, Math.floor((market.issued * HOLDING_LIMIT_PERCENTAGE) / 100) - before);
  return new Refusal('one_fifth_exceeded', {
    message: tooLargeAHolding(most),
  });
}

/**
 * Why a member who is not paid up yet may not buy so few shares, or null: the first purchase must reach the minimum
 * shares.
 */
export function refusalOfFirst(market: MarketNow, member: MemberNow, shares: number): Refusal | null {
  const { name, min_shares } = market.sacco;
  const before = member.free + member.held;
  if (member.membership !== 'provisional' || before + shares >= min_shares) return null;
  return new Refusal('minimum_shares_not_met', {
    message: sentence('The first purchase in {name} is at least {shares}.', {
      name,
      shares: sharesSaid(min_shares - before),
    }),
  });
}

/**
 * Whether a member's shares are at most one fifth of the issued shares, where that limit applies (section 15 of the
 * Act).
 */
export function holdsWithinLimit({ limit, issued }: Pick<MarketNow, 'limit' | 'issued'>, shares: number): boolean {
  return !isLimited(limit) || shares * 100 <= issued * HOLDING_LIMIT_PERCENTAGE;
}

/** @param availableCents what the wallet can pay, including what the order itself holds so far */
export function refusalOfFunds(holdCents: Cents, availableCents: Cents): Refusal | null {
  if (holdCents <= availableCents) return null;
  return new Refusal('insufficient_funds', {
    message: sentence(
      'Not enough money in your wallet: this order needs {needed}, its fee included, and you have {available}.',
      { needed: money(holdCents), available: money(availableCents) },
    ),
  });
}

/** Why a resting order may not trade when its turn comes, or null. It is checked again as if it were placed now. */
export function reasonAgainst(
  market: MarketNow,
  member: MemberNow,
  order: { readonly side: OrderSide; readonly expires_at: Date },
  now: Date,
): 'expired' | 'left' | 'blocked' | 'minimum_holding' | null {
  if (order.expires_at <= now) return 'expired';
  if (member.membership === null || member.membership === 'exited') return 'left';
  if (member.blocked !== null) return 'blocked';
  if (order.side === 'buy') return member.membership === 'leaving' ? 'left' : null;
  if (member.membership === 'leaving' || member.free >= market.sacco.min_shares) return null;
  return 'minimum_holding';
}
