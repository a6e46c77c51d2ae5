import type { confirmSecondFactor, enrolSecondFactor } from '@ushirika/contract/identity';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordField, TextField } from '../ui/fields.tsx';
import { Steps } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { inGroups } from './recovery-text.ts';

interface Enrolment {
  secret: string;
  uri: string;
}

/** Sets up an authenticator app: the password, the QR code and a code from the app, then the recovery codes, once. */
export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const steps = [say('Password'), say('App'), say('Recovery codes')];
  return (
    <Dialog title={say('Set up an authenticator app')} onClose={onClose}>
      <div className="mb-5">
        <Steps steps={steps} current={codes ? 2 : enrolment ? 1 : 0} />
      </div>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : enrolment ? (
        <AppStep enrolment={enrolment} onConfirmed={setCodes} />
      ) : (
        <PasswordStep onEnrolled={setEnrolment} />
      )}
    </Dialog>
  );
}

function PasswordStep({ onEnrolled }: { onEnrolled: (enrolment: Enrolment) => void }) {
  const submit = async (body: Record<'current_password', string>) => {
    onEnrolled(await call<typeof enrolSecondFactor>('POST', '/client/second-factor', { body }));
  };
  return (
    <ApiForm<'current_password'>
      required={['current_password']}
      emptyMessage={say('Enter your password.')}
      submit={submit}
    >
      <p className="text-ink-2">
        {say('You need an app such as Google Authenticator, Aegis or 2FAS on your phone. First, your password.')}
      </p>
      <PasswordField
        label={say('Current password')}
        name="current_password"
        autoComplete="current-password"
        autoFocus
      />
      <SubmitButton busyLabel={say('processing...')}>{say('Go on')}</SubmitButton>
    </ApiForm>
  );
}

function AppStep({
  enrolment: { secret, uri },
  onConfirmed,
}: {
  enrolment: Enrolment;
  onConfirmed: (codes: readonly string[]) => void;
}) {
  const submit = async (body: Record<'otp', string>) => {
    const answer = await call<typeof confirmSecondFactor>('POST', '/client/second-factor/confirmation', { body });
    onConfirmed(answer.recovery_codes);
    toast.success(answer.message);
    await refresh(['Client', 'User']);
  };
  return (
    <ApiForm<'otp'>
      required={['otp']}
      emptyMessage={say('Enter the code from your authenticator app.')}
      submit={submit}
    >
      <p className="text-ink-2">{say('Scan this with the app. On this same phone, open or copy the key instead.')}</p>
      <div className="mx-auto w-52">
        <QrCode text={uri} label={say('QR code for the authenticator app')} />
      </div>
      <div className="flex items-center gap-2 rounded-box bg-sunken py-1.5 pr-1.5 pl-4">
        <code className="num min-w-0 grow text-small font-semibold">{inGroups(secret)}</code>
        <CopyButton text={secret} what={say('Copy the key')} />
      </div>
      <a href={uri} className="link inline-flex min-h-11 items-center justify-self-center text-small">
        {say('Open in the app on this device')}
      </a>
      <TextField
        label={say('Code from the app')}
        name="otp"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={12}
        placeholder="123 456"
        className="num"
        hint={say('Every other device is signed out when it is on.')}
      />
      <SubmitButton busyLabel={say('processing...')}>{say('Turn it on')}</SubmitButton>
    </ApiForm>
  );
}
