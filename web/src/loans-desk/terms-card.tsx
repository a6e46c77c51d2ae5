import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { percentWords } from '../loans/true-rate.ts';
import { Facts } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { Fold } from '../ui/fold.tsx';
import { say } from '../words/say.ts';
import { interestWords } from './desk-words.ts';
import { Fingerprint } from './fingerprint.tsx';

/** The key facts: what the borrower signs, and what all signatures are over. */
export function TermsCard({ loan: { key_facts: facts, disbursed_at } }: { loan: DeskLoanDetail }) {
  return (
    <Fold title={say('Key facts')} openWhenWide={disbursed_at === null}>
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
              {percentWords(facts.monthly_rate)}{' '}
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
