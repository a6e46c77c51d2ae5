import type { Residence, recordResidence } from '@ushirika/contract/dividends';
import { ApiForm } from '../../api/api-form.tsx';
import { call } from '../../api/call.ts';
import { refresh } from '../../api/queries.ts';
import { withProof } from '../../api/with-proof.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { SubmitButton } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { say } from '../../words/say.ts';

type Fields = 'lives' | 'paper';

/** An official records where a member lives for the tax, by a paper that they saw. */
export function ResidenceDialog({
  id,
  name,
  sacco,
  onClose,
}: {
  id: string;
  name: string;
  sacco: string;
  onClose: () => void;
}) {
  const submit = async ({ lives, paper }: Record<Fields, string>) => {
    const because = say(
      'You signed in a while ago. Enter your password once more before you record where a member lives.',
    );
    const body = { lives: lives as Residence, paper };
    const send = () =>
      call<typeof recordResidence>('PUT', '/sacco/members/{id}/residence', { params: { id }, body, saccoId: sacco });
    toast.success((await withProof(send, because)).message);
    onClose();
    await refresh(['Sacco', 'Client']);
  };
  return (
    <Dialog title={say('Where does {name} live?', { name })} onClose={onClose}>
      <ApiForm<Fields>
        required={['lives', 'paper']}
        emptyMessage={say('Say where, and which paper you saw.')}
        submit={submit}
      >
        <p className="text-ink-2">
          {say(
            'The tax on dividends and interest depends on it. It holds for dividends whose vote is published later.',
          )}
        </p>
        <SelectField label={say('For the tax they live')} name="lives" required defaultValue="">
          <option value="">{say('Choose')}</option>
          <option value="abroad">{say('abroad')}</option>
          <option value="kenya">{say('in Kenya')}</option>
        </SelectField>
        <TextField
          label={say('Which paper did you see?')}
          name="paper"
          required
          maxLength={200}
          hint={say('For example a tax certificate of that country, or of the KRA.')}
        />
        <p className="text-small text-ink-2">
          {say('Your name, the day and the paper are kept. The member is told. Back to Kenya takes another official.')}
        </p>
        <SubmitButton busyLabel={say('processing...')}>{say('I have seen it')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
