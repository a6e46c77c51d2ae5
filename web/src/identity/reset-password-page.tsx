import type { resetPassword } from '@ushirika/contract/identity';
import { useNavigate } from 'react-router';
import { ApiForm, sentencesBesideFields } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { refusedIn, wordsWithPrefix } from '../api/failure.ts';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { PasswordField, TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { AuthHead, AuthLinks } from './auth-links.tsx';

/** /auth/reset-password: the code from the SMS and a new password. */
export function ResetPasswordPage() {
  const navigate = useNavigate();
  const submit = async (body: Record<'reset_code' | 'password', string>, form: HTMLFormElement) => {
    const answer = await call<typeof resetPassword>('POST', '/auth/reset-password/', { body });
    const refused = refusedIn(answer);
    if (refused) {
      toast.error(refused);
      return;
    }
    form.reset();
    navigate(paths.login());
    toast.success(answer.message);
  };
  return (
    <>
      <Title>{say('Reset Password')}</Title>
      <AuthHead
        title={say('Reset Password')}
        lead={say('Enter the reset code that was sent to your phone, and a new password.')}
      />
      <ApiForm<'reset_code' | 'password'>
        required={['reset_code', 'password']}
        emptyMessage={say('All Fields are required')}
        submit={submit}
        explain={(error) => ({ toasts: [wordsWithPrefix(error)], fields: sentencesBesideFields(error) })}
      >
        <TextField
          label={say('Reset Code')}
          name="reset_code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="XXXX-XXXX"
        />
        <PasswordField
          label={say('New Password')}
          name="password"
          autoComplete="new-password"
          hint={say('At least 8 characters, with a letter, a digit and a special character.')}
        />
        <SubmitButton busyLabel={say('processing...')} className="mt-1 w-full">
          {say('Reset Password')}
        </SubmitButton>
      </ApiForm>
      <AuthLinks
        links={[
          [paths.forgotPassword(), say('Send the code again')],
          [paths.login(), say('Sign In')],
        ]}
      />
    </>
  );
}
