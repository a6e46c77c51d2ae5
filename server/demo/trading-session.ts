import { Refusal } from '@ushirika/contract/refusal';
import type { Tx } from '../db/tx.ts';
import type { MarketCommand, PlaceOrder } from '../domains/market/market.types.ts';
import { trade } from '../domains/market/trade.ts';
import { PLATFORM_BOOK } from '../ledger/ledger.types.ts';

/** A market of the story, and who comes to it. */
export interface TradingVenue {
  readonly saccoId: string;
  readonly minShares: number;
  readonly tickCents: number;
  /** The lowest and the highest price of an order, in cents. */
  readonly floorCents: number;
  readonly ceilingCents: number;
  readonly traders: readonly string[];
}

/** Chance that falls the same way every time: 0 to below 1 (mulberry32). */
export type Chance = () => number;

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How a quarter of an hour of a market goes. */
export interface Mood {
  /** What a share is worth to people now, in cents. */
  readonly fairCents: number;
  /** Orders that come to wait, and orders that come to trade. */
  readonly makers: number;
  readonly takers: number;
  readonly sharesMax: number;
}

interface OpenOrder {
  readonly id: string;
  readonly user_id: string;
  readonly side: 'buy' | 'sell';
  readonly price_cents: number;
  readonly remaining: number;
}

/** What the traders of a venue have, and what waits in its book. */
export interface MarketState {
  readonly venue: TradingVenue;
  readonly open: readonly OpenOrder[];
  readonly shares: Map<string, number>;
  readonly cents: Map<string, number>;
}

const DAY_MS = 86_400_000;
const OPEN_MAX = 3;

/** Members come, place orders and trade. Whoever is refused has tried in vain, as people do. */
export async function tradingSession(tx: Tx, venue: TradingVenue, mood: Mood, chance: Chance): Promise<void> {
  const state = await readMarketState(tx, venue);
  const commands = secondThoughts(state, mood, chance);
  for (let index = 0; index < mood.makers; index += 1) {
    // Who sells has time and waits, who buys wants them now: more often than not.
    const side = chance() < 0.38 ? 'buy' : 'sell';
    const away = venue.tickCents * (1 + Math.floor(chance() * chance() * 6));
    pushOrder(commands, tx, state, {
      side,
      priceCents: side === 'buy' ? mood.fairCents - away : mood.fairCents + away,
      shares: 6 + Math.floor(chance() * mood.sharesMax),
      days: 14 + Math.floor(chance() * 28),
      chance,
    });
  }
  for (let index = 0; index < mood.takers; index += 1) {
    const side = chance() < 0.72 ? 'buy' : 'sell';
    const reach = 3 * venue.tickCents;
    pushOrder(commands, tx, state, {
      side,
      priceCents: side === 'buy' ? mood.fairCents + reach : mood.fairCents - reach,
      // Fewer would move no price: 6 shares are worth Ksh. 500.
      shares: 6 + Math.floor(chance() * chance() * 1.3 * mood.sharesMax),
      days: 2,
      chance,
    });
  }
  if (commands.length > 0) await trade(tx, commands);
}

/** Two reads for all that a session is decided by. */
export async function readMarketState(tx: Tx, venue: TradingVenue): Promise<MarketState> {
  const [open, accounts] = await Promise.all([
    tx.sql<OpenOrder[]>`
      select id, user_id, side, price_cents, shares - filled as remaining from share_orders
      where sacco_id = ${venue.saccoId} and state = 'open' order by place`,
    tx.sql<{ owner_id: string; kind: string; balance: number }[]>`
      select owner_id, kind, balance from accounts
      where owner_id = any (${venue.traders as string[]}::uuid[])
        and (book_id, kind) in ((${PLATFORM_BOOK}::uuid, 'wallet'), (${venue.saccoId}::uuid, 'holding'))`,
  ]);
  const of = (wanted: string) =>
    new Map(accounts.filter(({ kind }) => kind === wanted).map(({ owner_id, balance }) => [owner_id, balance]));
  return { venue, open, shares: of('holding'), cents: of('wallet') };
}

/** Now and then somebody takes an order back that the price has run away from, or comes nearer with it, or wants fewer. */
function secondThoughts({ open, venue }: MarketState, mood: Mood, chance: Chance): MarketCommand[] {
  const draw = chance();
  const far = open.find(
    ({ user_id, price_cents }) =>
      venue.traders.includes(user_id) && Math.abs(price_cents - mood.fairCents) > 6 * venue.tickCents,
  );
  if (!far || draw > 0.45) return [];
  const about = { userId: far.user_id, orderId: far.id };
  if (draw < 0.2) return [{ kind: 'cancel', ...about }];
  if (draw < 0.3 && far.remaining > 4) {
    return [{ kind: 'change', ...about, shares: 4, priceCents: null }];
  }
  const nearer = mood.fairCents + (far.side === 'buy' ? -2 : 2) * venue.tickCents;
  return [{ kind: 'change', ...about, shares: null, priceCents: nearer }];
}

interface Wish {
  readonly side: 'buy' | 'sell';
  readonly priceCents: number;
  readonly shares: number;
  /** How long the order waits. */
  readonly days: number;
  readonly chance: Chance;
  /** Whoever has so many open orders places no more. */
  readonly openMax?: number;
}

/** Adds an order of somebody who has what it needs; nobody does: no order. */
export function pushOrder(commands: MarketCommand[], tx: Tx, state: MarketState, wish: Wish): void {
  const { venue, open } = state;
  const price = Math.round(wish.priceCents / venue.tickCents) * venue.tickCents;
  const priceCents = Math.min(venue.ceilingCents, Math.max(venue.floorCents, price));
  const isBusy = (userId: string) =>
    commands.some((command) => 'userId' in command && command.userId === userId) ||
    open.filter(({ user_id }) => user_id === userId).length >= (wish.openMax ?? OPEN_MAX);
  const meetsOwn = (userId: string) =>
    open.some(
      ({ user_id, side, price_cents }) =>
        user_id === userId &&
        side !== wish.side &&
        (wish.side === 'buy' ? price_cents <= priceCents : price_cents >= priceCents),
    );
  const able = venue.traders.flatMap((userId) => {
    if (isBusy(userId) || meetsOwn(userId)) return [];
    const most =
      wish.side === 'sell'
        ? (state.shares.get(userId) ?? 0) - venue.minShares
        : Math.floor(((state.cents.get(userId) ?? 0) * 0.98 - 20_00) / priceCents);
    const shares = Math.min(wish.shares, most);
    return shares > 0 ? [{ userId, shares, most }] : [];
  });
  // Who has much of it is likelier to part with it.
  able.sort((a, b) => b.most - a.most);
  const chosen = able[Math.floor(wish.chance() * wish.chance() * able.length)];
  if (!chosen) return;
  const expiresAt = new Date(tx.now.getTime() + wish.days * DAY_MS);
  commands.push({ kind: 'place', ...orderOf(chosen, state, wish.side, priceCents), expiresAt });
}

const orderOf = (
  { userId, shares }: { userId: string; shares: number },
  { venue }: MarketState,
  side: PlaceOrder['side'],
  priceCents: number,
) => ({ userId, saccoId: venue.saccoId, side, shares, priceCents });

/** The same for what the story needs to be there: a refusal ends it. */
export async function tradeSurely(tx: Tx, commands: readonly MarketCommand[]): Promise<void> {
  for (const answer of await trade(tx, commands)) if (answer instanceof Refusal) throw answer;
}
