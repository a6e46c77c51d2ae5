import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { RunningSchedule } from '../loans/schedule-table.tsx';
import { Card } from '../ui/card.tsx';
import { formatCount } from '../ui/figures.tsx';
import { say } from '../words/say.ts';

/** Every instalment; folded away until somebody wants it. */
export function ScheduleCard({ loan }: { loan: DeskLoanDetail }) {
  return (
    <Card className="min-w-0 px-5 py-2">
      <details>
        <summary className="min-h-11 cursor-pointer content-center font-semibold">
          {say('Schedule: {n, plural, one {one instalment} other {# instalments}}', { n: loan.schedule.length })}
          {loan.agreed && loan.agreed.length !== loan.schedule.length && (
            <> {say('({n} were agreed)', { n: formatCount(loan.agreed.length) })}</>
          )}
        </summary>
        <RunningSchedule loan={loan} />
      </details>
    </Card>
  );
}
