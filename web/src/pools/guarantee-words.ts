import { formatShillings } from '@ushirika/contract/format';
import { say } from '../words/say.ts';

/** A guarantee in a line: its amount and its time. */
export function quoteInWords({ amount, period_months: n }: { amount: number; period_months: number }): string {
  // The dot stays with the amount: no line begins with it.
  return `${formatShillings(amount)}\u00a0· ${say('{n} {n, plural, one {month} other {months}}', { n })}`;
}
