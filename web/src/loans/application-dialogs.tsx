import { centsOf } from '@ushirika/contract/format';
import type { acceptLoan, changeLoan, LoanDetail, submitLoan, withdrawLoan } from '@ushirika/contract/loans';
import { useState } from 'react';
import { ApiForm, explainFailure } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { CallFailure } from '../api/failure.ts';
import { withProof } from '../api/with-proof.ts';
import { ConfirmPhone } from '../identity/confirm-phone-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MoneyField, SelectField, TextArea, TextField } from '../ui/fields.tsx';
import { Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { KeyFactsSheet } from './key-facts.tsx';
import { typedCents } from './loan.rules.ts';
import { refreshLoans } from './loans.queries.ts';
import { SureDialog } from './sure-dialog.tsx';

/** Hands the application to the committee. */
export function SubmitDialog({ loan, onClose }: { loan: LoanDetail; onClose: () => void }) {
  const send = () =>
    withProof(
      () => call<typeof submitLoan>('POST', '/loans/{id}/submission', { params: { id: loan.id } }),
      say('You signed in a while ago. Enter your password once more before you send the application.'),
    );
  return (
    <SureDialog title={say('Send it to the committee?')} act={say('Send it')} send={send} onClose={onClose}>
      <p>{say('The committee decides within 14 days. You can take the application back until it is paid out.')}</p>
      {loan.cover.own > 0 && (
        <p className="mt-2">
          {say('Of your own savings this is held from now on:')}{' '}
          <Money shillings={loan.cover.own} className="font-semibold" />
        </p>
      )}
    </SureDialog>
  );
}

/** Takes the application back. */
export function WithdrawDialog({ loan, onClose }: { loan: LoanDetail; onClose: () => void }) {
  const send = () => call<typeof withdrawLoan>('POST', '/loans/{id}/withdrawal', { params: { id: loan.id } });
  return (
    <SureDialog
      title={say('Take the application back?')}
      act={say('Take it back')}
      isGrave
      send={send}
      onClose={onClose}
    >
      <p>{say('Your guarantors are told, and all that was pledged is free again. You can apply anew at any time.')}</p>
    </SureDialog>
  );
}

type Changed = 'amount' | 'months' | 'purpose' | 'net_income';

/** Changes what was applied for. Whoever has signed for the old terms is asked again. */
export function ChangeDialog({ loan, onClose }: { loan: LoanDetail; onClose: () => void }) {
  const isSigned = loan.guarantees.some(({ kind, state }) => kind !== 'self' && state === 'accepted');
  const submit = async ({ amount, months, purpose, net_income }: Record<Changed, string>) => {
    const answer = await call<typeof changeLoan>('PUT', '/loans/{id}', {
      params: { id: loan.id },
      body: { amount, months, purpose, net_income },
    });
    toast.success(answer.message);
    onClose();
    await refreshLoans();
  };
  return (
    <Dialog title={say('Change the application')} onClose={onClose}>
      <ApiForm<Changed>
        keptAs={`loan change ${loan.id}`}
        required={['amount', 'months', 'purpose', 'net_income']}
        emptyMessage={say('All Fields are required')}
        submit={submit}
      >
        {isSigned && (
          <p className="rounded-box bg-ochre-tint px-4 py-3 text-small font-medium text-ochre-ink">
            {say('Guarantors have signed for the terms as they are. With another amount or time they sign again.')}
          </p>
        )}
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <MoneyField label={say('Amount')} name="amount" defaultValue={typedCents(centsOf(loan.amount))} />
          <TextField
            label={say('Months')}
            name="months"
            inputMode="numeric"
            autoComplete="off"
            className="num"
            defaultValue={loan.months}
          />
        </div>
        <TextArea
          label={say('What is the loan for?')}
          name="purpose"
          rows={3}
          maxLength={500}
          defaultValue={loan.purpose}
        />
        <MoneyField
          label={say('What is left of your income each month?')}
          name="net_income"
          defaultValue={typedCents(centsOf(loan.net_income))}
          hint={say('After tax and what you pay already, before this loan. The instalments may take two thirds of it.')}
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Change it')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}

/** The key facts, and the borrower's signature under exactly these. */
export function AcceptDialog({ loan, onClose }: { loan: LoanDetail; onClose: () => void }) {
  const [isUnconfirmed, setUnconfirmed] = useState(false);
  const submit = async ({ pay_to }: Record<'pay_to', string>) => {
    const body = { terms_hash: loan.key_facts.hash, pay_to: pay_to === 'mpesa' ? 'mpesa' : 'wallet' } as const;
    const answer = await withProof(
      () => call<typeof acceptLoan>('POST', '/loans/{id}/acceptance', { params: { id: loan.id }, body }),
      say('You signed in a while ago. Enter your password once more before you accept the loan.'),
    );
    toast.success(answer.message);
    onClose();
    await refreshLoans();
  };
  const explain = (error: unknown) => {
    const code = error instanceof CallFailure ? error.code : '';
    if (code === 'loan_terms_changed' || code === 'loan_conflict') void refreshLoans();
    if (code !== 'phone_unconfirmed') return explainFailure(error);
    setUnconfirmed(true);
    return { toasts: [] };
  };
  return (
    <Dialog title={say('Key facts')} onClose={onClose}>
      {isUnconfirmed ? (
        <div className="grid gap-4">
          <p className="rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
            {say('Confirm your phone first, once. Then accept the loan.')}
          </p>
          <ConfirmPhone onDone={() => setUnconfirmed(false)} />
        </div>
      ) : (
        <>
          <p className="text-ink-2">
            {say('This is what you sign. Once it is paid out you owe it, whatever happens.')}
          </p>
          <KeyFactsSheet facts={loan.key_facts} />
          <ApiForm<'pay_to'>
            className="mt-4 grid gap-4"
            required={['pay_to']}
            emptyMessage={say('Choose where the money goes.')}
            submit={submit}
            explain={explain}
          >
            <SelectField label={say('Where the money goes')} name="pay_to" defaultValue="wallet">
              <option value="wallet">{say('Into my wallet here')}</option>
              <option value="mpesa">{say('To my phone by M-Pesa')}</option>
            </SelectField>
            <SubmitButton busyLabel={say('processing...')}>{say('Accept these terms')}</SubmitButton>
          </ApiForm>
        </>
      )}
    </Dialog>
  );
}
