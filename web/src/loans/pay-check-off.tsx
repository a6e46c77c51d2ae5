import type { MyCheckOff, payCheckOff } from '@ushirika/contract/check-offs';
import { centsOf } from '@ushirika/contract/format';
import type { Receipt } from '@ushirika/contract/receipts';
import { useState } from 'react';
import { call, useIdempotencyKey } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { withProof } from '../api/with-proof.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { paths } from '../paths.ts';
import { ReceiptCard } from '../receipts/receipt-card.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card, Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

/** The payment that waits: the sum, what is in the wallet and what is left of it, and the way to decline. */
export function PayCheckOffCard({
  checkOff,
  onPay,
  onDecline,
}: {
  checkOff: MyCheckOff;
  onPay: () => void;
  onDecline: () => void;
}) {
  const wallet = useProfile().data?.wallet;
  const left = wallet === undefined ? null : centsOf(wallet.available) - centsOf(checkOff.amount);
  return (
    <Card className="min-w-0 p-5">
      <p className="text-small text-ink-2">{say('You are asked to pay')}</p>
      <p className="text-head font-bold tracking-tight">
        <Money shillings={checkOff.amount} />
      </p>
      <Facts
        facts={[
          ...(wallet ? [[say('In your wallet'), <Money key="free" shillings={wallet.available} />] as const] : []),
          ...(left !== null && left >= 0
            ? [[say('Left after it'), <Money key="left" shillings={left / 100} />] as const]
            : []),
          [say('Pay by'), <LongDate key="by" iso={checkOff.expires_at} />],
        ]}
      />
      {left !== null && left < 0 && (
        <div className="mt-3 rounded-box bg-ochre-tint px-4 py-3 text-small font-medium text-ochre-ink">
          <p className="num">
            {say('Your wallet lacks')} <Money shillings={-left / 100} />
          </p>
          <LinkButton look="line" className="mt-2 w-full" to={paths.wallet()}>
            {say('Top Up')}
          </LinkButton>
        </div>
      )}
      <div className="mt-4 grid gap-2.5">
        <Button
          disabledReason={
            left !== null && left < 0 ? say('There is not enough in your wallet. Top it up first.') : null
          }
          onClick={onPay}
        >
          {say('Pay from the wallet')}
        </Button>
        <Button look="line" onClick={onDecline}>
          {say('Decline')}
        </Button>
      </div>
      <p className="mt-3 text-small text-ink-2">
        {say('Pay only what you kept back from these people’s wages. If you do not know the list, decline it.')}
      </p>
    </Card>
  );
}

/** Asks once more, then pays; the receipt stays until it is closed. */
export function PayCheckOffDialog({ checkOff, onClose }: { checkOff: MyCheckOff; onClose: () => void }) {
  const { keyFor, settle } = useIdempotencyKey();
  const [busy, setBusy] = useState(false);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const pay = async () => {
    const body = { amount: checkOff.amount };
    const input = { params: { id: checkOff.id }, body, idempotencyKey: keyFor(body) };
    setBusy(true);
    try {
      const answer = await withProof(() => call<typeof payCheckOff>('POST', '/check-offs/{id}/payment', input));
      settle();
      toast.success(answer.message);
      setReceipt(answer.receipt);
    } catch (error) {
      settle(error);
      if (!(error instanceof CallFailure && error.kind === 'aborted')) toast.error(wordsFor(error));
    } finally {
      setBusy(false);
      await refresh(['Client', 'User']);
    }
  };
  return (
    <Dialog title={receipt ? say('Paid') : say('Pay the check-off?')} onClose={onClose}>
      {receipt ? (
        <>
          <ReceiptCard receipt={receipt} />
          <Button className="mt-4 w-full" onClick={onClose}>
            {say('Done')}
          </Button>
        </>
      ) : (
        <>
          <p>
            {say('From your wallet to {sacco}, which shares it out to the members of the list at once:', {
              sacco: checkOff.sacco.name,
            })}
          </p>
          <p className="mt-2 text-head font-bold tracking-tight">
            <Money shillings={checkOff.amount} />
          </p>
          <p className="mt-2 text-small text-ink-2">{say('It cannot be taken back.')}</p>
          <div className="mt-5 grid gap-2.5 sm:grid-cols-2">
            <Button busy={busy} onClick={() => void pay()}>
              {busy ? say('processing...') : say('Pay now')}
            </Button>
            <Button look="line" onClick={onClose}>
              {say('Not now')}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
