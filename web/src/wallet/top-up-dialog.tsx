import { PROMPT_SHOWN_MS } from '@ushirika/contract/constants';
import type { Deposit, depositRoute } from '@ushirika/contract/wallet';
import { type ComponentProps, useCallback, useRef, useState } from 'react';
import { ApiForm, explainFailure } from '../api/api-form.tsx';
import { call, useIdempotencyKey } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { now } from '../clock.ts';
import { ConfirmPhone } from '../identity/confirm-phone-dialog.tsx';
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
import { AskHolder } from './ask-holder.tsx';
import { ReceiptOfPayment } from './money-receipt.tsx';
import { PayByHandFold } from './pay-by-hand.tsx';
import { ShillingsField } from './shillings-field.tsx';
import { IfNothingComes, Outcome, WaitingPhone } from './waiting.tsx';
import { begin, useDeposit } from './wallet.queries.ts';

interface Props {
  /** The top-up that is waited for; null while there is none yet. */
  depositId: string | null;
  /** The one that is asked for again. */
  againId: string | null;
  onAsked: (id: string) => void;
  onAgain: () => void;
  onConfirm: () => void;
  onClose: () => void;
}

/** Top Up Your Wallet: a prompt for the M-Pesa PIN goes to the phone, and this waits with the person. */
export function TopUpDialog({ depositId, againId, onAsked, onAgain, onConfirm, onClose }: Props) {
  return (
    <Dialog title={say('Top Up Your Wallet')} onClose={onClose}>
      {depositId ? (
        <Followed id={depositId} onAgain={onAgain} onConfirm={onConfirm} onClose={onClose} />
      ) : againId ? (
        <AskedAgain id={againId} onAsked={onAsked} onConfirm={onConfirm} />
      ) : (
        <TopUpForm typed={null} onAsked={onAsked} onConfirm={onConfirm} />
      )}
    </Dialog>
  );
}

type Field = 'amount' | 'phone';

/** What the phone is asked first: to be confirmed where it is one's own, else that its holder agrees. */
interface Halted {
  readonly why: 'phone_unconfirmed' | 'phone_holder_not_asked';
  readonly body: Record<Field, string>;
}

/** The form as it was filled in the last time. */
function AskedAgain({ id, ...ways }: Pick<Props, 'onAsked' | 'onConfirm'> & { id: string }) {
  const { data: earlier, isPending } = useDeposit(id);
  if (isPending) return <Loading label={say('Loading...')} />;
  const typed = earlier ? { amount: String(earlier.amount), phone: earlier.phone } : null;
  return <TopUpForm typed={typed} {...ways} />;
}

function TopUpForm({
  typed: first,
  onAsked,
  onConfirm,
}: Pick<Props, 'onAsked' | 'onConfirm'> & { typed: Record<Field, string> | null }) {
  const { keyFor, settle } = useIdempotencyKey();
  const [halted, setHalted] = useState<Halted | null>(null);
  const [typed, setTyped] = useState(first);
  const asked = useRef<Record<Field, string> | null>(null);
  const submit = async (body: Record<Field, string>) => {
    asked.current = body;
    const answer = await call<typeof depositRoute>('POST', '/integrations/mpesa/deposit', {
      body,
      idempotencyKey: keyFor(body),
    });
    toast.success(answer.message);
    settle();
    begin('deposit', answer.deposit);
    onAsked(answer.deposit.id);
    await refresh(['Client']);
  };
  const goOn = async ({ body }: Halted) => {
    try {
      await submit(body);
    } catch (error) {
      settle(error);
      setHalted(null);
      toast.error(wordsFor(error));
    }
  };
  if (halted?.why === 'phone_unconfirmed') {
    return (
      <div className="grid gap-4">
        <p className="rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">
          {say('Confirm your phone first, once. Then the prompt comes to it.')}
        </p>
        <ConfirmPhone onDone={() => void goOn(halted)} />
      </div>
    );
  }
  if (halted) {
    const { phone } = halted.body;
    return <AskHolder phone={phone} onDone={() => void goOn(halted)} onBack={() => setHalted(null)} />;
  }
  const explain = (error: unknown) => {
    const code = error instanceof CallFailure ? error.code : '';
    const body = asked.current;
    if ((code !== 'phone_unconfirmed' && code !== 'phone_holder_not_asked') || !body) return explainFailure(error);
    // The next step says why.
    setTyped(body);
    setHalted({ why: code, body });
    return { toasts: [] };
  };
  return (
    <>
      <Asking typed={typed} submit={submit} settle={settle} explain={explain} />
      <p className="mt-1 text-center text-small text-ink-2">
        {say('You have paid, and it is not in your wallet?')}{' '}
        <button type="button" className="link min-h-11 cursor-pointer text-small" onClick={onConfirm}>
          {say('Confirm Transaction')}
        </button>
      </p>
      <PayByHandFold />
    </>
  );
}

