import type { askPayer, confirmPayer } from '@ushirika/contract/wallet';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { CodeRefused } from '../identity/code-refused.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { inThrees } from './pay-by-hand.tsx';
import { usePaybill } from './wallet.queries.ts';

interface Props {
  phone: string;
  onDone: () => void;
  onBack: () => void;
}

/** The holder of another phone agrees once: a code goes there by SMS, and they hand it over. */
export function AskHolder({ phone, onDone, onBack }: Props) {
  const [isSent, setSent] = useState(false);
  const [isSending, setSending] = useState(false);
  const account = usePaybill().data?.account_number;
  const send = async () => {
    setSending(true);
    try {
      const answer = await call<typeof askPayer>('POST', '/integrations/mpesa/payers', { body: { phone } });
      // A code before this one may have been refused; nothing is said of this one yet.
      await refresh(['Client']);
      toast.success(answer.message);
      setSent(true);
    } catch (error) {
      toast.error(wordsFor(error));
    } finally {
      setSending(false);
    }
  };
  const submit = async ({ code }: Record<'code', string>) => {
    const body = { phone, code: code.trim() };
    await call<typeof confirmPayer>('POST', '/integrations/mpesa/payers/confirmation', { body });
    await refresh(['Client']);
    onDone();
  };
  return (
    <div className="grid gap-4">
      <p className="text-lead font-semibold">{say('Is {phone} ready to pay for you?', { phone })}</p>
      <p className="text-ink-2">
        {say('That phone is not yours, so its owner agrees first. We send it a code by SMS. Ask them for it, once.')}
      </p>
      {account && (
        <p className="num rounded-box bg-forest-tint px-4 py-3 text-small font-medium text-forest">
          {say('The SMS names your wallet: {account}.', { account: inThrees(account) })}
        </p>
      )}
      {isSent ? (
        <ApiForm<'code'> required={['code']} emptyMessage={say('All Fields are required')} submit={submit}>
          <CodeRefused phone={phone} />
          <TextField
            label={say('Code from the SMS')}
            name="code"
            inputMode="numeric"
            autoComplete="off"
            autoFocus
            className="num"
          />
          <SubmitButton busyLabel={say('processing...')}>{say('Confirm and top up')}</SubmitButton>
        </ApiForm>
      ) : (
        <Button busy={isSending} onClick={() => void send()}>
          {isSending ? say('Sending the code...') : say('Send the code')}
        </Button>
      )}
      <Button look="quiet" onClick={onBack}>
        {say('Use another phone')}
      </Button>
    </div>
  );
}
