import { dayOf, type Person } from './naive-books.ts';
import { leftOf, needsOf, type Order } from './naive-market.ts';

/* What a session may move without the password, and what may leave of what sales brought, as a person would keep it. */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** In cents. */
const SMALL_SUM = 1_000_00;

/** Whether the password was entered in the last session a short while ago. */
export const isProven = (person: Person, now: number): boolean =>
  (person.sessions.at(-1)?.provenAt ?? 0) > now - 15 * MINUTE_MS;

/** What an order may take from whoever places it: sold under its value, a share is still worth its value. */
export function worthOf(order: Order): number {
  return order.isSale ? leftOf(order) * Math.max(order.price, order.sacco.shareValue) : needsOf(order);
}

/** Whether nothing vouches for the person: an old session, or one of somebody whose money is held after a reset. */
const isBounded = (person: Person, now: number) => !isProven(person, now) || person.payoutHeldUntil > now;

/** Whether the password is asked for before somebody moves so much, or would not help. */
export function proofFor(person: Person, cents: number, now: number): 'proof_required' | 'payout_held' | null {
  if (!isBounded(person, now) || movedOn(person, now) + cents <= SMALL_SUM) return null;
  return person.payoutHeldUntil > now ? 'payout_held' : 'proof_required';
}

/** Notes what somebody moved; whatever the password vouched for is not counted. */
export function noteMoved(person: Person, cents: number, now: number): void {
  if (!isBounded(person, now)) return;
  person.moved = { day: dayOf(now), cents: movedOn(person, now) + cents };
}

/** What sales of the last day brought somebody and may not leave yet. */
export function proceedsHeld(person: Person, now: number): number {
  const quarter = 15 * MINUTE_MS;
  const isHeld = ({ at }: { at: number }) => Math.floor(at / quarter) * quarter + quarter + DAY_MS > now;
  person.sales = person.sales.filter(isHeld);
  return Math.max(0, person.sales.reduce((sum, { cents }) => sum + cents, 0) - SMALL_SUM);
}

const movedOn = ({ moved }: Person, now: number) => (moved.day === dayOf(now) ? moved.cents : 0);
