import type { CancelReason, OrderSide } from '@ushirika/contract/market';
import { FEE_MAX_BASIS_POINTS, feeOf, holdOf } from '@ushirika/contract/market-fees';
import { Refusal } from '@ushirika/contract/refusal';
import { type Sentence, sentence } from '@ushirika/contract/sentence';
import { isGuarded } from '#faults';
import type { Tx } from '../../db/tx.ts';
import { countQualified, qualifiedChange } from '../shares/shares.rules.ts';
import { NOT_ENOUGH, SELF_TRADE, STRUCK } from './book.ts';
import { journalOfChange, journalOfClosing, journalOfHold, journalOfTrade } from './journals.ts';
import { type Batch, openBatch, plan, readDeeper } from './load-batch.ts';
import {
  expiryOf,
  holdsWithinLimit,
  mostForTaken,
  oddSale,
  refusalOfExpiry,
  refusalOfFirst,
  refusalOfFunds,
  refusalOfHolding,
  refusalOfLot,
  refusalOfNumber,
  refusalOfSale,
  refusalOfShown,
  refusalOfStanding,
  refusalOfTerms,
} from './market.rules.ts';
import {
  type CancelOrder,
  type ChangeOrder,
  type CloseOrder,
  type MarketCommand,
  type MarketDependencies,
  type MarketNow,
  type MarketOutcome,
  type MemberNow,
  memberKey,
  type OrderNow,
  type PlaceOrder,
  type PlannedJournal,
  type TakeOffer,
  type TradeNow,
} from './market.types.ts';
import { otherSide, rankOf, sideOf } from './open-book.ts';
import { tellOfBatch } from './tell-of-batch.ts';
import { writeBatch } from './write-batch.ts';

/**
 * Carries out commands on markets in the order given, each with the effects of those before it. Returns the outcome or
 * the refusal of each. All effects of an order are in this transaction: its trades with shares, money, fees and
 * register entries, and the hold of its rest. The number of statements does not grow with the batch, except where more
 * of a book is needed than was read at first.
 */
export async function trade(
  tx: Tx,
  commands: readonly MarketCommand[],
  dependencies: MarketDependencies = {},
): Promise<(MarketOutcome | Refusal)[]> {
  const batch = await openBatch(tx, commands, dependencies, closeByRule);
  const answers: (MarketOutcome | Refusal)[] = [];
  for (const command of commands) answers.push(await execute(batch, command));
  await writeBatch(batch);
  await tellOfBatch(batch);
  return answers;
}

async function execute(batch: Batch, command: MarketCommand): Promise<MarketOutcome | Refusal> {
  switch (command.kind) {
    case 'place':
      return place(batch, command);
    case 'take':
      return take(batch, command);
    case 'change':
      return change(batch, command);
    case 'cancel':
      return cancel(batch, command);
    case 'close':
      return closeIfOpen(batch, command);
  }
}

async function place(batch: Batch, command: PlaceOrder): Promise<MarketOutcome | Refusal> {
  const { saccoId, userId, side, shares, priceCents } = command;
  const { now } = batch.tx;
  const market = batch.markets.get(saccoId);
  if (!market) return new Refusal('not_found', { message: sentence('There is no such sacco.') });
  const member = memberOf(batch, saccoId, userId);
  const refusal =
    refusalOfStanding(market, member, side, now) ??
    refusalOfShown(market, command.shown, market.terms) ??
    refusalOfTerms(market, { priceCents, shares }, oddSale(member, side)) ??
    refusalOfExpiry(market, command.expiresAt, now) ??
    refusalOfNumber(member) ??
    refusalOfStake(batch, market, member, command) ??
    refusalOfValue(batch, command, worthOf(market, command));
  if (refusal) return refusal;
  const order = newOrder(batch, market, { ...command, expiresAt: expiryOf(market, command.expiresAt, now) });
  const trades = await matchIncoming(batch, market, member, order);
  if (trades instanceof Refusal) return trades;
  noteValue(batch, command, worthOf(market, command));
  const held = rest(batch, market, member, order);
  return outcomeOf(market, order, trades, trades[0]?.journal ?? held);
}

