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

/** Whose session asks; left out where nobody's does: for the platform itself no password is asked. */
interface BySession {
  readonly sessionId?: string;
}

/** What can be asked of markets. A batch carries commands out as if one after another, in the order given. */
export type MarketCommand = PlaceOrder | TakeOffer | ChangeOrder | CancelOrder | CloseOrder;

/** What somebody was shown of a market's terms before they asked; null: they hold as they are now. */
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
  /** Null: as long as the sacco allows. */
  readonly expiresAt: Date | null;
  readonly shown?: Shown | null;
}

/** Buys at the price of an offer or better, all or nothing. */
export interface TakeOffer extends BySession {
  readonly kind: 'take';
  readonly userId: string;
  readonly orderId: string;
  readonly shares: number;
  /** What the taker saw, and so the most for a share; null: whatever the offer asks now. */
  readonly priceCents: Cents | null;
  readonly shown?: Shown | null;
}

/** What is left out stays as it is. */
export interface ChangeOrder extends BySession {
  readonly kind: 'change';
  readonly userId: string;
  readonly orderId: string;
  /** In all, those already traded included. */
  readonly shares: number | null;
  readonly priceCents: Cents | null;
  readonly shown?: Shown | null;
}

export interface CancelOrder {
  readonly kind: 'cancel';
  readonly userId: string;
  readonly orderId: string;
}

/** By the platform: its time is over, or the rules no longer let it trade. Of an order that is closed it does nothing. */
export interface CloseOrder {
  readonly kind: 'close';
  readonly orderId: string;
  readonly reason: CancelReason | 'expired';
}

/** What came of a command that was not refused. */
export interface MarketOutcome {
  readonly order: OrderNow;
  readonly saccoName: string;
  /** Of this command, in the order in which they happened. */
  readonly trades: readonly TradeNow[];
  /** The first journal of this command; null where nothing moved. */
  readonly journal: PlannedJournal | null;
}

/** A journal that will be posted with the batch; its id is put in then. */
export interface PlannedJournal {
  id: string;
}

/** An order as it stands in the middle of a batch. */
export type OrderNow = { -readonly [Column in keyof OrderRow]: OrderRow[Column] } & {
  readonly user_id: string;
  place: number;
  isNew: boolean;
  /** Its row has to be written. */
  isTouched: boolean;
  /** Where it is in the batch's book; -1 for one that is not in it. */
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
  /** Why it moves no figure; null for one that does. Known once the batch is matched (figures.ts). */
  uncounted: Uncounted | null;
}

/** A member of a market in the middle of a batch. */
export interface MemberNow {
  readonly userId: string;
  readonly saccoId: string;
  membership: MembershipState | null;
  /** Shares that no order holds, and those that orders hold. */
  free: number;
  held: number;
  /** Why they may not trade, in a sentence; null for whom nothing stops. */
  readonly blocked: Sentence | null;
  /** Until when they may not trade because a password was reset or a phone changed; null for whom nothing holds. */
  readonly heldUntil: Date | null;
  readonly openOrders: number;
  /** Orders placed by this batch that rest, less those that it filled or closed. */
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

/** A market in the middle of a batch. */
export interface MarketNow {
  readonly saccoId: string;
  readonly sacco: LockedSacco;
  readonly terms: TermsRow;
  readonly sequenceBefore: number;
  /** Before the batch. */
  readonly lastPriceCents: Cents | null;
  lastPlace: number;
  /** Shares issued in all. */
  issued: number;
  holders: number;
  /** Where the sacco stands with the limit of one fifth. */
  readonly limit: LimitNow;
  readonly book: OpenBook;
  /** What changes of the totals, by side and price: `sell 10400`. */
  readonly levels: Map<string, LevelChange>;
  readonly trades: TradeNow[];
}

export interface LevelChange {
  readonly side: OrderSide;
  readonly priceCents: Cents;
  shares: number;
  orders: number;
}

/** What the market asks of domains below it. */
export interface MarketDependencies {
  /**
   * Why somebody may not trade now, in a sentence each: a loan in arrears, a guarantee that was called. Nobody is blocked
   * where it is left out.
   */
  readonly blocksOf?: (
    tx: Tx,
    people: readonly { readonly userId: string; readonly saccoId: string }[],
  ) => Promise<ReadonlyMap<string, Sentence>>;
  /**
   * Which of these pairs of people, by their places, are related: trades between them move no price. Nobody is where it is
   * left out.
   */
  readonly relatedPairs?: (
    tx: Tx,
    pairs: readonly { readonly one: string; readonly other: string }[],
  ) => Promise<ReadonlySet<number>>;
}

export const memberKey = (saccoId: string, userId: string): string => `${saccoId} ${userId}`;
