import type { MarketTerms } from '@ushirika/contract/market';
import { say } from '../words/say.ts';
import { centsOf } from './market-sums.ts';

/** What a fee is called: by its share of the value, or as the least that a trade costs where that is what it is. */
export function feeInWords(feeCents: number, { fee_percentage, fee_min }: MarketTerms): string {
  return feeCents > 0 && feeCents <= centsOf(fee_min)
    ? say('Transfer fee, the least')
    : say('Transfer fee {part}%', { part: fee_percentage });
}
