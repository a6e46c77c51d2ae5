import type { LoanRecovery, Restructure } from '@ushirika/contract/loan-recovery';
import type { DeskLoanDetail } from '@ushirika/contract/loans';
import type { Office } from '@ushirika/contract/route';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { wordsFor } from '../api/failure.ts';
import { noonOf } from '../loans/loan-words.ts';
import { NewScheduleCosts } from '../loans/new-schedule-cost.tsx';
import { Button } from '../ui/button.tsx';
import { Card, Facts, Tag } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea, TextField } from '../ui/fields.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { FoldedPart } from '../ui/fold.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import type { AtDesk } from './desk-frame.tsx';
import {
  confirmSchedule,
  refreshDesk,
  sendRestructure,
  takeRestructureBack,
  useNewScheduleQuote,
} from './loans-desk.queries.ts';
import { useAct } from './use-act.ts';
import { whyNotMine } from './why-not.ts';

/** As the contract has it for `proposeRestructure`. */
const OFFERERS: readonly Office[] = ['chair', 'vice_chair', 'treasurer', 'manager', 'credit_committee'];

/** A new schedule for what is owed: two officials offer it, and it is in force once borrower and guarantors have all agreed. */
export function RestructureCard({ loan, recovery, at }: { loan: DeskLoanDetail; recovery: LoanRecovery; at: AtDesk }) {
  const [isAsked, setAsked] = useState(false);
  const { restructure } = recovery;
  const isOpen = restructure?.state === 'proposed' || restructure?.state === 'unconfirmed';
  const mayOffer = loan.state === 'in_arrears' || loan.state === 'defaulted';
  if (!restructure && !mayOffer) return null;
  const reason = whyNotMine(loan.borrower.id, OFFERERS, at);
  const waits = reason ?? recovery.restructure_barred;
  return (
    <Card className="min-w-0 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-lead">{say('A new schedule')}</h2>
          <p className="mt-1 max-w-[60ch] text-small text-ink-2">
            {say(
              'Two officials offer it. It holds once the borrower and every guarantor have agreed. Until then the old one does.',
            )}{' '}
            {say('The loan’s class gets no better by it for 90 days.')}
          </p>
        </div>
        {!isOpen && mayOffer && (
          <Button look="line" disabledReason={waits} onClick={() => setAsked(true)}>
            {say('Offer a new schedule')}
          </Button>
        )}
      </div>
      {restructure && <Offer loan={loan} restructure={restructure} reason={reason} waits={waits} at={at} />}
      {isAsked && (
        <OfferDialog
          loan={loan}
          sacco={at.sacco.id}
          longest={recovery.restructure_months}
          onClose={() => setAsked(false)}
        />
      )}
    </Card>
  );
}

const tones = {
  unconfirmed: 'ochre',
  proposed: 'ochre',
  in_force: 'forest',
  refused: 'clay',
  withdrawn: 'plain',
  lapsed: 'plain',
} as const;

function Offer({
  loan,
  restructure,
  reason,
  waits,
  at,
}: {
  loan: DeskLoanDetail;
  restructure: Restructure;
  reason: string | null;
  /** Why it is not proposed or confirmed now. */
  waits: string | null;
  at: AtDesk;
}) {
  return (
    <div className="mt-3">
      <Tag tone={tones[restructure.state]}>{offerWords(restructure.state)}</Tag>
      <Facts
        facts={[
          [say('New schedule'), say('{n, plural, one {1 month} other {# months}}', { n: restructure.months })],
          [say('Largest instalment'), <Money key="instalment" shillings={restructure.instalment} />],
          ...(restructure.cost
            ? []
            : ([
                [say('First new instalment due'), <LongDate key="first" iso={noonOf(restructure.first_due_on)} />],
                [say('Last instalment due'), <LongDate key="last" iso={noonOf(restructure.last_due_on)} />],
              ] as const)),
          [say('Proposed by'), restructure.proposed_by?.name ?? ''],
          ...(restructure.confirmed_by
            ? [[say('Confirmed by'), restructure.confirmed_by.name] as [string, string]]
            : []),
          [
            say('Agreed'),
            `${restructure.borrower_agreed ? say('the borrower') : say('not the borrower yet')}, ${say('{n} of {all} guarantors', { n: restructure.guarantors_agreed, all: restructure.guarantors })}`,
          ],
        ]}
      />
      <p className="mt-2 break-words">{restructure.reason}</p>
      {restructure.cost && (
        <FoldedPart title={say('What it costs')} sum={<Money shillings={restructure.cost.to_pay_new} />}>
          <NewScheduleCosts cost={restructure.cost} />
        </FoldedPart>
      )}
      {restructure.state === 'proposed' && (
        <p className="mt-2 text-small text-ink-2">
          {say(
            'While it waits for answers no savings are taken for this loan. Take it back to go on with the recovery.',
          )}
        </p>
      )}
      {(restructure.state === 'unconfirmed' || restructure.state === 'proposed') && (
        <OfferActs loan={loan} restructure={restructure} reason={reason} waits={waits} at={at} />
      )}
    </div>
  );
}

