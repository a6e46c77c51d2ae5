import { z } from 'zod';
import type { Tx } from '../../db/tx.ts';

/** Words of Africa's Talking about a message that it had taken and did not deliver; the other words say that it is on its way, or there. */
const report = z.object({
  id: z.string().min(1).max(100),
  status: z.enum(['Failed', 'Rejected']),
  phoneNumber: z.string().regex(/^\+\d{8,15}$/),
  failureReason: z.string().max(60).optional(),
});
/** A report of an older message tells nobody anything. */
const BELIEVED_FOR_MS = 2 * 86_400_000;

/**
 * Takes a report that a message did not reach its phone. It says so of that one message, which the provider had taken lately, and of
 * nothing else: whoever waits for the code reads it, and operators count it. All other reports are ignored.
 */
export async function receiveDelivery(tx: Tx, body: Readonly<Record<string, unknown>>): Promise<void> {
  const parsed = report.safeParse(body);
  if (!parsed.success) return;
  const { id, status, phoneNumber, failureReason } = parsed.data;
  await tx.sql`
    update sms_messages
    set state = 'failed', settled_at = ${tx.now}, failure_reason = ${`not delivered: ${status} ${failureReason ?? ''}`.trim()}
    where phone = ${phoneNumber.slice(1)} and gateway_id = ${id} and state = 'sent'
      and created_at > ${new Date(tx.now.getTime() - BELIEVED_FOR_MS)}`;
}
