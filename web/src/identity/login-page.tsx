import type { login, SignedIn } from '@ushirika/contract/identity';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ApiForm, sentencesBesideFields } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { CallFailure, refusedIn, wordsWithPrefix } from '../api/failure.ts';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { checkStorage, storeSession, takeRememberedPage } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { PasswordField, TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { AuthHead, AuthLinks } from './auth-links.tsx';
import { SuspensionNote } from './suspension-note.tsx';

/** /auth/login: Sign In. Asks for the second factor only of those who have one. */
export function LoginPage() {
  const navigate = useNavigate();
  const [needsCode, setNeedsCode] = useState(false);
  const [suspended, setSuspended] = useState<SignedIn | null>(null);
  const [needsPassword, setNeedsPassword] = useState(false);

  const goIn = (answer: SignedIn) => {
    storeSession(answer);
    // The sign-in page does without what calls the server for it.
    void import('../layouts/keep-language.ts').then(({ takeUpLanguage }) => takeUpLanguage()).catch(() => {});
    navigate(takeRememberedPage(), { replace: true, state: { from: 'sign-in' } });
  };

  const submit = async (values: Record<'id_number' | 'password' | 'otp', string>, form: HTMLFormElement) => {
    const { id_number, password, otp } = values;
    const body = { id_number, password, user_type: 'client', ...(needsCode && otp ? { otp } : {}) };
    const answer = await call<typeof login>('POST', '/auth/login/', { body, saccoId: null });
    const refused = refusedIn(answer);
    if (refused) {
      toast.error(refused);
      return;
    }
    form.reset();
    if (answer.suspended) {
      setSuspended(answer);
      return;
    }
    goIn(answer);
    toast.success(answer.message);
    if (answer.second_factor_enrolment_required) {
      toast(say('Your office asks for an authenticator app. Set it up under Account Settings.'), { travels: true });
    }
  };

  const explain = (error: unknown) => {
    if (error instanceof CallFailure && error.code === 'second_factor_required' && !needsCode) {
      setNeedsCode(true);
      return { toasts: [], fields: {} };
    }
    const isOld = error instanceof CallFailure && error.code === 'new_password_required';
    setNeedsPassword(isOld);
    return isOld
      ? { toasts: [], fields: {} }
      : { toasts: [wordsWithPrefix(error)], fields: sentencesBesideFields(error) };
  };

  return (
    <>
      <Title>{say('Sign In')}</Title>
      <AuthHead title={say('Sign In')} lead={say('Welcome back. Use the ID number that you registered with.')} />
      {suspended?.suspended && (
        <SuspensionNote {...suspended.suspended}>
          <Button look="line" onClick={() => goIn(suspended)}>
            {say('Read and vote')}
          </Button>
        </SuspensionNote>
      )}
      {needsPassword && <NewPasswordNeeded />}
      <ApiForm<'id_number' | 'password' | 'otp'>
        required={['id_number', 'password']}
        emptyMessage={say('All Fields are required')}
        check={checkStorage}
        submit={submit}
        explain={explain}
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
        <PasswordField label={say('Password')} name="password" autoComplete="current-password" />
        {needsCode && (
          <TextField
            label={say('Authenticator code')}
            name="otp"
            autoFocus
            autoComplete="one-time-code"
            hint={say('Enter the code from your authenticator app, or one of your recovery codes.')}
          />
        )}
        <SubmitButton busyLabel={say('Authenticating...')} className="mt-1 w-full">
          {say('Sign In')}
        </SubmitButton>
      </ApiForm>
      <AuthLinks
        links={[
          [paths.forgotPassword(), say('Forgot password?')],
          [paths.register(), say('Sign Up')],
          [paths.home(), say('Navigate Home')],
        ]}
      />
    </>
  );
}

/** Shown once the password was right: an old one might be a thief's. */
function NewPasswordNeeded() {
  return (
    <div role="alert" className="mb-5 grid gap-2 rounded-box bg-clay-tint px-4 py-3.5">
      <p className="font-semibold">{say('Your account was suspended')}</p>
      <p>{say('Set a new password first. We send a code for it to your phone.')}</p>
      <Link className="link inline-flex min-h-11 items-center font-semibold" to={paths.forgotPassword()}>
        {say('Set a new password')}
      </Link>
    </div>
  );
}
