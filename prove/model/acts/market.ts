import type { Member, Person, Sacco } from '../naive-books.ts';
import { Clerk, facing, isPriceAllowed, leftOf, needsOf, type Order, queueOf, type Trade } from '../naive-market.ts';
import { noteMoved, proofFor, worthOf } from '../naive-proof.ts';
import type { Act, Planned, Simulation } from '../simulation.ts';

/* Orders that are placed, changed, cancelled and taken, and who waits for a price. */

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const shillings = (cents: number) => cents / 100;
type Touches = (readonly [thing: string, queue?: string])[];

/** Somebody whose password was reset, or whose phone was changed, within a day: few, and so they are looked for. */
const isHeld = ({ now }: Simulation, person: Person) => person.payoutHeldUntil > now;

/** Of these the first three are refused to them, and the last is not. */
export const HELD_ACTS = ['place', 'take', 'change', 'cancel'] as const;

/** Counts what somebody was kept from while their shares were held, and the cancelling that they were not kept from. */
function countHeld(simulation: Simulation, person: Person, what: (typeof HELD_ACTS)[number], answer: string | null) {
  if (!isHeld(simulation, person)) return;
  if (answer === (what === 'cancel' ? 'ok' : 'payout_held')) simulation.count(`${what} while held`);
}

/** A member who is here, in a market: one where most goes on, as a rule. */
function trader(simulation: Simulation): Member | null {
  const { books, random } = simulation;
  const here = books.members.filter(
    ({ person, sacco, state }) =>
      person.sessions.length > 0 && !person.isOperator && sacco.id !== '' && state !== 'exited',
  );
  const busy = here.filter(({ sacco, state }) => sacco.state === 'active' && state !== 'provisional');
  const held = here.filter(({ person }) => isHeld(simulation, person));
  if (held.length > 0 && random.chance(0.15)) return random.pick(held);
  const from = busy.length > 0 && random.chance(0.85) ? busy : here;
  if (from.length === 0) return null;
  // Among all members those of great saccos are most, and it is in small ones that limits are met.
  const sacco = random.pick([...new Set(from.map((member) => member.sacco))]);
  return random.pick(random.chance(0.5) ? from.filter((member) => member.sacco === sacco) : from);
}

/** Everybody whose order may be met or looked at, besides what the act itself is about. One act of a book at a time. */
function touchesOf({ books }: Simulation, person: Person, sacco: Sacco, met: readonly Order[]): Touches {
  const people = new Set([person, ...met.map((order) => order.person)]);
  return [
    ...[...people].map((each): [string] => [`person ${each.number}`]),
    [`state ${sacco.number}`, 'members'],
    [`market ${sacco.number}`],
    // As long as not ten can hold shares, no order is judged by another's purchase.
    books.membersOf(sacco) < 10 ? [`register ${sacco.number}`, 'shares'] : [`register ${sacco.number}`],
  ];
}

/** Those that may be met at a price that is not allowed are read all the same. */
const metAt = (sacco: Sacco, isSale: boolean, price: number) => facing(sacco, isSale, price);

/** Prices around the share value, now and then the best of the other side, seldom one that is not allowed. */
function priceFor({ random, broken }: Simulation, sacco: Sacco, isSale: boolean): number {
  // Where all ask for one price several soon wait at it, whatever the seed: the control is about nothing else.
  if (broken === 'last-come-first') return sacco.shareValue;
  const { tick } = sacco.market.terms;
  const [best] = queueOf(sacco, !isSale);
  if (best && random.chance(0.45)) return best.price;
  const around = Array.from({ length: 3 }, (_, index) => (Math.round(sacco.shareValue / tick) + index - 1) * tick);
  const allowed = [sacco.shareValue, ...around].filter((price) => price > 0 && isPriceAllowed(sacco, price));
  const isOdd = random.chance(0.03);
  return isOdd ? random.pick([sacco.shareValue * 3, sacco.shareValue + 1]) : random.pick(allowed);
}

