import type { removeSecondFactor, renewRecoveryCodes } from '@ushirika/contract/identity';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import type { ButtonLook } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordField, TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

type Proof = Record<'current_password' | 'otp', string>;

/** Ten new recovery codes; the old ones stop working. */
export function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const submit = async (body: Proof) => {
    const answer = await call<typeof renewRecoveryCodes>('POST', '/client/second-factor/recovery-codes', { body });
    setCodes(answer.recovery_codes);
    toast.success(answer.message);
    await refresh(['Client']);
  };
  return (
    <Dialog title={say('New recovery codes')} onClose={onClose}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <ProofForm
          lead={say('You get ten new codes, and the old ones stop working.')}
          label={say('Make new codes')}
          submit={submit}
        />
      )}
    </Dialog>
  );
}

/** Turns the authenticator app off. */
export function RemoveDialog({ isRequired, onClose }: { isRequired: boolean; onClose: () => void }) {
  const submit = async (body: Proof) => {
    const answer = await call<typeof removeSecondFactor>('POST', '/client/second-factor/removal', { body });
    onClose();
    toast.success(answer.message);
    await refresh(['Client', 'User']);
  };
  return (
    <Dialog title={say('Remove the authenticator app')} onClose={onClose}>
      <ProofForm
        lead={
          isRequired
            ? say('Your office asks for one: without it you cannot act in your office.')
            : say('From then on your password alone opens your account.')
        }
        label={say('Remove')}
        look="clay"
        submit={submit}
      />
    </Dialog>
  );
}

function ProofForm({
  lead,
  label,
  look,
  submit,
}: {
  lead: string;
  label: string;
  look?: ButtonLook;
  submit: (body: Proof) => Promise<void>;
}) {
  return (
    <ApiForm<keyof Proof>
      required={['current_password', 'otp']}
      emptyMessage={say('All Fields are required')}
      submit={submit}
    >
      <p className="text-ink-2">{lead}</p>
      <PasswordField label={say('Current password')} name="current_password" autoComplete="current-password" />
      <TextField
        label={say('Authenticator code')}
        name="otp"
        autoComplete="one-time-code"
        className="num"
        hint={say('Enter the code from your authenticator app, or one of your recovery codes.')}
      />
      <SubmitButton busyLabel={say('processing...')} look={look}>
        {label}
      </SubmitButton>
    </ApiForm>
  );
}
