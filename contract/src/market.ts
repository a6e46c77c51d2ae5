import { z } from 'zod';
import { check } from './checks.ts';
import { FEE_MAX_BASIS_POINTS, FEE_MIN_CENTS_MAX } from './market-fees.ts';
import { amount as amountOrNothing, positiveAmount, shillings } from './money.ts';
import { receipt } from './receipts.ts';
import { acted, listOf, pageQuery, route } from './route.ts';
import { proposed } from './sacco-changes.ts';
import { instant } from './time.ts';
import { wholeNumber } from './whole-number.ts';

/*
 * The share market: members of one sacco sell their shares to one another. One limit order book for each sacco, best price
 * first, then first come first served; trades at the price of the order that waited (domain.md 4.3).
 */

export const ORDER_SIDES = ['buy', 'sell'] as const;
export type OrderSide = (typeof ORDER_SIDES)[number];

/** `open`: in the book, wholly or for its rest. Whatever an order has traded stays traded in every state. */
export const ORDER_STATES = ['open', 'filled', 'cancelled', 'expired'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** Why an order was cancelled: by its member, or because its turn came and the rules no longer let it trade. */
export const CANCEL_REASONS = [
  'by_member',
  'terms_changed',
  'one_fifth',
  'minimum_holding',
  'left',
  'blocked',
] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** `band`: prices around the share value; `par`: the share value only. */
export const PRICE_MODES = ['band', 'par'] as const;
export type PriceMode = (typeof PRICE_MODES)[number];

/** A closed market takes no orders. */
export const TRADING = ['open', 'closed'] as const;
export type Trading = (typeof TRADING)[number];

/** The longest that any sacco may let an order wait. */
export const ORDER_DAYS_MAX = 90;
export const STATS_RANGES = ['1d', '1w', '1m', '1y', 'all'] as const;
export type StatsRange = (typeof STATS_RANGES)[number];

/** Fewer days would have orders closed before anybody has seen them. */
export const ORDER_DAYS_MIN = 7;
const SHARES_MAX = 10_000_000;
const shares = wholeNumber(1, SHARES_MAX);

export const marketTerms = z.object({
  price_mode: z.enum(PRICE_MODES),
  /** The sacco's own share value: what it sells at itself, and what the band is around. */
  share_value: shillings,
  /** The lowest and the highest price of an order; both the share value at par. */
  floor: shillings,
  ceiling: shillings,
  floor_percentage: z.number(),
  ceiling_percentage: z.number(),
  /** Prices are multiples of this, or the share value itself. */
  tick: shillings,
  /** Orders are multiples of so many shares. */
  lot: z.number().int(),
  /** Of the value traded, from each side. */
  fee_percentage: z.number(),
  /** The least that an order pays once it trades; never more than 3 % of the value traded. */
  fee_min: shillings,
  order_days_max: z.number().int(),
  trading: z.enum(TRADING),
});
export type MarketTerms = z.infer<typeof marketTerms>;

/**
 * The terms that the caller was shown. Where they are worse by then the act is refused as `terms_changed`, with those of
 * now; left out, those of now hold.
 */
export const shownTerms = z.object({
  fee_percentage: z.number().min(0).max(100),
  fee_min: amountOrNothing,
  floor: positiveAmount,
  ceiling: positiveAmount,
  lot: wholeNumber(1, 10_000),
});
export type ShownTerms = z.input<typeof shownTerms>;

export const order = z.object({
  id: z.uuid(),
  sacco: z.uuid(),
  side: z.enum(ORDER_SIDES),
  /** What it was placed, or last changed, for; `filled` of them are traded, `remaining` wait while it is open. */
  shares: z.number().int(),
  filled: z.number().int(),
  remaining: z.number().int(),
  price: shillings,
  status: z.enum(ORDER_STATES),
  /** The value traded so far and the fee paid of it. */
  value: shillings,
  fee: shillings,
  /** Shillings held for what is left of an order to buy; 0 for one to sell, which holds shares. */
  held: shillings,
  placed_at: instant,
  expires_at: instant,
  closed_at: instant.nullable(),
  cancel_reason: z.enum(CANCEL_REASONS).nullable(),
});
export type Order = z.infer<typeof order>;

const level = z.object({ price: shillings, shares: z.number().int(), orders: z.number().int() });
export type Level = z.infer<typeof level>;

/** One member's open offer to sell, without the member: what `buy-user-shares` names. */
const offer = z.object({ order: z.uuid(), price: shillings, shares: z.number().int() });
export type Offer = z.infer<typeof offer>;

export const readOrderBook = route({
  name: 'readOrderBook',
  method: 'GET',
  path: '/sacco/order-book',
  summary: 'The order book of a sacco’s shares, with one’s own open orders: best prices first.',
  caller: 'member',
  repetition: 'read',
  query: z.object({
    /** The header `saccoId` where it is left out. */
    sacco: z.uuid().optional(),
    /** Price levels of each side. */
    depth: wholeNumber(1, 100).default(20),
  }),
  reply: z.object({
    sacco: z.uuid(),
    /** Grows with every change of the book; the live deltas go on from here. */
    sequence: z.number().int(),
    /** The sacco's share value. */
    reference_price: shillings,
    price_band: z.object({ floor: shillings, ceiling: shillings, tick: shillings }),
    /** The middle price of the latest five pairs of members whose trades count, by shares; null of fewer than three. */
    last_price: shillings.nullable(),
    best_bid: shillings.nullable(),
    best_ask: shillings.nullable(),
    bids: z.array(level),
    asks: z.array(level),
    /** The cheapest offers of other members, first in the queue first; at most 20. */
    offers: z.array(offer),
    mine: z.array(order),
    /** What the caller may sell now: shares that no order holds. */
    free_shares: z.number().int(),
    held_shares: z.number().int(),
    terms: marketTerms,
  }),
});

const candle = z.object({
  time: instant,
  open: shillings,
  high: shillings,
  low: shillings,
  close: shillings,
  /** Shares. */
  volume: z.number().int(),
});
export type Candle = z.infer<typeof candle>;

export const readMarketStats = route({
  name: 'readMarketStats',
  method: 'GET',
  path: '/sacco/order-book-stats',
  summary: 'What a sacco’s shares trade at: figures and candles of a range. Public: it names nobody.',
  caller: 'anyone',
  repetition: 'read',
  query: z.object({ sacco: z.uuid().optional(), range: z.enum(STATS_RANGES).default('1w') }),
  reply: z.object({
    sacco: z.uuid(),
    range: z.enum(STATS_RANGES),
    last_price: shillings.nullable(),
    /** Against the last price before the range, or its first. */
    change: shillings.nullable(),
    change_percentage: z.number().nullable(),
    high: shillings.nullable(),
    low: shillings.nullable(),
    /** Shares, shillings and trades of the range, of the trades that count. */
    volume: z.number().int(),
    turnover: shillings,
    trades: z.number().int(),
    best_bid: shillings.nullable(),
    best_ask: shillings.nullable(),
    /** Shares wanted and offered in the whole book. */
    bid_depth: z.number().int(),
    ask_depth: z.number().int(),
    volume_24h: z.number().int(),
    volume_30d: z.number().int(),
    /** The median days from the placing of an order to sell to its last share, of the latest 100 that were sold. */
    days_to_sell: z.number().nullable(),
    candles: z.array(candle),
    terms: marketTerms,
  }),
  refusals: ['sacco_required'],
});
export type MarketStats = z.infer<(typeof readMarketStats)['reply']>;

const trade = z.object({ id: z.uuid(), shares: z.number().int(), price: shillings, at: instant });
/** A trade as all members of the market see it, without its people. */
const shownTrade = trade.extend({
  /** Who came to the other: `buy` when a buyer took an offer. */
  taker: z.enum(ORDER_SIDES),
  /** Whether figures come of it: false for a small one, and for one between members who are related or trade to and fro. */
  counts: z.boolean(),
});
export type Trade = z.infer<typeof trade>;

/** Trades that an answer lists; the order's own page has them all. */
export const TRADES_SHOWN_MAX = 50;

export const placeOrder = route({
  name: 'placeOrder',
  method: 'POST',
  path: '/sacco/order-book-items',
  summary:
    'Places an order to sell or to buy shares. What can trade trades at once; the rest waits, its shares or money held.',
  caller: 'signed_in',
  repetition: 'key',
  body: z.object({
    sacco: z.uuid(),
    side: z.enum(ORDER_SIDES),
    shares,
    price: positiveAmount,
    /** At most `order_days_max` days from now; that many where it is left out. */
    expires_at: instant.max(40).optional(),
    terms: shownTerms.optional(),
  }),
  status: 201,
  reply: acted({ order, trades: z.array(trade), receipt }),
  refusals: [
    'not_a_member',
    'payout_held',
    'sacco_inactive',
    'exit_conflict',
    'trading_blocked',
    'terms_changed',
    'price_not_allowed',
    'lot_mismatch',
    'expiry_not_allowed',
    'open_orders_limit_reached',
    'insufficient_shares',
    'minimum_holding',
    'minimum_shares_not_met',
    'one_fifth_exceeded',
    'insufficient_funds',
    'proof_required',
    'self_trade',
  ],
});

export const listOrders = route({
  name: 'listOrders',
  method: 'GET',
  path: '/sacco/order-book-items',
  summary: 'One’s own orders in a sacco, newest first.',
  caller: 'signed_in',
  repetition: 'read',
  query: z.object({
    /** The header `saccoId` where it is left out. */
    sacco: z.uuid().optional(),
    status: z.enum(ORDER_STATES).optional(),
    ...pageQuery,
  }),
  reply: listOf(order),
  refusals: ['sacco_required'],
});

export const changeOrder = route({
  name: 'changeOrder',
  method: 'PATCH',
  path: '/sacco/order-book-items/{id}',
  summary:
    'Changes one’s open order. Fewer shares keep its place in the queue; more shares or another price take a new one, and may trade at once.',
  caller: 'signed_in',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  body: z
    .object({
      /** In all, those already traded included. */
      shares: shares.optional(),
      price: positiveAmount.optional(),
      /** Of these, prices and lot: an order keeps the fee that it was placed with. */
      terms: shownTerms.optional(),
    })
    .refine(({ shares, price }) => shares !== undefined || price !== undefined, check('Say what is to change.')),
  reply: acted({ order, trades: z.array(trade) }),
  refusals: [
    'not_a_member',
    'payout_held',
    'sacco_inactive',
    'exit_conflict',
    'trading_blocked',
    'terms_changed',
    'order_closed',
    'price_not_allowed',
    'lot_mismatch',
    'insufficient_shares',
    'minimum_holding',
    'minimum_shares_not_met',
    'one_fifth_exceeded',
    'insufficient_funds',
    'proof_required',
    'self_trade',
  ],
});

export const cancelOrder = route({
  name: 'cancelOrder',
  method: 'DELETE',
  path: '/sacco/order-book-items/{id}',
  summary: 'Takes one’s open order out of the book; what it held is free again.',
  caller: 'signed_in',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  reply: acted({ order }),
  refusals: ['order_closed'],
});

export const takeOffer = route({
  name: 'takeOffer',
  method: 'POST',
  path: '/sacco/members/buy-user-shares',
  summary:
    'Buys shares that a member offers, at the offer’s price or better, all of them or none: whoever offered them first at the best price sells. An offer that asks more than the price that is sent is gone.',
  caller: 'signed_in',
  repetition: 'key',
  body: z.object({
    order: z.uuid(),
    shares,
    /** What the taker saw: dearer by then, the offer is gone. Left out, it is taken at whatever it asks at that moment. */
    price: positiveAmount.optional(),
    terms: shownTerms.optional(),
  }),
  reply: acted({ order, trades: z.array(trade), receipt }),
  refusals: [
    'payout_held',
    'sacco_inactive',
    'exit_conflict',
    'trading_blocked',
    'terms_changed',
    'lot_mismatch',
    'minimum_shares_not_met',
    'one_fifth_exceeded',
    'insufficient_funds',
    'proof_required',
    'self_trade',
    'offer_gone',
  ],
});

export const listTrades = route({
  name: 'listTrades',
  method: 'GET',
  path: '/sacco/trades',
  summary: 'The trades of a sacco’s market, newest first, without names; one’s own are marked.',
  caller: 'member',
  repetition: 'read',
  query: z.object({ sacco: z.uuid().optional(), ...pageQuery }),
  reply: listOf(
    shownTrade.extend({
      mine: z.enum(['bought', 'sold']).nullable(),
    }),
  ),
});

export const contractNote = z.object({
  id: z.uuid(),
  sacco: z.object({ id: z.uuid(), name: z.string() }),
  side: z.enum(ORDER_SIDES),
  /** One's own order. */
  order: z.uuid(),
  /** The other side by their handle, `Member K7Q2`: nobody learns from a trade who that is. */
  counterparty: z.string(),
  shares: z.number().int(),
  price: shillings,
  /** Shares times price. */
  value: shillings,
  fee: shillings,
  /** What the buyer paid in all, or the seller received. */
  total: shillings,
  /** One's shares after it. */
  shares_after: z.number().int(),
  at: instant,
  /** The journal of the ledger that holds shares, money and fees of this trade. */
  journal: z.string(),
  /** A short reference to quote, such as `U-7F3K-92QD`. */
  reference: z.string(),
});
export type ContractNote = z.infer<typeof contractNote>;

export const readContractNote = route({
  name: 'readContractNote',
  method: 'GET',
  path: '/sacco/trades/{id}',
  summary: 'The contract note of one’s own trade, for its buyer and its seller.',
  caller: 'signed_in',
  repetition: 'read',
  params: z.object({ id: z.uuid() }),
  reply: contractNote,
});

/**
 * The events of the live stream of one market. `trade` and `stats` come before the `book` that they belong to. The first is
 * always a `book`, of what was missed since `Last-Event-ID` or of no level at all, or `reload`: it says where the stream
 * stands, since a page reads its book by itself. A page at sequence s passes over a `book` whose sequence is not above s,
 * takes one that has s from its `from` on, and reads the book again where `from` is above s: then it has a gap. A trade may
 * come twice, by its id, to a page that went between it and its `book`.
 */
export const marketEvents = {
  /** Whole levels as they are now (0 shares: gone); they follow on `from`. Its id is the sequence. */
  book: z.object({
    from: z.number().int(),
    sequence: z.number().int(),
    levels: z.array(level.extend({ side: z.enum(ORDER_SIDES) })),
  }),
  /** Oldest first; of very many at once the latest. */
  trade: z.object({ trades: z.array(shownTrade) }),
  stats: z.object({
    last_price: shillings.nullable(),
    best_bid: shillings.nullable(),
    best_ask: shillings.nullable(),
  }),
  /** What was missed is no longer kept: read the book again. */
  reload: z.object({ sequence: z.number().int() }),
} as const;
export type MarketEvents = { [Name in keyof typeof marketEvents]: z.output<(typeof marketEvents)[Name]> };

export const marketLive = route({
  name: 'marketLive',
  method: 'GET',
  path: '/sacco/order-book/live',
  summary:
    'Server-sent events of one market, at most ten times a second: `book`, `trade`, `stats`. `Last-Event-ID` goes on where it broke, or `reload` says to read the book again.',
  caller: 'member',
  repetition: 'read',
  query: z.object({ sacco: z.uuid().optional() }),
  reply: z.unknown(),
  replyType: 'sse',
});

const markedMember = z.object({ name: z.string(), handle: z.string() });

export const markedPair = z.object({
  id: z.uuid(),
  /** Of Nairobi. */
  day: z.iso.date(),
  members: z.tuple([markedMember, markedMember]),
  /** What went back on that day: trades, shares and their value. */
  trades: z.number().int(),
  shares: z.number().int(),
  value: shillings,
  first_at: instant,
  last_at: instant,
});
export type MarkedPair = z.infer<typeof markedPair>;

/** Marked pairs that the list has: the latest. */
export const MARKED_PAIRS_SHOWN = 50;

export const listMarkedPairs = route({
  name: 'listMarkedPairs',
  method: 'GET',
  path: '/sacco/marked-pairs',
  summary: 'For officials: pairs of members who bought back from one another within a week, by day, the latest 50.',
  caller: 'official',
  offices: ['chair', 'secretary', 'treasurer', 'supervisory_committee'],
  repetition: 'read',
  reply: listOf(markedPair),
});

export const setMarketTerms = route({
  name: 'setMarketTerms',
  method: 'PUT',
  path: '/sacco/market-terms',
  summary:
    'An official proposes to close the share market. It is closed as soon as a second official has confirmed it, for 14 days unless members decide otherwise. Other rules are put to the vote, but where fewer than three members can vote yet.',
  caller: 'official',
  offices: ['chair', 'secretary', 'treasurer'],
  repetition: 'natural',
  body: z.object({
    price_mode: z.enum(PRICE_MODES),
    floor_percentage: wholeNumber(50, 100).default(90),
    ceiling_percentage: wholeNumber(100, 200).default(110),
    tick: positiveAmount.refine((cents) => cents <= 1_000_00, check('A step is at most Ksh. 1,000.')),
    /** At most the minimum shares of the sacco. */
    lot: wholeNumber(1, 10_000),
    /** Percent with at most two decimals, as hundredths of a percent: 50 is 0.5 %. At most 3 %. */
    fee_basis_points: wholeNumber(0, FEE_MAX_BASIS_POINTS),
    fee_min: amountOrNothing.refine((cents) => cents <= FEE_MIN_CENTS_MAX, check('The least fee is at most Ksh. 50.')),
    order_days_max: wholeNumber(ORDER_DAYS_MIN, ORDER_DAYS_MAX).default(ORDER_DAYS_MAX),
    trading: z.enum(TRADING).default('open'),
  }),
  ...proposed,
  refusals: ['sacco_inactive', ...proposed.refusals],
});

export const priceAlert = z.object({
  id: z.uuid(),
  sacco: z.uuid(),
  /** Told as soon as somebody offers shares at this price or below. */
  price: shillings,
  created_at: instant,
});
export type PriceAlert = z.infer<typeof priceAlert>;

/** Alerts that one member may have waiting in one market. */
export const PRICE_ALERTS_MAX = 10;

export const listPriceAlerts = route({
  name: 'listPriceAlerts',
  method: 'GET',
  path: '/sacco/price-alerts',
  summary: 'One’s price alerts that wait in a sacco’s market.',
  caller: 'member',
  repetition: 'read',
  query: z.object({ sacco: z.uuid().optional() }),
  reply: listOf(priceAlert),
});

export const createPriceAlert = route({
  name: 'createPriceAlert',
  method: 'POST',
  path: '/sacco/price-alerts',
  summary: 'Asks to be told once when shares are offered at a price or below.',
  caller: 'member',
  repetition: 'natural',
  body: z.object({ sacco: z.uuid(), price: positiveAmount }),
  status: 201,
  reply: acted({ alert: priceAlert }),
  refusals: ['sacco_inactive', 'price_not_allowed', 'alert_conflict'],
});

export const cancelPriceAlert = route({
  name: 'cancelPriceAlert',
  method: 'DELETE',
  path: '/sacco/price-alerts/{id}',
  summary: 'Takes a price alert back.',
  caller: 'signed_in',
  repetition: 'natural',
  params: z.object({ id: z.uuid() }),
  reply: acted({}),
});

export const marketContract = [
  readOrderBook,
  readMarketStats,
  placeOrder,
  listOrders,
  changeOrder,
  cancelOrder,
  takeOffer,
  listTrades,
  readContractNote,
  marketLive,
  listMarkedPairs,
  setMarketTerms,
  listPriceAlerts,
  createPriceAlert,
  cancelPriceAlert,
] as const;
