import type { Order } from '@ushirika/contract/market';
import { now } from '../clock.ts';
import { formatCount } from '../ui/figures.tsx';
import { currentLanguage, say } from '../words/say.ts';

const price = new Intl.NumberFormat('en-KE', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A price where its column or sentence says already that it is shillings: `104.00`. */
export function formatPrice(shillings: number): string {
  return price.format(shillings);
}

/** `Buy 40 at 102.00`. */
export function orderWords({ side, shares, price: each }: Pick<Order, 'side' | 'shares' | 'price'>): string {
  const values = { n: formatCount(shares), price: formatPrice(each) };
  return side === 'buy' ? say('Buy {n} at {price}', values) : say('Sell {n} at {price}', values);
}

/** What became of a closed order, and why. */
export function closedWords({ status, cancel_reason }: Pick<Order, 'status' | 'cancel_reason'>): string {
  if (status === 'filled') return say('Filled');
  if (status === 'expired') return say('Expired');
  if (status === 'open') return say('In the order book');
  const reasons = {
    by_member: say('Cancelled by you'),
    terms_changed: say('Cancelled: the market’s rules changed'),
    one_fifth: say('Cancelled: you would hold more than one fifth'),
    minimum_holding: say('Cancelled: you would keep fewer than the minimum shares'),
    left: say('Cancelled: you gave notice'),
    blocked: say('Cancelled: you may not trade now'),
  } as const;
  return reasons[cancel_reason ?? 'by_member'];
}

const ZONE = { timeZone: 'Africa/Nairobi' } as const;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...ZONE });
const DAY = { day: 'numeric', month: 'short', ...ZONE } as const;
const days = { en: new Intl.DateTimeFormat('en-GB', DAY), sw: new Intl.DateTimeFormat('sw-KE', DAY) };
const date = new Intl.DateTimeFormat('en-CA', ZONE);

/** `14:05` in Nairobi. */
export function clockWords(at: number): string {
  return clock.format(at);
}

/** `14:05` of today, else `21 Nov`; the whole date belongs beside it as a title. */
export function shortTime(iso: string): string {
  const at = Date.parse(iso);
  return date.format(at) === date.format(now()) ? clock.format(at) : dayWords(at);
}

/** `22 Nov` in Nairobi. */
export function dayWords(at: number): string {
  return days[currentLanguage()].format(at);
}

/** The last moment of a day in Nairobi, so many days from now. */
export function endOfDayIn(days: number): string {
  return `${date.format(now() + days * 86_400_000)}T23:59:59+03:00`;
}
