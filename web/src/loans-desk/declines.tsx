import type { LoanRecovery } from '@ushirika/contract/loan-recovery';
import { officeWords } from '../saccos/office-words.ts';
import { Tag } from '../ui/card.tsx';
import { LongDate } from '../ui/figures.tsx';
import { say } from '../words/say.ts';

/** Who has declined a write-off, each with the reason: others may agree all the same. */
export function Declines({ declines }: { declines: LoanRecovery['write_off_declines'] }) {
  if (declines.length === 0) return null;
  return (
    <ul className="mt-1.5 grid gap-1.5 rounded-box bg-sunken px-4 py-2.5 text-small">
      {declines.map(({ by, office, reason, at }) => (
        <li key={by.id}>
          <Tag tone="clay">{say('Declined')}</Tag> <span className="font-semibold">{by.name}</span> ·{' '}
          {officeWords(office)} · <LongDate iso={at} />
          <span className="block break-words">{reason}</span>
        </li>
      ))}
    </ul>
  );
}