/** As many as can be had as a rule, whole lots mostly. */
function sharesFor({ random }: Simulation, sacco: Sacco, most: number): number {
  const { lot } = sacco.market.terms;
  const shares = random.chance(0.85) ? random.whole(1, Math.max(1, Math.min(20, most))) : random.whole(1, 40);
  return random.chance(0.95) ? Math.max(1, Math.round(shares / lot)) * lot : shares;
}

/** What the reply says of an order is what the books have of it. */
// biome-ignore lint/suspicious/noExplicitAny: replies of every route
function wrongWith(reply: any, order: Order, trades: readonly Trade[]): string | undefined {
  const said = [
    order.shares,
    order.filled,
    shillings(order.price),
    order.state,
    shillings(order.value),
    shillings(order.fee),
  ];
  const held = order.state === 'open' && !order.isSale ? shillings(needsOf(order)) : 0;
  const { order: is } = reply;
  const got = [is.shares, is.filled, is.price, is.status, is.value, is.fee];
  if (said.join() !== got.join() || is.held !== held)
    return `an order of ${got.join(' ')} holding ${is.held} (${said.join(' ')}, ${held})`;
  const shown = trades.slice(0, 50).map(({ shares, price }) => `${shares} at ${shillings(price)}`);
  const told = (reply.trades ?? []).map(
    ({ shares, price }: { shares: number; price: number }) => `${shares} at ${price}`,
  );
  return shown.join() === told.join() ? undefined : `trades of ${told.join()} (${shown.join()})`;
}

/** What somebody might offer or want: what they have, as a rule. */
function wishOf(
  simulation: Simulation,
  clerk: Clerk,
  person: Person,
  sacco: Sacco,
): Pick<Order, 'isSale' | 'price' | 'shares'> {
  const { random } = simulation;
  const free = clerk.freeOf(person);
  const isLeaving = clerk.member(person)?.state === 'leaving';
  const canSell = isLeaving ? free : free - sacco.minShares;
  const isSale = random.chance(canSell > 0 ? 0.6 : 0.1);
  const price = priceFor(simulation, sacco, isSale);
  const affordable = Math.floor(person.wallet / Math.max(1, price));
  const room = clerk.roomOf(person);
  // As many as may be held: whoever then buys more otherwise has an order that waits in vain.
  if (!isSale && room > 0 && room <= affordable && random.chance(0.3)) return { isSale, price, shares: room };
  // Who sells out under notice leaves shares behind that are too few, should they take the notice back.
  const shares = isSale && isLeaving && free > 0 ? free : sharesFor(simulation, sacco, isSale ? canSell : affordable);
  return { isSale, price, shares };
}

interface Wish {
  readonly member: Member;
  readonly asked: Pick<Order, 'isSale' | 'price' | 'shares'>;
}

/** Who sells to somebody whose order, with what they have come to hold meanwhile, is for more than a fifth of the shares. */
function sellToTheGreatest({ books, now, random }: Simulation): Wish | null {
  const isTooGreat = (order: Order) => {
    const held = books.memberOf(order.person, order.sacco)?.shares ?? 0;
    return !order.isSale && (held + leftOf(order)) * 5 > order.sacco.issued && books.isLimited(order.sacco);
  };
  const orders = books.saccos
    .filter(({ state }) => state === 'active')
    .flatMap(({ market }) => market.open.filter(isTooGreat));
  if (orders.length === 0) return null;
  const { person, sacco, price, shares } = random.pick(orders);
  const clerk = new Clerk(books, sacco, now);
  const before = facing(sacco, true, price).reduce((sum, each) => sum + leftOf(each), 0);
  const room = (seller: Member) => clerk.freeOf(seller.person) - (seller.state === 'leaving' ? 0 : sacco.minShares);
  const sellers = books.members.filter(
    (one) => one.sacco === sacco && one.person !== person && one.person.sessions.length > 0 && room(one) > 0,
  );
  const { lot } = sacco.market.terms;
  // Whoever can sell most comes furthest: all that stands before is bought first.
  const member = sellers.sort((one, other) => room(other) - room(one))[0];
  const number = Math.floor(Math.min(member ? room(member) : 0, before + shares) / lot) * lot;
  return member && number > 0 ? { member, asked: { isSale: true, price, shares: number } } : null;
}

