import { type Cents, formatShillings, shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import { longDateTime, sentence } from '@ushirika/contract/sentence';
import { payoutCharge } from '@ushirika/contract/withdrawal-charges';
import type { Tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';
import { lockBalances } from '../../ledger/balances.ts';
import { postOrRefuse } from '../../ledger/post.ts';
import { refusalOfHold } from '../identity/account-hold.rules.ts';
import { announce } from './live.ts';
import { moneyJournal, wallet, walletHold } from './receipts.ts';
import { proceedsHeldOf } from './sale-proceeds.ts';
import { assertMovable } from './wallet.rules.ts';
import { refusePastDailyLimit } from './withdrawal-limits.ts';

/**
 * Reserves money of the wallet and enqueues its payment to the person's own confirmed phone. Returns the withdrawal's
 * id.
 * @throws Refusal in this order: `phone_unconfirmed`, `payout_held` for the whole account,
 * `amount_not_whole_shillings`, `amount_out_of_range`, `phone_not_kenyan`, `phone_not_yours`,
 * `withdrawal_limit_reached`, `payout_held` for proceeds of shares (where the wallet has enough), `insufficient_funds`
 */
export async function withdraw(
  tx: Tx,
  actor: { readonly userId: string },
  input: {
    readonly amountCents: Cents;
    readonly phone: string;
    /** The proposal of two operators who pay out a suspended person. */
    readonly proposalId?: string;
  },
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
  await refuseHeldProceeds(tx, userId, amountCents + chargeCents);
  const id = tx.newId();
  await tx.sql`
    insert into withdrawals (id, user_id, phone, amount_cents, charge_cents, state, created_at, proposal_id)
    values (${id}, ${userId}, ${phone}, ${amountCents}, ${chargeCents}, 'created', ${tx.now}, ${input.proposalId ?? null})`;
  const about = { type: 'withdrawal', id };
  await postOrRefuse(
    tx,
    moneyJournal('withdrawal_reserved', about, userId, wallet(userId), walletHold(userId), amountCents + chargeCents),
  );
  await enqueue(tx, 'send_withdrawal', { id });
  await announce(tx, [{ userId, thing: 'wallet', id: '' }]);
  return id;
}

/**
 * Refuses to pay out proceeds of shares for a day, above a small sum. If a thief sold the shares, the sale can still be
 * reversed (decision 152). Checked with the wallet locked, so that withdrawals at the same time are checked one after
 * another.
 * @throws Refusal `payout_held` with `free` and `held` in shillings, and `held_until`
 */
async function refuseHeldProceeds(tx: Tx, userId: string, amountCents: Cents): Promise<void> {
  const [availableCents = 0] = await lockBalances(tx, [wallet(userId), walletHold(userId)]);
  // `insufficient_funds` is thrown later for more than the wallet has.
  if (amountCents > availableCents) return;
  const held = await proceedsHeldOf(tx.sql, userId, tx.now);
  const freeCents = Math.max(0, availableCents - (held?.cents ?? 0));
  if (!held || amountCents <= freeCents) return;
  const [free, rest] = [freeCents, availableCents - freeCents].map(shillingsFromCents) as [number, number];
  throw new Refusal('payout_held', {
    message: sentence(
      'You can withdraw {free} now. {rest} is from share sales and check-offs, and can be withdrawn from {at}.',
      {
        free: formatShillings(free),
        rest: formatShillings(rest),
        at: longDateTime(held.until),
      },
    ),
    retryAfterSeconds: Math.ceil((held.until.getTime() - tx.now.getTime()) / 1000),
    extra: { held_until: held.until.toISOString(), free, held: rest },
  });
}
