import type { forgotPassword } from '@ushirika/contract/identity';
import { useNavigate } from 'react-router';
import { ApiForm, sentencesBesideFields } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { refusedIn, wordsWithPrefix } from '../api/failure.ts';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { AuthHead, AuthLinks } from './auth-links.tsx';

/** /auth/forgot-password: asks for a reset code by SMS. */
export function ForgotPasswordPage() {
  const navigate = useNavigate();
  const submit = async (body: Record<'id_number' | 'phone_number', string>, form: HTMLFormElement) => {
    const answer = await call<typeof forgotPassword>('POST', '/auth/forgot-password/', { body });
    const refused = refusedIn(answer);
    if (refused) {
      toast.error(refused);
      return;
    }
    form.reset();
    navigate(paths.resetPassword());
    toast.success(answer.message);
  };
  return (
    <>
      <Title>{say('Forgot Password')}</Title>
      <AuthHead title={say('Forgot Password')} lead={say('Fill in all the fields!')} />
      <ApiForm<'id_number' | 'phone_number'>
        required={['id_number', 'phone_number']}
        emptyMessage={say('All Fields are required')}
        submit={submit}
        explain={(error) => ({ toasts: [wordsWithPrefix(error)], fields: sentencesBesideFields(error) })}
      >
        <TextField
          label={say('ID Number')}
          name="id_number"
          autoComplete="username"
          autoCapitalize="characters"
          hint={say(
            'With a foreign passport: its country’s three letters first, as you saw when you signed up. For example GBR123456789.',
          )}
        />
        <TextField
          label={say('Phone Number (this number receives the Reset Password Code)')}
          name="phone_number"
          type="tel"
          autoComplete="tel"
          placeholder="254712345678"
          hint={say('For example 254712345678 or 0712345678')}
        />
        <SubmitButton busyLabel={say('processing...')} className="mt-1 w-full">
          {say('Submit')}
        </SubmitButton>
      </ApiForm>
      <AuthLinks
        links={[
          [paths.register(), say('Sign Up')],
          [paths.login(), say('Sign In')],
        ]}
      />
    </>
  );
}