async function take(batch: Batch, command: TakeOffer): Promise<MarketOutcome | Refusal> {
  const offer = batch.orders.get(command.orderId);
  const market = offer && batch.markets.get(offer.sacco_id);
  const noOffer = new Refusal('not_found', { message: sentence('There is no such offer.') });
  if (!offer || !market || offer.side !== 'sell') return noOffer;
  const member = memberOf(batch, market.saccoId, command.userId);
  // To people outside the sacco its offers do not exist.
  if (member.membership === null || member.membership === 'exited') return noOffer;
  const asked = { side: 'buy', shares: command.shares, priceCents: mostForTaken(offer, command) } as const;
  const refusal =
    refusalOfStanding(market, member, 'buy', batch.tx.now) ??
    refusalOfShown(market, command.shown, market.terms) ??
    refusalOfTaken(market, offer, command.shares) ??
    refusalOfStake(batch, market, member, asked) ??
    refusalOfValue(batch, command, worthOf(market, asked));
  if (refusal) return refusal;
  if (offer.user_id === command.userId)
    return new Refusal('self_trade', { message: sentence('That is your own offer.') });
  if (offer.state !== 'open' || offer.price_cents > asked.priceCents) return new Refusal('offer_gone');
  const order = newOrder(batch, market, {
    ...asked,
    userId: command.userId,
    expiresAt: expiryOf(market, null, batch.tx.now),
  });
  const trades = await matchIncoming(batch, market, member, order, { isWholeOrNothing: true });
  if (trades instanceof Refusal) return trades;
  noteValue(batch, command, worthOf(market, asked));
  batch.orders.set(order.id, order);
  return outcomeOf(market, order, trades, trades[0]?.journal ?? null);
}

/**
 * The rest of an offer that is not whole lots can be taken as it is. A buyer who wants the number that it had before
 * gets `offer_gone`, since the lot is not their mistake.
 */
function refusalOfTaken(market: MarketNow, offer: OrderNow, shares: number): Refusal | null {
  const left = offer.shares - offer.filled;
  const refusal = refusalOfLot(market, shares, left);
  const wasOdd = refusalOfLot(market, offer.shares) !== null;
  return refusal && wasOdd && shares > left ? new Refusal('offer_gone') : refusal;
}

async function change(batch: Batch, command: ChangeOrder): Promise<MarketOutcome | Refusal> {
  const order = batch.orders.get(command.orderId);
  const market = order && batch.markets.get(order.sacco_id);
  if (!order || !market || order.user_id !== command.userId) {
    return new Refusal('not_found', { message: sentence('There is no such order.') });
  }
  const member = memberOf(batch, market.saccoId, order.user_id);
  const refusal =
    refusalOfStanding(market, member, order.side, batch.tx.now) ??
    refusalOfShown(market, command.shown, null) ??
    refusalOfState(batch, order);
  if (refusal) return refusal;
  const shares = command.shares ?? order.shares;
  const priceCents = command.priceCents ?? order.price_cents;
  if (shares <= order.filled) {
    const tooFew = sentence('{n} are traded already: keep more than that, or cancel what is left.', {
      n: order.filled,
    });
    return new Refusal('validation_failed', { errors: { shares: [tooFew] } });
  }
  if (shares === order.shares && priceCents === order.price_cents) return outcomeOf(market, order, [], null);
  if (priceCents === order.price_cents && shares < order.shares) return reduce(batch, market, member, order, shares);
  const to = { side: order.side, shares, priceCents };
  // The whole rest of the order counts again: a thief with an open session could change its price to help another
  // member.
  const valueCents = worthOf(market, { ...to, shares: shares - order.filled }, order);
  const moved = await moveToTheEnd(batch, market, member, order, {
    ...to,
    unproven: refusalOfValue(batch, command, valueCents),
  });
  if (!(moved instanceof Refusal)) noteValue(batch, command, valueCents);
  return moved;
}

