import { type Ref, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { FoldedPart } from '../ui/fold.tsx';
import { Form } from '../ui/form.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { say } from '../words/say.ts';
import { ReceiptSays } from './receipt-says.tsx';
import type { SavedReceipt } from './saved-receipt.ts';
import { Details, StepsList, VerdictLine } from './steps-list.tsx';
import { isDocumentOfVerify, useChecked } from './use-checked.ts';

/** A receipt: what came of the five steps, what it says, and the rest folded. `says`: where it says it, for a paper of it. */
export function CheckedReceipt({ receipt, says }: { receipt: SavedReceipt; says?: Ref<HTMLElement> | undefined }) {
  const [endpoint, setEndpoint] = useState<string | null>(null);
  const { checked, again, trustNewKeys } = useChecked(receipt, endpoint);
  if (!checked) return <Skeletons count={1} label={say('Checking...')} className="h-72 rounded-card" />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <VerdictLine checked={checked} origin={receipt.entry.log} />
      <ReceiptSays ref={says} receipt={receipt} sacco={checked.sacco} />
      <div>
        <StepsList checked={checked} />
        {checked.steps.some(({ why }) => why === 'key_changed') && <TrustNewKeys onTrust={trustNewKeys} />}
      </div>
      <div>
        {isDocumentOfVerify() && (
          <ChainServer
            shown={endpoint ?? checked.chain?.rpc_url ?? ''}
            onChoose={(chosen) => {
              setEndpoint(chosen);
              again();
            }}
          />
        )}
        <Details receipt={receipt} />
      </div>
    </div>
  );
}

function TrustNewKeys({ onTrust }: { onTrust: () => void }) {
  return (
    <div className="mt-3 grid gap-3 rounded-box bg-ochre-tint p-4">
      <p>{say('Trust the new key only where an official of your sacco has confirmed it.')}</p>
      <Button look="line" onClick={onTrust} className="justify-self-start">
        {say('Trust the new key')}
      </Button>
    </div>
  );
}

function ChainServer({ shown, onChoose }: { shown: string; onChoose: (endpoint: string) => void }) {
  const isAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  return (
    <FoldedPart title={say('The chain’s server')} isLate>
      <p className="mb-3 text-small text-ink-2">
        {say('It is asked what the chain holds. Name another one where you do not trust ours.')}
      </p>
      <Form<'endpoint'>
        label={say('The chain’s server')}
        className="grid gap-3"
        required={['endpoint']}
        emptyMessage={say('Enter its address.')}
        check={({ endpoint }) =>
          isAddress(endpoint.trim())
            ? null
            : { toasts: [], fields: { endpoint: say('An address begins with https://.') } }
        }
        submit={async ({ endpoint }) => onChoose(endpoint.trim())}
        explain={() => ({ toasts: [] })}
      >
        <TextField label={say('Address')} name="endpoint" inputMode="url" autoComplete="off" defaultValue={shown} />
        <Button look="line" type="submit" className="justify-self-start">
          {say('Ask this one')}
        </Button>
      </Form>
    </FoldedPart>
  );
}
