import { centsOf } from '@ushirika/contract/format';
import type { ClientProfile } from '@ushirika/contract/identity';
import type { Withdrawal, withdrawRoute } from '@ushirika/contract/wallet';
import { ApiForm, explainFailure } from '../api/api-form.tsx';
import { call, useIdempotencyKey } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { withProof } from '../api/with-proof.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { Button } from '../ui/button.tsx';
import { Facts, FailureState } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LongDate, Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Loading } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { ReceiptOfPayment } from './money-receipt.tsx';
import { ProceedsHeld } from './proceeds-held.tsx';
import { ShillingsField } from './shillings-field.tsx';
import { Outcome } from './waiting.tsx';
import { begin, useWithdrawal } from './wallet.queries.ts';
import { Charges, LeftToday, useWithdrawalTerms, type WithdrawalTerms } from './withdrawal-terms.tsx';

interface Props {
  /** The withdrawal that is waited for; null while there is none yet. */
  withdrawalId: string | null;
  /** The one that is asked for again. */
  againId: string | null;
  onAsked: (id: string) => void;
  onAgain: () => void;
  onConfirmPhone: () => void;
  onClose: () => void;
}

/** Withdraw: to one's own confirmed phone, and set aside until M-Pesa says what became of it. */
export function WithdrawDialog({ withdrawalId, againId, onAsked, onAgain, onConfirmPhone, onClose }: Props) {
  const { data: profile, error, refetch } = useProfile();
  const again = useWithdrawal(againId);
  return (
    <Dialog title={say('Withdraw')} onClose={onClose}>
      {withdrawalId ? (
        <Followed id={withdrawalId} onAgain={onAgain} onClose={onClose} />
      ) : profile && !again.isLoading ? (
        <WithdrawForm profile={profile} earlier={again.data} onAsked={onAsked} onConfirmPhone={onConfirmPhone} />
      ) : error ? (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      ) : (
        <Loading label={say('Loading...')} />
      )}
    </Dialog>
  );
}

function WithdrawForm({
  profile,
  earlier,
  onAsked,
  onConfirmPhone,
}: Pick<Props, 'onAsked' | 'onConfirmPhone'> & { profile: ClientProfile; earlier: Withdrawal | undefined }) {
  const { keyFor, settle } = useIdempotencyKey();
  const terms = useWithdrawalTerms().data;
  const submit = async ({ amount }: Record<'amount', string>) => {
    const body = { amount, phone: profile.phone_number };
    const input = { body, idempotencyKey: keyFor(body) };
    const answer = await withProof(() => call<typeof withdrawRoute>('POST', '/integrations/mpesa/withdraw', input));
    toast.success(answer.message);
    settle();
    begin('withdrawal', answer.withdrawal);
    onAsked(answer.withdrawal.id);
    await refresh(['Client']);
  };
  const explain = (error: unknown) => {
    const code = error instanceof CallFailure ? error.code : '';
    // The profile tells until when.
    if (code === 'payout_held' || code === 'withdrawal_limit_reached') void refresh(['Client']);
    return explainFailure(error);
  };
  const { amount, held } = profile.wallet;
  const kept = profile.proceeds_held;
  const phoneMissing = !profile.verified.phone;
  const reason = whyNot(profile, terms);
  return (
    <div className="grid gap-4">
      <Facts
        facts={[
          [say('In your wallet'), <Money key="amount" shillings={amount} />],
          [say('On hold'), <Money key="held" shillings={held} />],
          ...(kept
            ? [[say('From share sales and check-offs'), <Money key="kept" shillings={kept.amount} />] as const]
            : []),
          [
            <b key="name">{say('You can withdraw now')}</b>,
            <Money key="free" shillings={reason ? 0 : nowOf(profile, terms)} className="text-lead" />,
          ],
          ...(terms ? [[say('Left for today'), <LeftToday key="left" left={terms.left} />] as const] : []),
          [say('To your phone'), profile.phone_number],
        ]}
      />
      {phoneMissing && (
        <div className="grid gap-3 rounded-box bg-ochre-tint px-4 py-3 text-ochre-ink">
          <p className="font-medium">{say('Money goes only to a phone that you have confirmed by an SMS code.')}</p>
          <Button look="line" onClick={onConfirmPhone}>
            {say('Confirm your phone')}
          </Button>
        </div>
      )}
      {profile.payout_held_until && (
        <p className="rounded-box bg-clay-tint px-4 py-3 font-medium text-clay">
          {say('For your safety nothing is paid out after a change of password or phone until')}{' '}
          <LongDate iso={profile.payout_held_until} time />.
        </p>
      )}
      {kept && !profile.payout_held_until && (
        <p className="rounded-box bg-ochre-tint px-4 py-3 text-ochre-ink">
          <ProceedsHeld kept={kept} />
        </p>
      )}
      <ApiForm<'amount'>
        required={['amount']}
        emptyMessage={say('All Fields are required')}
        submit={submit}
        settle={settle}
        explain={explain}
      >
        <ShillingsField
          label={say('Amount')}
          name="amount"
          defaultValue={earlier && String(earlier.amount)}
          hint={say('Whole shillings, from Ksh. 10 to Ksh. 250,000 at once.')}
        />
        {terms && <Charges terms={terms} />}
        {reason && !isSaidAbove(profile) && (
          <p className="rounded-box bg-ochre-tint px-4 py-3 font-medium text-ochre-ink">{reason}</p>
        )}
        <SubmitButton busyLabel={say('processing...')} disabledReason={reason}>
          {say('Withdraw')}
        </SubmitButton>
      </ApiForm>
    </div>
  );
}

