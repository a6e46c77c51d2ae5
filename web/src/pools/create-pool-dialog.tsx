import type { createPool } from '@ushirika/contract/pools';
import { useState } from 'react';
import { ApiForm, sentencesBesideFields } from '../api/api-form.tsx';
import { call, useIdempotencyKey } from '../api/call.ts';
import { CallFailure, refusedIn, wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { useSacco } from '../session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { MoneyField, SelectField, TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

const FIELDS = [
  'name',
  'min_contribution',
  'min_contribution_perc',
  'min_member_period',
  'base_risk_percentage',
  'risk_weight_factor',
  'min_trust_score',
] as const;
type Field = (typeof FIELDS)[number];

/** Create Guarantors Pool: seven fields, entered as text; for the chosen sacco, or open to members of any. */
export function CreatePoolDialog({ onClose }: { onClose: () => void }) {
  const sacco = useSacco();
  const { keyFor, settle } = useIdempotencyKey();
  const [refusal, setRefusal] = useState('');

  const submit = async (values: Record<Field | 'for', string>) => {
    setRefusal('');
    const body = Object.fromEntries(FIELDS.map((name) => [name, values[name]])) as Record<Field, string>;
    const saccoId = values.for === 'sacco' && sacco ? sacco.id : null;
    const answer = await call<typeof createPool>('POST', '/guarantors/pools', {
      body,
      saccoId,
      idempotencyKey: keyFor({ body, saccoId }),
    });
    if (refusedIn(answer)) throw new Error('refused');
    toast.success(answer.message);
    onClose();
    await refresh(['Pool']);
  };

  const explain = (error: unknown) => {
    const fields = sentencesBesideFields(error);
    // What was typed wrong is not the server's fault: the sentences beside the fields say all.
    if (error instanceof CallFailure && error.code === 'validation_failed')
      return { toasts: [...new Set(Object.values(fields))], fields };
    setRefusal(error instanceof CallFailure ? wordsFor(error) : '');
    return { toasts: [say('Failed to create... probably a server error')], fields };
  };

  return (
    <Dialog title={say('Create Guarantors Pool')} onClose={onClose} wide>
      <ApiForm<Field | 'for'>
        required={FIELDS}
        emptyMessage={say('All Fields are required')}
        submit={submit}
        settle={settle}
        explain={explain}
      >
        <TextField label={say('Name')} name="name" autoComplete="off" />
        {sacco && (
          <SelectField label={say('Who may join')} name="for" defaultValue="sacco">
            <option value="sacco">{say('Members of {sacco}', { sacco: sacco.name })}</option>
            <option value="any">{say('Members of any sacco')}</option>
          </SelectField>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <MoneyField
            label={say('Minimum contribution')}
            name="min_contribution"
            hint={say('What a member puts in at least.')}
          />
          <NumberField
            label={say('Minimum contribution percentage (%)')}
            name="min_contribution_perc"
            hint={say('The part of a guarantee that the borrower’s own position must cover, 10 to 100.')}
          />
          <NumberField
            label={say('Minimum member period (days)')}
            name="min_member_period"
            hint={say('Days in the pool before asking for a guarantee.')}
          />
          <NumberField
            label={say('Base risk percentage (%)')}
            name="base_risk_percentage"
            hint={say('The price a year for somebody of full trust, 0 to 20.')}
          />
          <NumberField
            label={say('Risk weight factor')}
            name="risk_weight_factor"
            hint={say('How much less trust raises the price, 0 to 3.')}
          />
          <NumberField
            label={say('Minimum trust score')}
            name="min_trust_score"
            hint={say('From 40 to 100; below it nobody is guaranteed.')}
          />
        </div>
        {refusal && (
          <p role="status" className="rounded-box bg-clay-tint px-4 py-3 font-medium text-clay">
            {refusal}
          </p>
        )}
        <SubmitButton busyLabel={say('processing...')}>{say('Create Pool')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}

function NumberField(props: { label: string; name: Field; hint: string }) {
  return <TextField {...props} inputMode="decimal" autoComplete="off" className="num" />;
}