/** Reduces the shares at the same price: the order keeps its place, and what it no longer needs becomes free. */
function reduce(
  batch: Batch,
  market: MarketNow,
  member: MemberNow,
  order: OrderNow,
  shares: number,
): MarketOutcome | Refusal {
  const refusal = refusalOfLot(market, shares) ?? refusalOfLess(market, member, order, shares);
  if (refusal) return refusal;
  const before = heldBy(order);
  const fewer = order.shares - shares;
  order.shares = shares;
  order.isTouched = true;
  market.book.reduce(order, shares - order.filled);
  noteLevel(market, order, -fewer, 0);
  const freed = before - heldBy(order);
  release(batch, member, order, freed);
  return outcomeOf(market, order, [], planChange(batch, order, freed));
}

/** An order that was accepted as a first purchase may not become less than one. */
function refusalOfLess(market: MarketNow, member: MemberNow, order: OrderNow, shares: number): Refusal | null {
  if (order.side === 'sell' || !isGuarded('first_order_stays_whole')) return null;
  return refusalOfFirst(market, member, shares - order.filled);
}

/**
 * For more shares or another price: the order is checked and matched like a new one, and its rest goes to the end of
 * the queue.
 */
async function moveToTheEnd(
  batch: Batch,
  market: MarketNow,
  member: MemberNow,
  order: OrderNow,
  to: { readonly shares: number; readonly priceCents: number; readonly unproven: Refusal | null },
): Promise<MarketOutcome | Refusal> {
  const remaining = to.shares - order.filled;
  const heldBefore = heldBy(order);
  const refusal =
    // An order that was accepted with an odd number of shares may keep it at another price.
    refusalOfTerms(market, to, order.shares) ??
    (order.side === 'sell'
      ? refusalOfSale(market, member, remaining, heldBefore)
      : (refusalOfHolding(market, member, remaining) ??
        refusalOfFunds(
          holdOf(to.priceCents, remaining, order.value_cents, order),
          walletOfNow(batch, order.user_id) + heldBefore,
        ))) ??
    to.unproven;
  if (refusal) return refusal;
  const wanted: OrderNow = { ...order, shares: to.shares, price_cents: to.priceCents, handle: -1 };
  const self = await refusalOfCrossing(batch, market, wanted);
  if (self) return self;
  const willTrade = market.book.book.reachable(sideOf(order.side), to.priceCents, remaining) > 0;
  const before = { ...order };
  order.shares = to.shares;
  order.price_cents = to.priceCents;
  release(batch, member, order, heldBefore);
  const released = willTrade ? planChange(batch, order, heldBefore) : null;
  const trades = await matchIncoming(batch, market, member, order);
  if (trades instanceof Refusal) {
    // Removed orders have brought it to an own order: this order is restored, in its place.
    order.shares = before.shares;
    order.price_cents = before.price_cents;
    release(batch, member, order, -heldBefore);
    if (released) unplan(batch, released);
    return trades;
  }
  order.isTouched = true;
  noteLevel(market, before, before.filled - before.shares, -1);
  market.book.leave(order);
  const heldAfter = restAgain(batch, market, member, order);
  const held = planChange(batch, order, willTrade ? -heldAfter : heldBefore - heldAfter);
  return outcomeOf(market, order, trades, released ?? held);
}

function cancel(batch: Batch, command: CancelOrder): MarketOutcome | Refusal {
  const order = batch.orders.get(command.orderId);
  const market = order && batch.markets.get(order.sacco_id);
  if (!order || !market || order.user_id !== command.userId) {
    return new Refusal('not_found', { message: sentence('There is no such order.') });
  }
  if (order.state !== 'open') return refusalOfState(batch, order) ?? new Refusal('order_closed');
  return outcomeOf(market, order, [], close(batch, market, order, 'by_member'));
}

