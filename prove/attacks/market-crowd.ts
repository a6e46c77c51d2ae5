import { randomUUID } from 'node:crypto';
import type { Order, Trade } from '@ushirika/contract/market';
import type { TestDatabase } from '../../server/db/test-copy.ts';
import { openSession } from '../../server/domains/identity/open-session.ts';
import type { testTraders } from '../../server/domains/market/test-traders.ts';
import type { Random } from '../random.ts';
import { sleep } from '../support/waiting.ts';

/** What a server acknowledged of an order, the latest word of it. */
export interface Acknowledged {
  readonly user: string;
  readonly order: Order;
}

export interface Trader {
  readonly user: string;
  readonly token: string;
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  readonly body: any;
}

/** All that a crowd was told, for whoever looks afterwards whether it is so. */
export class Told {
  /** By order: what was said last by one who knew most of it. */
  readonly orders = new Map<string, Acknowledged>();
  readonly trades = new Map<string, Trade>();
  /** Orders by the key under which each was asked for. */
  readonly byKey = new Map<string, string>();
  readonly cancelled = new Set<string>();
  readonly answers = new Map<string, number>();
  /** Requests whose line was cut, and which were sent again. */
  cut = 0;

  hear(user: string, { status, body }: Answer): void {
    const code = status < 300 ? 'done' : String(body?.code ?? status);
    this.answers.set(code, (this.answers.get(code) ?? 0) + 1);
    const order = status < 300 ? (body.order as Order) : null;
    if (!order) return;
    const before = this.orders.get(order.id);
    if (!before || order.filled >= before.order.filled) this.orders.set(order.id, { user, order });
    for (const trade of (body.trades ?? []) as Trade[]) this.trades.set(trade.id, trade);
    if (order.status === 'cancelled') this.cancelled.add(order.id);
  }
}

/** Members with shares and money, each signed in, in one market. */
export async function traderCrowd(
  database: TestDatabase,
  traders: ReturnType<typeof testTraders>,
  { count, shares = 100 }: { readonly count: number; readonly shares?: number },
) {
  const sacco = await traders.sacco(2);
  const people: Trader[] = [];
  for (let made = 0; made < count; made += 1) {
    const user = await traders.trader(sacco, { shares, cents: 50_000_00 });
    const origin = { address: '127.0.0.1', userAgent: 'A trader' };
    const { token } = await database.transaction((tx) =>
      openSession(tx, { userId: user, origin, hasSecondFactor: false }),
    );
    people.push({ user, token });
  }
  return { sacco, people };
}

const ITEMS = '/sacco/order-book-items';

/** A request until it is answered: a line that breaks is a reason to ask again, with the same key, wherever there is a server. */
async function askUntilAnswered(
  told: Told,
  origins: () => readonly string[],
  trader: Trader,
  request: { method: string; path: string; key?: string; body?: object },
  random: Random,
): Promise<Answer> {
  for (let tries = 0; tries < 400; tries += 1) {
    try {
      const response = await fetch(`${random.pick(origins())}/api/v1${request.path}`, {
        method: request.method,
        headers: {
          authorization: `Token ${trader.token}`,
          ...(request.key ? { 'idempotency-key': request.key } : {}),
          ...(request.body ? { 'content-type': 'application/json' } : {}),
        },
        ...(request.body ? { body: JSON.stringify(request.body) } : {}),
      });
      const answer = { status: response.status, body: await response.json() };
      // Said to be tried again: nothing happened, or the key tells what did.
      if (response.status === 503) throw new Error('unavailable');
      told.hear(trader.user, answer);
      return answer;
    } catch {
      told.cut += 1;
      await sleep(25);
    }
  }
  throw new Error('Nobody answered.');
}

/** Places an order, or takes an offer, under a key of its own. */
export async function placeAs(
  told: Told,
  origins: () => readonly string[],
  trader: Trader,
  asked:
    | { sacco: string; side: 'buy' | 'sell'; shares: number; price: number }
    | { order: string; shares: number; price: number },
  random: Random,
): Promise<Answer> {
  const key = randomUUID();
  const path = 'sacco' in asked ? ITEMS : '/sacco/members/buy-user-shares';
  const answer = await askUntilAnswered(told, origins, trader, { method: 'POST', path, key, body: asked }, random);
  if (answer.status < 300) told.byKey.set(key, answer.body.order.id);
  return answer;
}

export const changeAs = (
  told: Told,
  origins: () => readonly string[],
  trader: Trader,
  id: string,
  body: object,
  random: Random,
) => askUntilAnswered(told, origins, trader, { method: 'PATCH', path: `${ITEMS}/${id}`, body }, random);

export const cancelAs = (told: Told, origins: () => readonly string[], trader: Trader, id: string, random: Random) =>
  askUntilAnswered(told, origins, trader, { method: 'DELETE', path: `${ITEMS}/${id}` }, random);

/** One client that trades at random, around Ksh. 100, for so many requests. */
export async function tradeAtRandom(
  told: Told,
  origins: () => readonly string[],
  { trader, sacco, requests, random }: { trader: Trader; sacco: string; requests: number; random: Random },
): Promise<void> {
  const any = () => [...told.orders.values()].slice(-60);
  for (let count = 0; count < requests; count += 1) {
    const draw = random.next();
    const mine = any().filter(({ user }) => user === trader.user);
    const offers = any().filter(({ order }) => order.side === 'sell' && order.status === 'open');
    if (draw < 0.15 && offers.length > 0) {
      // Many are dearer by now: whoever looked at one pays no more than they saw.
      const { id: order, price } = random.pick(offers).order;
      await placeAs(told, origins, trader, { order, shares: random.whole(1, 3), price }, random);
    } else if (draw < 0.3 && mine.length > 0) {
      const body = random.chance(0.5) ? { shares: random.whole(1, 8) } : { price: random.whole(97, 103) };
      await changeAs(told, origins, trader, random.pick(mine).order.id, body, random);
    } else if (draw < 0.5 && mine.length > 0) {
      await cancelAs(told, origins, trader, random.pick(mine).order.id, random);
    } else {
      const side = random.chance(0.5) ? 'buy' : 'sell';
      const asked = { sacco, side, shares: random.whole(1, 6), price: random.whole(97, 103) } as const;
      await placeAs(told, origins, trader, asked, random);
    }
  }
}
