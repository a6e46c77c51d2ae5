import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import { assertMovable } from './wallet.rules.ts';
import { withdraw } from './withdraw.ts';

interface Payout {
  readonly userId: string;
  readonly amountCents: Cents;
}

/**
 * Checks whether two operators may now pay a suspended person this much from that person's wallet. Returns the phone
 * that the payout goes to. What may delay a member's own withdrawal (a new phone, shares just sold, the day's limit) is
 * checked when the payout is carried out.
 * @throws Refusal `not_found` where the account is not suspended, `phone_unconfirmed`, `amount_not_whole_shillings`,
 * `amount_out_of_range`, `phone_not_kenyan` or `insufficient_funds`
 */
export async function examineSuspendedPayout(tx: Tx, { userId, amountCents }: Payout): Promise<string> {
  const [person] = await tx.sql<{ phone: string; isConfirmed: boolean; wallet: Cents | null }[]>`
    select phone, phone_confirmed_at is not null as "isConfirmed", suspended_wallet(id, ${tx.now}) as wallet
    from users where id = ${userId}`;
  if (!person || person.wallet === null)
    throw new Refusal('not_found', { message: sentence('That account is not suspended.') });
  if (!person.isConfirmed) throw new Refusal('phone_unconfirmed');
  assertMovable(amountCents, person.phone, 'out');
  if (amountCents > person.wallet) throw new Refusal('insufficient_funds');
  return person.phone;
}

/**
 * Makes the withdrawal that two operators agreed on, by the rules of a withdrawal. The platform pays M-Pesa's charge.
 */
export async function payOutSuspended(tx: Tx, payout: Payout & { readonly proposalId: string }): Promise<void> {
  const phone = await examineSuspendedPayout(tx, payout);
  const { userId, amountCents, proposalId } = payout;
  await withdraw(tx, { userId }, { amountCents, phone, proposalId });
}
