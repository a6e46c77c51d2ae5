import { centsOf } from '@ushirika/contract/format';
import type { LoanDetail, Surplus, setSurplus } from '@ushirika/contract/loans';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { Facts } from '../ui/card.tsx';
import { SelectField } from '../ui/fields.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { noonOf } from './loan-words.ts';
import { refreshLoans, useRepaymentPreview } from './loans.queries.ts';

/** What becomes of what is paid in advance: kept for the loan at once, for every way of paying. */
export function SurplusChoice({
  loan,
  chosen,
  onChoose,
}: {
  loan: LoanDetail;
  chosen: Surplus;
  onChoose: (surplus: Surplus) => void;
}) {
  const choose = async (surplus: Surplus) => {
    onChoose(surplus);
    try {
      await call<typeof setSurplus>('PUT', '/loans/{id}/surplus', { params: { id: loan.id }, body: { surplus } });
      await refreshLoans();
    } catch (error) {
      onChoose(loan.surplus);
      toast.error(wordsFor(error));
    }
  };
  return (
    <SelectField
      label={say('What you pay in advance')}
      name="surplus"
      value={chosen}
      onChange={({ currentTarget }) => void choose(currentTarget.value as Surplus)}
      hint={say('Kept for every way you pay this loan. Each way saves interest.')}
    >
      <option value="shorten">{say('Be done earlier')}</option>
      <option value="lower_instalment">{say('Lower the instalments')}</option>
      <option value="excuse">{say('Excuse the next instalments')}</option>
    </SelectField>
  );
}

/** What the loan would be after a payment of so many cents: shown before it is made. */
export function RepaymentOutcome({ loan, cents, surplus }: { loan: LoanDetail; cents: number; surplus: Surplus }) {
  const { data: after, isPlaceholderData } = useRepaymentPreview(loan.id, cents, surplus);
  if (!after || cents <= 0) return null;
  const { next_due: next, last_due_on: last, saved } = after;
  return (
    <section
      aria-label={say('After this payment')}
      aria-busy={isPlaceholderData}
      className={`rounded-box bg-paper px-4 py-3 ${isPlaceholderData ? 'opacity-60' : ''}`}
    >
      <h3 className="mb-2 font-semibold">{say('After this payment')}</h3>
      {next === null ? (
        <p>{say('Nothing is owed of it any more.')}</p>
      ) : (
        <Facts
          facts={[
            [say('Nothing is due until'), <LongDate key="day" iso={noonOf(next.date)} />],
            [say('Due then'), <Money key="next" shillings={next.amount} />],
            ...(last ? [[say('Last instalment'), <LongDate key="last" iso={noonOf(last)} />] as const] : []),
            ...(centsOf(saved) > 0 ? [[say('Interest saved'), <Money key="saved" shillings={saved} />] as const] : []),
          ]}
        />
      )}
    </section>
  );
}
