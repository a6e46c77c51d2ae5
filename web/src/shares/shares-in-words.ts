import { formatCount } from '../ui/figures.tsx';
import { say } from '../words/say.ts';

/** A number of shares as a sentence has it: “1 share”, “1,200 shares”. */
export function sharesInWords(shares: number): string {
  return say('{n} {n, plural, one {share} other {shares}}', { n: formatCount(shares) });
}
