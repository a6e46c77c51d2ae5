import type { Office } from '@ushirika/contract/route';
import { officeWords } from '../saccos/office-words.ts';
import { say } from '../words/say.ts';
import type { AtDesk } from './desk-frame.tsx';

/** Why whoever sits at the desk does not act about a loan: it is their own, or it is for other offices. The server has the last word. */
export function whyNotMine(borrower: string, takers: readonly Office[], at: AtDesk): string | null {
  if (borrower === at.me) return say('It is your own loan: other officials decide about it.');
  if (at.offices.some((office) => takers.includes(office))) return null;
  return say('This is for: {offices}.', { offices: takers.map((office) => officeWords(office)).join(', ') });
}
