import { formatShillings } from '@ushirika/contract/format';
import type { objectByCode } from '@ushirika/contract/proposals';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';

/** /objection: whose phone paid says, by the code of our SMS, that the money is not for somebody else. */
export function ObjectionPage() {
  const [objected, setObjected] = useState<{ amount: number; receipt: string } | null>(null);
  return (
    <div className="mx-auto w-full max-w-xl px-4 py-10 sm:py-16">
      <Title>{say('Object to a payment')}</Title>
      <Card className="grid gap-5 p-6 sm:p-8">
        <span
          className={`grid size-14 place-items-center rounded-full ${objected ? 'bg-forest-tint text-up' : 'bg-ochre-tint text-ochre-ink'}`}
        >
          <Icon name={objected ? 'check' : 'shield'} className="size-7" />
        </span>
        {objected ? <Objected {...objected} /> : <ObjectionForm onDone={setObjected} />}
      </Card>
    </div>
  );
}

function Objected({ amount, receipt }: { amount: number; receipt: string }) {
  return (
    <div role="status" className="grid gap-3">
      <h1 className="text-head">{say('Your money stays where it is')}</h1>
      <p>
        {say(
          '{amount} (M-Pesa {receipt}) is not given to anybody else. Our team looks at it, and calls or writes to you.',
          {
            amount: formatShillings(amount),
            receipt,
          },
        )}
      </p>
      <p className="text-ink-2">{say('You need not do anything more. Keep the M-Pesa message.')}</p>
      <LinkButton to={paths.home()} look="line" className="justify-self-start">
        {say('Home')}
      </LinkButton>
    </div>
  );
}

function ObjectionForm({ onDone }: { onDone: (objected: { amount: number; receipt: string }) => void }) {
  const submit = async ({ code }: Record<'code', string>) => {
    const { amount, receipt } = await call<typeof objectByCode>('POST', '/payments/objections', { body: { code } });
    onDone({ amount, receipt });
  };
  return (
    <>
      <div className="grid gap-2">
        <h1 className="text-head">{say('Is this payment yours?')}</h1>
        <p>{say('We sent you an SMS: money that was paid from your phone will be given to another member.')}</p>
        <p className="text-ink-2">
          {say('If that is right, do nothing. If it is not, enter the code of the SMS, and nobody gets it for now.')}
        </p>
      </div>
      <ApiForm<'code'> required={['code']} emptyMessage={say('Enter the code of the SMS.')} submit={submit}>
        <TextField
          label={say('Code of the SMS')}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          placeholder="ABCD-EFGH-JKMN-PQRS"
          maxLength={40}
          hint={say('You need no account. We never ask for your M-Pesa PIN.')}
        />
        <SubmitButton busyLabel={say('processing...')} className="w-full">
          {say('I object')}
        </SubmitButton>
      </ApiForm>
    </>
  );
}
