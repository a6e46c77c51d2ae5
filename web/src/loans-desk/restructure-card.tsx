import type { Restructure } from '@ushirika/contract/loan-recovery';
import type { DeskLoanDetail } from '@ushirika/contract/loans';
import type { Office } from '@ushirika/contract/route';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { Button } from '../ui/button.tsx';
import { Card, Facts, Tag } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea, TextField } from '../ui/fields.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import type { AtDesk } from './desk-frame.tsx';
import { refreshDesk, sendRestructure, takeRestructureBack } from './loans-desk.queries.ts';
import { useAct } from './use-act.ts';
import { whyNotMine } from './why-not.ts';

/** As the contract has it for `proposeRestructure`. */
const OFFERERS: readonly Office[] = ['chair', 'vice_chair', 'treasurer', 'manager', 'credit_committee'];

/** A new schedule for what is owed: offered by an official, and in force once borrower and guarantors have all agreed. */
export function RestructureCard({
  loan,
  restructure,
  at,
}: {
  loan: DeskLoanDetail;
  restructure: Restructure | null;
  at: AtDesk;
}) {
  const [isAsked, setAsked] = useState(false);
  const isOpen = restructure?.state === 'proposed';
  const mayOffer = loan.state === 'in_arrears' || loan.state === 'defaulted';
  if (!restructure && !mayOffer) return null;
  const reason = whyNotMine(loan.borrower.id, OFFERERS, at);
  return (
    <Card className="min-w-0 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-lead">{say('A new schedule')}</h2>
          <p className="mt-1 max-w-[60ch] text-small text-ink-2">
            {say('It holds once the borrower and every guarantor have agreed. Until then the old one does.')}
          </p>
        </div>
        {!isOpen && mayOffer && (
          <Button look="line" disabledReason={reason} onClick={() => setAsked(true)}>
            {say('Offer a new schedule')}
          </Button>
        )}
      </div>
      {restructure && <Offer loan={loan} restructure={restructure} reason={reason} />}
      {isAsked && <OfferDialog loan={loan} onClose={() => setAsked(false)} />}
    </Card>
  );
}

const tones = { proposed: 'ochre', in_force: 'forest', refused: 'clay', withdrawn: 'plain', lapsed: 'plain' } as const;

function Offer({
  loan,
  restructure,
  reason,
}: {
  loan: DeskLoanDetail;
  restructure: Restructure;
  reason: string | null;
}) {
  const { busy, run } = useAct();
  return (
    <div className="mt-3">
      <Tag tone={tones[restructure.state]}>{offerWords(restructure.state)}</Tag>
      <Facts
        facts={[
          [say('New schedule'), say('{n, plural, one {1 month} other {# months}}', { n: restructure.months })],
          [say('Largest instalment'), <Money key="instalment" shillings={restructure.instalment} />],
          [say('First instalment due'), <LongDate key="first" iso={restructure.first_due_on} />],
          [
            say('Agreed'),
            `${restructure.borrower_agreed ? say('the borrower') : say('not the borrower yet')}, ${say('{n} of {all} guarantors', { n: restructure.guarantors_agreed, all: restructure.guarantors })}`,
          ],
        ]}
      />
      <p className="mt-2 break-words">{restructure.reason}</p>
      {restructure.state === 'proposed' && (
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <Button
            look="line"
            busy={busy}
            disabledReason={reason}
            onClick={() => void run(() => takeRestructureBack(loan.id))}
          >
            {say('Take it back')}
          </Button>
          <p className="num text-small text-ink-2">
            {say('They answer by {day}.', { day: longDate(restructure.answer_by) })}
          </p>
        </div>
      )}
    </div>
  );
}

function offerWords(state: Restructure['state']): string {
  const words: Record<Restructure['state'], string> = {
    proposed: say('Waits for their answers'),
    in_force: say('In force'),
    refused: say('Refused'),
    withdrawn: say('Taken back'),
    lapsed: say('Lapsed'),
  };
  return words[state];
}

function OfferDialog({ loan, onClose }: { loan: DeskLoanDetail; onClose: () => void }) {
  const submit = async ({ months, reason }: Record<'months' | 'reason', string>) => {
    const answer = await sendRestructure(loan.id, { months, reason });
    toast.success(answer.message);
    onClose();
    await refreshDesk();
  };
  return (
    <Dialog title={say('Offer a new schedule')} onClose={onClose}>
      <ApiForm<'months' | 'reason'>
        required={['months', 'reason']}
        emptyMessage={say('Enter the months, and say why.')}
        submit={submit}
      >
        <p className="text-ink-2">
          {say(
            'For the principal that is owed, at the rate that the loan has. Nothing changes before all have agreed.',
          )}
        </p>
        <TextField
          label={say('Months from now')}
          name="months"
          required
          inputMode="numeric"
          className="num"
          hint={say('120 at most.')}
        />
        <TextArea
          label={say('Reason')}
          name="reason"
          required
          maxLength={500}
          hint={say('The borrower and the guarantors read it.')}
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Send the offer')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