function closeIfOpen(batch: Batch, command: CloseOrder): MarketOutcome | Refusal {
  const order = batch.orders.get(command.orderId);
  const market = order && batch.markets.get(order.sacco_id);
  if (!order || !market) return new Refusal('not_found');
  const isDue = order.state === 'open' && (command.reason !== 'expired' || order.expires_at <= batch.tx.now);
  if (!isDue) return outcomeOf(market, order, [], null);
  batch.closedByUs.push(order);
  return outcomeOf(market, order, [], close(batch, market, order, command.reason));
}

/** An expired order counts as closed, even before the job closes it. */
function refusalOfState(batch: Batch, order: OrderNow): Refusal | null {
  if (order.state === 'open' && order.expires_at > batch.tx.now) return null;
  return new Refusal('order_closed', { message: CLOSED[order.state] });
}

const CLOSED: Readonly<Record<OrderNow['state'], Sentence>> = {
  open: sentence('That order has expired.'),
  expired: sentence('That order has expired.'),
  filled: sentence('That order is filled.'),
  cancelled: sentence('That order is cancelled.'),
};

/**
 * The value that an order may move away from its member. For a buyer it is the most that the order may cost.
 * For a seller it is the shares at their price or at the share value, whichever is more.
 */
function worthOf(market: MarketNow, { side, shares, priceCents }: Stake, order?: OrderNow): number {
  if (side === 'sell') return shares * Math.max(priceCents, market.sacco.share_value_cents);
  return holdOf(priceCents, shares, order?.value_cents ?? 0, order ?? market.terms);
}

type BySession = Pick<PlaceOrder, 'userId' | 'sessionId'>;

const isUnproven = (batch: Batch, { sessionId }: BySession) =>
  sessionId !== undefined && !batch.provenSessions.has(sessionId);

/** Why a session without a recent password may not move this value, or null (decision 151). */
function refusalOfValue(batch: Batch, command: BySession, cents: number): Refusal | null {
  return isUnproven(batch, command) ? batch.unproven.refusalOf(command.userId, cents) : null;
}

function noteValue(batch: Batch, command: BySession, cents: number): void {
  if (isUnproven(batch, command)) batch.unproven.add(command.userId, cents);
}

type Stake = Pick<PlaceOrder, 'side' | 'shares' | 'priceCents'>;

/**
 * Why a member does not have what the order needs, or null: shares to sell, or money and room below one fifth to buy.
 */
function refusalOfStake(batch: Batch, market: MarketNow, member: MemberNow, stake: Stake): Refusal | null {
  const { side, shares, priceCents } = stake;
  if (side === 'sell') return refusalOfSale(market, member, shares);
  return (
    refusalOfHolding(market, member, shares) ??
    refusalOfFunds(holdOf(priceCents, shares, 0, market.terms), walletOfNow(batch, member.userId))
  );
}

function newOrder(
  batch: Batch,
  market: MarketNow,
  asked: Stake & { readonly userId: string; readonly expiresAt: Date },
): OrderNow {
  const { now } = batch.tx;
  return {
    id: batch.tx.newId(),
    sacco_id: market.saccoId,
    user_id: asked.userId,
    side: asked.side,
    state: 'open',
    cancel_reason: null,
    price_cents: asked.priceCents,
    shares: asked.shares,
    filled: 0,
    value_cents: 0,
    fee_cents: 0,
    fee_min_cents: market.terms.fee_min_cents,
    fee_basis_points: market.terms.fee_basis_points,
    fee_max_basis_points: FEE_MAX_BASIS_POINTS,
    placed_at: now,
    expires_at: asked.expiresAt,
    closed_at: null,
    place: 0,
    isNew: true,
    isTouched: false,
    handle: -1,
  };
}

/** Whether an order would meet one of its own member. It changes nothing. */
async function refusalOfCrossing(batch: Batch, market: MarketNow, order: OrderNow): Promise<Refusal | null> {
  await reachFor(batch, market, order);
  const { book } = market.book;
  const owner = market.book.ownerOf(order.user_id);
  const isOwn = book.meetsOwn(sideOf(order.side), order.price_cents, order.shares - order.filled, owner);
  return isOwn ? selfTrade(order) : null;
}

