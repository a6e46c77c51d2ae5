import { z } from 'zod';
import type { Database } from '../../db/tx.ts';
import { enqueue } from '../../jobs.ts';

/** What the gateway says of one message. `unknown` may have gone out, so it is never sent again. */
export type SmsOutcome =
  | { readonly outcome: 'sent'; readonly id: string }
  | { readonly outcome: 'failed'; readonly reason: string; readonly retryable: boolean }
  | { readonly outcome: 'unknown'; readonly reason: string };

export interface SmsGateway {
  sendSms(message: { readonly to: string; readonly message: string }): Promise<SmsOutcome>;
}

const ATTEMPTS_MAX = 5;
const payloadSchema = z.object({ id: z.uuid() });

interface Claimed {
  id: string;
  phone: string;
  text: string;
  attempts: number;
}

/**
 * Sends one message of the outbox. The row says `sending`, and a secret is wiped from it, before the gateway is called:
 * a process that dies in between leaves a message that nobody sends again.
 */
export async function sendSms(database: Database, gateway: SmsGateway, payload: unknown): Promise<void> {
  const { id } = payloadSchema.parse(payload);
  const claimed = await claim(database, id);
  if (!claimed) return;
  const outcome = await askGateway(gateway, claimed);
  await settle(database, claimed, outcome);
}

async function claim(database: Database, id: string): Promise<Claimed | null> {
  return database.transaction(async (tx) => {
    await tx.sql`
      update sms_messages
      set state = 'expired', settled_at = ${tx.now}, text = case when is_secret then null else text end
      where id = ${id} and state = 'queued' and send_before <= ${tx.now}`;
    const [row] = await tx.sql<Claimed[]>`
      update sms_messages
      set state = 'sending', attempts = sms_messages.attempts + 1, attempted_at = ${tx.now},
          text = case when sms_messages.is_secret then null else sms_messages.text end
      from (select id, text from sms_messages where id = ${id} and state = 'queued' for update) as before
      where sms_messages.id = before.id
      returning sms_messages.id, sms_messages.phone, before.text, sms_messages.attempts`;
    return row ?? null;
  });
}

async function askGateway(gateway: SmsGateway, claimed: Claimed): Promise<SmsOutcome> {
  try {
    return await gateway.sendSms({ to: claimed.phone, message: claimed.text });
  } catch (error) {
    return { outcome: 'unknown', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function settle(database: Database, claimed: Claimed, outcome: SmsOutcome): Promise<void> {
  const retry = outcome.outcome === 'failed' && outcome.retryable && claimed.attempts < ATTEMPTS_MAX;
  await database.transaction(async (tx) => {
    if (retry) {
      await tx.sql`
        update sms_messages
        set state = 'queued', text = ${claimed.text}, failure_reason = ${outcome.reason.slice(0, 500)}
        where id = ${claimed.id} and state = 'sending'`;
      const waitMs = 5_000 * 3 ** (claimed.attempts - 1);
      await enqueue(tx, 'send_sms', { id: claimed.id }, { runAt: new Date(tx.now.getTime() + waitMs) });
      return;
    }
    const gatewayId = outcome.outcome === 'sent' ? outcome.id.slice(0, 200) : null;
    const reason = outcome.outcome === 'sent' ? null : outcome.reason.slice(0, 500);
    await tx.sql`
      update sms_messages
      set state = ${outcome.outcome}, settled_at = ${tx.now}, gateway_id = ${gatewayId}, failure_reason = ${reason}
      where id = ${claimed.id} and state = 'sending'`;
  });
}

/** Messages whose process died while sending: whether they went out nobody knows, and they are not sent again. */
export async function settleAbandonedSms(database: Database): Promise<void> {
  const now = database.now();
  const longAgo = new Date(now.getTime() - 5 * 60_000);
  await database.sql`
    update sms_messages
    set state = 'unknown', settled_at = ${now}, failure_reason = 'the process ended while it was being sent'
    where state = 'sending' and attempted_at < ${longAgo}`;
}
