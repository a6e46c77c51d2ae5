import type { ChecklistPoint, recordSaccoCheck } from '@ushirika/contract/saccos';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import type { PointByHand } from '../saccos/checklist.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea, TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

/** What an operator saw for one point of the checklist; with the authorisation goes SASRA's number. */
export function RecordCheckDialog({
  saccoId,
  point,
  onClose,
}: {
  saccoId: string;
  point: ChecklistPoint;
  onClose: () => void;
}) {
  const submit = async ({ note, sasra_number }: Record<'note' | 'sasra_number', string>) => {
    const answer = await call<typeof recordSaccoCheck>('PUT', '/operator/saccos/{id}/checklist/{point}', {
      params: { id: saccoId, point: point.point as PointByHand },
      body: { note, ...(sasra_number?.trim() ? { sasra_number } : {}) },
    });
    toast.success(answer.message);
    onClose();
    await refresh(['Sacco', 'Client']);
  };
  return (
    <Dialog title={say('Record a check')} onClose={onClose}>
      <ApiForm<'note' | 'sasra_number'>
        keptAs={`check ${saccoId} ${point.point}`}
        required={['note']}
        emptyMessage={say('Say what you saw.')}
        submit={submit}
      >
        <p className="font-semibold">{point.label}</p>
        {point.met && point.detail && (
          <p className="text-small text-ink-2">{say('Recorded so far: {note}', { note: point.detail })}</p>
        )}
        <TextArea
          label={say('What you saw')}
          name="note"
          required
          maxLength={500}
          hint={say('For example: “Certificate CS/1234 of 2 May 2019, original, seen at our office.”')}
        />
        {point.point === 'authorisation' && (
          <TextField
            label={say('SASRA number (optional)')}
            name="sasra_number"
            maxLength={40}
            autoComplete="off"
            hint={say('It is published on the sacco’s page.')}
          />
        )}
        <SubmitButton busyLabel={say('processing...')}>{say('Record')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
