import type { ComplaintKind, makeComplaint } from '@ushirika/contract/complaints';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { officeWords } from '../saccos/office-words.ts';
import { FailureState } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FileField, SelectField, TextArea } from '../ui/fields.tsx';
import { fileOf, SubmitButton } from '../ui/form.tsx';
import { Loading } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { kindWords } from './complaint-words.ts';
import { useComplaintTerms } from './complaints.queries.ts';

const KINDS: readonly ComplaintKind[] = ['money', 'payout', 'loan', 'shares', 'conduct', 'records', 'other'];
type Fields = 'kind' | 'about' | 'text';

/** A new complaint about a sacco; `onSent` gets its id. */
export function ComplaintDialog({
  sacco,
  onSent,
  onClose,
}: {
  sacco: { id: string; name: string };
  onSent: (id: string) => void;
  onClose: () => void;
}) {
  const { data: terms, error, refetch } = useComplaintTerms(sacco.id);
  return (
    <Dialog title={say('New complaint')} onClose={onClose}>
      {terms?.may_complain ? (
        <ComplaintForm sacco={sacco} terms={terms} onSent={onSent} />
      ) : terms ? (
        <p>
          {say('Members of {sacco} may complain, and those who left less than two years ago.', { sacco: sacco.name })}
        </p>
      ) : error ? (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      ) : (
        <Loading label={say('Loading...')} />
      )}
    </Dialog>
  );
}

function ComplaintForm({
  sacco,
  terms,
  onSent,
}: {
  sacco: { id: string; name: string };
  terms: NonNullable<ReturnType<typeof useComplaintTerms>['data']>;
  onSent: (id: string) => void;
}) {
  const [kind, setKind] = useState<ComplaintKind | ''>('');
  const submit = async ({ about, text }: Record<Fields, string>, form: HTMLFormElement) => {
    if (kind === '') return;
    const picture = fileOf(form, 'picture');
    const answer = await call<typeof makeComplaint>('POST', '/complaints', {
      body: { sacco: sacco.id, kind, text, ...(about ? { about } : {}) },
      ...(picture ? { file: { field: 'picture', file: picture } } : { multipart: true }),
    });
    toast.success(answer.message);
    onSent(answer.complaint.id);
    await refresh(['Client', 'Sacco']);
  };
  return (
    <ApiForm<Fields>
      keptAs={`complaint ${sacco.id}`}
      required={['kind', 'text']}
      emptyMessage={say('Choose what it is about and say what happened.')}
      submit={submit}
    >
      <p className="text-ink-2">
        {say(
          'The officials of {sacco} answer within {answer, plural, one {1 day} other {# days}} and settle it within {resolve, plural, one {1 day} other {# days}}. If they do not, it goes to Ushirika by itself.',
          {
            sacco: sacco.name,
            answer: terms.answer_days,
            resolve: terms.resolve_days,
          },
        )}
      </p>
      <SelectField
        label={say('What is it about?')}
        name="kind"
        required
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value as ComplaintKind | '')}
      >
        <option value="">{say('Choose')}</option>
        {KINDS.map((each) => (
          <option key={each} value={each}>
            {kindWords(each)}
          </option>
        ))}
      </SelectField>
      {kind === 'conduct' && terms.officials.length > 0 && (
        <SelectField
          label={say('Which official? (optional)')}
          name="about"
          hint={say('That official does not see the complaint; another one answers it.')}
        >
          <option value="">{say('No one in particular')}</option>
          {terms.officials.map(({ id, name, office }) => (
            <option key={id} value={id}>
              {name} · {officeWords(office)}
            </option>
          ))}
        </SelectField>
      )}
      <TextArea
        label={say('What happened?')}
        name="text"
        required
        rows={6}
        maxLength={2000}
        hint={say('20 to 2,000 characters. Say when it was and how much it is about. Never write a PIN or a password.')}
      />
      <FileField
        label={say('Picture (optional)')}
        name="picture"
        accept="image/png,image/jpeg,image/webp"
        hint={say('PNG, JPEG or WebP, at most 2 MB. Only those who handle the complaint see it.')}
      />
      <p className="text-small text-ink-2">
        {say('The officials who answer see your name and your ID number. Other members do not.')}
      </p>
      <SubmitButton busyLabel={say('processing...')}>{say('Send the complaint')}</SubmitButton>
    </ApiForm>
  );
}
