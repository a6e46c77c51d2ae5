import type { Office } from '@ushirika/contract/route';
import type { resubmitSacco, SaccoDetail } from '@ushirika/contract/saccos';
import { ApiForm } from '../../api/api-form.tsx';
import { call } from '../../api/call.ts';
import { refresh } from '../../api/queries.ts';
import { NameOfficialDialog } from '../../saccos/name-official-dialog.tsx';
import { PARTICULARS_REQUIRED, type Particulars, ParticularsFields } from '../../saccos/particulars.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SubmitButton } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { say } from '../../words/say.ts';

/** Those a founder names; the chair is the founder. */
const OFFICES_NAMED = [
  'secretary',
  'treasurer',
  'credit_committee',
  'supervisory_committee',
  'chair',
] as const satisfies Office[];

/** The founder names an official by ID number. */
export function RecordOfficialDialog(props: { saccoId: string; onClose: () => void }) {
  return <NameOfficialDialog {...props} title={say('Name an official')} offices={OFFICES_NAMED} />;
}

/** The founder of a rejected sacco mends its particulars and submits it again. The logo stays. */
export function ResubmitDialog({ sacco, onClose }: { sacco: SaccoDetail; onClose: () => void }) {
  const submit = async (values: Particulars) => {
    const answer = await call<typeof resubmitSacco>('POST', '/sacco/{id}/resubmission', {
      params: { id: sacco.id },
      body: { ...values, type: values.type as SaccoDetail['type'] },
    });
    toast.success(answer.message);
    onClose();
    await refresh(['Sacco', 'Client']);
  };
  return (
    <Dialog title={say('Send the application again')} onClose={onClose} wide>
      <ApiForm<keyof Particulars>
        keptAs={`sacco again ${sacco.id}`}
        required={PARTICULARS_REQUIRED}
        emptyMessage={say('Fields with (*) are required')}
        submit={submit}
      >
        {sacco.application?.reason && (
          <p className="rounded-box bg-clay-tint px-4 py-3">
            <span className="block text-small font-semibold">{say('What the operator says')}</span>
            {sacco.application.reason}
          </p>
        )}
        <ParticularsFields known={sacco} />
        <p className="text-small text-ink-2">{say('What was checked for the old application is checked anew.')}</p>
        <SubmitButton busyLabel={say('processing...')}>{say('Send it again')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