/**
 * Matches an incoming order until it is filled or nothing more can trade with it. The caller rests what is left. After
 * a refusal nothing of it has happened, except that resting orders that may no longer trade are closed.
 */
async function matchIncoming(
  batch: Batch,
  market: MarketNow,
  member: MemberNow,
  order: OrderNow,
  options: { readonly isWholeOrNothing?: boolean } = {},
): Promise<TradeNow[] | Refusal> {
  const { book } = market.book;
  const owner = market.book.ownerOf(order.user_id);
  const trades: TradeNow[] = [];
  for (;;) {
    await reachFor(batch, market, order);
    // Resting buyers may be near the limit. When one is removed, all fills are undone and the order is matched again.
    const judged =
      order.side === 'sell' ? { mayFill: limitOfBuyers(batch, market, member), isUndoneByStrikes: true } : {};
    const filled = book.match(sideOf(order.side), order.price_cents, order.shares - order.filled, owner, {
      ...options,
      ...judged,
    });
    closeStruck(batch, market);
    if (filled === STRUCK) continue;
    if (filled === SELF_TRADE) return selfTrade(order);
    if (filled === NOT_ENOUGH) return new Refusal('offer_gone');
    takeFills(batch, market, member, order, trades);
    return trades;
  }
}

function closeStruck(batch: Batch, market: MarketNow): void {
  const { book } = market.book;
  const struck = Array.from({ length: book.struckCount }, (_, index) => market.book.orderAt(book.struckHandle(index)));
  for (const out of struck) {
    out.handle = -1;
    closeByRule(batch, market, out, 'one_fifth');
  }
}

/** Reads more orders until the book has as many shares as the order can match. */
async function reachFor(batch: Batch, market: MarketNow, order: OrderNow): Promise<void> {
  const remaining = order.shares - order.filled;
  const side = otherSide(order.side);
  while (!market.book.isDeepEnough(order.side, order.price_cents, remaining)) {
    await readDeeper(batch, { market, side, worstRank: rankOf(side, order.price_cents), shares: remaining });
  }
}

/**
 * Makes the check of the one-fifth limit for resting buyers. Each fill is checked with the effect of those before it.
 */
function limitOfBuyers(
  batch: Batch,
  market: MarketNow,
  seller: MemberNow,
): (handle: number, shares: number) => boolean {
  const { min_shares } = market.sacco;
  const added = new Map<string, number>();
  const limit = { ...market.limit };
  let sellerHas = seller.free + seller.held;
  return (handle, shares) => {
    const { user_id } = market.book.orderAt(handle);
    const buyer = memberOf(batch, market.saccoId, user_id);
    const before = buyer.free + buyer.held + (added.get(user_id) ?? 0);
    if (!holdsWithinLimit({ limit, issued: market.issued }, before + shares)) return false;
    const gained = qualifiedChange(before, before + shares, min_shares);
    countQualified(limit, gained + qualifiedChange(sellerHas, sellerHas - shares, min_shares));
    sellerHas -= shares;
    added.set(user_id, (added.get(user_id) ?? 0) + shares);
    return true;
  };
}

function takeFills(batch: Batch, market: MarketNow, member: MemberNow, order: OrderNow, trades: TradeNow[]): void {
  const { book } = market.book;
  for (let index = 0; index < book.fillCount; index += 1) {
    const maker = market.book.orderAt(book.fillHandle(index));
    if (book.fillIsLast(index)) maker.handle = -1;
    trades.push(takeFill(batch, market, member, order, maker, book.fillShares(index)));
  }
}

