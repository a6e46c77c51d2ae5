import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { say } from '../words/say.ts';

/** Advice before money is lent to somebody whose ID card no official has recorded as seen. It stops nothing. */
export function UnseenCard({ loan: { borrower } }: { loan: DeskLoanDetail }) {
  if (borrower.identity_seen) return null;
  return (
    <p className="mt-3 rounded-box bg-ochre-tint px-4 py-3 text-small font-medium text-ochre-ink">
      {say(
        'No official has recorded that they saw the ID card of {name}. No rule of a loan asks for it. See the card before you go on.',
        { name: borrower.name },
      )}
    </p>
  );
}
