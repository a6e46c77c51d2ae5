import { centsOf, formatShillings } from '@ushirika/contract/format';
import type { MarketTerms } from '@ushirika/contract/market';
import { FEE_MAX_BASIS_POINTS } from '@ushirika/contract/market-fees';
import { say } from '../words/say.ts';

/** The name of a fee: "minimum" when it is the least fee, else with its percentage of the value. */
export function feeInWords(feeCents: number, { fee_percentage, fee_min }: MarketTerms): string {
  // A fee below the least fee was capped at 3 % of the value.
  if (feeCents > 0 && feeCents < centsOf(fee_min))
    return say('Transfer fee {part}%', { part: FEE_MAX_BASIS_POINTS / 100 });
  return feeCents > 0 && feeCents === centsOf(fee_min)
    ? say('Transfer fee (minimum)')
    : say('Transfer fee {part}%', { part: fee_percentage });
}

/** The limits of a fee, as a sentence; null where there is no least fee. */
export function feeBoundsInWords({ fee_min }: MarketTerms): string | null {
  if (fee_min === 0) return null;
  return say('At least {least} for an order, and never over {most}% of it.', {
    least: formatShillings(fee_min),
    most: FEE_MAX_BASIS_POINTS / 100,
  });
}
