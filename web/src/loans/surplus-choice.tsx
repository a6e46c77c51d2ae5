import { centsOf, formatShillings } from '@ushirika/contract/format';
import type { LoanDetail, Surplus, setSurplus } from '@ushirika/contract/loans';
import { type ComponentProps, useState } from 'react';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { SelectField } from '../ui/fields.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { noonOf } from './loan-words.ts';
import { refreshLoans, useRepaymentPreview } from './loans.queries.ts';

/** Keeps the choice for the loan, where it is another one than before. Returns the words for the borrower; empty where nothing changed. */
export async function keepSurplus(loan: LoanDetail, surplus: Surplus): Promise<string> {
  if (surplus === loan.surplus) return '';
  const input = { params: { id: loan.id }, body: { surplus } };
  return (await call<typeof setSurplus>('PUT', '/loans/{id}/surplus', input)).message;
}

/** The choice of what a payment in advance does. The payment keeps it, not the choosing. */
export function SurplusChoice({ chosen, onChoose }: { chosen: Surplus; onChoose: (surplus: Surplus) => void }) {
  return (
    <SelectField
      label={say('What you pay in advance')}
      name="surplus"
      value={chosen}
      onChange={({ currentTarget }) => onChoose(currentTarget.value as Surplus)}
      hint={say('Saved when you pay, for later payments too. Each way saves interest.')}
    >
      <option value="shorten">{say('Be done earlier')}</option>
      <option value="lower_instalment">{say('Lower the instalments')}</option>
      <option value="excuse">{say('Excuse the next instalments')}</option>
    </SelectField>
  );
}

/** The same choice for payments at the paybill. No payment is made on the page, so a button keeps the choice. */
export function SurplusForPaybill({ loan, ...choice }: ComponentProps<typeof SurplusChoice> & { loan: LoanDetail }) {
  const [busy, setBusy] = useState(false);
  const keep = async () => {
    setBusy(true);
    try {
      toast.success(await keepSurplus(loan, choice.chosen));
      await refreshLoans();
    } catch (error) {
      toast.error(wordsFor(error));
    }
    setBusy(false);
  };
  return (
    <div className="mt-4 grid gap-3">
      <SurplusChoice {...choice} />
      {choice.chosen !== loan.surplus && (
        <Button look="line" busy={busy} onClick={() => void keep()}>
          {say('Save this choice')}
        </Button>
      )}
    </div>
  );
}

/** The loan as it would be after a payment of so many cents: shown before it is made. */
export function RepaymentOutcome({
  loan,
  cents,
  surplus,
  restStays,
}: {
  loan: LoanDetail;
  cents: number;
  surplus: Surplus;
  /** Whether what is paid beyond what is owed stays in the wallet; else it is refused. */
  restStays: boolean;
}) {
  const { data: after, isPlaceholderData } = useRepaymentPreview(loan.id, cents, surplus);
  if (!after || cents <= 0) return null;
  const { next_due: next, last_due_on: last, saved } = after;
  const rest = isPlaceholderData ? 0 : cents - centsOf(after.amount);
  if (rest > 0 && !restStays) {
    return (
      <p role="status" className="num rounded-box bg-clay-tint px-4 py-3 font-medium text-clay">
        {say('{amount} pays the loan off today. That is more.', { amount: formatShillings(after.amount) })}
      </p>
    );
  }
  return (
    <section
      aria-label={say('After this payment')}
      aria-busy={isPlaceholderData}
      className={`rounded-box bg-paper px-4 py-3 ${isPlaceholderData ? 'opacity-60' : ''}`}
    >
      <h3 className="mb-2 font-semibold">{say('After this payment')}</h3>
      {next === null ? (
        <p className="num">
          {say('Nothing is owed of it any more.')}{' '}
          {rest > 0 && say('{rest} stays in your wallet.', { rest: formatShillings(rest / 100) })}
        </p>
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
