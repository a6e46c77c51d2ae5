import type {
  answerComplaint,
  appealComplaint,
  ComplaintDetail,
  ComplaintOutcome,
  closeComplaint,
  resolveComplaint,
} from '@ushirika/contract/complaints';
import { useState } from 'react';
import { ApiForm, explainFailure } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { withProof } from '../api/with-proof.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { Choice } from './choice.tsx';

/** Longer words are cut by the form, as the contract has it. */
const LENGTH_MAX = 2000;

const refreshComplaints = () => refresh(['Client', 'Sacco']);

/** What was on screen is no longer how things are: it is fetched again. */
function explain(error: unknown) {
  if (error instanceof CallFailure && ['complaint_conflict', 'not_found'].includes(error.code))
    void refreshComplaints();
  return explainFailure(error);
}

/** The member's buttons: close, and appeal a final answer. */
export function MemberActs({ complaint: { id, may } }: { complaint: ComplaintDetail }) {
  const [asked, setAsked] = useState<'close' | 'appeal' | null>(null);
  if (may.length === 0) return null;
  const onClose = () => setAsked(null);
  return (
    <div className="grid gap-2.5 sm:flex">
      {may.includes('appeal') && <Button onClick={() => setAsked('appeal')}>{say('Appeal')}</Button>}
      {may.includes('close') && (
        <Button look="line" onClick={() => setAsked('close')}>
          {say('Close the complaint')}
        </Button>
      )}
      {asked === 'close' && <CloseDialog id={id} onClose={onClose} />}
      {asked === 'appeal' && <AppealDialog id={id} onClose={onClose} />}
    </div>
  );
}

function CloseDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const close = async () => {
    setBusy(true);
    try {
      const answer = await call<typeof closeComplaint>('POST', '/complaints/{id}/closure', { params: { id } });
      toast.success(answer.message);
      onClose();
    } catch (error) {
      toast.error(wordsFor(error));
      setBusy(false);
    }
    await refreshComplaints();
  };
  return (
    <Dialog title={say('Close this complaint?')} onClose={onClose}>
      <p>{say('Then it is over, and nobody looks at it any more.')}</p>
      <div className="mt-5 grid gap-2.5 sm:grid-cols-2">
        <Button busy={busy} onClick={() => void close()}>
          {busy ? say('processing...') : say('Close it')}
        </Button>
        <Button look="line" onClick={onClose}>
          {say('Not now')}
        </Button>
      </div>
    </Dialog>
  );
}

function AppealDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const submit = async ({ text }: Record<'text', string>) => {
    const answer = await call<typeof appealComplaint>('POST', '/complaints/{id}/appeal', {
      params: { id },
      body: { text },
    });
    toast.success(answer.message);
    onClose();
    await refreshComplaints();
  };
  return (
    <Dialog title={say('Appeal')} onClose={onClose}>
      <ApiForm<'text'>
        keptAs={`appeal ${id}`}
        required={['text']}
        emptyMessage={say('Say why you do not accept the answer.')}
        submit={submit}
        explain={explain}
      >
        <p className="text-ink-2">
          {say(
            'An operator of Ushirika, who has nothing to do with your sacco, reads both sides and decides. That is final.',
          )}
        </p>
        <TextArea
          label={say('Why do you not accept the answer?')}
          name="text"
          required
          rows={5}
          maxLength={LENGTH_MAX}
          hint={say('20 to 2,000 characters.')}
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Send the appeal')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}

/** The officials' answer, final or not. */
export function AnswerForm({ complaint: { id } }: { complaint: ComplaintDetail }) {
  const submit = async ({ text, how }: Record<'text' | 'how', string>, form: HTMLFormElement) => {
    const answer = await call<typeof answerComplaint>('POST', '/sacco/complaints/{id}/answer', {
      params: { id },
      body: { text, is_final: how === 'final' },
    });
    toast.success(answer.message);
    form.reset();
    await refreshComplaints();
  };
  return (
    <Card className="p-5">
      <h2 className="mb-3 text-lead">{say('Your answer')}</h2>
      <ApiForm<'text' | 'how'>
        keptAs={`answer to complaint ${id}`}
        label={say('Your answer')}
        required={['text', 'how']}
        emptyMessage={say('Write your answer, and choose whether it is the final one.')}
        submit={submit}
        explain={explain}
      >
        <TextArea
          label={say('What you tell the member')}
          name="text"
          required
          rows={5}
          maxLength={LENGTH_MAX}
          hint={say('20 to 2,000 characters. It carries your name and cannot be changed afterwards.')}
        />
        <Choice
          legend={say('Is it settled?')}
          name="how"
          ways={[
            {
              value: 'final',
              words: say('Final answer'),
              more: say('The member closes the complaint or appeals within 14 days.'),
            },
            {
              value: 'progress',
              words: say('We are working on it'),
              more: say('The final answer is still due.'),
            },
          ]}
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Send the answer')}</SubmitButton>
      </ApiForm>
    </Card>
  );
}

/** The operator's decision. */
export function DecisionForm({ complaint: { id } }: { complaint: ComplaintDetail }) {
  const submit = async ({ reason, outcome }: Record<'reason' | 'outcome', string>) => {
    const because = say('You signed in a while ago. Enter your password once more before you decide.');
    const body = { outcome: outcome as ComplaintOutcome, reason };
    const answer = await withProof(
      () => call<typeof resolveComplaint>('POST', '/operator/complaints/{id}/resolution', { params: { id }, body }),
      because,
    );
    toast.success(answer.message);
    await refreshComplaints();
  };
  return (
    <Card className="p-5">
      <h2 className="mb-3 text-lead">{say('Your decision')}</h2>
      <ApiForm<'reason' | 'outcome'>
        keptAs={`decision of complaint ${id}`}
        label={say('Your decision')}
        required={['reason', 'outcome']}
        emptyMessage={say('Choose who is right, and say why.')}
        submit={submit}
        explain={explain}
      >
        <Choice
          legend={say('Who is right?')}
          name="outcome"
          ways={[
            {
              value: 'upheld',
              words: say('The complaint is right'),
              more: say('Say what the sacco has to do, and by when.'),
            },
            {
              value: 'not_upheld',
              words: say('The complaint is not right'),
              more: say('Say what shows it.'),
            },
          ]}
        />
        <TextArea
          label={say('Reasons')}
          name="reason"
          required
          rows={6}
          maxLength={LENGTH_MAX}
          hint={say('20 to 2,000 characters. Both sides read them, without your name. The decision is final.')}
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Decide')}</SubmitButton>
      </ApiForm>
    </Card>
  );
}
