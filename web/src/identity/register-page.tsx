import type { register } from '@ushirika/contract/identity';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { ApiForm, sentencesBesideFields } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { firstSentences } from '../api/failure.ts';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { storeSession } from '../session/session.ts';
import { TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { PhoneField } from '../ui/phone-field.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { AuthHead, AuthLinks } from './auth-links.tsx';
import { checkNewPassword, NewPasswordField } from './new-password-field.tsx';
import { referralCodeIn } from './password-rules.ts';

const REQUIRED = ['first_name', 'last_name', 'phone_number', 'email', 'id_number', 'password'] as const;
type Field = (typeof REQUIRED)[number] | 'referal_code';

/** /auth/register: Sign Up. */
export function RegisterPage() {
  const navigate = useNavigate();
  const referralCode = referralCodeIn(useLocation().search);
  const [password, setPassword] = useState('');

  const submit = async (values: Record<Field, string>, form: HTMLFormElement) => {
    const body = { ...values, user_type: 'client' };
    const answer = await call<typeof register>('POST', '/auth/register/', { body, saccoId: null });
    if (!answer.token) {
      toast.error(answer.message);
      return;
    }
    storeSession(answer);
    for (const name of ['password', 'id_number']) (form.elements.namedItem(name) as HTMLInputElement).value = '';
    navigate(paths.saccosList(), { replace: true });
    toast.success(say('Registration Successfull'));
  };

  return (
    <>
      <Title>{say('Sign Up')}</Title>
      <AuthHead title={say('Sign Up')} lead={say('Fill in the fields to create your account!')} />
      <ApiForm<Field>
        required={REQUIRED}
        emptyMessage={say('All Fields are required')}
        check={checkNewPassword}
        submit={submit}
        explain={(error) => ({ toasts: firstSentences(error), fields: sentencesBesideFields(error) })}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label={say('First Name')} name="first_name" required autoComplete="given-name" />
          <TextField label={say('Last Name')} name="last_name" required autoComplete="family-name" />
        </div>
        <PhoneField label={say('Phone Number')} name="phone_number" required placeholder="0700 000000" />
        <TextField label={say('Email')} name="email" type="email" required autoComplete="email" />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={say('ID Number')}
            name="id_number"
            required
            autoComplete="username"
            autoCapitalize="characters"
            hint={say('National ID, alien ID or passport')}
          />
          <TextField
            label={say('Referral Code (optional)')}
            name="referal_code"
            defaultValue={referralCode}
            readOnly={referralCode !== ''}
            autoComplete="off"
          />
        </div>
        <NewPasswordField label={say('Password')} required password={password} onType={setPassword} />
        <SubmitButton busyLabel={say('Authenticating...')} className="mt-1 w-full">
          {say('Sign Up')}
        </SubmitButton>
      </ApiForm>
      <AuthLinks
        links={[
          [paths.login(), say('Have An Account? Sign In')],
          [paths.home(), say('Navigate Home')],
        ]}
      />
    </>
  );
}
