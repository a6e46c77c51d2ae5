import type { Cents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusals';
import { payoutCharge } from '@ushirika/contract/withdrawal-charges';
import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { refusalOfHold } from '../identity/account-hold.rules.ts';
import { announce } from './live.ts';
import { moneyJournal, wallet, walletHold } from './receipts.ts';
import { assertMovable } from './wallet.rules.ts';
import { refusePastDailyLimit } from './withdrawal-limits.ts';

/**
 * Sets money of the wallet aside and has M-Pesa pay it to the person's own confirmed phone. Returns the withdrawal's id.
 * Throws, in this order, `phone_unconfirmed`, `payout_held`, `amount_not_whole_shillings`, `amount_out_of_range`,
 * `phone_not_kenyan`, `phone_not_yours`, `withdrawal_limit_reached`, `insufficient_funds`.
 */
export async function withdraw(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly amountCents: Cents; readonly phone: string },
  chargesBorneBy: 'platform' | 'member' = 'platform',
): Promise<string> {
  const { amountCents, phone } = input;
  const { userId } = actor;
  const [user] = await tx.sql<{ phone: string; phone_confirmed_at: Date | null; payout_held_until: Date | null }[]>`
    select phone, phone_confirmed_at, payout_held_until from users where id = ${userId} for no key update`;
  if (!user) throw new Refusal('not_found');
  if (!user.phone_confirmed_at) throw new Refusal('phone_unconfirmed');
  const held = refusalOfHold('payout_held', user.payout_held_until, tx.now);
  if (held) throw held;
  assertMovable(amountCents, phone, 'out');
  if (user.phone !== phone) throw new Refusal('phone_not_yours');
  await refusePastDailyLimit(tx, userId, amountCents);
  const chargeCents = chargesBorneBy === 'member' ? payoutCharge(amountCents) : 0;
  const id = tx.newId();
  await tx.sql`
    insert into withdrawals (id, user_id, phone, amount_cents, charge_cents, state, created_at)
    values (${id}, ${userId}, ${phone}, ${amountCents}, ${chargeCents}, 'created', ${tx.now})`;
  const about = { type: 'withdrawal', id };
  await postOrRefuse(
    tx,
    moneyJournal('withdrawal_reserved', about, userId, wallet(userId), walletHold(userId), amountCents + chargeCents),
  );
  await enqueue(tx, 'send_withdrawal', { id });
  await announce(tx, [{ userId, thing: 'wallet', id: '' }]);
  return id;
}
