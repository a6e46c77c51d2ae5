import type { Receipt } from '@ushirika/contract/receipts';
import type { Sacco } from '@ushirika/contract/saccos';
import type { payShares } from '@ushirika/contract/shares';
import { useState } from 'react';
import { Link } from 'react-router';
import { ApiForm, sentencesBesideFields } from '../api/api-form.tsx';
import { call, useIdempotencyKey } from '../api/call.ts';
import { wordsOrQuoted } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { useProfile } from '../profile/profile.queries.ts';
import { ReceiptCard } from '../receipts/receipt-card.tsx';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { purchasePreview, shareCount, sharesAmount } from './shares-amount.ts';

type SharesOf = Pick<Sacco, 'id' | 'name' | 'share_value' | 'min_shares'>;

/** Buy Shares: from the sacco itself, at its share value, out of the wallet. Ends in a receipt. */
export function BuySharesDialog({ sacco, onClose }: { sacco: SharesOf; onClose: () => void }) {
  const wallet = useProfile().data?.wallet;
  const { keyFor, settle } = useIdempotencyKey();
  const [typed, setTyped] = useState('');
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const shares = shareCount(typed);

  const submit = async (values: Record<'shares', string>) => {
    const bought = shareCount(values.shares) ?? 0;
    const body = { sacco: sacco.id, shares: bought, amount: sharesAmount(bought, sacco.share_value) };
    const answer = await call<typeof payShares>('POST', '/sacco/members/pay_shares_amount', {
      body,
      idempotencyKey: keyFor(body),
    });
    toast.success(say(answer.message));
    setReceipt(answer.receipt);
    settle();
    await refresh(['Sacco', 'Client', 'User', 'Chart']);
  };

  if (receipt) {
    return (
      <Dialog title={say('Buy Shares')} onClose={onClose}>
        <ReceiptCard receipt={receipt} />
        <Button className="mt-4 w-full" onClick={onClose}>
          {say('Done')}
        </Button>
      </Dialog>
    );
  }
  return (
    <Dialog title={say('Buy Shares')} onClose={onClose}>
      <p className="mb-1 text-lead font-semibold">{sacco.name}</p>
      <Facts
        facts={[
          [say('Share value'), <Money key="value" shillings={sacco.share_value} />],
          ...(wallet ? [[say('In your wallet'), <Money key="wallet" shillings={wallet.available} />] as const] : []),
        ]}
      />
      <ApiForm<'shares'>
        className="mt-4 grid gap-4"
        required={['shares']}
        emptyMessage={say('Shares field is required')}
        check={(values) => (shareCount(values.shares) ? null : wholeNumberAsked())}
        submit={submit}
        settle={settle}
        explain={(error) => ({ toasts: [wordsOrQuoted(error)], fields: sentencesBesideFields(error) })}
      >
        <TextField
          label={say('Shares')}
          name="shares"
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          hint={say('The first purchase is at least {n} shares.', { n: formatCount(sacco.min_shares) })}
        />
        <p role="status" className="num rounded-box bg-forest-tint px-4 py-3 text-forest empty:hidden">
          {shares && purchasePreview(shares, sacco.share_value)}
        </p>
        <SubmitButton busyLabel={say('processing...')}>{say('Buy Shares')}</SubmitButton>
      </ApiForm>
      <p className="mt-1 text-center">
        <Link to={paths.topUp()} className="link inline-flex min-h-11 items-center text-small">
          {say('Deposit to your wallet')}
        </Link>
      </p>
    </Dialog>
  );
}

function wholeNumberAsked() {
  const sentence = say('Enter a whole number of shares.');
  return { toasts: [sentence], fields: { shares: sentence } };
}
