import type { KeyFacts as Facts } from '@ushirika/contract/loans';
import { Facts as FactList } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { aMonth, aYear, methodWords, monthsInWords, noonOf } from './loan-words.ts';
import { poolFeeFacts } from './quote-figures.tsx';

/** What a borrower signs, as one sheet: the exact values over which the signature goes. */
export function KeyFactsSheet({ facts }: { facts: Facts }) {
  const isFlat = facts.method === 'flat';
  return (
    <FactList
      facts={[
        [say('You borrow'), <Money key="amount" shillings={facts.amount} />],
        [say('Fee, taken out of it'), <Money key="fee" shillings={facts.fee} />],
        [say('You get'), <Money key="paid" shillings={facts.paid_out} />],
        ...poolFeeFacts(facts),
        [say('You repay for'), monthsInWords(facts.months)],
        [
          facts.method === 'equal_principal' ? say('The first instalment, the largest') : say('Each month, at most'),
          <Money key="instalment" shillings={facts.instalment} />,
        ],
        [say('First instalment on'), <LongDate key="first" iso={noonOf(facts.first_due_on)} />],
        [say('Interest in all'), <Money key="interest" shillings={facts.total_interest} />],
        [say('What the loan costs in all'), <Money key="cost" shillings={facts.total_cost} className="text-clay" />],
        [say('How interest is calculated'), methodWords(facts.method)],
        [isFlat ? say('Rate, on the whole amount') : say('Interest rate'), aMonth(facts.monthly_rate)],
        [
          say('True rate, fee included'),
          <span key="true">
            {aMonth(facts.true_monthly_rate)} · {aYear(facts.annual_percentage_rate)}
          </span>,
        ],
        [say('Penalty on what is late, from day 6 on'), aMonth(facts.penalty_rate)],
      ]}
    />
  );
}
