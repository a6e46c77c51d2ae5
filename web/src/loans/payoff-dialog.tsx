import type { LoanDetail, payOffLoan, readPayoff } from '@ushirika/contract/loans';
import type { Receipt } from '@ushirika/contract/receipts';
import type { ReplyOf } from '@ushirika/contract/route';
import { useState } from 'react';
import { call, useIdempotencyKey } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { withProof } from '../api/with-proof.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { type Details, ReceiptCard } from '../receipts/receipt-card.tsx';
import { Button } from '../ui/button.tsx';
import { Facts, FailureState } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { Loading } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { noonOf } from './loan-words.ts';
import { refreshLoans, usePayoff } from './loans.queries.ts';
import { repaymentDetails } from './movements-card.tsx';

interface Paid {
  readonly receipt: Receipt;
  readonly details: Details;
}

/** Paying it off today: what that takes, what it saves, and the button that does it. */
export function PayoffDialog({
  loan,
  onTopUp,
  onClose,
}: {
  loan: LoanDetail;
  onTopUp: () => void;
  onClose: () => void;
}) {
  const [paid, setPaid] = useState<Paid | null>(null);
  const { data: payoff, error, refetch } = usePayoff(loan.id, paid === null);
  return (
    <Dialog title={say('Pay off')} onClose={onClose}>
      {paid ? (
        <>
          <ReceiptCard receipt={paid.receipt} more={paid.details} />
          <Button className="mt-4 w-full" onClick={onClose}>
            {say('Done')}
          </Button>
        </>
      ) : payoff ? (
        <Payoff loan={loan} payoff={payoff} onTopUp={onTopUp} onPaid={setPaid} />
      ) : error ? (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      ) : (
        <Loading label={say('Loading...')} />
      )}
    </Dialog>
  );
}

function Payoff({
  loan,
  payoff,
  onTopUp,
  onPaid,
}: {
  loan: LoanDetail;
  payoff: ReplyOf<typeof readPayoff>;
  onTopUp: () => void;
  onPaid: (paid: Paid) => void;
}) {
  const wallet = useProfile().data?.wallet;
  const { keyFor, settle } = useIdempotencyKey();
  const [busy, setBusy] = useState(false);
  const pay = async () => {
    const body = { amount: payoff.amount };
    const input = { params: { id: loan.id }, body, idempotencyKey: keyFor(body) };
    setBusy(true);
    try {
      const answer = await withProof(() => call<typeof payOffLoan>('POST', '/loans/{id}/payoff', input));
      settle();
      toast.success(answer.message);
      onPaid({ receipt: answer.receipt, details: repaymentDetails(answer.loan, answer.receipt.journal) });
    } catch (error) {
      settle(error);
      if (!(error instanceof CallFailure && error.kind === 'aborted')) toast.error(wordsFor(error));
    } finally {
      setBusy(false);
      // Where the amount has changed in between, the new one is shown.
      await refreshLoans();
    }
  };
  const isShort = wallet !== undefined && wallet.available < payoff.amount;
  return (
    <>
      <p className="text-small text-ink-2">
        {say('Today,')} <LongDate iso={noonOf(payoff.day)} />
      </p>
      <p className="text-head font-bold tracking-tight">
        <Money shillings={payoff.amount} />
      </p>
      {payoff.saved > 0 && (
        <p className="num mt-2 rounded-box bg-forest-tint px-4 py-3 font-medium text-forest">
          {say('You save the interest that would still come:')} <Money shillings={payoff.saved} className="font-bold" />
        </p>
      )}
      <Facts
        facts={[
          [say('What is left of what you borrowed'), <Money key="principal" shillings={payoff.principal} />],
          [say('Interest to this day'), <Money key="interest" shillings={payoff.interest} />],
          ...(payoff.claims > 0
            ? [[say('What others have paid for you'), <Money key="claims" shillings={payoff.claims} />] as const]
            : []),
          ...(payoff.penalty > 0
            ? [[say('Penalty'), <Money key="penalty" shillings={payoff.penalty} />] as const]
            : []),
          ...(wallet ? [[say('In your wallet'), <Money key="free" shillings={wallet.available} />] as const] : []),
        ]}
      />
      <Button
        className="mt-4 w-full"
        busy={busy}
        disabledReason={isShort ? say('There is not enough in your wallet. Top it up first.') : null}
        onClick={() => void pay()}
      >
        {busy ? say('processing...') : say('Pay off from the wallet')}
      </Button>
      {isShort && (
        <>
          <p className="mt-2 text-small font-medium text-clay">
            {say('There is not enough in your wallet. Top it up first.')}
          </p>
          <Button look="line" className="mt-2 w-full" onClick={onTopUp}>
            {say('Top Up')}
          </Button>
        </>
      )}
    </>
  );
}
