import { isKenyanMobile } from '@ushirika/contract/phone';
import { Refusal } from '@ushirika/contract/refusal';
import type { Tx } from '../../db/tx.ts';
import { openStatusQuery } from './status-queries.ts';

/** Open claims of one person. Each costs several questions to M-Pesa, and anybody can guess receipts. */
const PENDING_MAX = 20;

/**
 * Opens a claim: "I paid, and it is not here". M-Pesa is then asked about the receipt. Returns the claim's id; an open
 * claim by the same person for the same receipt is returned, not a second one.
 * @throws Refusal `phone_not_kenyan`, `receipt_already_claimed` or `too_many_claims`
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