/** Seldom later than is allowed. */
function expiryFor({ now, random }: Simulation, sacco: Sacco): number {
  return now + (random.chance(0.03) ? 400 * DAY_MS : random.whole(1, 24 * sacco.market.terms.days) * HOUR_MS);
}

function planPlace(simulation: Simulation): Planned | null {
  const { random, books, now, broken } = simulation;
  const great = random.chance(0.1) ? sellToTheGreatest(simulation) : null;
  const member = great?.member ?? trader(simulation);
  if (!member) return null;
  const { person } = member;
  const sacco =
    !great && random.chance(0.03)
      ? (simulation.saccoIn('active', 'rejected', 'pending') ?? member.sacco)
      : member.sacco;
  const clerk = new Clerk(books, sacco, now, broken === 'last-come-first');
  const asked = great?.asked ?? wishOf(simulation, clerk, person, sacco);
  const { isSale, price, shares } = asked;
  const met = metAt(sacco, isSale, price);
  if (isStruckFirst(simulation, person, sacco, isSale, met)) return null;
  const hasExpiry = random.chance(0.2);
  const expiresAt = expiryFor(simulation, sacco);
  let [order, trades]: [Order | null, readonly Trade[]] = [null, []];
  return {
    say: `person ${person.number} ${isSale ? 'offers' : 'wants'} ${shares} shares of sacco ${sacco.number} at ${price}`,
    asking: {
      route: 'placeOrder',
      token: person.sessions.at(-1)?.token,
      body: {
        sacco: sacco.id,
        side: isSale ? 'sell' : 'buy',
        shares,
        price: shillings(price),
        ...(hasExpiry ? { expires_at: new Date(expiresAt).toISOString() } : {}),
      },
    },
    touches: touchesOf(simulation, person, sacco, met),
    isKeyed: true,
    expect() {
      if (sacco.state === 'rejected') return 'not_found';
      const placed = clerk.newOrder(person, asked, hasExpiry ? expiresAt : undefined);
      const worth = worthOf(placed);
      const refusal =
        clerk.standing(person, isSale) ??
        clerk.terms(asked, isSale && clerk.member(person)?.state === 'leaving' ? clerk.freeOf(person) : null) ??
        (hasExpiry ? clerk.expiry(expiresAt) : null) ??
        clerk.number(person) ??
        clerk.stake(placed) ??
        proofFor(person, worth, now);
      countHeld(simulation, person, 'place', refusal);
      if (refusal) return refusal;
      const entered = clerk.enter(placed);
      if (typeof entered === 'string') return entered;
      clerk.rest(placed);
      noteMoved(person, worth, now);
      [order, trades] = [placed, entered];
      return 'ok';
    },
    learn(reply) {
      if (order) order.id = reply.order.id;
      return order ? wrongWith(reply, order, trades) : undefined;
    },
    after: () => seeWhatWasClosed(simulation, sacco, asked),
  };
}

/**
 * A seller past whose first buyers one's own order stands: once those are struck it is a matter of how many the product
 * reads at a time what becomes of the rest. The engine's own tests have that (trade.test.ts).
 */
function isStruckFirst(
  { books }: Simulation,
  person: Person,
  sacco: Sacco,
  isSale: boolean,
  met: readonly Order[],
): boolean {
  return (
    isSale && (books.isLimited(sacco) || books.qualifiedOf(sacco) >= 9) && met.some((order) => order.person === person)
  );
}

/**
 * Behind where an order stopped, the product may have looked at others already: in their order, and it closes those that
 * may not trade any more. Which it closed is taken over; that it closed one that may trade is wrong.
 */
