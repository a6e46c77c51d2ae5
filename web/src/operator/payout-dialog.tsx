import { MPESA_SHILLINGS_MAX } from '@ushirika/contract/constants';
import type { payOutSuspended } from '@ushirika/contract/operator';
import { call } from '../api/call.ts';
import { Money } from '../ui/figures.tsx';
import { nameOf } from '../ui/when.tsx';
import { ShillingsField } from '../wallet/shillings-field.tsx';
import { say } from '../words/say.ts';
import { ReasonDialog } from './reason-dialog.tsx';

/** Proposes to pay a suspended person money of their own wallet; another operator confirms it. */
export function PayoutDialog({
  person,
  wallet,
  onClose,
}: {
  person: { id: string; first_name: string; last_name: string };
  /** Shillings that the wallet has available. */
  wallet: number;
  onClose: () => void;
}) {
  const send = ({ amount, reason }: Record<'amount' | 'reason', string>, idempotencyKey: string) =>
    call<typeof payOutSuspended>('POST', '/operator/people/{id}/payout', {
      params: { id: person.id },
      body: { amount, reason },
      idempotencyKey,
    });
  return (
    <ReasonDialog<'amount'>
      about={person.id}
      title={say('Pay {name} their own money', { name: nameOf(person) })}
      lead={
        <>
          <p>
            {say('In the wallet:')}{' '}
            <b className="num text-ink">
              <Money shillings={wallet} />
            </b>
          </p>
          <p className="mt-2">
            {say(
              'M-Pesa pays it to the confirmed phone of the account once another operator confirms. The account stays suspended.',
            )}
          </p>
        </>
      }
      submitLabel={say('Propose it')}
      required={['amount']}
      fields={
        <ShillingsField
          label={say('Amount')}
          name="amount"
          defaultValue={String(Math.min(Math.floor(wallet), MPESA_SHILLINGS_MAX))}
        />
      }
      send={send}
      onClose={onClose}
    />
  );
}
