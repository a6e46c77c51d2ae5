import { formatShillings } from '@ushirika/contract/format';
import type { LoanRecovery, RecoveryStep } from '@ushirika/contract/loan-recovery';
import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { CallFailure } from '../api/failure.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import type { AtDesk } from './desk-frame.tsx';
import { actWords } from './desk-words.ts';
import { refreshDesk, sendDefault, sendNotice, sendRecovery } from './loans-desk.queries.ts';
import { AllTakes, Take, takeOf, takeWords } from './recovery-takes.tsx';
import { useAct } from './use-act.ts';
import { WriteOff } from './write-off-dialog.tsx';

/** One step of a recovery: what it does to whom, then the yes; with a reason where two people have to agree. */
export function RecoveryDialog({
  loan,
  recovery,
  step,
  at,
  onClose,
}: {
  loan: DeskLoanDetail;
  recovery: LoanRecovery;
  step: RecoveryStep;
  at: AtDesk;
  onClose: () => void;
}) {
  const take = takeOf(recovery, step);
  return (
    <Dialog title={actWords(step)} onClose={onClose}>
      <p>{meaningOf(step, loan.borrower.name)}</p>
      {step === 'final_notice' && <AllTakes takes={recovery.takes} />}
      {take && <Take take={take} borrower={loan.borrower.name} />}
      {step === 'write_off' && <WriteOff loan={loan} recovery={recovery} at={at} onClose={onClose} />}
      {step === 'default' && <DefaultVote loan={loan} onClose={onClose} />}
      {step !== 'default' && step !== 'write_off' && (
        <Plain
          loan={loan}
          step={step}
          shown={take?.amount ?? 0}
          words={take && take.amount > 0 ? takeWords(take) : actWords(step)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function DefaultVote({ loan, onClose }: { loan: DeskLoanDetail; onClose: () => void }) {
  const submit = async ({ reason }: Record<'reason', string>) => {
    const answer = await sendDefault(loan.id, reason);
    toast.success(answer.message);
    onClose();
    await refreshDesk();
  };
  return (
    <ApiForm<'reason'>
      keptAs={`default ${loan.id}`}
      className="mt-4 grid gap-4"
      required={['reason']}
      emptyMessage={say('Say why.')}
      submit={submit}
    >
      <TextArea label={say('Reason')} name="reason" required maxLength={500} hint={say('Kept with your name.')} />
      <SubmitButton busyLabel={say('processing...')} look="clay">
        {say('Cast your vote')}
      </SubmitButton>
    </ApiForm>
  );
}

function Plain({
  loan,
  step,
  shown,
  words,
  onClose,
}: {
  loan: DeskLoanDetail;
  step: Exclude<RecoveryStep, 'default' | 'write_off'>;
  shown: number;
  words: string;
  onClose: () => void;
}) {
  const { busy, run } = useAct();
  const [before, setBefore] = useState<number | null>(null);
  const send = async () => {
    if (step === 'final_notice') return sendNotice(loan.id);
    try {
      return await sendRecovery(loan.id, { step, amount: shown });
    } catch (error) {
      // Nothing was taken. The dialog stays open, and the steps are fetched again: above it is the amount of now.
      if (error instanceof CallFailure && error.code === 'loan_terms_changed') setBefore(shown);
      throw error;
    }
  };
  return (
    <>
      {before !== null && before !== shown && (
        <p role="status" className="num mt-3 rounded-box bg-ochre-tint px-4 py-3 text-small font-medium text-ochre-ink">
          {say('Nothing was taken. It was {before} when you looked, and is {now} now. Decide again.', {
            before: formatShillings(before),
            now: formatShillings(shown),
          })}
        </p>
      )}
      <div className="mt-5 grid gap-2.5 sm:grid-cols-2">
        <Button look="clay" busy={busy} onClick={() => void run(send, onClose)}>
          {busy ? say('processing...') : words}
        </Button>
        <Button look="line" onClick={onClose}>
          {say('Not now')}
        </Button>
      </div>
    </>
  );
}

function meaningOf(step: RecoveryStep, name: string): string {
  const words: Record<RecoveryStep, string> = {
    default: say(
      'Two members of the credit committee declare it. From then on interest and penalty together never pass the principal.',
    ),
    final_notice: say(
      '{name} and every guarantor are told how much will be taken from whom, and that they have 14 days to pay.',
      { name },
    ),
    own_deposits: say(
      'The savings of {name} in this sacco pay the loan. No more is taken than what is shown here: what comes in meanwhile stays in the savings. {name} is told.',
      { name },
    ),
    pool: say('The guarantor pool pays what it guaranteed. {name} then owes it to the pool.', { name }),
    guarantors: say(
      'Each guarantor pays a part of what is left, in proportion to the pledge, and never more than it. {name} then owes it to them.',
      { name },
    ),
    write_off: say(
      'One of the board and one of the supervisory committee give the loan up in the books. {name} still owes it, and guarantors and pools keep their claims.',
      { name },
    ),
  };
  return words[step];
}
