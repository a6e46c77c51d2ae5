import { passwordSatisfies } from '@ushirika/contract/constants';
import type { changePassword } from '@ushirika/contract/identity';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import { passwordRules } from '../auth/password-rules.ts';
import { PasswordField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { Section } from './section.tsx';

type Field = 'current_password' | 'password';

/** A new password, under the same rules as at sign-up. Every other device is signed out. */
export function ChangePassword() {
  const [password, setPassword] = useState('');
  const check = (values: Record<Field, string>) => {
    if (passwordSatisfies(values.password)) return null;
    const sentence = say('Password has not satisfied the required specs');
    return { toasts: [sentence], fields: { password: say('See which of the rules below is still open.') } };
  };
  const submit = async (body: Record<Field, string>, form: HTMLFormElement) => {
    const answer = await call<typeof changePassword>('POST', '/client/password', { body });
    form.reset();
    setPassword('');
    toast.success(say(answer.message));
    await refresh(['User', 'Client']);
  };
  return (
    <Section title={say('Password')} lead={say('A new password signs every other device out.')}>
      <ApiForm<Field>
        required={['current_password', 'password']}
        emptyMessage={say('All Fields are required')}
        check={check}
        submit={submit}
        label={say('Change your password')}
        className="grid max-w-md gap-4"
      >
        <PasswordField label={say('Current password')} name="current_password" autoComplete="current-password" />
        <PasswordField
          label={say('New Password')}
          name="password"
          autoComplete="new-password"
          onChange={(event) => setPassword(event.target.value)}
          hint={<Rules password={password} />}
        />
        <SubmitButton busyLabel={say('processing...')} className="justify-self-start max-sm:w-full">
          {say('Change password')}
        </SubmitButton>
      </ApiForm>
    </Section>
  );
}

function Rules({ password }: { password: string }) {
  return (
    <ul aria-label={say('Rules for the new secret')} className="mt-2 grid gap-1">
      {passwordRules(password).map(({ words, met }) => (
        <li key={words} className={`flex items-center gap-2 ${met ? 'font-medium text-up' : ''}`}>
          <span
            className={`grid size-4.5 shrink-0 place-items-center rounded-full ${met ? 'bg-forest-tint' : 'border border-edge'}`}
          >
            {met && <Icon name="check" className="size-3.5" />}
          </span>
          {words}
          <span className="sr-only">{met ? say('(met)') : say('(open)')}</span>
        </li>
      ))}
    </ul>
  );
}
