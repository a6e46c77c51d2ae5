import { formatShillings } from '@ushirika/contract/format';
import type { LoanDay } from '@ushirika/contract/loan-recovery';
import { wordsFor } from '../api/failure.ts';
import { Facts, FailureState } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { formatCount, LongDate, Money, signed } from '../ui/figures.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { noticeWords } from './desk-words.ts';
import { useLoanDay } from './loans-desk.queries.ts';

/** What the run of one day did, in counts and sums. */
export function DayDialog({ sacco, day, onClose }: { sacco: string; day: string; onClose: () => void }) {
  const { data, error, refetch } = useLoanDay(sacco, day);
  return (
    <Dialog title={say('The run of {day}', { day: longDate(day) })} onClose={onClose}>
      {!data && !error && <Skeletons count={1} label={say('Loading...')} className="h-64 rounded-card" />}
      {!data && error && (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      )}
      {data && <DayStory day={data} />}
    </Dialog>
  );
}

function DayStory({ day }: { day: LoanDay }) {
  const { pools } = day;
  return (
    <>
      <p className="text-small text-ink-2">
        {day.finished_at === null ? (
          say('It is not finished yet. These are its figures so far.')
        ) : (
          <>
            {say('Finished')} <LongDate iso={day.finished_at} time />
          </>
        )}
      </p>
      <h3 className="mt-4 text-body font-semibold">
        {say('Booked for {n} {n, plural, one {loan} other {loans}}', { n: day.loans })}
      </h3>
      <Facts
        facts={[
          [say('Interest'), <Money key="interest" shillings={day.accrued} />],
          [say('Penalties'), <Money key="penalties" shillings={day.penalties} />],
          [
            say('Set aside for losses'),
            day.provision === 0 ? formatShillings(0) : <span key="provision">{signed(day.provision)}</span>,
          ],
        ]}
      />
      <h3 className="mt-4 text-body font-semibold">{say('Told to people')}</h3>
      <Facts
        facts={[
          [say('Reminders of instalments'), formatCount(day.reminders)],
          [say('Notices of arrears'), formatCount(day.noticed)],
          ...day.notices.map(
            ({ kind, count }) =>
              [
                <span key={kind} className="pl-3">
                  {noticeWords(kind)}
                </span>,
                formatCount(count),
              ] as const,
          ),
          [say('Requests and offers that lapsed'), formatCount(day.lapsed)],
        ]}
      />
      <h3 className="mt-4 text-body font-semibold">{say('In the sacco’s guarantor pools')}</h3>
      <Facts
        facts={[
          [
            say('Fees earned: {n} {n, plural, one {month} other {months}}', { n: pools.earnings }),
            <Money key="earned" shillings={pools.earned} />,
          ],
          [
            say('Withdrawals paid: {n}', { n: formatCount(pools.withdrawals) }),
            <Money key="withdrawn" shillings={pools.withdrawn} />,
          ],
        ]}
      />
    </>
  );
}
