import type { ClientProfile, changeProfile } from '@ushirika/contract/identity';
import { Suspense, useState } from 'react';
import { ApiForm, sentencesBesideFields } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { withProof } from '../api/with-proof.ts';
import { later } from '../layouts/later.tsx';
import { storeUpdatedPerson } from '../session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Loading } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

const ConfirmPhone = later(() => import('./confirm-phone-dialog.tsx'), 'ConfirmPhone');

const FIELDS = ['phone_number', 'first_name', 'last_name', 'email'] as const;
type Field = (typeof FIELDS)[number];

/** Update Profile. A changed phone is confirmed in the next step: until then no money goes to it. */
export function UpdateProfileDialog({ profile, onClose }: { profile: ClientProfile; onClose: () => void }) {
  const [asksForCode, setAsksForCode] = useState(false);
  const submit = async (body: Record<Field, string>) => {
    const answer = await withProof(() => call<typeof changeProfile>('PATCH', '/client/', { body }));
    storeUpdatedPerson(answer.user);
    toast.success(
      answer.name_waits ? say('Saved. Your new name waits for another official.') : say('Update was Successfull'),
    );
    await refresh(['Client', 'User']);
    if (answer.phone_confirmation_required) setAsksForCode(true);
    else onClose();
  };
  if (asksForCode) {
    return (
      <Dialog title={say('Confirm your phone')} onClose={onClose}>
        <Suspense fallback={<Loading label={say('Loading...')} />}>
          <ConfirmPhone onDone={onClose} />
        </Suspense>
      </Dialog>
    );
  }
  return (
    <Dialog title={say('Update Profile')} onClose={onClose}>
      <ApiForm<Field> required={FIELDS} emptyMessage={say('All Fields are required')} submit={submit} explain={explain}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={say('First Name')}
            name="first_name"
            autoComplete="given-name"
            defaultValue={profile.user.first_name}
          />
          <TextField
            label={say('Last Name')}
            name="last_name"
            autoComplete="family-name"
            defaultValue={profile.user.last_name}
          />
        </div>
        <p className="-mt-2 text-small text-ink-2">
          {say(
            'Another name ends your loan applications and the guarantees that you asked for. Others read your old name beside it for 90 days.',
          )}
        </p>
        {profile.verified.card && (
          <p className="-mt-2 text-small text-ink-2">
            {say('After a change of name you show your ID card to an official again.')}
          </p>
        )}
        {profile.roles.some(({ role }) => role === 'official') && (
          <p className="-mt-2 text-small text-ink-2">{aboutNames(profile)}</p>
        )}
        <TextField
          label={say('Phone Number')}
          name="phone_number"
          type="tel"
          autoComplete="tel"
          placeholder="254712345678"
          defaultValue={profile.phone_number}
          hint={say(
            'As 254712345678 or 0712345678. A new number is confirmed by an SMS code before money can go to it. For your safety no money is paid out in the 24 hours after that.',
          )}
          className="num"
        />
        <TextField label={say('Email')} name="email" type="email" autoComplete="email" defaultValue={profile.email} />
        <SubmitButton busyLabel={say('processing...')}>{say('Update Profile')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}

/** What an official reads before taking another name. */
function aboutNames({ waiting_name: waiting }: ClientProfile): string {
  if (!waiting) return say('You hold an office, so another official of your sacco must confirm your new name.');
  const name = `${waiting.first_name} ${waiting.last_name}`;
  return say('{name} is waiting for another official to confirm. Entering a new name replaces it.', { name });
}

function explain(error: unknown) {
  if (error instanceof CallFailure && error.kind === 'aborted') return { toasts: [] };
  return { toasts: [detailOf(error)], fields: sentencesBesideFields(error) };
}

/** The server's detail (spec 8). */
function detailOf(error: unknown): string {
  const detail = error instanceof CallFailure ? error.body.detail : null;
  return typeof detail === 'string' && detail ? detail : wordsFor(error);
}
