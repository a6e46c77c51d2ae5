import type { MarketTerms } from '@ushirika/contract/market';
import { feeBoundsInWords, feeInWords } from './fee-words.ts';

/** What the fee of an order is called, and below it the least and the most that a fee is. */
export function FeeName({ feeCents, terms }: { feeCents: number; terms: MarketTerms }) {
  return (
    <>
      {feeInWords(feeCents, terms)}
      <FeeBounds terms={terms} />
    </>
  );
}

/** So narrow that the sum has its place beside it on a phone. */
export function FeeBounds({ terms }: { terms: MarketTerms }) {
  const bounds = feeBoundsInWords(terms);
  return bounds && <span className="block max-w-40 text-tiny text-ink-2">{bounds}</span>;
}
