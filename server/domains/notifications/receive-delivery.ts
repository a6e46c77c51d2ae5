import { z } from 'zod';
import type { Tx } from '../../db/tx.ts';

/**
 * The form of Africa's Talking about a message that it took and did not deliver. Any other status says that the message is on its way, or
 * arrived.
 */
const report = z.object({
  id: z.string().min(1).max(100),
  status: z.enum(['Failed', 'Rejected']),
  phoneNumber: z.string().regex(/^\+\d{8,15}$/),
  failureReason: z.string().max(60).optional(),
});
/** Nobody waits for an older message any more. */
const BELIEVED_FOR_MS = 2 * 86_400_000;

/**
 * Takes a report that one message, which the provider took lately, did not reach its phone. The person who waits for its code then reads
 * that, and the figure of operators counts it. All other reports are ignored.
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