function Asking({
  typed,
  ...form
}: { typed: Record<Field, string> | null } & Pick<
  ComponentProps<typeof ApiForm<Field>>,
  'submit' | 'settle' | 'explain'
>) {
  const session = useSession();
  return (
    <ApiForm<Field> required={['amount', 'phone']} emptyMessage={say('All Fields are required')} {...form}>
      <ShillingsField
        label={say('Amount')}
        name="amount"
        defaultValue={typed?.amount}
        hint={say('Whole shillings, up to Ksh. 250,000 at once.')}
      />
      <TextField
        label={say('Phone Number')}
        name="phone"
        type="tel"
        autoComplete="tel"
        placeholder="254712345678"
        defaultValue={typed?.phone ?? session?.user.phone_number}
        hint={say('The M-Pesa phone that pays: 254712345678 or 0712345678.')}
        className="num"
      />
      <p className="rounded-box bg-ochre-tint px-4 py-3 text-small font-medium text-ochre-ink">
        {say('An STK push will be sent to this phone. Confirm it there with its M-Pesa PIN; never type the PIN here.')}
      </p>
      <SubmitButton busyLabel={say('processing...')}>{say('Top Up')}</SubmitButton>
    </ApiForm>
  );
}

function Followed({
  id,
  onAgain,
  onConfirm,
  onClose,
}: Pick<Props, 'onAgain' | 'onConfirm' | 'onClose'> & { id: string }) {
  const { data: deposit, error, refetch } = useDeposit(id);
  if (!deposit && error) {
    return <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />;
  }
  if (!deposit) return <Loading label={say('Loading...')} />;
  if (deposit.status === 'pending') return <Pending deposit={deposit} onConfirm={onConfirm} onClose={onClose} />;
  if (deposit.status === 'paid') return <Paid deposit={deposit} onClose={onClose} />;
  return <NotPaid deposit={deposit} onAgain={onAgain} onConfirm={onConfirm} onClose={onClose} />;
}

function Pending({ deposit, onConfirm, onClose }: Pick<Props, 'onConfirm' | 'onClose'> & { deposit: Deposit }) {
  const closesAt = Date.parse(deposit.created_at) + PROMPT_SHOWN_MS;
  const [isOver, setOver] = useState(() => closesAt <= now());
  const isOwn = useSession()?.user.phone_number === deposit.phone;
  const end = useCallback(() => setOver(true), []);
  return (
    <div className="grid gap-4">
      <WaitingPhone until={closesAt} onEnd={end}>
        <span className="block text-ink-2">M-PESA</span>
        {say('Pay')} <Money shillings={deposit.amount} className="text-small" />
        <span className="mt-0.5 block text-ink-2">{say('Enter M-PESA PIN')}</span>
      </WaitingPhone>
      <div role="status" className="text-center">
        <p className="text-lead font-semibold">
          {isOver
            ? say('The time for the PIN is over')
            : isOwn
              ? say('Waiting for you on your phone')
              : say('Waiting for the phone’s owner')}
        </p>
        <p className="num mt-1 text-ink-2">
          {isOver ? say('We are asking M-Pesa whether it was paid.') : deposit.text}
        </p>
        <p className="num mt-1 text-small text-ink-2">{say('Sent to {phone}', { phone: deposit.phone })}</p>
      </div>
      <IfNothingComes
        steps={[
          say('Switch the phone on and wake its screen: the prompt comes to the SIM card, without internet.'),
          say('Close an open call, USSD menu or earlier M-Pesa prompt: only one can be open.'),
          say('When the time is over, ask again from here. Nothing is taken without the PIN.'),
          say('If M-Pesa has taken the money, press Confirm Transaction and enter the code in its SMS.'),
        ]}
      />
      <div className="grid gap-2 sm:grid-cols-2">
        <Button look="line" onClick={onConfirm}>
          {say('Confirm Transaction')}
        </Button>
        <Button look="soft" onClick={onClose}>
          {say('Wait in the background')}
        </Button>
      </div>
    </div>
  );
}

function Paid({ deposit, onClose }: Pick<Props, 'onClose'> & { deposit: Deposit }) {
  return (
    <div className="grid gap-5">
      <Outcome tone="good" title={say('The money is in your wallet')}>
        <Money shillings={deposit.amount} className="text-lead font-semibold text-ink" />
      </Outcome>
      <ReceiptOfPayment mpesaReceipt={deposit.receipt} />
      <Button onClick={onClose}>{say('Done')}</Button>
    </div>
  );
}

function NotPaid({
  deposit,
  onAgain,
  onConfirm,
  onClose,
}: Omit<Props, 'depositId' | 'againId' | 'onAsked'> & { deposit: Deposit }) {
  const inReview = deposit.status === 'review';
  const titles: Record<Exclude<Deposit['status'], 'pending' | 'paid'>, string> = {
    cancelled: say('It was cancelled on the phone'),
    failed: say('The payment did not go through'),
    expired: say('The time for the PIN is over'),
    review: say('We are looking into it'),
  };
  return (
    <div className="grid gap-5">
      <Outcome
        tone={inReview ? 'open' : 'bad'}
        title={titles[deposit.status as keyof typeof titles] ?? say('The payment did not go through')}
      >
        {deposit.text}
      </Outcome>
      <Facts
        facts={[
          [say('Amount'), <Money key="amount" shillings={deposit.amount} />],
          [say('Phone Number'), deposit.phone],
        ]}
      />
      <p className="text-small text-ink-2">
        {inReview
          ? say('The money that arrived does not match the request. Our team is checking it and will send you an SMS.')
          : say(
              'If M-Pesa has taken the money after all, it comes to your wallet by itself as soon as M-Pesa tells us.',
            )}
      </p>
      <div className="grid gap-2 sm:grid-cols-2">
        <Button look="line" onClick={onConfirm}>
          {say('Confirm Transaction')}
        </Button>
        {inReview ? (
          <Button onClick={onClose}>{say('Done')}</Button>
        ) : (
          <Button onClick={onAgain}>{say('Try again')}</Button>
        )}
      </div>
    </div>
  );
}
