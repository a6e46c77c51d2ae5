import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { Card } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';

/** What has happened to the loan, the newest first. */
export function TimelineCard({ loan: { timeline } }: { loan: DeskLoanDetail }) {
  return (
    <Card className="min-w-0 p-5">
      <h2 className="text-lead">{say('What has happened')}</h2>
      <ol className="mt-2">
        {timeline.toReversed().map((event) => (
          <li
            key={`${event.at} ${event.kind} ${event.text}`}
            className="rule flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 py-2.5"
          >
            <span className="min-w-0">
              <span className="block break-words">{event.text}</span>
              <span className="num block text-small text-ink-2">
                <LongDate iso={event.at} time />
              </span>
            </span>
            {event.amount !== null && <Money shillings={event.amount} className="font-semibold" />}
          </li>
        ))}
      </ol>
    </Card>
  );
}
