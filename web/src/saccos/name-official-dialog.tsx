import type { Office } from '@ushirika/contract/route';
import type { recordOfficial } from '@ushirika/contract/saccos';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import { withProof } from '../api/with-proof.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { officeWords } from './office-words.ts';

/** A founder, or an operator, names an official by ID number. */
export function NameOfficialDialog({
  saccoId,
  title,
  note,
  offices,
  onClose,
}: {
  saccoId: string;
  title: string;
  /** What to know before one names anybody. */
  note?: string;
  offices: readonly Office[];
  onClose: () => void;
}) {
  const submit = async ({ id_number, office }: Record<'id_number' | 'office', string>) => {
    const input = { params: { id: saccoId }, body: { id_number, office: office as Office } };
    const answer = await withProof(() => call<typeof recordOfficial>('POST', '/sacco/{id}/officials', input));
    toast.success(answer.message);
    onClose();
    await refresh(['Sacco', 'Client']);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <ApiForm<'id_number' | 'office'>
        required={['id_number', 'office']}
        emptyMessage={say('All Fields are required')}
        submit={submit}
      >
        {note && <p className="text-ink-2">{note}</p>}
        <p className={note ? 'text-small text-ink-2' : 'text-ink-2'}>
          {say(
            'If somebody with this ID number is registered here, an SMS asks them. They are an official once they accept.',
          )}
        </p>
        <SelectField label={say('Office')} name="office">
          {offices.map((office) => (
            <option key={office} value={office}>
              {officeWords(office)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={say('ID Number')}
          name="id_number"
          maxLength={64}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Name an official')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
