import type { changePassword } from '@ushirika/contract/identity';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import { PasswordField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Section } from '../ui/section.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { checkNewPassword, NewPasswordField } from './new-password-field.tsx';

type Field = 'current_password' | 'password';

/** A new password, under the same rules as at sign-up. Every other device is signed out. */
export function ChangePassword() {
  const [password, setPassword] = useState('');
  const submit = async (body: Record<Field, string>, form: HTMLFormElement) => {
    const answer = await call<typeof changePassword>('POST', '/client/password', { body });
    form.reset();
    setPassword('');
    toast.success(answer.message);
    await refresh(['User', 'Client']);
  };
  return (
    <Section title={say('Password')} lead={say('A new password signs every other device out.')}>
      <ApiForm<Field>
        required={['current_password', 'password']}
        emptyMessage={say('All Fields are required')}
        check={checkNewPassword}
        submit={submit}
        label={say('Change your password')}
        className="grid max-w-md gap-4"
      >
        <PasswordField label={say('Current password')} name="current_password" autoComplete="current-password" />
        <NewPasswordField label={say('New Password')} password={password} onType={setPassword} />
        <SubmitButton busyLabel={say('processing...')} className="justify-self-start max-sm:w-full">
          {say('Change password')}
        </SubmitButton>
      </ApiForm>
    </Section>
  );
}
