import type { CancelReason, OrderSide } from '@ushirika/contract/market';
import type { Cents } from '@ushirika/contract/money';
import type { MembershipState } from '@ushirika/contract/saccos';
import type { Sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import type { LockedSacco } from '../saccos/lock-sacco.ts';
import type { LimitNow } from '../shares/shares.rules.ts';
import type { Handle } from './book.ts';
import type { OpenBook } from './open-book.ts';
import type { OrderRow } from './order-rows.ts';
import type { Uncounted } from './price.rules.ts';
import type { TermsRow } from './terms.rules.ts';

/** The session that sends the command, for the check of its password. The platform's own commands have none. */
interface BySession {
  readonly sessionId?: string;
}

/** A command to a market. A batch carries commands out as if one after another, in the order given. */
export type MarketCommand = PlaceOrder | TakeOffer | ChangeOrder | CancelOrder | CloseOrder;

/** The terms that the member saw before the command; null: the present terms apply. */
export interface Shown {
  readonly feeBasisPoints: number;
  readonly feeMinCents: Cents;
  readonly floorCents: Cents;
  readonly ceilingCents: Cents;
  readonly lot: number;
}

export interface PlaceOrder extends BySession {
  readonly kind: 'place';
  readonly userId: string;
  readonly saccoId: string;
  readonly side: OrderSide;
  readonly shares: number;
  readonly priceCents: Cents;
  /** Null: for as long as the sacco allows. */
  readonly expiresAt: Date | null;
  readonly shown?: Shown | null;
}

/** Buys at the price of an offer or better, all or nothing. */
export interface TakeOffer extends BySession {
  readonly kind: 'take';
  readonly userId: string;
  readonly orderId: string;
  readonly shares: number;
  /** The price that the taker saw, which is the most for a share; null: the offer's present price. */
  readonly priceCents: Cents | null;
  readonly shown?: Shown | null;
}

/** A field that is null stays unchanged. */
export interface ChangeOrder extends BySession {
  readonly kind: 'change';
  readonly userId: string;
  readonly orderId: string;
  /** The new total, including shares already traded. */
  readonly shares: number | null;
  readonly priceCents: Cents | null;
  readonly shown?: Shown | null;
}

export interface CancelOrder {
  readonly kind: 'cancel';
  readonly userId: string;
  readonly orderId: string;
}

/**
 * Closes an order for the platform: it has expired, or the rules do not let it trade. Does nothing to a closed order.
 */
export interface CloseOrder {
  readonly kind: 'close';
  readonly orderId: string;
  readonly reason: CancelReason | 'expired';
}

/** The result of a command that was not refused. */
export interface MarketOutcome {
  readonly order: OrderNow;
  readonly saccoName: string;
  /** The trades of this command, in order. */
  readonly trades: readonly TradeNow[];
  /** The first journal of this command; null where nothing moved. */
  readonly journal: PlannedJournal | null;
}

/** A journal that is posted with the batch, and then gets its id. */
export interface PlannedJournal {
  id: string;
}

/** The state of an order during a batch. */
export type OrderNow = { -readonly [Column in keyof OrderRow]: OrderRow[Column] } & {
  readonly user_id: string;
  place: number;
  isNew: boolean;
  /** Its row must be written. */
  isTouched: boolean;
  /** Its handle in the batch's book; -1 when it is not in it. */
  handle: Handle | -1;
};

export interface TradeNow {
  readonly id: string;
  readonly saccoId: string;
  readonly shares: number;
  readonly priceCents: Cents;
  readonly taker: OrderSide;
  readonly takerLimitCents: Cents;
  readonly buy: OrderNow;
  readonly sell: OrderNow;
  readonly buyerFeeCents: Cents;
  readonly sellerFeeCents: Cents;
  readonly buyerSharesAfter: number;
  readonly sellerSharesAfter: number;
  readonly journal: PlannedJournal;
  /** Why it does not count for the figures; null for one that counts. Set after the batch is matched (figures.ts). */
  uncounted: Uncounted | null;
}

/** The state of a member during a batch. */
export interface MemberNow {
  readonly userId: string;
  readonly saccoId: string;
  membership: MembershipState | null;
  /** Shares that no order holds, and shares that orders hold. */
  free: number;
  held: number;
  /** Why they may not trade, as a sentence; null where they may. */
  readonly blocked: Sentence | null;
  /** Until when they may not trade because a password was reset or a phone changed; else null. */
  readonly heldUntil: Date | null;
  readonly openOrders: number;
  /** Resting orders that this batch placed, less those that it filled or closed. */
  newlyOpen: number;
}

export interface MarketRow extends TermsRow {
  readonly sacco_id: string;
  readonly sequence: number;
  readonly last_place: number;
  readonly best_bid_cents: Cents | null;
  readonly best_ask_cents: Cents | null;
  readonly last_price_cents: Cents | null;
}

/** The state of a market during a batch. */
export interface MarketNow {
  readonly saccoId: string;
  readonly sacco: LockedSacco;
  readonly terms: TermsRow;
  readonly sequenceBefore: number;
  /** The last price before the batch. */
  readonly lastPriceCents: Cents | null;
  lastPlace: number;
  /** All issued shares. */
  issued: number;
  holders: number;
  /** The state of the one-fifth limit. */
  readonly limit: LimitNow;
  readonly book: OpenBook;
  /** Changes of the levels' totals, by side and price: `sell 10400`. */
  readonly levels: Map<string, LevelChange>;
  readonly trades: TradeNow[];
}

export interface LevelChange {
  readonly side: OrderSide;
  readonly priceCents: Cents;
  shares: number;
  orders: number;
}

/** Functions of other domains that the market calls. */
export interface MarketDependencies {
  /**
   * Why members may not trade now, as sentences: a loan in arrears, guarantors not paid back. Without it nobody is blocked.
   */
  readonly blocksOf?: (
    tx: Tx,
    people: readonly { readonly userId: string; readonly saccoId: string }[],
  ) => Promise<ReadonlyMap<string, Sentence>>;
  /**
   * The indexes of those pairs whose people are related: trades between them do not count for the price. Without it
   * nobody is related.
   */
  readonly relatedPairs?: (
    tx: Tx,
    pairs: readonly { readonly one: string; readonly other: string }[],
  ) => Promise<ReadonlySet<number>>;
}

export const memberKey = (saccoId: string, userId: string): string => `${saccoId} ${userId}`;
