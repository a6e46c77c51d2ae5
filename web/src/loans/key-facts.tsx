import type { KeyFacts as Facts, LoanDetail } from '@ushirika/contract/loans';
import { Facts as FactList } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { aMonth, aYear, bothRates, methodWords, monthsInWords, noonOf, wholeShillings } from './loan-words.ts';
import { poolFeeFacts } from './quote-figures.tsx';

/** The key facts of a loan: those of the new schedule where one holds, and what was signed before it. */
export function KeyFactsHeld({
  loan: { changed, key_facts: facts },
}: {
  loan: Pick<LoanDetail, 'changed' | 'key_facts'>;
}) {
  if (!changed) return <KeyFactsSheet facts={facts} />;
  return (
    <>
      <p className="text-small text-ink-2">
        {say('By the new schedule that all agreed to. It holds since {day}.', { day: longDate(changed.on) })}
      </p>
      <FactList
        facts={[
          [say('Principal of the new schedule'), <Money key="principal" shillings={changed.principal} />],
          [say('You repay for'), monthsInWords(changed.months)],
          [say('Each month, at most'), <Money key="instalment" shillings={changed.instalment} />],
          [say('First new instalment due'), <LongDate key="first" iso={noonOf(changed.first_due_on)} />],
          [say('Last instalment due'), <LongDate key="last" iso={noonOf(changed.last_due_on)} />],
          [say('Interest of the new schedule'), <Money key="interest" shillings={changed.total_interest} />],
          [say('How interest is calculated'), methodWords(facts.method)],
          [say('Interest rate'), bothRates(facts)],
          [
            say('True rate of the new schedule'),
            <span key="true">
              {aMonth(changed.true_monthly_rate)} · {aYear(changed.annual_percentage_rate)}
            </span>,
          ],
          [say('Penalty on what is late, from day 6 on'), aMonth(facts.penalty_rate)],
        ]}
      />
      <details className="mt-3 border-t border-dashed border-line">
        <summary className="min-h-11 cursor-pointer content-center font-semibold">
          {say('What you signed before: {months}', { months: monthsInWords(facts.months) })}
        </summary>
        <KeyFactsSheet facts={facts} />
      </details>
    </>
  );
}

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
        ...wholeShillings(facts),
        [say('First instalment on'), <LongDate key="first" iso={noonOf(facts.first_due_on)} />],
        [say('Interest in all'), <Money key="interest" shillings={facts.total_interest} />],
        [say('What the loan costs in all'), <Money key="cost" shillings={facts.total_cost} className="text-clay" />],
        [say('How interest is calculated'), methodWords(facts.method)],
        [isFlat ? say('Rate, on the whole amount') : say('Interest rate'), bothRates(facts)],
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