/** Makes one trade, at the price of the resting order. */
function takeFill(
  batch: Batch,
  market: MarketNow,
  member: MemberNow,
  order: OrderNow,
  maker: OrderNow,
  shares: number,
): TradeNow {
  const { price_cents: priceCents } = maker;
  const value = shares * priceCents;
  const other = memberOf(batch, market.saccoId, maker.user_id);
  const [buy, sell] = order.side === 'buy' ? [order, maker] : [maker, order];
  const [buyer, seller] = order.side === 'buy' ? [member, other] : [other, member];
  const hadBefore = [buyer.free + buyer.held, seller.free + seller.held] as const;
  const buyerFeeCents = charge(buy, value);
  const sellerFeeCents = charge(sell, value);
  for (const each of [order, maker]) fill(batch, each, shares);
  noteLevel(market, maker, -shares, maker.state === 'open' ? 0 : -1);
  if (order.side === 'buy') {
    addToWallet(batch, buy.user_id, -(value + buyerFeeCents));
    seller.held -= shares;
  } else seller.free -= shares;
  addToWallet(batch, sell.user_id, value - sellerFeeCents);
  if (buyer.free + buyer.held === 0) market.holders += 1;
  buyer.free += shares;
  if (seller.free + seller.held === 0) market.holders -= 1;
  noteQualified(market, hadBefore, shares);
  promote(batch, market, buyer);
  const id = batch.tx.newId();
  const trade: Omit<TradeNow, 'journal'> = {
    id,
    saccoId: market.saccoId,
    shares,
    priceCents,
    taker: order.side,
    takerLimitCents: order.price_cents,
    buy,
    sell,
    buyerFeeCents,
    sellerFeeCents,
    buyerSharesAfter: buyer.free + buyer.held,
    sellerSharesAfter: seller.free + seller.held,
    uncounted: null,
  };
  const made = { ...trade, journal: plan(batch, journalOfTrade(trade)) };
  market.trades.push(made);
  return made;
}

/**
 * Counts buyer and seller together: when one replaces the other among the qualified holders, the number stays the same.
 */
function noteQualified(
  { limit, sacco }: MarketNow,
  had: readonly [buyer: number, seller: number],
  shares: number,
): void {
  const gained = qualifiedChange(had[0], had[0] + shares, sacco.min_shares);
  countQualified(limit, gained + qualifiedChange(had[1], had[1] - shares, sacco.min_shares));
}

/** Adds the fee for one more trade: the fee of the order's whole value less what it has paid. */
function charge(order: OrderNow, value: number): number {
  const fee = feeOf(order.value_cents + value, order) - feeOf(order.value_cents, order);
  order.value_cents += value;
  order.fee_cents += fee;
  return fee;
}

function fill(batch: Batch, order: OrderNow, shares: number): void {
  order.filled += shares;
  order.isTouched = true;
  if (order.filled < order.shares) return;
  order.state = 'filled';
  order.closed_at = batch.tx.now;
  noLongerOpen(batch, order);
}

/** An order that never rested was not counted among its member's open orders. */
function noLongerOpen(batch: Batch, order: OrderNow): void {
  if (order.place > 0) memberOf(batch, order.sacco_id, order.user_id).newlyOpen -= 1;
}

/** A member who reaches the minimum shares becomes active. */
function promote(batch: Batch, market: MarketNow, member: MemberNow): void {
  if (member.membership !== 'provisional' || member.free + member.held < market.sacco.min_shares) return;
  member.membership = 'active';
  batch.paidUp.push(member);
}

/** Rests what is left of a new order, and holds what it needs. */
function rest(batch: Batch, market: MarketNow, member: MemberNow, order: OrderNow): PlannedJournal | null {
  batch.orders.set(order.id, order);
  if (order.state !== 'open') return null;
  const held = waitAtTheEnd(batch, market, member, order);
  member.newlyOpen += 1;
  return plan(batch, journalOfHold(order, held));
}

/** Rests what is left of a moved order. Returns what it holds now. */
function restAgain(batch: Batch, market: MarketNow, member: MemberNow, order: OrderNow): number {
  return order.state === 'open' ? waitAtTheEnd(batch, market, member, order) : 0;
}

