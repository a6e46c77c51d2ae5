import type { confirmPhone, requestPhoneConfirmation } from '@ushirika/contract/identity';
import { useEffect, useRef, useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { FailureState } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordField, TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Loading } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { CodeRefused } from './code-refused.tsx';
import { useProfile } from './profile.queries.ts';

/** Confirms the phone of the profile: a code goes to it by SMS as soon as this opens. */
export function ConfirmPhoneDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={say('Confirm your phone')} onClose={onClose}>
      <ConfirmPhone onDone={onClose} />
    </Dialog>
  );
}

/** The same inside another dialog, after the phone was changed there. */
export function ConfirmPhone({ onDone }: { onDone: () => void }) {
  const phone = useProfile().data?.phone_number;
  const { sent, codes, failure, isSending, send } = useCode();
  if (failure && !sent) {
    const isDone = failure instanceof CallFailure && failure.code === 'phone_already_confirmed';
    if (!isDone) return <FailureState words={wordsFor(failure)} again={say('Try again')} onAgain={send} />;
    return (
      <div className="grid gap-4">
        <p>{wordsFor(failure)}</p>
        <Button onClick={onDone}>{say('Done')}</Button>
      </div>
    );
  }
  if (!sent) return <Loading label={say('Sending the code...')} />;

  const submit = async ({ code, current_password }: Record<'code' | 'current_password', string>) => {
    const body = { code: code.trim(), ...(sent.password_required ? { current_password } : {}) };
    const answer = await call<typeof confirmPhone>('POST', '/client/phone-confirmation/code', { body });
    toast.success(answer.message);
    onDone();
    await refresh(['Client', 'User']);
  };
  return (
    <>
      <ApiForm<'code' | 'current_password'>
        // A new code begins with an empty field, and nothing said against the last one.
        key={codes}
        required={sent.password_required ? ['code', 'current_password'] : ['code']}
        emptyMessage={say('All Fields are required')}
        submit={submit}
      >
        <p className="num text-ink-2">{say('A code went by SMS to {phone}. Enter it here.', { phone: phone ?? '' })}</p>
        <CodeRefused />
        <TextField
          label={say('Code from the SMS')}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          className="num"
        />
        {sent.password_required && (
          <PasswordField
            label={say('Your password')}
            name="current_password"
            autoComplete="current-password"
            hint={say('We ask because this phone replaces an earlier one.')}
          />
        )}
        <SubmitButton busyLabel={say('processing...')}>{say('Confirm')}</SubmitButton>
      </ApiForm>
      <Button look="quiet" className="mt-2 w-full" busy={isSending} onClick={send}>
        {isSending ? say('Sending the code...') : say('Send another code')}
      </Button>
    </>
  );
}

/** Asks for a code once when it opens, and again when told to. */
function useCode() {
  const [sent, setSent] = useState<{ password_required: boolean } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [codes, setCodes] = useState(0);
  const [isSending, setSending] = useState(false);
  const send = async () => {
    setSending(true);
    setFailure(null);
    try {
      const answer = await call<typeof requestPhoneConfirmation>('POST', '/client/phone-confirmation');
      if (sent) toast.success(answer.message);
      setSent(answer);
      setCodes((count) => count + 1);
    } catch (error) {
      setFailure(error);
      if (sent) toast.error(wordsFor(error));
    } finally {
      setSending(false);
    }
  };
  const asked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void send();
  }, []);
  return { sent, codes, failure, isSending, send: () => void send() };
}
