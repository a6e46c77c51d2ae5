import type { OperatorSacco } from '@ushirika/contract/operator';
import type { Office } from '@ushirika/contract/route';
import type { recordOfficial } from '@ushirika/contract/saccos';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import { withProof } from '../api/with-proof.ts';
import { officeWords } from '../saccos/office-words.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

/** As the contract has them: an operator may name somebody for each. Those that a sacco lacks come first. */
const OFFICES: readonly Office[] = [
  'chair',
  'secretary',
  'treasurer',
  'vice_chair',
  'credit_committee',
  'supervisory_committee',
  'manager',
];

/** An operator names an official of a sacco that has too few, on the strength of its minutes. */
export function NameOfficialDialog({ sacco, onClose }: { sacco: OperatorSacco; onClose: () => void }) {
  const submit = async ({ id_number, office }: Record<'id_number' | 'office', string>) => {
    const input = { params: { id: sacco.id }, body: { id_number, office: office as Office } };
    const answer = await withProof(() => call<typeof recordOfficial>('POST', '/sacco/{id}/officials', input));
    toast.success(answer.message);
    onClose();
    await refresh(['Sacco', 'Client']);
  };
  return (
    <Dialog title={say('Name an official of {sacco}', { sacco: sacco.name })} onClose={onClose}>
      <ApiForm<'id_number' | 'office'>
        required={['id_number', 'office']}
        emptyMessage={say('All Fields are required')}
        submit={submit}
      >
        <p className="text-ink-2">
          {say(
            'Name only whom the members have elected by the minutes that you have seen. The officials are told, and may refuse.',
          )}
        </p>
        <p className="text-small text-ink-2">
          {say(
            'If somebody with this ID number is registered here, an SMS asks them. They are an official once they accept.',
          )}
        </p>
        <SelectField label={say('Office')} name="office">
          {OFFICES.map((office) => (
            <option key={office} value={office}>
              {officeWords(office)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={say('ID Number')}
          name="id_number"
          maxLength={12}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Name an official')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