/** Why nothing can be withdrawn now, or null. */
function whyNot(profile: ClientProfile, terms: WithdrawalTerms | undefined): string | null {
  if (!profile.verified.phone) return say('Confirm your phone number first.');
  if (profile.payout_held_until) return say('Withdrawals are held for your safety.');
  if (terms?.left.count === 0)
    return say('You have made all withdrawals of today. You can make the next one tomorrow.');
  if (terms && terms.left.amount < 10)
    return say('You have withdrawn all that can be withdrawn in one day. You can withdraw again tomorrow.');
  if (profile.wallet.available < 10) return say('M-Pesa pays out Ksh. 10 or more, and your wallet has less available.');
  if (freeOf(profile) < 10)
    return say('The money in your wallet is from share sales and check-offs. You can withdraw it tomorrow.');
  return null;
}

/** The unconfirmed phone and the hold for safety have boxes of their own, which say what to do. */
function isSaidAbove({ verified, payout_held_until }: ClientProfile): boolean {
  return !verified.phone || payout_held_until !== null;
}

/** Shillings that the next withdrawals can be together: what is free, and no more than is left for today. */
function nowOf(profile: ClientProfile, terms: WithdrawalTerms | undefined): number {
  return Math.min(freeOf(profile), terms?.left.amount ?? Number.POSITIVE_INFINITY);
}

/** Shillings that can leave now: what sales of the last day brought stays, but for the small sum. */
function freeOf({ wallet, proceeds_held: kept }: ClientProfile): number {
  return Math.max(0, (centsOf(wallet.available) - centsOf(kept?.amount ?? 0)) / 100);
}

function Followed({ id, onAgain, onClose }: { id: string; onAgain: () => void; onClose: () => void }) {
  const { data: withdrawal, error, refetch } = useWithdrawal(id);
  if (!withdrawal && error) {
    return <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />;
  }
  if (!withdrawal) return <Loading label={say('Loading...')} />;
  const shown: Record<Withdrawal['status'], ['good' | 'bad' | 'open', string]> = {
    reserved: ['open', say('On its way to your phone')],
    paid: ['good', say('Paid to your phone')],
    returned: ['bad', say('Not paid: the money is back in your wallet')],
  };
  const [tone, title] = shown[withdrawal.status];
  return (
    <div className="grid gap-5">
      <Outcome tone={tone} title={title}>
        {withdrawal.status !== 'paid' && withdrawal.text}
      </Outcome>
      <Facts
        facts={[
          [say('Amount'), <Money key="amount" shillings={withdrawal.amount} />],
          ...(withdrawal.charge > 0
            ? [[say('M-Pesa’s charge'), <Money key="charge" shillings={withdrawal.charge} />] as const]
            : []),
          [say('To your phone'), withdrawal.phone],
          [say('Asked for'), <LongDate key="at" iso={withdrawal.created_at} time />],
        ]}
      />
      {withdrawal.status === 'reserved' && (
        <p className="text-small text-ink-2">
          {say('The money stays on hold until M-Pesa tells us the result. You can close this; we will send an SMS.')}
        </p>
      )}
      {withdrawal.status === 'paid' && <ReceiptOfPayment mpesaReceipt={withdrawal.receipt} />}
      {withdrawal.status === 'returned' ? (
        <Button onClick={onAgain}>{say('Try again')}</Button>
      ) : (
        <Button look={withdrawal.status === 'paid' ? 'main' : 'soft'} onClick={onClose}>
          {withdrawal.status === 'paid' ? say('Done') : say('Wait in the background')}
        </Button>
      )}
    </div>
  );
}
