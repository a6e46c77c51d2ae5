import { formatShillings } from '@ushirika/contract/format';
import type { LoanRecovery, WriteOffAmounts } from '@ushirika/contract/loan-recovery';
import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { type ReactNode, useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { CallFailure } from '../api/failure.ts';
import { Choice } from '../complaints/choice.tsx';
import { officeWords } from '../saccos/office-words.ts';
import { TextArea } from '../ui/fields.tsx';
import { Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { Declines } from './declines.tsx';
import type { AtDesk } from './desk-frame.tsx';
import { refreshDesk, sendWriteOff, sendWriteOffDecline } from './loans-desk.queries.ts';
import { hasVoted, Voted } from './voted.tsx';

/** What a write-off gives up and what stays owed; then the vote of whoever looks: for it, or against one that is proposed. */
export function WriteOff({
  loan,
  recovery,
  at,
  onClose,
}: {
  loan: DeskLoanDetail;
  recovery: LoanRecovery;
  at: AtDesk;
  onClose: () => void;
}) {
  const votes = recovery.voices.filter(({ step }) => step === 'write_off');
  return (
    <>
      {recovery.write_off && <Amounts amounts={recovery.write_off} borrower={loan.borrower.name} />}
      {votes.map(({ by, office, reason }) => (
        <p key={by.id} className="mt-3 break-words">
          <span className="font-semibold">
            {say('{name}, {office}, proposes it:', { name: by.name, office: officeWords(office) })}
          </span>{' '}
          {reason}
        </p>
      ))}
      <Declines declines={recovery.write_off_declines} />
      <Vote loan={loan} recovery={recovery} at={at} onClose={onClose} />
    </>
  );
}

function Amounts({ amounts, borrower }: { amounts: WriteOffAmounts; borrower: string }) {
  const { principal, interest, penalty, amount, set_aside, expense, owed_to_guarantors, owed_to_pool } = amounts;
  return (
    <div className="num mt-3 rounded-box bg-sunken px-4 py-3 text-small">
      <p className="font-semibold">{say('What is written off, as things are now')}</p>
      <dl className="mt-1 grid gap-1">
        <Line name={say('Principal')} amount={principal} />
        <Line name={say('Interest')} amount={interest} />
        <Line name={say('Penalty')} amount={penalty} />
        <Line name={say('All that is written off')} amount={amount} isSum />
        <Line name={say('Set aside for it already')} amount={set_aside} />
        {expense >= 0 ? (
          <Line name={say('A loss on the day it is written off')} amount={expense} />
        ) : (
          <Line name={say('Set aside for it and free again')} amount={-expense} />
        )}
      </dl>
      <p className="mt-2 border-t border-line-strong pt-2 font-semibold">{say('What stays owed')}</p>
      <dl className="mt-1 grid gap-1">
        <Line name={say('{name} to the sacco', { name: borrower })} amount={amount} />
        {owed_to_guarantors > 0 && (
          <Line name={say('{name} to the guarantors', { name: borrower })} amount={owed_to_guarantors} />
        )}
        {owed_to_pool > 0 && <Line name={say('{name} to the pool', { name: borrower })} amount={owed_to_pool} />}
      </dl>
    </div>
  );
}

function Line({ name, amount, isSum = false }: { name: ReactNode; amount: number; isSum?: boolean }) {
  return (
    <div
      className={`flex flex-wrap justify-between gap-x-4 ${isSum ? 'mt-1 border-t border-line-strong pt-1.5 font-semibold' : ''}`}
    >
      <dt className="min-w-0 break-words">{name}</dt>
      <dd className="ml-auto">
        <Money shillings={amount} />
      </dd>
    </div>
  );
}

function Vote({
  loan,
  recovery,
  at,
  onClose,
}: {
  loan: DeskLoanDetail;
  recovery: LoanRecovery;
  at: AtDesk;
  onClose: () => void;
}) {
  const [before, setBefore] = useState<number | null>(null);
  const shown = recovery.write_off?.amount ?? 0;
  if (hasVoted(recovery, 'write_off', at.me)) return <Voted recovery={recovery} step="write_off" />;
  if (recovery.write_off_may.length === 0) return <OthersDecide />;
  const mayDecline = recovery.write_off_may.includes('decline');
  const mayAgree = recovery.write_off_may.includes('agree');
  const hasDeclined = recovery.write_off_declines.some(({ by }) => by.id === at.me);
  const submit = async ({ decision, reason }: Record<'decision' | 'reason', string>) => {
    const isAgainst = mayDecline && (!mayAgree || decision === 'decline');
    const send = () =>
      isAgainst ? sendWriteOffDecline(loan.id, reason) : sendWriteOff(loan.id, { reason, amount: shown });
    const answer = await send().catch((error: unknown) => {
      // The vote is not recorded. The dialog stays open, and above the form is the amount of now.
      if (error instanceof CallFailure && error.code === 'loan_terms_changed') setBefore(shown);
      throw error;
    });
    toast.success(answer.message);
    onClose();
    await refreshDesk();
  };
  return (
    <ApiForm<'decision' | 'reason'>
      keptAs={`write-off ${loan.id}`}
      label={say('Your vote')}
      className="mt-4 grid gap-4"
      required={mayDecline && mayAgree ? ['decision', 'reason'] : ['reason']}
      emptyMessage={mayDecline && mayAgree ? say('Choose what you decide, and say why.') : say('Say why.')}
      submit={submit}
    >
      {before !== null && before !== shown && (
        <p role="status" className="num rounded-box bg-ochre-tint px-4 py-3 text-small font-medium text-ochre-ink">
          {say('Your vote is not recorded. It was {before} when you looked, and is {now} now. Decide again.', {
            before: formatShillings(before),
            now: formatShillings(shown),
          })}
        </p>
      )}
      {mayDecline && mayAgree && <Ways />}
      {!mayAgree && <DeclinesOnly barred={recovery.votes_barred} />}
      {hasDeclined && <p className="font-medium">{say('You have declined it. You may still agree.')}</p>}
      <TextArea
        label={say('Reason')}
        name="reason"
        required
        maxLength={300}
        hint={
          mayDecline
            ? say('Kept with your name. Whoever proposed it reads why you decline, in 10 characters or more.')
            : say('Kept with your name.')
        }
      />
      <SubmitButton busyLabel={say('processing...')} look="clay">
        {mayAgree ? say('Cast your vote') : say('Decline')}
      </SubmitButton>
    </ApiForm>
  );
}

function Ways() {
  return (
    <Choice
      legend={say('What do you decide?')}
      name="decision"
      ways={[
        {
          value: 'approve',
          words: say('Write it off'),
          more: say('With your vote the loan leaves the books at once.'),
        },
        {
          value: 'decline',
          words: say('Decline'),
          more: say(
            'Your no is kept with your reason. The proposal stays open: others may agree, and so may you later.',
          ),
        },
      ]}
    />
  );
}

/** Nobody votes for it now, or another account that looks like one's own has done so. */
function DeclinesOnly({ barred }: { barred: string | null }) {
  return (
    <p role="status" className="rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
      {barred ??
        say(
          'Your account and that of an official who has voted look like one person’s. They count as one vote. You can decline it; another official must agree.',
        )}
    </p>
  );
}

function OthersDecide() {
  return (
    <p role="status" className="mt-4 rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
      {say('Others must decide about this write-off.')}
    </p>
  );
}
