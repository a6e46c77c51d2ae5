import { centsOf, formatShillings } from '@ushirika/contract/format';
import type { MarketTerms } from '@ushirika/contract/market';
import { FEE_MAX_BASIS_POINTS } from '@ushirika/contract/market-fees';
import { say } from '../words/say.ts';

/** What a fee is called: by its share of the value, or as the least that a trade costs where that is what it is. */
export function feeInWords(feeCents: number, { fee_percentage, fee_min }: MarketTerms): string {
  // Of a small trade the least fee would take too much: 3 % is the most there is.
  if (feeCents > 0 && feeCents < centsOf(fee_min))
    return say('Transfer fee {part}%', { part: FEE_MAX_BASIS_POINTS / 100 });
  return feeCents > 0 && feeCents === centsOf(fee_min)
    ? say('Transfer fee (minimum)')
    : say('Transfer fee {part}%', { part: fee_percentage });
}

/** What a fee is bounded by, whatever its share of the value; null where there is no least fee. */
export function feeBoundsInWords({ fee_min }: MarketTerms): string | null {
  if (fee_min === 0) return null;
  return say('At least {least} for an order, and never over {most}% of it.', {
    least: formatShillings(fee_min),
    most: FEE_MAX_BASIS_POINTS / 100,
  });
}