async function seeWhatWasClosed(
  { books, house, now }: Simulation,
  sacco: Sacco,
  { isSale, price }: Pick<Order, 'isSale' | 'price'>,
): Promise<string | undefined> {
  const clerk = new Clerk(books, sacco, now);
  const met = facing(sacco, isSale, price);
  if (!met.some((order) => clerk.unfit(order))) return undefined;
  const ids = met.map(({ id }) => id);
  const rows = await house.database.owner<{ id: string; why: string }[]>`
    select id, coalesce(cancel_reason, state) as why from share_orders where id = any (${ids}::uuid[]) and state <> 'open'`;
  const closed = new Map(rows.map(({ id, why }) => [id, why]));
  for (const order of met) {
    const reason = clerk.unfit(order);
    if (reason === null) continue;
    const why = closed.get(order.id);
    if (why === undefined) break;
    if (why !== reason) return `an order that was closed for ${why}, and not for ${reason}`;
    clerk.close(order, reason);
  }
  return undefined;
}

/** One's own open order as a rule, else any that there is. */
function someOrder(simulation: Simulation, isOther: (order: Order) => boolean): Order | null {
  const { books, random } = simulation;
  const open = books.saccos.flatMap(({ market }) => market.open.filter(({ id }) => id !== ''));
  const here = open.filter(({ person }) => person.sessions.length > 0 && !person.isOperator);
  const held = here.filter(({ person }) => isHeld(simulation, person));
  if (held.length > 0 && random.chance(0.15)) return random.pick(held);
  const from = random.chance(0.93) ? here : open.filter(isOther);
  return from.length === 0 ? null : random.pick(from);
}

/** Who acts upon an order: whose it is, or now and then somebody else, to whom it does not exist. */
function actorFor(simulation: Simulation, order: Order): Person | null {
  const isOwn = order.person.sessions.length > 0 && simulation.random.chance(0.96);
  const actor = isOwn ? order.person : simulation.someone();
  return actor?.isOperator ? null : actor;
}

function planCancel(simulation: Simulation): Planned | null {
  const { books, now, random } = simulation;
  const gone = books.closedOrders.filter(({ person }) => person.sessions.length > 0);
  const order = gone.length > 0 && random.chance(0.06) ? random.pick(gone) : someOrder(simulation, () => true);
  const actor = order && actorFor(simulation, order);
  if (!order || !actor) return null;
  const { sacco } = order;
  return {
    say: `person ${actor.number} cancels an order of person ${order.person.number} in sacco ${sacco.number}`,
    asking: { route: 'cancelOrder', token: actor.sessions.at(-1)?.token, params: { id: order.id } },
    touches: [...touchesOf(simulation, actor, sacco, [order])],
    expect() {
      if (actor !== order.person || sacco.state === 'rejected') return 'not_found';
      if (order.state !== 'open') return 'order_closed';
      new Clerk(books, sacco, now).close(order, 'by_member');
      countHeld(simulation, actor, 'cancel', 'ok');
      return 'ok';
    },
    learn: (reply) => wrongWith(reply, order, []),
  };
}

function planChange(simulation: Simulation): Planned | null {
  const { books, random, now, broken } = simulation;
  const order = someOrder(simulation, () => true);
  const actor = order && actorFor(simulation, order);
  if (!order || !actor) return null;
  const { sacco, isSale } = order;
  const kind = random.next();
  const to = {
    isSale,
    shares: kind < 0.4 ? random.whole(1, order.shares) : kind < 0.7 ? order.shares + random.whole(0, 5) : order.shares,
    price: kind < 0.5 ? order.price : priceFor(simulation, sacco, isSale),
  };
  const met = metAt(sacco, isSale, to.price);
  if (isStruckFirst(simulation, actor, sacco, isSale, met)) return null;
  let trades: readonly Trade[] = [];
  const clerk = new Clerk(books, sacco, now, broken === 'last-come-first');
  return {
    say: `person ${actor.number} changes an order of person ${order.person.number} to ${to.shares} at ${to.price}`,
    asking: {
      route: 'changeOrder',
      token: actor.sessions.at(-1)?.token,
      params: { id: order.id },
      body: { shares: to.shares, price: shillings(to.price) },
    },
    touches: touchesOf(simulation, actor, sacco, [order, ...met]),
    expect() {
      if (actor !== order.person) return 'not_found';
      const refusal = clerk.standing(actor, isSale);
      countHeld(simulation, actor, 'change', refusal);
      if (refusal) return refusal;
      if (order.state !== 'open' || order.expiresAt <= now) return 'order_closed';
      if (to.shares <= order.filled) return 'validation_failed';
      const came = changeTo(clerk, order, to, now);
      if (typeof came === 'string') return came;
      trades = came;
      return 'ok';
    },
    learn: (reply) => wrongWith(reply, order, trades),
    after: () => seeWhatWasClosed(simulation, sacco, to),
  };
}

