import type { LoanRecovery, RecoveryStep } from '@ushirika/contract/loan-recovery';
import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { ApiForm } from '../api/api-form.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { actWords } from './desk-words.ts';
import { refreshDesk, sendDefault, sendNotice, sendRecovery, sendWriteOff } from './loans-desk.queries.ts';
import { AllTakes, Take, takeOf, takeWords } from './recovery-takes.tsx';
import { useAct } from './use-act.ts';

/** One step of a recovery: what it does to whom, then the yes; with a reason where two people have to agree. */
export function RecoveryDialog({
  loan,
  recovery,
  step,
  onClose,
}: {
  loan: DeskLoanDetail;
  recovery: LoanRecovery;
  step: RecoveryStep;
  onClose: () => void;
}) {
  const take = takeOf(recovery, step);
  return (
    <Dialog title={actWords(step)} onClose={onClose}>
      <p>{meaningOf(step, loan.borrower.name)}</p>
      {step === 'final_notice' && <AllTakes takes={recovery.takes} />}
      {take && <Take take={take} borrower={loan.borrower.name} />}
      {step === 'default' || step === 'write_off' ? (
        <WithReason loan={loan} step={step} onClose={onClose} />
      ) : (
        <Plain
          loan={loan}
          step={step}
          words={take && take.amount > 0 ? takeWords(take) : actWords(step)}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function WithReason({
  loan,
  step,
  onClose,
}: {
  loan: DeskLoanDetail;
  step: 'default' | 'write_off';
  onClose: () => void;
}) {
  const submit = async ({ reason }: Record<'reason', string>) => {
    const answer = await (step === 'default' ? sendDefault(loan.id, reason) : sendWriteOff(loan.id, reason));
    toast.success(answer.message);
    onClose();
    await refreshDesk();
  };
  return (
    <ApiForm<'reason'> className="mt-4 grid gap-4" required={['reason']} emptyMessage={say('Say why.')} submit={submit}>
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
  words,
  onClose,
}: {
  loan: DeskLoanDetail;
  step: Exclude<RecoveryStep, 'default' | 'write_off'>;
  words: string;
  onClose: () => void;
}) {
  const { busy, run } = useAct();
  const take = () => run(() => (step === 'final_notice' ? sendNotice(loan.id) : sendRecovery(loan.id, step)), onClose);
  return (
    <div className="mt-5 grid gap-2.5 sm:grid-cols-2">
      <Button look="clay" busy={busy} onClick={() => void take()}>
        {busy ? say('processing...') : words}
      </Button>
      <Button look="line" onClick={onClose}>
        {say('Not now')}
      </Button>
    </div>
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
    own_deposits: say('The savings of {name} in this sacco pay the loan, as far as they go. They are told.', { name }),
    pool: say('The guarantor pool pays what it guaranteed. {name} then owes it to the pool.', { name }),
    guarantors: say(
      'Each guarantor pays a part of what is left, in proportion to the pledge, and never more than it. {name} then owes it to them.',
      { name },
    ),
    write_off: say(
      'One of the board and one of the supervisory committee give the loan up in the books. {name} still owes it, and guarantors keep their claims.',
      { name },
    ),
  };
  return words[step];
}
