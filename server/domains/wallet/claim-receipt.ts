import { isKenyanMobile } from '@ushirika/contract/phone';
import { Refusal } from '@ushirika/contract/refusal';
import type { Tx } from '../../db/tx.ts';
import { openStatusQuery } from './status-queries.ts';

/** Receipts that one person has checked at a time: each costs M-Pesa a few questions, and anybody may guess them. */
const PENDING_MAX = 20;

/**
 * Sends a receipt for checking: "I paid, and it is not here". Returns the claim's id; a claim of the same receipt that
 * is still open is the answer, not a second one. Throws `phone_not_kenyan`, `receipt_already_claimed`, `too_many_claims`.
 */
export async function claimReceipt(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly receipt: string; readonly phone: string },
): Promise<string> {
  const { receipt, phone } = input;
  if (!isKenyanMobile(phone)) throw new Refusal('phone_not_kenyan');
  const [booked] = await tx.sql<{ is_credited: boolean }[]>`select is_receipt_credited(${receipt}) as is_credited`;
  if (booked?.is_credited) throw new Refusal('receipt_already_claimed');
  const [claim] = await tx.sql<{ id: string; is_new: boolean }[]>`
    insert into receipt_claims as c (id, user_id, receipt, phone, state, created_at)
    values (${tx.newId()}, ${actor.userId}, ${receipt}, ${phone}, 'pending', ${tx.now})
    on conflict (user_id, receipt) where state = 'pending' do update set phone = excluded.phone
    returning id, xmax = 0 as is_new`;
  if (!claim) throw new Error('A claim was neither written nor found.');
  if (!claim.is_new) return claim.id;
  if (await hasTooMany(tx, actor.userId)) throw new Refusal('too_many_claims');
  await openStatusQuery(tx, { purpose: 'claim', aboutId: claim.id, receipt });
  return claim.id;
}

async function hasTooMany(tx: Tx, userId: string): Promise<boolean> {
  const [row] = await tx.sql<{ count: number }[]>`
    select count(*)::int as count from receipt_claims where user_id = ${userId} and state = 'pending'`;
  return (row?.count ?? 0) > PENDING_MAX;
}
