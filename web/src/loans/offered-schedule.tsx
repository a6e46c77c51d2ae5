import type { answerRestructure, Restructure } from '@ushirika/contract/loan-recovery';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { withProof } from '../api/with-proof.ts';
import { now } from '../clock.ts';
import { Button } from '../ui/button.tsx';
import { Card, Facts } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { isStillAsked } from './loan.rules.ts';
import { monthsInWords, noonOf } from './loan-words.ts';
import { useOfferedSchedule } from './loans.queries.ts';
import { SureDialog } from './sure-dialog.tsx';
import { useAct } from './use-act.ts';

/**
 * A new schedule that is offered for a late loan, with the answer of whoever reads it: its borrower or a guarantor.
 * @param pledged what a guarantor has pledged; left out for the borrower
 */
export function OfferedSchedule({ loan, pledged }: { loan: string; pledged?: number }) {
  const offer = useOfferedSchedule(loan).data;
  if (!offer || !isStillAsked(offer, now())) return null;
  return <Offer loan={loan} offer={offer} pledged={pledged} />;
}

function Offer({ loan, offer, pledged }: { loan: string; offer: Restructure; pledged: number | undefined }) {
  const isBorrower = pledged === undefined;
  return (
    <Card className="min-w-0 p-5">
      <h2 className="text-lead">{say('A new schedule is offered')}</h2>
      <p className="mt-1 max-w-[62ch] break-words text-ink-2">{offer.reason}</p>
      <Facts
        facts={[
          [say('Principal'), <Money key="principal" shillings={offer.principal} />],
          [say('New schedule'), monthsInWords(offer.months)],
          [say('Largest instalment'), <Money key="instalment" shillings={offer.instalment} />],
          [say('First instalment due'), <LongDate key="first" iso={noonOf(offer.first_due_on)} />],
          [say('Last instalment due'), <LongDate key="last" iso={noonOf(offer.last_due_on)} />],
          [say('Answer by'), <LongDate key="by" iso={offer.answer_by} />],
          [say('Guarantors who agree'), say('{n} of {all}', { n: offer.guarantors_agreed, all: offer.guarantors })],
        ]}
      />
      <p className="mt-3 max-w-[62ch] text-small text-ink-2">
        {say('It holds once every guarantor and the borrower have agreed. One no, and the old schedule stays.')}{' '}
        {isBorrower
          ? say('You agree last, once the overdue interest and the penalty are paid.')
          : say('If you agree, you stand for the loan as long as the new schedule lasts, with what you have pledged.')}
      </p>
      <Answers loan={loan} offer={offer} />
    </Card>
  );
}

function Answers({ loan, offer }: { loan: string; offer: Restructure }) {
  const [isRefusing, setRefusing] = useState(false);
  const { busy, act } = useAct();
  const { may } = offer;
  if (!may.includes('refuse')) {
    return <p className="mt-3 font-medium">{say('You have answered. It waits for the others.')}</p>;
  }
  const waits = offer.dates_moved
    ? say('The dates have moved since it was offered. Your sacco must offer it anew.')
    : say('Your guarantors answer first.');
  return (
    <>
      <div className="mt-4 grid gap-2.5 sm:grid-cols-2">
        <Button
          busy={busy}
          disabledReason={may.includes('agree') ? null : waits}
          onClick={() => void act(() => sendAnswer(loan, true))}
        >
          {busy ? say('processing...') : say('I agree')}
        </Button>
        <Button look="line" onClick={() => setRefusing(true)}>
          {say('I do not agree')}
        </Button>
      </div>
      {isRefusing && (
        <SureDialog
          title={say('Refuse the new schedule?')}
          act={say('I do not agree')}
          isGrave
          send={() => sendAnswer(loan, false)}
          onClose={() => setRefusing(false)}
        >
          <p>{say('The offer ends for all, and the old schedule stays.')}</p>
        </SureDialog>
      )}
    </>
  );
}

const sendAnswer = (id: string, agree: boolean) =>
  withProof(() =>
    call<typeof answerRestructure>('POST', '/loans/{id}/restructure', { params: { id }, body: { agree } }),
  );
