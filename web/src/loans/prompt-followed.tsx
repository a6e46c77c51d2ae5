import { PROMPT_SHOWN_MS } from '@ushirika/contract/constants';
import type { LoanDetail } from '@ushirika/contract/loans';
import type { Deposit } from '@ushirika/contract/wallet';
import { useCallback, useEffect, useState } from 'react';
import { wordsFor } from '../api/failure.ts';
import { now } from '../clock.ts';
import { Button } from '../ui/button.tsx';
import { Facts, FailureState } from '../ui/card.tsx';
import { Money } from '../ui/figures.tsx';
import { Loading } from '../ui/skeleton.tsx';
import { ReceiptOfPayment } from '../wallet/money-receipt.tsx';
import { IfNothingComes, Outcome, WaitingPhone } from '../wallet/waiting.tsx';
import { useDeposit } from '../wallet/wallet.queries.ts';
import { say } from '../words/say.ts';
import { refreshLoans } from './loans.queries.ts';

/** What came into the wallet is paid into the loan by a job that runs each 15 seconds. */
const ASK_AGAIN_MS = 3_000;

const isMovedSince = ({ movements }: Pick<LoanDetail, 'movements'>, at: string | null): boolean =>
  movements.some((movement) => at !== null && Date.parse(movement.at) >= Date.parse(at));

/** A repayment by prompt, waited for with the person until M-Pesa has said what became of it. */
export function FollowedPrompt({
  id,
  loan,
  onAgain,
  onClose,
}: {
  id: string;
  loan: Pick<LoanDetail, 'number' | 'owed' | 'movements'>;
  onAgain: () => void;
  onClose: () => void;
}) {
  const { data: deposit, error, refetch } = useDeposit(id);
  const isPaid = deposit?.status === 'paid';
  const isInLoan = isPaid && isMovedSince(loan, deposit.settled_at);
  useEffect(() => {
    if (!isPaid || isInLoan) return;
    void refreshLoans();
    const asking = setInterval(() => void refreshLoans(), ASK_AGAIN_MS);
    return () => clearInterval(asking);
  }, [isPaid, isInLoan]);
  if (!deposit && error) {
    return <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />;
  }
  if (!deposit) return <Loading label={say('Loading...')} />;
  if (deposit.status === 'pending') return <Pending deposit={deposit} onClose={onClose} />;
  if (isPaid) {
    return (
      <div className="grid gap-5">
        <Outcome tone="good" title={isInLoan ? say('It is paid into your loan') : say('The money is in your wallet')}>
          <Money shillings={deposit.amount} className="text-lead font-semibold text-ink" />
        </Outcome>
        {isInLoan && (
          <Facts
            facts={[
              [say('Loan'), loan.number],
              [say('What you still owe of it'), <Money key="owed" shillings={loan.owed} />],
            ]}
          />
        )}
        <p className="text-small text-ink-2" role="status">
          {isInLoan
            ? say('The money came into your wallet by M-Pesa, and went on to the loan from there.')
            : say('It goes on to the loan in a few seconds. You need not wait here.')}
        </p>
        <ReceiptOfPayment mpesaReceipt={deposit.receipt} />
        <Button onClick={onClose}>{say('Done')}</Button>
      </div>
    );
  }
  return <NotPaid deposit={deposit} onAgain={onAgain} onClose={onClose} />;
}

function Pending({ deposit, onClose }: { deposit: Deposit; onClose: () => void }) {
  const closesAt = Date.parse(deposit.created_at) + PROMPT_SHOWN_MS;
  const [isOver, setOver] = useState(() => closesAt <= now());
  const end = useCallback(() => setOver(true), []);
  return (
    <div className="grid gap-4">
      <WaitingPhone until={closesAt} onEnd={end}>
        <span className="block text-ink-2">M-PESA</span>
        {say('Pay')} <Money shillings={deposit.amount} className="text-small" />
        <span className="mt-0.5 block text-ink-2">{say('Enter M-PESA PIN')}</span>
      </WaitingPhone>
      <div role="status" className="text-center">
        <p className="text-lead font-semibold">
          {isOver ? say('The time for the PIN is over') : say('Waiting for you on your phone')}
        </p>
        <p className="num mt-1 text-ink-2">
          {isOver ? say('We are asking M-Pesa whether it was paid.') : deposit.text}
        </p>
      </div>
      <IfNothingComes
        steps={[
          say('Switch the phone on and wake its screen: the prompt comes to the SIM card, without internet.'),
          say('Close an open call, USSD menu or earlier M-Pesa prompt: only one can be open.'),
          say('When the time is over, ask again from here. Nothing is taken without the PIN.'),
        ]}
      />
      <Button look="soft" onClick={onClose}>
        {say('Wait in the background')}
      </Button>
    </div>
  );
}

function NotPaid({ deposit, onAgain, onClose }: { deposit: Deposit; onAgain: () => void; onClose: () => void }) {
  const inReview = deposit.status === 'review';
  const titles: Partial<Record<Deposit['status'], string>> = {
    cancelled: say('It was cancelled on the phone'),
    expired: say('The time for the PIN is over'),
    review: say('We are looking into it'),
  };
  return (
    <div className="grid gap-5">
      <Outcome tone={inReview ? 'open' : 'bad'} title={titles[deposit.status] ?? say('The payment did not go through')}>
        {deposit.text}
      </Outcome>
      {inReview ? (
        <Button onClick={onClose}>{say('Done')}</Button>
      ) : (
        <Button onClick={onAgain}>{say('Try again')}</Button>
      )}
    </div>
  );
}
