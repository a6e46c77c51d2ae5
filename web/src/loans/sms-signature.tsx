import type { askGuaranteeCode } from '@ushirika/contract/loans';
import { type ReactNode, useState } from 'react';
import { ApiForm, explainFailure } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { now } from '../clock.ts';
import { CodeRefused } from '../identity/code-refused.tsx';
import { ConfirmPhone } from '../identity/confirm-phone-dialog.tsx';
import { useProfile } from '../identity/profile.queries.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { Countdown } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { refreshLoans } from './loans.queries.ts';

interface Signing {
  /** The guarantee, and the hash of the terms that are on the page. */
  readonly guarantee: string;
  readonly termsHash: string;
  /** What the button says that signs. */
  readonly act: string;
  readonly sign: (code: string) => Promise<{ message: string }>;
  readonly onClose: () => void;
}

/** A code that goes by SMS to the guarantor's own phone, and signs exactly these terms. `before` is shown until it is sent. */
export function SmsSignature({ before, ...signing }: Signing & { before?: ReactNode }) {
  const [until, setUntil] = useState<number | null>(null);
  const [isUnconfirmed, setUnconfirmed] = useState(false);
  const { busy, send } = useCode(signing, setUntil, () => setUnconfirmed(true));
  return (
    <>
      {until === null && before}
      <div className="mt-4">
        {isUnconfirmed ? (
          <div className="grid gap-4">
            <p className="rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
              {say('Confirm your phone first, once. Then the code comes to it.')}
            </p>
            <ConfirmPhone onDone={() => setUnconfirmed(false)} />
          </div>
        ) : until === null ? (
          <>
            <p className="text-ink-2">
              {say('A code comes by SMS to your phone. It says what you sign, and it is good for 10 minutes.')}
            </p>
            <Button className="mt-4 w-full" busy={busy} onClick={send}>
              {busy ? say('Sending the code...') : say('Send me the code')}
            </Button>
          </>
        ) : (
          <CodeForm {...signing} until={until} busy={busy} onAgain={send} />
        )}
      </div>
    </>
  );
}

function useCode({ guarantee, termsHash }: Signing, onSent: (until: number) => void, onUnconfirmed: () => void) {
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      const answer = await call<typeof askGuaranteeCode>('POST', '/loans/guarantees/{id}/code', {
        params: { id: guarantee },
        body: { terms_hash: termsHash },
      });
      toast.success(answer.message);
      onSent(Date.parse(answer.expires_at));
    } catch (error) {
      if (error instanceof CallFailure && error.code === 'phone_unconfirmed') onUnconfirmed();
      else toast.error(wordsFor(error));
      if (isOutdated(error)) void refreshLoans();
    } finally {
      setBusy(false);
    }
  };
  return { busy, send: () => void send() };
}

/** The terms on screen are no longer those of the request. */
function isOutdated(error: unknown): boolean {
  return (
    error instanceof CallFailure && ['loan_terms_changed', 'guarantee_conflict', 'loan_conflict'].includes(error.code)
  );
}

function CodeForm({
  act,
  sign,
  onClose,
  until,
  busy,
  onAgain,
}: Signing & { until: number; busy: boolean; onAgain: () => void }) {
  const phone = useProfile().data?.phone_number;
  const submit = async ({ code }: Record<'code', string>) => {
    const { message } = await sign(code.trim());
    toast.success(message);
    onClose();
    await refreshLoans();
  };
  const explain = (error: unknown) => {
    if (isOutdated(error)) void refreshLoans();
    return explainFailure(error);
  };
  return (
    <>
      <ApiForm<'code'>
        // A new code begins with an empty field.
        key={until}
        required={['code']}
        emptyMessage={say('Enter the code from the SMS.')}
        submit={submit}
        explain={explain}
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
          hint={
            <>
              {say('Good for')} <Countdown until={until} now={now} />
            </>
          }
        />
        <p className="rounded-box bg-clay-tint px-4 py-3 text-small font-medium text-clay">
          {say('Your code is your signature. Give it to nobody, not even to the borrower.')}
        </p>
        <SubmitButton busyLabel={say('processing...')}>{act}</SubmitButton>
      </ApiForm>
      <Button look="quiet" className="mt-2 w-full" busy={busy} onClick={onAgain}>
        {busy ? say('Sending the code...') : say('Send another code')}
      </Button>
    </>
  );
}
