import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { LoanTimeline } from '../loans/loan-timeline.tsx';
import { Fold } from '../ui/fold.tsx';
import { say } from '../words/say.ts';

/** What has happened to the loan, the newest first. */
export function TimelineCard({ loan }: { loan: DeskLoanDetail }) {
  const timeline = loan.timeline.map((event) => ({ ...event, amount: null }));
  return (
    <Fold title={say('What has happened')}>
      {/* The sentences say the amounts; in this narrow column they are not said twice. */}
      <LoanTimeline loan={{ ...loan, timeline }} />
    </Fold>
  );
}
