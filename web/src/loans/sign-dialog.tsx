import { formatShillings } from '@ushirika/contract/format';
import type { acceptGuarantee, askGuaranteeCode, GuaranteeToSign } from '@ushirika/contract/loans';
import { useState } from 'react';
import { ApiForm, explainFailure } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { now } from '../clock.ts';
import { ConfirmPhone } from '../identity/confirm-phone-dialog.tsx';
import { useProfile } from '../identity/profile.queries.ts';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { Countdown, Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { monthsInWords } from './loan-words.ts';
import { refreshLoans } from './loans.queries.ts';

/** Signing a guarantee: a code goes by SMS to the guarantor's own phone, and signs exactly these terms. */
export function SignDialog({ request, onClose }: { request: GuaranteeToSign; onClose: () => void }) {
  const [until, setUntil] = useState<number | null>(null);
  const [isUnconfirmed, setUnconfirmed] = useState(false);
  const { busy, send } = useCode(request, setUntil, () => setUnconfirmed(true));
  return (
    <Dialog title={say('Sign as a guarantor')} onClose={onClose}>
      <Facts
        facts={[
          [say('For'), request.borrower],
          [
            say('Loan'),
            <span key="loan">
              <Money shillings={request.amount} /> · {monthsInWords(request.months)}
            </span>,
          ],
          [say('You can lose at most'), <Money key="worst" shillings={request.worst_case} className="text-clay" />],
        ]}
      />
      {request.signing && until === null && <Effect signing={request.signing} />}
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
          <CodeForm request={request} until={until} busy={busy} onAgain={send} onClose={onClose} />
        )}
      </div>
    </Dialog>
  );
}

/** What signing does to the guarantor's own money, before the code is asked for. */
function Effect({ signing }: { signing: NonNullable<GuaranteeToSign['signing']> }) {
  const { free, free_after, limit, limit_after, applications } = signing;
  return (
    <section className="num mt-4 rounded-box bg-sunken px-4 py-3 text-small">
      <h3 className="text-body font-semibold">{say('What it does to your own money')}</h3>
      <ul className="mt-1 grid list-disc gap-1 pl-4.5">
        <li>
          {say('{from} of your savings are free now, and {to} once you sign.', {
            from: formatShillings(free),
            to: formatShillings(free_after),
          })}
        </li>
        <li>{limitEffect(limit, limit_after)}</li>
        {applications.map((application) => (
          <li key={application.id} className="font-medium text-clay">
            {applicationEffect(application)}
          </li>
        ))}
      </ul>
      <p className="mt-1.5 text-ink-2">
        {say(
          'Pledged savings still count for what you can borrow, but they cannot cover a loan of your own meanwhile.',
        )}
      </p>
    </section>
  );
}

type Application = NonNullable<GuaranteeToSign['signing']>['applications'][number];

function applicationEffect({ number, own, own_after, to_cover, to_cover_after }: Application): string {
  const values = {
    number,
    own: formatShillings(own),
    after: formatShillings(own_after),
    now: formatShillings(to_cover),
    missing: formatShillings(to_cover_after),
  };
  return to_cover === to_cover_after
    ? say('Your own application {number}: your savings cover {own} of it now, and {after} once you sign.', values)
    : say(
        'Your own application {number}: your savings cover {own} of it now, and {after} once you sign. {now} is not covered now, and {missing} once you sign: others would have to guarantee it.',
        values,
      );
}

function limitEffect(now: number, after: number): string {
  if (now === after) return say('You can borrow {amount} here at most, as before.', { amount: formatShillings(now) });
  return say('You can borrow {from} here at most now, and {to} once you sign.', {
    from: formatShillings(now),
    to: formatShillings(after),
  });
}

function useCode(request: GuaranteeToSign, onSent: (until: number) => void, onUnconfirmed: () => void) {
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      const answer = await call<typeof askGuaranteeCode>('POST', '/loans/guarantees/{id}/code', {
        params: { id: request.id },
        body: { terms_hash: request.terms_hash },
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
  return error instanceof CallFailure && ['loan_terms_changed', 'guarantee_conflict'].includes(error.code);
}

function CodeForm({
  request,
  until,
  busy,
  onAgain,
  onClose,
}: {
  request: GuaranteeToSign;
  until: number;
  busy: boolean;
  onAgain: () => void;
  onClose: () => void;
}) {
  const phone = useProfile().data?.phone_number;
  const submit = async ({ code }: Record<'code', string>) => {
    const answer = await call<typeof acceptGuarantee>('POST', '/loans/guarantees/{id}/acceptance', {
      params: { id: request.id },
      body: { terms_hash: request.terms_hash, code: code.trim() },
    });
    toast.success(answer.message);
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
        <SubmitButton busyLabel={say('processing...')}>{say('Sign')}</SubmitButton>
      </ApiForm>
      <Button look="quiet" className="mt-2 w-full" busy={busy} onClick={onAgain}>
        {busy ? say('Sending the code...') : say('Send another code')}
      </Button>
    </>
  );
}
