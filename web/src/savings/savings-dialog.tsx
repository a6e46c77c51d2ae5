import type { Receipt } from '@ushirika/contract/receipts';
import type { depositSavings } from '@ushirika/contract/savings';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call, useIdempotencyKey } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import { withProof } from '../api/with-proof.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { ReceiptCard } from '../receipts/receipt-card.tsx';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MoneyField } from '../ui/fields.tsx';
import { Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

/** Deposit to savings: from the wallet into the sacco, where it stays until one leaves. Ends in a receipt. */
export function SavingsDialog({
  sacco,
  onTopUp,
  onClose,
}: {
  sacco: { id: string; name: string };
  onTopUp: () => void;
  onClose: () => void;
}) {
  const wallet = useProfile().data?.wallet;
  const { keyFor, settle } = useIdempotencyKey();
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const submit = async ({ amount }: Record<'amount', string>) => {
    const body = { sacco: sacco.id, amount };
    const input = { body, idempotencyKey: keyFor(body) };
    const answer = await withProof(() => call<typeof depositSavings>('POST', '/sacco/savings/deposit', input));
    toast.success(answer.message);
    settle();
    setReceipt(answer.receipt);
    await refresh(['Client']);
  };
  return (
    <Dialog title={say('Deposit to savings')} onClose={onClose}>
      {receipt ? (
        <>
          <ReceiptCard receipt={receipt} />
          <Button className="mt-4 w-full" onClick={onClose}>
            {say('Done')}
          </Button>
        </>
      ) : (
        <>
          <Facts
            facts={[
              [say('Into'), sacco.name],
              ...(wallet ? [[say('In your wallet'), <Money key="free" shillings={wallet.available} />] as const] : []),
            ]}
          />
          <ApiForm<'amount'>
            className="mt-4 grid gap-4"
            required={['amount']}
            emptyMessage={say('All Fields are required')}
            submit={submit}
            settle={settle}
          >
            <MoneyField label={say('Amount')} name="amount" />
            <p className="rounded-box bg-ochre-tint px-4 py-3 text-small font-medium text-ochre-ink">
              {say('Savings in a sacco stay until you leave it: they are paid back 60 days after your notice.')}
            </p>
            <SubmitButton busyLabel={say('processing...')}>{say('Save it')}</SubmitButton>
          </ApiForm>
          <p className="mt-1 text-center">
            <button type="button" className="link min-h-11 cursor-pointer text-small" onClick={onTopUp}>
              {say('Deposit to your wallet')}
            </button>
          </p>
        </>
      )}
    </Dialog>
  );
}
