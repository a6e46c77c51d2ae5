import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { Card, Facts, Tag } from '../ui/card.tsx';
import { formatCount, LongDate, Money } from '../ui/figures.tsx';
import { Fold } from '../ui/fold.tsx';
import { say } from '../words/say.ts';

/** Who asks: particulars, what they own here, what they owe and vouch for elsewhere. */
export function BorrowerCard({ loan: { borrower, purpose, disbursed_at } }: { loan: DeskLoanDetail }) {
  return (
    <Fold title={say('Borrower')} sum={borrower.phone_number} openWhenWide={disbursed_at === null}>
      <Facts
        facts={[
          [say('ID Number'), borrower.id_number],
          [
            say('ID card'),
            borrower.identity_seen ? (
              <Tag key="seen">{say('seen by an official')}</Tag>
            ) : (
              <Tag key="seen" tone="ochre">
                {say('not seen yet')}
              </Tag>
            ),
          ],
          [say('Phone'), borrower.phone_number],
          [say('Member since'), <LongDate key="since" iso={borrower.joined_at} />],
          [say('Savings'), <Money key="savings" shillings={borrower.savings} />],
          [say('Shares'), formatCount(borrower.shares)],
          [say('Other loans owed'), <Money key="other" shillings={borrower.other_loans} />],
          [say('Pledged for others'), <Money key="given" shillings={borrower.guarantees_given} />],
        ]}
      />
      <p className="mt-3 text-small text-ink-2">{say('What the loan is for')}</p>
      <p className="max-w-[70ch] break-words whitespace-pre-line">{purpose}</p>
    </Fold>
  );
}

/** How the borrower repaid in the last 24 months, instalment by instalment, drawn as one bar. */
export function RepaymentHistory({ loan: { borrower } }: { loan: DeskLoanDetail }) {
  const { history } = borrower;
  return (
    <Card className="min-w-0 p-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lead">{say('How they repaid in the last 24 months')}</h2>
        {history.in_arrears_now && <Tag tone="clay">{say('in arrears now')}</Tag>}
        {history.defaults > 0 && (
          <Tag tone="clay">{say('{n, plural, one {one default} other {# defaults}}', { n: history.defaults })}</Tag>
        )}
      </div>
      {history.instalments === 0 ? (
        <p className="mt-2 text-ink-2">{say('No instalment has fallen due yet: there is no history to go by.')}</p>
      ) : (
        <>
          <div aria-hidden="true" className="mt-3 flex h-4 gap-0.5 overflow-hidden rounded-small bg-sunken">
            <span className="bg-forest" style={{ flexGrow: history.on_time, flexBasis: 0 }} />
            <span className="bg-clay" style={{ flexGrow: history.late, flexBasis: 0 }} />
          </div>
          <p className="num mt-2">
            {say(
              '{on_time} of {n, plural, one {one instalment} other {# instalments}} paid on time, {late} late, in {loans, plural, one {one loan} other {# loans}}.',
              {
                on_time: formatCount(history.on_time),
                n: history.instalments,
                late: formatCount(history.late),
                loans: history.loans,
              },
            )}
          </p>
        </>
      )}
    </Card>
  );
}
