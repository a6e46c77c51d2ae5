import { centsOf } from '@ushirika/contract/format';
import type { NewScheduleCost } from '@ushirika/contract/loan-recovery';
import type { Instalment } from '@ushirika/contract/loans';
import { useState } from 'react';
import { Facts } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { aMonth, aYear, noonOf } from './loan-words.ts';
import { ScheduleTable } from './schedule-table.tsx';

/** What a new schedule costs beside the one that holds, and what is due when: for its borrower, its guarantors and its officials. */
export function NewScheduleCosts({ cost }: { cost: NewScheduleCost }) {
  const { pay_first: first, running, schedule } = cost;
  const more = (centsOf(cost.to_pay_new) - centsOf(cost.to_pay_old)) / 100;
  const begins = schedule[0];
  const ends = schedule.at(-1);
  // On a phone each instalment is a card: they would put the answer far below.
  const [isOpen] = useState(() => matchMedia('(width >= 40rem)').matches);
  return (
    <>
      <Facts
        facts={[
          [say('Still to pay by the schedule that holds'), <Money key="old" shillings={cost.to_pay_old} />],
          [say('Still to pay by the new schedule'), <Money key="new" shillings={cost.to_pay_new} />],
          [
            more < 0 ? say('The new schedule costs less by') : say('The new schedule costs more by'),
            <Money key="more" shillings={Math.abs(more)} className={more > 0 ? 'text-clay' : ''} />,
          ],
          [
            say('Interest from now on'),
            <span key="interest">
              {say('old')} <Money shillings={cost.interest_old} /> · {say('new')}{' '}
              <Money shillings={cost.interest_new} />
            </span>,
          ],
          [
            say('True rate of the new schedule'),
            <span key="true">
              {aMonth(cost.true_monthly_rate)} · {aYear(cost.annual_percentage_rate)}
            </span>,
          ],
          ...(first > 0
            ? [[say('Overdue interest and penalty, paid first'), <Money key="first" shillings={first} />] as const]
            : []),
          ...(running
            ? [
                [
                  say('Interest of the month under way'),
                  <span key="running">
                    <Money shillings={running.interest} /> {say('due on')} <LongDate iso={noonOf(running.due_on)} />
                  </span>,
                ] as const,
              ]
            : []),
          ...(begins
            ? [[say('First new instalment due'), <LongDate key="from" iso={noonOf(begins.due_on)} />] as const]
            : []),
          ...(ends ? [[say('Last instalment due'), <LongDate key="to" iso={noonOf(ends.due_on)} />] as const] : []),
        ]}
      />
      <details className="mt-3 border-t border-dashed border-line" open={isOpen}>
        <summary className="min-h-11 cursor-pointer content-center font-semibold">
          {say('The new schedule: each due date')}
        </summary>
        <ScheduleTable schedule={withRunning(cost)} />
      </details>
    </>
  );
}

/** The month under way ends before the new instalments begin: its interest alone is due then. */
function withRunning({ running, schedule }: NewScheduleCost): readonly Instalment[] {
  const [first] = schedule;
  if (!running || !first) return schedule;
  const { interest, due_on } = running;
  const owed = (centsOf(first.balance_after) + centsOf(first.principal)) / 100;
  return [
    { number: first.number - 1, due_on, principal: 0, interest, total: interest, balance_after: owed },
    ...schedule,
  ];
}