/** Fewer shares at the same price keep the place; anything else is an order that comes now. */
function changeTo(
  clerk: Clerk,
  order: Order,
  to: Pick<Order, 'shares' | 'price'>,
  now: number,
): string | readonly Trade[] {
  if (to.shares === order.shares && to.price === order.price) return [];
  if (to.price === order.price && to.shares < order.shares) {
    if (to.shares % order.sacco.market.terms.lot !== 0) return 'lot_mismatch';
    const member = clerk.member(order.person);
    const comesTo = (member?.shares ?? 0) + to.shares - order.filled;
    const isFirst = !order.isSale && member?.state === 'provisional';
    if (isFirst && comesTo < order.sacco.minShares) return 'minimum_shares_not_met';
    clerk.reduce(order, to.shares);
    return [];
  }
  const wanted = { ...order, ...to };
  const worth = worthOf(wanted);
  const refusal =
    clerk.terms(to, order.shares) ?? clerk.stake(wanted, needsOf(order)) ?? proofFor(order.person, worth, now);
  if (refusal) return refusal;
  // What it held is free while it trades, and it holds anew what rests; refused, it stays what and where it was.
  clerk.setAside(order, -1);
  const trades = clerk.enter(wanted);
  clerk.setAside(order, 1);
  order.sacco.market.touched.delete(wanted);
  if (typeof trades === 'string') return trades;
  clerk.leave(order);
  Object.assign(order, wanted);
  for (const trade of trades) Object.assign(trade, order.isSale ? { sell: order } : { buy: order });
  clerk.rest(order);
  noteMoved(order.person, worth, now);
  return trades;
}

function planTake(simulation: Simulation): Planned | null {
  const { books, random, now, broken } = simulation;
  const member = trader(simulation);
  if (!member) return null;
  const { person, sacco } = member;
  const clerk = new Clerk(books, sacco, now, broken === 'last-come-first');
  const offers = queueOf(sacco, true).filter(({ id }) => id !== '');
  if (offers.length === 0) return null;
  const offer = random.pick(random.chance(0.7) ? offers.slice(0, 3) : offers);
  // One whose time is over is gone once it was looked at, which hangs on how many are read at a time.
  if (clerk.unfit(offer)) return null;
  const shares = random.chance(0.8) ? random.whole(1, leftOf(offer)) : sharesFor(simulation, sacco, 20);
  // What they saw of it may be what it asked before, or asks no more: dearer now, it is gone; cheaper, they pay less.
  const { tick } = sacco.market.terms;
  const seen = random.chance(0.75) ? offer.price : Math.max(1, offer.price + random.pick([-2, -1, 1, 2]) * tick);
  const isSent = seen !== offer.price || random.chance(0.8);
  const asked = { isSale: false, shares, price: Math.min(seen, offer.price) };
  const met = metAt(sacco, false, offer.price);
  let [order, trades]: [Order | null, readonly Trade[]] = [null, []];
  return {
    say: `person ${person.number} takes ${shares} shares of the offer of person ${offer.person.number} in sacco ${sacco.number}`,
    asking: {
      route: 'takeOffer',
      token: person.sessions.at(-1)?.token,
      body: { order: offer.id, shares, ...(isSent ? { price: shillings(seen) } : {}) },
    },
    touches: touchesOf(simulation, person, sacco, met),
    isKeyed: true,
    expect() {
      const standing = clerk.standing(person, false);
      countHeld(simulation, person, 'take', standing);
      if (standing) return standing === 'not_a_member' ? 'not_found' : standing;
      const odd = clerk.lot(shares, leftOf(offer));
      // More than is left of an odd offer: it had as many when it was looked at.
      if (odd && clerk.lot(offer.shares, null) && shares > leftOf(offer)) return 'offer_gone';
      if (odd) return odd;
      const taking = clerk.newOrder(person, asked);
      const worth = worthOf(taking);
      const refusal = clerk.stake(taking) ?? proofFor(person, worth, now);
      if (refusal) return refusal;
      if (offer.person === person) return 'self_trade';
      if (seen < offer.price) {
        simulation.count('offer dearer than seen');
        return 'offer_gone';
      }
      const entered = clerk.enter(taking, true);
      if (typeof entered === 'string') return entered;
      clerk.rest(taking);
      noteMoved(person, worth, now);
      [order, trades] = [taking, entered];
      if (seen > offer.price) simulation.count('offer cheaper than seen');
      return 'ok';
    },
    learn(reply) {
      if (order) order.id = reply.order.id;
      return order ? wrongWith(reply, order, trades) : undefined;
    },
    after: () => seeWhatWasClosed(simulation, sacco, asked),
  };
}

