import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { LoanTimeline } from '../loans/loan-timeline.tsx';
import { Card } from '../ui/card.tsx';
import { say } from '../words/say.ts';

/** What has happened to the loan, the newest first. */
export function TimelineCard({ loan: { timeline } }: { loan: DeskLoanDetail }) {
  return (
    <Card className="min-w-0 p-5">
      <h2 className="mb-3 text-lead">{say('What has happened')}</h2>
      {/* The sentences say the amounts; in this narrow column they are not said twice. */}
      <LoanTimeline events={timeline.map((event) => ({ ...event, amount: null }))} />
    </Card>
  );
}
