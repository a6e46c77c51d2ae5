import { formatShillings } from '@ushirika/contract/format';
import type { provePassword } from '@ushirika/contract/identity';
import { useEffect, useRef } from 'react';
import { ApiForm, explainFailure } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { CallFailure } from '../api/failure.ts';
import type { AskedProof } from '../api/with-proof.ts';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { say } from '../words/say.ts';

/** Asks for the password once more, and says why: then what was begun goes on by itself. */
export function ProofDialog({ asked: { refusal, because, answer } }: { asked: AskedProof }) {
  const submit = async ({ current_password }: Record<'current_password', string>) => {
    await call<typeof provePassword>('POST', '/client/password-proof', { body: { current_password } });
    answer(true);
  };
  const form = useRef<HTMLDivElement>(null);
  // A dialog that opens puts the focus on its cross: this runs after that.
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  return (
    <Dialog title={say('Enter your password')} onClose={() => answer(false)}>
      <div className="mb-5 grid gap-2">
        {(because === null ? why(refusal) : [because]).map((sentence) => (
          <p key={sentence} className="text-ink-2 first:font-medium first:text-ink">
            {sentence}
          </p>
        ))}
      </div>
      <div ref={form}>
        <ApiForm<'current_password'>
          required={['current_password']}
          emptyMessage={say('All Fields are required')}
          submit={submit}
          explain={besideThePassword}
        >
          <PasswordField
            label={say('Your password')}
            name="current_password"
            autoComplete="current-password"
            hint={say('For the next 15 minutes you are not asked again.')}
          />
          <SubmitButton busyLabel={say('processing...')}>{say('Go on')}</SubmitButton>
        </ApiForm>
      </div>
    </Dialog>
  );
}

function why({ body }: CallFailure): string[] {
  const { value, allowance, left } = body;
  if (typeof value !== 'number' || typeof allowance !== 'number' || typeof left !== 'number') {
    return [say('You signed in a while ago. Enter your password once more before money leaves your wallet.')];
  }
  return [
    left < allowance
      ? say('{x} needs your password. Without it you may move {y} a day, and {z} of that is left today.', {
          x: formatShillings(value),
          y: formatShillings(allowance),
          z: formatShillings(left),
        })
      : say('{x} needs your password. Without it you may move {y} a day.', {
          x: formatShillings(value),
          y: formatShillings(allowance),
        }),
    say('You signed in a while ago. This protects your savings if someone else picks up your phone.'),
  ];
}

function besideThePassword(error: unknown) {
  const isWrong = error instanceof CallFailure && error.code === 'current_password_wrong';
  return isWrong
    ? { toasts: [], fields: { current_password: say('That password is not right.') } }
    : explainFailure(error);
}