function waitAtTheEnd(batch: Batch, market: MarketNow, member: MemberNow, order: OrderNow): number {
  market.lastPlace += 1;
  order.place = market.lastPlace;
  market.book.rest(order);
  noteLevel(market, order, order.shares - order.filled, 1);
  const held = heldBy(order);
  release(batch, member, order, -held);
  return held;
}

/** Closes a resting order that may no longer trade when its turn comes. */
function closeByRule(
  batch: Batch,
  market: MarketNow,
  order: OrderNow,
  reason: Exclude<CancelReason, 'by_member' | 'terms_changed'> | 'expired',
): void {
  batch.closedByUs.push(order);
  close(batch, market, order, reason);
}

function close(batch: Batch, market: MarketNow, order: OrderNow, reason: CancelReason | 'expired'): PlannedJournal {
  const held = heldBy(order);
  noteLevel(market, order, order.filled - order.shares, -1);
  market.book.leave(order);
  order.state = reason === 'expired' ? 'expired' : 'cancelled';
  order.cancel_reason = reason === 'expired' ? null : reason;
  order.closed_at = batch.tx.now;
  order.isTouched = true;
  const member = memberOf(batch, market.saccoId, order.user_id);
  member.newlyOpen -= 1;
  release(batch, member, order, held);
  return plan(batch, journalOfClosing(order, held));
}

/** The shares or cents that an open order holds. */
function heldBy(order: OrderNow): number {
  const remaining = order.shares - order.filled;
  return order.side === 'sell' ? remaining : holdOf(order.price_cents, remaining, order.value_cents, order);
}

/** Removes a planned journal, which is then not posted. */
function unplan(batch: Batch, planned: PlannedJournal): void {
  const at = batch.journals.findIndex((journal) => journal.planned === planned);
  if (at >= 0) batch.journals.splice(at, 1);
}

/** @param freed positive: what becomes free; negative: what is held in addition */
function planChange(batch: Batch, order: OrderNow, freed: number): PlannedJournal | null {
  return freed === 0 ? null : plan(batch, journalOfChange(order, freed, batch.tx.newId()));
}

/** Moves what an order holds back to its member, or (negative) away from the member: money or shares. */
function release(batch: Batch, member: MemberNow, order: OrderNow, freed: number): void {
  if (order.side === 'buy') {
    addToWallet(batch, order.user_id, freed);
    return;
  }
  member.free += freed;
  member.held -= freed;
}

function addToWallet(batch: Batch, userId: string, cents: number): void {
  batch.wallets.set(userId, walletOfNow(batch, userId) + cents);
}

function walletOfNow(batch: Batch, userId: string): number {
  return batch.wallets.get(userId) ?? 0;
}

function memberOf(batch: Batch, saccoId: string, userId: string): MemberNow {
  const member = batch.members.get(memberKey(saccoId, userId));
  if (!member) throw new Error('Somebody in a market was not read with it.');
  return member;
}

function noteLevel(
  market: MarketNow,
  { side, price_cents: priceCents }: OrderNow,
  shares: number,
  orders: number,
): void {
  const key = `${side} ${priceCents}`;
  const level = market.levels.get(key) ?? { side, priceCents, shares: 0, orders: 0 };
  market.levels.set(key, level);
  level.shares += shares;
  level.orders += orders;
}

function selfTrade({ side }: { readonly side: OrderSide }): Refusal {
  const message =
    side === 'buy'
      ? sentence('That would buy your own shares: you offer some at that price or below. Cancel that order first.')
      : sentence(
          'That would sell to yourself: you have an order to buy at that price or above. Cancel that order first.',
        );
  return new Refusal('self_trade', { message });
}

function outcomeOf(
  market: MarketNow,
  order: OrderNow,
  trades: readonly TradeNow[],
  journal: PlannedJournal | null,
): MarketOutcome {
  return { order, saccoName: market.sacco.name, trades, journal };
}
