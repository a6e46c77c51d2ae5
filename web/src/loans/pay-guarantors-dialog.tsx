import type { payGuarantors } from '@ushirika/contract/loan-recovery';
import type { LoanDetail } from '@ushirika/contract/loans';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call, useIdempotencyKey } from '../api/call.ts';
import { withProof } from '../api/with-proof.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MoneyField } from '../ui/fields.tsx';
import { Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { typedCents } from './loan.rules.ts';
import { refreshLoans } from './loans.queries.ts';

/** Paying guarantors of a closed loan back from the wallet, what they have paid for it. */
export function PayGuarantorsDialog({ loan, onClose }: { loan: LoanDetail; onClose: () => void }) {
  const wallet = useProfile().data?.wallet;
  const { keyFor, settle } = useIdempotencyKey();
  const owed = loan.guarantees.reduce(
    (sum, { kind, claim }) => sum + (kind === 'member' ? Math.round(claim * 100) : 0),
    0,
  );
  const [typed, setTyped] = useState(typedCents(owed));
  const submit = async ({ amount }: Record<'amount', string>) => {
    const body = { amount };
    const input = { params: { id: loan.id }, body, idempotencyKey: keyFor(body) };
    const answer = await withProof(() => call<typeof payGuarantors>('POST', '/loans/{id}/guarantors-refund', input));
    toast.success(answer.message);
    settle();
    onClose();
    await refreshLoans();
  };
  return (
    <Dialog title={say('Pay your guarantors back')} onClose={onClose}>
      <Facts
        facts={[
          [say('You owe them'), <Money key="owed" shillings={owed / 100} />],
          ...(wallet ? [[say('In your wallet'), <Money key="free" shillings={wallet.available} />] as const] : []),
        ]}
      />
      <ApiForm<'amount'>
        className="mt-4 grid gap-4"
        required={['amount']}
        emptyMessage={say('Enter an amount.')}
        submit={submit}
        settle={settle}
      >
        <MoneyField
          label={say('Amount')}
          name="amount"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <p className="text-small text-ink-2">{say('Each gets a part of it, by what they are owed.')}</p>
        <SubmitButton busyLabel={say('processing...')}>{say('Pay from the wallet')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
