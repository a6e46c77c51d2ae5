import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { RunningSchedule } from '../loans/schedule-table.tsx';
import { formatCount } from '../ui/figures.tsx';
import { Fold } from '../ui/fold.tsx';
import { say } from '../words/say.ts';

/** Every instalment; folded away until somebody wants it. */
export function ScheduleCard({ loan }: { loan: DeskLoanDetail }) {
  return (
    <Fold
      title={say('Schedule: {n, plural, one {one instalment} other {# instalments}}', { n: loan.schedule.length })}
      sum={
        loan.agreed &&
        loan.agreed.length !== loan.schedule.length &&
        say('({n} were agreed)', { n: formatCount(loan.agreed.length) })
      }
    >
      <RunningSchedule loan={loan} />
    </Fold>
  );
}
