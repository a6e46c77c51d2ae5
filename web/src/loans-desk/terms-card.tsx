import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { monthsInWords, noonOf } from '../loans/loan-words.ts';
import { percentWords } from '../loans/true-rate.ts';
import { Facts } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { Fold } from '../ui/fold.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { interestWords } from './desk-words.ts';
import { Fingerprint } from './fingerprint.tsx';

/** The key facts: what the borrower signs, and what all signatures are over. */
export function TermsCard({ loan: { key_facts: facts, disbursed_at, changed } }: { loan: DeskLoanDetail }) {
  return (
    <Fold title={say('Key facts')} openWhenWide={disbursed_at === null}>
      {changed && <Changed changed={changed} months={facts.months} />}
      <Facts
        facts={[
          [say('Amount'), <Money key="amount" shillings={facts.amount} />],
          [say('Fee, taken out of it'), <Money key="fee" shillings={facts.fee} />],
          [say('Paid out'), <Money key="paid" shillings={facts.paid_out} />],
          [say('Largest instalment'), <Money key="instalment" shillings={facts.instalment} />],
          [say('First instalment due'), <LongDate key="first" iso={facts.first_due_on} />],
          [say('Interest in all'), <Money key="interest" shillings={facts.total_interest} />],
          [
            say('Interest a month'),
            <span key="rate">
              {percentWords(facts.monthly_rate)} · {say('{rate} a year', { rate: percentWords(facts.yearly_rate) })}{' '}
              <span className="font-normal text-ink-2">{interestWords(facts.method)}</span>
            </span>,
          ],
          [say('True cost a month, fee included'), percentWords(facts.true_monthly_rate)],
          [say('True cost a year'), percentWords(facts.annual_percentage_rate)],
          [say('Penalty a month on what is late'), percentWords(facts.penalty_rate)],
          ...(facts.pool_fee > 0
            ? [[say('Fee of the pool'), <Money key="pool" shillings={facts.pool_fee} />] as const]
            : []),
        ]}
      />
      <Fingerprint hash={facts.hash} />
    </Fold>
  );
}

/** The new schedule that holds; what stands below it was signed before. */
function Changed({ changed, months }: { changed: NonNullable<DeskLoanDetail['changed']>; months: number }) {
  return (
    <>
      <p className="text-small text-ink-2">
        {say('By the new schedule that all agreed to. It holds since {day}.', { day: longDate(changed.on) })}
      </p>
      <Facts
        facts={[
          [say('Principal of the new schedule'), <Money key="principal" shillings={changed.principal} />],
          [say('New schedule'), monthsInWords(changed.months)],
          [say('Largest instalment'), <Money key="instalment" shillings={changed.instalment} />],
          [say('First new instalment due'), <LongDate key="first" iso={noonOf(changed.first_due_on)} />],
          [say('Last instalment due'), <LongDate key="last" iso={noonOf(changed.last_due_on)} />],
        ]}
      />
      <p className="mt-3 text-small font-semibold text-ink-2">
        {say('What was signed before: {months}', { months: monthsInWords(months) })}
      </p>
    </>
  );
}
