import type { Claim, claimReceiptRoute } from '@ushirika/contract/wallet';
import { ApiForm } from '../api/api-form.tsx';
import { call, useIdempotencyKey } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Facts, FailureState } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Loading } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { ReceiptOfPayment } from './money-receipt.tsx';
import { Outcome } from './waiting.tsx';
import { begin, useClaim } from './wallet.queries.ts';

interface Props {
  /** The claim that is waited for; null while there is none yet. */
  claimId: string | null;
  /** The one that is asked about again. */
  againId: string | null;
  onAsked: (id: string) => void;
  onAgain: () => void;
  onClose: () => void;
}

/** Confirm a deposit: M-Pesa's transaction id of a payment that is not reflected yet is checked with M-Pesa. */
export function ConfirmDepositDialog({ claimId, againId, onAsked, onAgain, onClose }: Props) {
  const again = useClaim(againId);
  return (
    <Dialog title={say('Confirm a deposit')} onClose={onClose}>
      {claimId ? (
        <Followed id={claimId} onAgain={onAgain} onClose={onClose} />
      ) : again.isLoading ? (
        <Loading label={say('Loading...')} />
      ) : (
        <ConfirmForm earlier={again.data} onAsked={onAsked} />
      )}
    </Dialog>
  );
}

function ConfirmForm({ earlier, onAsked }: Pick<Props, 'onAsked'> & { earlier: Claim | undefined }) {
  const session = useSession();
  const { keyFor, settle } = useIdempotencyKey();
  const submit = async (body: Record<'transaction_id' | 'phone_number', string>) => {
    const answer = await call<typeof claimReceiptRoute>('POST', '/integrations/mpesa/transaction-checker', {
      body,
      idempotencyKey: keyFor(body),
    });
    toast.success(answer.message);
    settle();
    begin('claim', answer.claim);
    onAsked(answer.claim.id);
  };
  return (
    <ApiForm<'transaction_id' | 'phone_number'>
      required={['transaction_id', 'phone_number']}
      emptyMessage={say('All Fields are required')}
      submit={submit}
      settle={settle}
    >
      <p className="text-ink-2">
        {say('You paid by M-Pesa, and it is not in your wallet? Enter the code from its SMS, and we ask M-Pesa.')}
      </p>
      <TextField
        label={say('Transaction ID')}
        name="transaction_id"
        defaultValue={earlier?.transaction_id}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        placeholder="SGH7XK2L9P"
        hint={say('The first ten characters of the SMS from M-Pesa; you may paste the whole SMS.')}
        className="num uppercase placeholder:normal-case"
      />
      <TextField
        label={say('Phone Number')}
        name="phone_number"
        type="tel"
        autoComplete="tel"
        placeholder="254712345678"
        defaultValue={earlier?.phone_number ?? session?.user.phone_number}
        hint={say('The phone that paid: 254712345678 or 0712345678.')}
        className="num"
      />
      <SubmitButton busyLabel={say('processing...')}>{say('Confirm Transaction')}</SubmitButton>
    </ApiForm>
  );
}

function Followed({ id, onAgain, onClose }: { id: string; onAgain: () => void; onClose: () => void }) {
  const { data: claim, error, refetch } = useClaim(id);
  if (!claim && error) {
    return <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />;
  }
  if (!claim) return <Loading label={say('Loading...')} />;
  return (
    <div className="grid gap-5">
      <Standing claim={claim} />
      <Facts
        facts={[
          [say('Transaction ID'), <code key="id">{claim.transaction_id}</code>],
          [say('Phone Number'), claim.phone_number],
          ...(claim.amount === null ? [] : [[say('Amount'), <Money key="amount" shillings={claim.amount} />] as const]),
        ]}
      />
      {claim.status === 'credited' && <ReceiptOfPayment mpesaReceipt={claim.transaction_id} />}
      {claim.status === 'failed' ? (
        <Button onClick={onAgain}>{say('Try again')}</Button>
      ) : (
        <Button look={claim.status === 'pending' ? 'soft' : 'main'} onClick={onClose}>
          {claim.status === 'pending' ? say('Wait in the background') : say('Done')}
        </Button>
      )}
    </div>
  );
}

function Standing({ claim }: { claim: Claim }) {
  const shown: Record<Claim['status'], ['good' | 'bad' | 'open', string]> = {
    pending: ['open', say('Request Send... Please wait as we process')],
    credited: ['good', say('The money is in your wallet')],
    failed: ['bad', say('It could not be confirmed')],
    review: ['open', say('We are looking into it')],
  };
  const [tone, title] = shown[claim.status];
  return (
    <Outcome tone={tone} title={title}>
      {claim.text}
    </Outcome>
  );
}
