import type { IdentityCheck } from '@ushirika/contract/identity';
import { ApiForm } from '../api/api-form.tsx';
import { refresh } from '../api/queries.ts';
import { withProof } from '../api/with-proof.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { DOCUMENTS, documentWords } from './identity-words.ts';

type Fields = 'document' | 'number';

/** An official or an operator types the number of a card that they have before them. The account's own is not shown here. */
export function SeenCardDialog({
  name,
  send,
  onClose,
}: {
  name: string;
  send: (values: Record<Fields, string>) => Promise<{ message: string; check: IdentityCheck }>;
  onClose: () => void;
}) {
  const submit = async (values: Record<Fields, string>) => {
    const because = say('You signed in a while ago. Enter your password once more before you record an ID card.');
    const answer = await withProof(() => send(values), because);
    toast.success(answer.message);
    onClose();
    await refresh(['Sacco', 'Client']);
  };
  return (
    <Dialog title={say('Record an ID card')} onClose={onClose}>
      <ApiForm<Fields>
        required={['document', 'number']}
        emptyMessage={say('Choose the card and type its number.')}
        submit={submit}
      >
        <p className="text-ink-2">
          {say(
            'Hold the card itself in your hand, never a photo of it. It has to show this name, and the face of the person before you:',
          )}
        </p>
        <p className="rounded-box bg-sunken px-4 py-3 text-lead font-semibold wrap-anywhere">{name}</p>
        <SelectField label={say('Which card?')} name="document" required>
          {DOCUMENTS.map((each) => (
            <option key={each} value={each}>
              {documentWords(each)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={say('Number on the card')}
          name="number"
          required
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={64}
          hint={say('Type it from the card. It has to be the number of the account.')}
          className="num"
        />
        <p className="text-small text-ink-2">
          {say(
            'Your name, the day and the kind of card are kept. The person is told, and those who supervise read it.',
          )}
        </p>
        <SubmitButton busyLabel={say('processing...')}>{say('I have seen it')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
