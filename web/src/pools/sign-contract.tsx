import type { acceptGuaranteeContract, askContractCode, PoolRequest } from '@ushirika/contract/pools';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiForm, explainFailure } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { CodeRefused } from '../identity/code-refused.tsx';
import { useProfile } from '../identity/profile.queries.ts';
import { later } from '../layouts/later.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { TextField } from '../ui/fields.tsx';
import { LongDate, unbroken } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { nameOf } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { AcceptField } from './accept-field.tsx';
import { usePoolPaths } from './pool-paths.ts';
import { refreshPools } from './pools.queries.ts';

const ConfirmPhoneDialog = later(() => import('../identity/confirm-phone-dialog.tsx'), 'ConfirmPhoneDialog');

/** The memorandum and its signature: read, then the code by SMS, then name and code. */
export function SignContract({ request }: { request: PoolRequest }) {
  const [validUntil, setValidUntil] = useState<string | null>(null);
  return (
    <Card className="p-5">
      <h2 className="mb-1 text-lead">{say('Read and sign')}</h2>
      <p className="text-small text-ink-2">{say('This is what you sign. Nothing else is agreed.')}</p>
      <Memorandum lines={request.memorandum} hash={request.quote_hash} />
      <SendCode request={request} validUntil={validUntil} onSent={setValidUntil} />
      {validUntil && <SignatureForm request={request} />}
    </Card>
  );
}

/** What is signed, a sentence a line, with the hash of its exact terms. */
export function Memorandum({ lines, hash }: { lines: readonly string[]; hash: string }) {
  return (
    <div className="mt-3 rounded-box border border-line bg-paper px-4 py-3.5">
      <ol className="num grid list-decimal gap-1.5 pl-5">
        {lines.map((line) => (
          <li key={line}>{unbroken(line)}</li>
        ))}
      </ol>
      <p className="num mt-3 border-t border-dashed border-line pt-2.5 text-small break-all text-ink-2">
        {say('Hash of the terms:')} <code>{hash}</code>
      </p>
    </div>
  );
}

function SendCode({
  request,
  validUntil,
  onSent,
}: {
  request: PoolRequest;
  validUntil: string | null;
  onSent: (until: string) => void;
}) {
  const { data: profile } = useProfile();
  const [busy, setBusy] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      const body = { request: request.id, quote_hash: request.quote_hash };
      const answer = await call<typeof askContractCode>('POST', '/guarantors/pools/guarantee-contract/code', { body });
      toast.success(answer.message);
      onSent(answer.expires_at);
    } catch (error) {
      toast.error(wordsFor(error));
      if (error instanceof CallFailure && error.code.startsWith('pool_')) await refreshPools();
    }
    setBusy(false);
  };
  if (profile && !profile.verified.phone) {
    return (
      <div className="mt-4 grid gap-3 rounded-box bg-ochre-tint px-4 py-3 text-ochre-ink">
        <p className="font-medium">{say('The code that signs goes to your phone. Confirm the phone first.')}</p>
        <Button look="line" onClick={() => setConfirming(true)}>
          {say('Confirm your phone')}
        </Button>
        {isConfirming && (
          <Suspense>
            <ConfirmPhoneDialog onClose={() => setConfirming(false)} />
          </Suspense>
        )}
      </div>
    );
  }
  return (
    <div className="mt-4 grid gap-2">
      <Button look={validUntil ? 'quiet' : 'main'} busy={busy} onClick={() => void send()}>
        {busy ? say('Sending the code...') : validUntil ? say('Send another code') : say('Send me the code to sign')}
      </Button>
      {validUntil && <CodeRefused />}
      {validUntil && (
        <p className="num text-small text-ink-2">
          {say('The code is good until')} <LongDate iso={validUntil} time />.{' '}
          {say('Give it to nobody: whoever has it can sign for you.')}
        </p>
      )}
    </div>
  );
}

type Fields = 'signed_name' | 'code' | 'accept';

function SignatureForm({ request }: { request: PoolRequest }) {
  const { data: profile } = useProfile();
  const to = usePoolPaths();
  const navigate = useNavigate();
  const submit = async ({ signed_name, code }: Record<Fields, string>) => {
    const body = { request: request.id, accept: true as const, quote_hash: request.quote_hash, signed_name, code };
    const answer = await call<typeof acceptGuaranteeContract>('POST', '/guarantors/pools/guarantee-contract', { body });
    toast.success(answer.message);
    await refreshPools();
    if (answer.contract) navigate(to.contract(answer.contract.id));
  };
  const explain = (error: unknown) => {
    const code = error instanceof CallFailure ? error.code : '';
    if (['pool_quote_changed', 'pool_request_conflict', 'guarantee_declined'].includes(code)) void refreshPools();
    if (code === 'otp_not_accepted') return { toasts: [], fields: { code: wordsFor(error) } };
    if (code === 'signature_mismatch') return { toasts: [], fields: { signed_name: wordsFor(error) } };
    return explainFailure(error);
  };
  return (
    <ApiForm<Fields>
      label={say('Signature')}
      className="mt-4 grid gap-4"
      required={['signed_name', 'code', 'accept']}
      emptyMessage={say('Type your name and the code, and accept the memorandum.')}
      submit={submit}
      explain={explain}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={say('Your full name')}
          name="signed_name"
          autoComplete="name"
          hint={profile ? say('As your account has it: {name}', { name: nameOf(profile.user) }) : undefined}
        />
        <TextField
          label={say('Code from the SMS')}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          className="num"
        />
      </div>
      <AcceptField name="accept">{say('I have read the memorandum and I am bound by it.')}</AcceptField>
      <SubmitButton busyLabel={say('processing...')}>{say('Sign the guarantee')}</SubmitButton>
    </ApiForm>
  );
}
