import type { LoanDetail, LoanEvent } from '@ushirika/contract/loans';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { LongDate, Money, unbroken } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { eventLook } from './loan-words.ts';

const SHOWN = 8;

/** What happened to a loan, the newest first. A movement of one's own wallet leads to its receipt. */
export function LoanTimeline({
  loan: { timeline, has_more_payments: hasMore },
  onReceipt,
}: {
  loan: Pick<LoanDetail, 'timeline' | 'has_more_payments'>;
  onReceipt?: (journal: string) => void;
}) {
  const [isWhole, setWhole] = useState(false);
  const newest = timeline.toReversed();
  const shown = isWhole ? newest : newest.slice(0, SHOWN);
  return (
    <>
      <ol>
        {shown.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events are only added at one end, and have no id
          <Event key={newest.length - index} event={event} onReceipt={onReceipt} />
        ))}
      </ol>
      {newest.length > shown.length && (
        <Button look="quiet" className="mt-2 w-full" onClick={() => setWhole(true)}>
          {say('Show what was before')}
        </Button>
      )}
      {newest.length === shown.length && hasMore && (
        <p className="mt-3 text-small text-ink-2">{say('Older payments stand in “Every movement”.')}</p>
      )}
    </>
  );
}

function Event({ event, onReceipt }: { event: LoanEvent; onReceipt: ((journal: string) => void) | undefined }) {
  const { at, kind, text, amount, journal } = event;
  const { icon, isBad } = eventLook(kind);
  return (
    <li className="group flex gap-3.5">
      <span className="flex flex-col items-center">
        <span
          className={`grid size-9 shrink-0 place-items-center rounded-full ${isBad ? 'bg-clay-tint text-clay' : 'bg-sunken text-ink-2'}`}
        >
          <Icon name={icon} className="size-4.5" />
        </span>
        <span className="w-px grow bg-line group-last:hidden" />
      </span>
      <div className="min-w-0 grow pt-1 pb-5 group-last:pb-0">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4 font-semibold">
          <span className="min-w-0 break-words">{unbroken(text)}</span>
          {amount !== null && <Money shillings={amount} />}
        </p>
        <p className="num text-small text-ink-2">
          <LongDate iso={at} time />
        </p>
        {journal && onReceipt && (
          <button
            type="button"
            className="link min-h-6 cursor-pointer text-small max-sm:min-h-11"
            onClick={() => onReceipt(journal)}
          >
            {say('Receipt')}
          </button>
        )}
      </div>
    </li>
  );
}
