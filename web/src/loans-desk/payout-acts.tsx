import { centsOf } from '@ushirika/contract/format';
import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { type ReactNode, useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { longDateTime } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { Barred } from './barred.tsx';
import { Fingerprint } from './fingerprint.tsx';
import { refreshDesk, sendCheck, sendOrder } from './loans-desk.queries.ts';
import { UnseenCard } from './unseen-card.tsx';
import { useAct } from './use-act.ts';

/** The order that an accepted loan be paid out. It moves nothing by itself. */
export function OrderForm({ loan }: { loan: DeskLoanDetail }) {
  const [isAsked, setAsked] = useState(false);
  const barred = loan.may.includes('disburse') ? null : (loan.barred ?? say('Two officials pay a loan out.'));
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Order the payout')}</h2>
      <p className="mt-1 text-small text-ink-2">
        {say('Nothing moves yet: another official checks it first. The borrower has accepted these terms.')}
      </p>
      <Barred words={barred} />
      <WhatMoves loan={loan} />
      <Button className="mt-4 w-full" disabledReason={barred} onClick={() => setAsked(true)}>
        {say('Order the payout')}
      </Button>
      <Fingerprint hash={loan.key_facts.hash} />
      {isAsked && <OrderDialog loan={loan} onClose={() => setAsked(false)} />}
    </Card>
  );
}

function OrderDialog({ loan, onClose }: { loan: DeskLoanDetail; onClose: () => void }) {
  return (
    <MovesDialog
      loan={loan}
      title={say('Order this payout?')}
      words={say('Another official is asked to check it. Only then does money move.')}
      button={say('Order the payout')}
      act={() => sendOrder(loan.id, loan.key_facts.hash)}
      onClose={onClose}
    />
  );
}

/** The second official: pays out, at once and for good, or refuses with a reason. */
export function CheckForm({ loan }: { loan: DeskLoanDetail }) {
  const [asked, setAsked] = useState<'pay' | 'refuse' | null>(null);
  const { disbursement } = loan;
  const barred = loan.may.includes('check') ? null : (loan.barred ?? say('Another official checks the payout.'));
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Check the payout')}</h2>
      {disbursement && (
        <p className="num mt-1 text-small text-ink-2">
          {say('Ordered by {name}, {time}.', {
            name: disbursement.ordered_by.name,
            time: longDateTime(disbursement.ordered_at),
          })}
        </p>
      )}
      <Barred words={barred ?? loan.second_account} />
      <WhatMoves loan={loan} />
      <div className="mt-4 grid gap-2.5">
        <Button disabledReason={barred ?? loan.second_account} onClick={() => setAsked('pay')}>
          {say('Pay out')}
        </Button>
        <Button look="line" disabledReason={barred} onClick={() => setAsked('refuse')}>
          {say('Refuse')}
        </Button>
      </div>
      <Fingerprint hash={loan.key_facts.hash} />
      {asked === 'pay' && <PayDialog loan={loan} onClose={() => setAsked(null)} />}
      {asked === 'refuse' && <RefuseDialog loan={loan} onClose={() => setAsked(null)} />}
    </Card>
  );
}

/** Each movement that the payout makes, from where to where. */
function WhatMoves({ loan: { key_facts: facts, pay_to, refinances, borrower } }: { loan: DeskLoanDetail }) {
  const restCents = centsOf(facts.paid_out) - centsOf(refinances?.owed ?? 0) - centsOf(facts.pool_fee);
  const moves: [ReactNode, number][] = [
    [say('The sacco lends'), facts.amount],
    [say('Fee, kept by the sacco'), -facts.fee],
    ...(refinances
      ? ([[say('Pays off loan {number}', { number: refinances.number }), -refinances.owed]] as [ReactNode, number][])
      : []),
    ...(facts.pool_fee > 0 ? ([[say('Fee of the guarantor pool'), -facts.pool_fee]] as [ReactNode, number][]) : []),
  ];
  return (
    <div className="num mt-3 rounded-box bg-sunken px-4 py-3">
      <p className="font-semibold">{say('What moves')}</p>
      <dl className="mt-1 grid gap-1">
        {moves.map(([words, amount], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed
          <div key={index} className="flex flex-wrap justify-between gap-x-4">
            <dt>{words}</dt>
            <dd>
              <Money shillings={amount} />
            </dd>
          </div>
        ))}
        <div className="mt-1 flex flex-wrap justify-between gap-x-4 border-t border-line-strong pt-1.5 font-semibold">
          <dt>
            {pay_to === 'mpesa'
              ? say('To {name} by M-Pesa', { name: borrower.name })
              : say('To the wallet of {name}', { name: borrower.name })}
          </dt>
          <dd>
            <Money shillings={restCents / 100} />
          </dd>
        </div>
      </dl>
    </div>
  );
}

function PayDialog({ loan, onClose }: { loan: DeskLoanDetail; onClose: () => void }) {
  return (
    <MovesDialog
      loan={loan}
      title={say('Pay this loan out?')}
      words={say('The money moves at once and cannot be called back. All pledges are bound until it is repaid.')}
      button={say('Pay out')}
      act={() => sendCheck(loan.id, { decision: 'pay', terms_hash: loan.key_facts.hash })}
      onClose={onClose}
    />
  );
}

/** Asks once more before an act of the payout, with all that it moves. */
function MovesDialog({
  loan,
  title,
  words,
  button,
  act,
  onClose,
}: {
  loan: DeskLoanDetail;
  title: string;
  words: string;
  button: string;
  act: Parameters<ReturnType<typeof useAct>['run']>[0];
  onClose: () => void;
}) {
  const { busy, run } = useAct();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{words}</p>
      <UnseenCard loan={loan} />
      <WhatMoves loan={loan} />
      <div className="mt-5 grid gap-2.5 sm:grid-cols-2">
        <Button busy={busy} onClick={() => void run(act, onClose)}>
          {busy ? say('processing...') : button}
        </Button>
        <Button look="line" onClick={onClose}>
          {say('Not now')}
        </Button>
      </div>
    </Dialog>
  );
}

function RefuseDialog({ loan, onClose }: { loan: DeskLoanDetail; onClose: () => void }) {
  const submit = async ({ reason }: Record<'reason', string>) => {
    const answer = await sendCheck(loan.id, { decision: 'refuse', reason, terms_hash: loan.key_facts.hash });
    toast.success(answer.message);
    onClose();
    await refreshDesk();
  };
  return (
    <Dialog title={say('Refuse the payout?')} onClose={onClose}>
      <ApiForm<'reason'>
        keptAs={`payout refusal ${loan.id}`}
        required={['reason']}
        emptyMessage={say('Say why.')}
        submit={submit}
      >
        <p className="text-ink-2">{say('Nothing moves. The loan goes back to the treasurer, who is told why.')}</p>
        <TextArea label={say('Reason')} name="reason" required maxLength={500} hint={say('Kept with your name.')} />
        <SubmitButton busyLabel={say('processing...')} look="clay">
          {say('Refuse')}
        </SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