/** A second official confirms; the proposer takes it back, or another official ends it. */
function OfferActs({ loan, restructure, reason, waits, at }: Parameters<typeof Offer>[0]) {
  const { busy, run } = useAct();
  const isUnconfirmed = restructure.state === 'unconfirmed';
  const isMine = restructure.proposed_by?.id === at.me;
  const isConfirmedByMe = restructure.confirmed_by?.id === at.me;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      {isUnconfirmed && !isMine && (
        <Button
          busy={busy}
          disabledReason={
            waits ?? (restructure.may.includes('confirm') ? null : say('Another official must confirm it.'))
          }
          onClick={() => void run(() => confirmSchedule(loan.id, { months: String(restructure.months) }))}
        >
          {say('Confirm and ask them')}
        </Button>
      )}
      <Button
        look="line"
        busy={busy}
        disabledReason={
          reason ?? (restructure.may.includes('withdraw') ? null : whyNotEnded(isUnconfirmed || isConfirmedByMe))
        }
        onClick={() => void run(() => takeRestructureBack(loan.id))}
      >
        {isUnconfirmed && !isMine ? say('Do not offer it') : say('Take it back')}
      </Button>
      <p className="num text-small text-ink-2">
        {isUnconfirmed
          ? say('A second official confirms it by {day}. The borrower and the guarantors are not told before.', {
              day: longDate(restructure.answer_by),
            })
          : restructure.dates_moved
            ? say(
                'A month of the loan has ended since it was confirmed, and its dates have moved. Take it back, and offer it anew.',
              )
            : say('They answer by {day}.', { day: longDate(restructure.answer_by) })}
      </p>
    </div>
  );
}

const whyNotEnded = (mightElse: boolean): string =>
  mightElse
    ? say('You have ended two offers of others for this loan lately. Another official may end this one.')
    : say('Only those who proposed or confirmed it take it back.');

function offerWords(state: Restructure['state']): string {
  const words: Record<Restructure['state'], string> = {
    unconfirmed: say('Waits for a second official'),
    proposed: say('Waits for their answers'),
    in_force: say('In force'),
    refused: say('Refused'),
    withdrawn: say('Taken back'),
    lapsed: say('Lapsed'),
  };
  return words[state];
}

function OfferDialog({
  loan,
  sacco,
  longest,
  onClose,
}: {
  loan: DeskLoanDetail;
  sacco: string;
  longest: number;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const submit = async ({ months, reason }: Record<'months' | 'reason', string>) => {
    const answer = await sendRestructure(loan.id, { months, reason });
    toast.success(answer.message);
    onClose();
    await refreshDesk();
  };
  return (
    <Dialog title={say('Offer a new schedule')} onClose={onClose} wide>
      <ApiForm<'months' | 'reason'>
        keptAs={`new schedule ${loan.id}`}
        required={['months', 'reason']}
        emptyMessage={say('Enter the months, and say why.')}
        submit={submit}
      >
        <p className="text-ink-2">
          {say(
            'For the principal that is owed, at the rate that the loan has. A second official confirms it, then all are asked.',
          )}
        </p>
        <TextField
          label={say('Months from now')}
          name="months"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          required
          inputMode="numeric"
          className="num"
          hint={say(
            '{n} at most: the longest term of this product now, and no longer than a pool guarantees the loan.',
            { n: longest },
          )}
        />
        <Quote sacco={sacco} loan={loan.id} months={monthsTyped(typed, longest)} />
        <TextArea
          label={say('Reason')}
          name="reason"
          required
          maxLength={500}
          hint={say('The borrower and the guarantors read it.')}
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Propose it')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}

const monthsTyped = (typed: string, longest: number): number | null =>
  /^\s*\d{1,3}\s*$/.test(typed) && Number(typed) >= 1 && Number(typed) <= longest ? Number(typed) : null;

/** What so many months would cost, before it is proposed: what borrower and guarantors will read. */
function Quote({ sacco, loan, months }: { sacco: string; loan: string; months: number | null }) {
  const { data, error } = useNewScheduleQuote(sacco, loan, months);
  if (months === null) return null;
  if (error) return <p className="text-small font-medium text-clay">{wordsFor(error)}</p>;
  if (!data) return <p className="text-small text-ink-2">{say('Loading...')}</p>;
  return (
    <section aria-label={say('What it costs')} className="min-w-0 overflow-x-auto rounded-box bg-sunken px-4 py-3">
      <NewScheduleCosts cost={data.cost} />
    </section>
  );
}
