import { formatShillings } from '@ushirika/contract/format';
import type { Restructure } from '@ushirika/contract/loan-recovery';
import { useState } from 'react';
import { now } from '../clock.ts';
import { Button } from '../ui/button.tsx';
import { Card, Facts } from '../ui/card.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { AgreeDialog, sendAnswer } from './agree-dialog.tsx';
import { isStillAsked } from './loan.rules.ts';
import { monthsInWords, noonOf } from './loan-words.ts';
import { useOfferedSchedule } from './loans.queries.ts';
import { NewScheduleCosts } from './new-schedule-cost.tsx';
import { SureDialog } from './sure-dialog.tsx';

/**
 * A new schedule that is offered for a late loan, with the answer of whoever reads it: its borrower or a guarantor.
 * @param pledged what a guarantor has pledged; left out for the borrower
 * @param onPayFirst for the borrower: pays the overdue interest and the penalty, before which nobody can say yes
 */
export function OfferedSchedule({
  loan,
  pledged,
  onPayFirst,
}: {
  loan: string;
  pledged?: number;
  onPayFirst?: () => void;
}) {
  const offer = useOfferedSchedule(loan).data;
  if (!offer || !isStillAsked(offer, now())) return null;
  return <Offer loan={loan} offer={offer} pledged={pledged} onPayFirst={onPayFirst} />;
}

interface Asked {
  readonly loan: string;
  readonly offer: Restructure;
  readonly pledged: number | undefined;
  readonly onPayFirst: (() => void) | undefined;
}

function Offer({ loan, offer, pledged, onPayFirst }: Asked) {
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
          ...(offer.cost
            ? []
            : ([
                [say('First new instalment due'), <LongDate key="first" iso={noonOf(offer.first_due_on)} />],
                [say('Last instalment due'), <LongDate key="last" iso={noonOf(offer.last_due_on)} />],
              ] as const)),
          [say('Answer by'), <LongDate key="by" iso={offer.answer_by} />],
          [say('Guarantors who agree'), say('{n} of {all}', { n: offer.guarantors_agreed, all: offer.guarantors })],
        ]}
      />
      {offer.cost && (
        <div className="mt-4">
          <h3 className="text-body font-semibold">{say('What it costs')}</h3>
          <NewScheduleCosts cost={offer.cost} />
        </div>
      )}
      <p className="mt-3 max-w-[62ch] text-small text-ink-2">
        {say('It holds once every guarantor and the borrower have agreed. One no, and the old schedule stays.')}{' '}
        {isBorrower
          ? say('You agree last, once the overdue interest and the penalty are paid.')
          : say(
              'If you agree, you stand for the loan as long as the new schedule lasts, with what you have pledged.',
            )}{' '}
        {say('While it waits for answers no savings are taken for this loan.')}
      </p>
      <Answers loan={loan} offer={offer} pledged={pledged} onPayFirst={onPayFirst} />
    </Card>
  );
}

function Answers({ loan, offer, pledged, onPayFirst }: Asked) {
  const [asked, setAsked] = useState<'agree' | 'refuse' | null>(null);
  const onClose = () => setAsked(null);
  const { may } = offer;
  // The borrower's yes puts it in force: what is due besides principal is paid before.
  const first = pledged === undefined ? (offer.cost?.pay_first ?? 0) : 0;
  if (!may.includes('refuse')) {
    return <p className="mt-3 font-medium">{say('You have answered. It waits for the others.')}</p>;
  }
  const waits = offer.dates_moved
    ? say('The dates have moved since it was offered. Your sacco must offer it anew.')
    : say('Your guarantors answer first.');
  const unpaid = say('Pay {amount} first: overdue interest and penalty.', { amount: formatShillings(first) });
  return (
    <>
      {first > 0 && !offer.dates_moved && (
        <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2.5 rounded-box bg-ochre-tint px-4 py-3 text-ochre-ink">
          <p className="num min-w-0 grow basis-56 font-medium">
            {unpaid} {say('Pay exactly that: more would lower the principal, and this offer would end.')}
          </p>
          {onPayFirst && (
            <Button onClick={onPayFirst}>{say('Pay {amount} now', { amount: formatShillings(first) })}</Button>
          )}
        </div>
      )}
      <div className="mt-4 grid gap-2.5 sm:grid-cols-2">
        <Button
          disabledReason={may.includes('agree') ? (first > 0 ? unpaid : null) : waits}
          onClick={() => setAsked('agree')}
        >
          {say('I agree')}
        </Button>
        <Button look="line" onClick={() => setAsked('refuse')}>
          {say('I do not agree')}
        </Button>
      </div>
      {asked === 'agree' && <AgreeDialog loan={loan} offer={offer} pledged={pledged} onClose={onClose} />}
      {asked === 'refuse' && (
        <SureDialog
          title={say('Refuse the new schedule?')}
          act={say('I do not agree')}
          isGrave
          send={() => sendAnswer(loan, { agree: false })}
          onClose={onClose}
        >
          <p>{say('The offer ends for all, and the old schedule stays.')}</p>
        </SureDialog>
      )}
    </>
  );
}
