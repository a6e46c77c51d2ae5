import type { LoanDetail, setStandingRepayment } from '@ushirika/contract/loans';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { withProof } from '../api/with-proof.ts';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { noonOf } from './loan-words.ts';
import { SureDialog } from './sure-dialog.tsx';

/** Whether the wallet pays each instalment by itself; switched once the borrower has seen the next sum and its day. */
export function StandingRepayment({ loan }: { loan: LoanDetail }) {
  const [isAsked, setAsked] = useState(false);
  const isOn = loan.standing_repayment;
  const onWords = say('Each instalment goes from your wallet on its day, or what is there of it.');
  const offWords = say(
    'Each instalment would go from your wallet on its day, or what is there of it. You can end it at any time.',
  );
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-dashed border-line pt-4">
      <div className="min-w-0 grow basis-48">
        <p className="font-semibold">{isOn ? say('Paid by itself') : say('Pay by itself')}</p>
        <p className="text-small text-ink-2">{isOn ? onWords : offWords}</p>
      </div>
      <Button look={isOn ? 'line' : 'soft'} onClick={() => setAsked(true)}>
        {isOn ? say('End it') : say('Switch on')}
      </Button>
      {isAsked && <Sure loan={loan} onClose={() => setAsked(false)} />}
    </div>
  );
}

function Sure({ loan, onClose }: { loan: LoanDetail; onClose: () => void }) {
  // The question stays as it was asked while the answer changes the loan.
  const [isOn] = useState(loan.standing_repayment);
  const next = loan.next_due;
  const send = () =>
    withProof(
      () =>
        call<typeof setStandingRepayment>('PUT', '/loans/{id}/standing-repayment', {
          params: { id: loan.id },
          body: { is_on: !isOn },
        }),
      say('You signed in a while ago. Enter your password once more before this is changed.'),
    );
  return (
    <SureDialog
      title={isOn ? say('Pay this loan yourself from now on?') : say('Let your wallet pay this loan?')}
      act={isOn ? say('End it') : say('Switch on')}
      send={send}
      onClose={onClose}
    >
      <p>
        {isOn
          ? say('Nothing goes from your wallet to this loan by itself any more. An instalment that you forget is late.')
          : say('Each instalment goes from your wallet on its day, or what is there of it.')}
      </p>
      {next && (
        <Facts
          facts={[
            [say('The next instalment'), <Money key="sum" shillings={next.amount} />],
            [isOn ? say('You pay it by') : say('It goes on'), <LongDate key="day" iso={noonOf(next.date)} />],
          ]}
        />
      )}
    </SureDialog>
  );
}
