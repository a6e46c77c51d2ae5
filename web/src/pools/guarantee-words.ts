import { formatShillings } from '@ushirika/contract/format';
import type { PoolContract } from '@ushirika/contract/pools';
import { say } from '../words/say.ts';

/** A guarantee in a line: its amount and its time. */
export function quoteInWords({ amount, period_months: n }: { amount: number; period_months: number }): string {
  // The dot stays with the amount: no line begins with it.
  return `${formatShillings(amount)}\u00a0· ${say('{n} {n, plural, one {month} other {months}}', { n })}`;
}

/** What was paid when a guarantee was called, and what of it has come back; to its borrower. */
export function paidInWords({ paid, claim, recovered }: Pick<PoolContract, 'paid' | 'claim' | 'recovered'>): string {
  const amounts = { paid: formatShillings(paid), claim: formatShillings(claim), recovered: formatShillings(recovered) };
  if (claim === 0)
    return say('The guarantee was called: the pool paid {paid}, all of it your own money in the pool.', amounts);
  return say(
    'The guarantee was called: the pool paid {paid}. You owe {claim} of that, and have paid {recovered} back.',
    amounts,
  );
}
