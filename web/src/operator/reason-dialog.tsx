import type { ReactNode } from 'react';
import { ApiForm, explainFailure } from '../api/api-form.tsx';
import { useIdempotencyKey } from '../api/call.ts';
import { CallFailure, refusedIn } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { withProof } from '../api/with-proof.ts';
import type { ButtonLook } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

/** Codes after which what is on screen is no longer how things are. */
const OVERTAKEN = [
  'sacco_state_conflict',
  'exception_already_resolved',
  'second_operator_required',
  'proposal_closed',
  'suspension_conflict',
  'identity_check_conflict',
  'pool_already_reviewed',
  'not_found',
];

/** An operator's act in a dialog: what it does, further fields where there are any, and the reason, which is kept. */
export function ReasonDialog<Name extends string = never>({
  title,
  about,
  lead,
  submitLabel,
  look,
  reasonHint,
  fields,
  required = [],
  send,
  onClose,
}: {
  title: string;
  /** The id of the row that it is about: the reason typed half is kept for it alone. */
  about: string;
  lead: ReactNode;
  submitLabel: string;
  look?: ButtonLook;
  reasonHint?: string;
  fields?: ReactNode;
  /** Names of further fields that must not be empty. */
  required?: readonly Name[];
  send: (values: Record<Name | 'reason', string>, idempotencyKey: string) => Promise<{ message: string }>;
  onClose: () => void;
}) {
  const { keyFor, settle } = useIdempotencyKey();
  const submit = async (values: Record<Name | 'reason', string>) => {
    const because = say('You signed in a while ago. Enter your password once more before you decide.');
    const answer = await withProof(() => send(values, keyFor(values)), because);
    const refused = refusedIn(answer);
    if (refused) throw new CallFailure('server', refused);
    toast.success(answer.message);
    onClose();
    await refresh(['Sacco', 'Client', 'Pool']);
  };
  const explain = (error: unknown) => {
    if (error instanceof CallFailure && OVERTAKEN.includes(error.code)) void refresh(['Sacco', 'Client', 'Pool']);
    return explainFailure(error);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <ApiForm<Name | 'reason'>
        keptAs={`${title} ${about}`}
        required={[...required, 'reason']}
        emptyMessage={say('Say why.')}
        submit={submit}
        settle={settle}
        explain={explain}
      >
        <div className="text-ink-2">{lead}</div>
        {fields}
        <TextArea
          label={say('Reason')}
          name="reason"
          required
          maxLength={500}
          hint={reasonHint ?? say('Kept in the log with your name.')}
        />
        <SubmitButton busyLabel={say('processing...')} look={look}>
          {submitLabel}
        </SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