function planAlert(simulation: Simulation): Planned | null {
  const { random } = simulation;
  const member = trader(simulation);
  if (!member) return null;
  const { person, sacco } = member;
  const price = priceFor(simulation, sacco, random.chance(0.5));
  return {
    say: `person ${person.number} waits for ${price} in sacco ${sacco.number}`,
    asking: {
      route: 'createPriceAlert',
      token: person.sessions.at(-1)?.token,
      body: { sacco: sacco.id, price: shillings(price) },
    },
    touches: [[`person ${person.number}`], [`state ${sacco.number}`, 'members'], [`market ${sacco.number}`]],
    expect() {
      const own = sacco.market.alerts.filter((alert) => alert.person === person);
      if (member.state === 'exited') return 'not_a_member';
      if (sacco.state !== 'active') return 'sacco_inactive';
      if (!isPriceAllowed(sacco, price)) return 'price_not_allowed';
      if (own.length >= 10 || own.some((alert) => alert.price === price)) return 'alert_conflict';
      sacco.market.alerts.push({ id: '', person, price });
      return 'ok';
    },
    learn(reply) {
      const alert = sacco.market.alerts.find((other) => other.id === '');
      if (alert) alert.id = reply.alert.id;
      return undefined;
    },
  };
}

function planNoAlert(simulation: Simulation): Planned | null {
  const { random, books } = simulation;
  const all = books.saccos.flatMap((sacco) => sacco.market.alerts.map((alert) => ({ sacco, alert })));
  const here = all.filter(({ alert }) => alert.person.sessions.length > 0);
  const found = here.length > 0 ? random.pick(here) : null;
  const actor = random.chance(0.9) ? found?.alert.person : simulation.someone();
  if (!found || !actor || actor.isOperator) return null;
  const { sacco, alert } = found;
  return {
    say: `person ${actor.number} no longer waits for ${alert.price} in sacco ${sacco.number}`,
    asking: { route: 'cancelPriceAlert', token: actor.sessions.at(-1)?.token, params: { id: alert.id } },
    touches: [[`person ${actor.number}`], [`market ${sacco.number}`]],
    expect() {
      if (actor !== alert.person) return 'not_found';
      sacco.market.alerts = sacco.market.alerts.filter((other) => other !== alert);
      return 'ok';
    },
  };
}

export const marketActs: readonly Act[] = [
  { name: 'place an order', routes: ['placeOrder'], weight: 55, plan: planPlace },
  { name: 'change an order', routes: ['changeOrder'], weight: 14, plan: planChange },
  { name: 'cancel an order', routes: ['cancelOrder'], weight: 6, plan: planCancel },
  { name: 'take an offer', routes: ['takeOffer'], weight: 30, plan: planTake },
  { name: 'wait for a price', routes: ['createPriceAlert'], weight: 4, plan: planAlert },
  { name: 'wait no longer', routes: ['cancelPriceAlert'], weight: 3, plan: planNoAlert },
];
