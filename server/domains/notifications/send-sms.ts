import { z } from 'zod';
import type { Database, Tx } from '../../db/tx.ts';
import { type EnqueueOptions, enqueueAll } from '../../jobs.ts';
import { texts } from '../../ledger/sql-arrays.ts';

/** What the gateway says of one message. `unknown` may have gone out, so it is never sent again. */
export type SmsOutcome =
  | { readonly outcome: 'sent'; readonly id: string }
  | { readonly outcome: 'failed'; readonly reason: string; readonly retryable: boolean }
  | { readonly outcome: 'unknown'; readonly reason: string };

export interface SmsGateway {
  sendSms(message: { readonly to: string; readonly message: string }): Promise<SmsOutcome>;
}

const ATTEMPTS_MAX = 5;
/**
 * Messages of one job, with the gateway at once: a batch of trades tells hundreds, and a job costs more than a message. If the
 * process dies, so many may be lost; when it is told to end, it waits for one answer of the gateway and not for several.
 */
const MESSAGES_PER_JOB_MAX = 10;
const payloadSchema = z.union([
  // Jobs that waited while the product was renewed have fifty messages or one.
  z.object({ ids: z.array(z.uuid()).min(1).max(50), canWait: z.boolean().default(false) }),
  z.object({ id: z.uuid() }).transform(({ id }) => ({ ids: [id], canWait: false })),
]);

interface Claimed {
  id: string;
  phone: string;
  text: string;
  attempts: number;
}

/** Adds the jobs that send messages of the outbox, in the transaction that wrote them; what can wait then, can when tried again. */
export async function enqueueSms(tx: Tx, ids: readonly string[], options: EnqueueOptions = {}): Promise<void> {
  const { canWait = false } = options;
  const jobs: z.infer<typeof payloadSchema>[] = [];
  for (let from = 0; from < ids.length; from += MESSAGES_PER_JOB_MAX) {
    jobs.push({ ids: ids.slice(from, from + MESSAGES_PER_JOB_MAX), canWait });
  }
  await enqueueAll(tx, 'send_sms', jobs, options);
}

/**
 * Sends messages of the outbox, all at once. Their rows say `sending`, and secrets are wiped from them, before the
 * gateway is called: a process that dies in between leaves messages that nobody sends again.
 */
export async function sendSms(database: Database, gateway: SmsGateway, payload: unknown): Promise<void> {
  const { ids, canWait } = payloadSchema.parse(payload);
  const claimed = await claim(database, ids);
  if (claimed.length === 0) return;
  await settle(database, await Promise.all(claimed.map((message) => askGateway(gateway, message))), canWait);
}

async function claim(database: Database, ids: readonly string[]): Promise<Claimed[]> {
  const asked = texts(ids);
  return database.transaction(async (tx) => {
    const expired = tx.sql`
      update sms_messages
      set state = 'expired', settled_at = ${tx.now}, text = case when is_secret then null else text end
      where id = any (${asked}::uuid[]) and state = 'queued' and send_before <= ${tx.now}`;
    const claimed = tx.sql<Claimed[]>`
      update sms_messages
      set state = 'sending', attempts = sms_messages.attempts + 1, attempted_at = ${tx.now},
          text = case when sms_messages.is_secret then null else sms_messages.text end
      from (
        select id, text from sms_messages where id = any (${asked}::uuid[]) and state = 'queued' order by id for update
      ) as before
      where sms_messages.id = before.id
      returning sms_messages.id, sms_messages.phone, before.text, sms_messages.attempts`;
    const [, rows] = await Promise.all([expired, claimed]);
    return rows;
  });
}

interface Answered extends Claimed {
  readonly outcome: SmsOutcome;
}

async function askGateway(gateway: SmsGateway, claimed: Claimed): Promise<Answered> {
  try {
    return { ...claimed, outcome: await gateway.sendSms({ to: claimed.phone, message: claimed.text }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...claimed, outcome: { outcome: 'unknown', reason } };
  }
}

const mayBeTriedAgain = ({ outcome, attempts }: Answered) =>
  outcome.outcome === 'failed' && outcome.retryable && attempts < ATTEMPTS_MAX;

async function settle(database: Database, answered: readonly Answered[], canWait: boolean): Promise<void> {
  await database.transaction(async (tx) => {
    await settleForGood(
      tx,
      answered.filter((message) => !mayBeTriedAgain(message)),
    );
    await queueAgain(tx, answered.filter(mayBeTriedAgain), canWait);
  });
}

async function settleForGood(tx: Tx, answered: readonly Answered[]): Promise<void> {
  if (answered.length === 0) return;
  const outcomes = answered.map(({ outcome }) => outcome);
  await tx.sql`
    update sms_messages m
    set state = settled.state, settled_at = ${tx.now}, gateway_id = settled.gateway_id,
      failure_reason = settled.failure_reason
    from unnest(
      ${texts(answered.map(({ id }) => id))}::uuid[], ${texts(outcomes.map(({ outcome }) => outcome))}::text[],
      ${texts(outcomes.map((said) => (said.outcome === 'sent' ? said.id.slice(0, 200) : null)))}::text[],
      ${texts(outcomes.map((said) => (said.outcome === 'sent' ? null : said.reason.slice(0, 500))))}::text[]
    ) as settled (id, state, gateway_id, failure_reason)
    where m.id = settled.id and m.state = 'sending'`;
}

async function queueAgain(tx: Tx, answered: readonly Answered[], canWait: boolean): Promise<void> {
  if (answered.length === 0) return;
  const reasons = answered.map(({ outcome }) => (outcome.outcome === 'sent' ? null : outcome.reason.slice(0, 500)));
  await tx.sql`
    update sms_messages m set state = 'queued', text = again.text, failure_reason = again.failure_reason
    from unnest(
      ${texts(answered.map(({ id }) => id))}::uuid[], ${texts(answered.map(({ text }) => text))}::text[], ${texts(reasons)}::text[]
    ) as again (id, text, failure_reason)
    where m.id = again.id and m.state = 'sending'`;
  // Those of one job were tried equally often, but for jobs that a dying process has left half done.
  for (const [attempts, some] of Map.groupBy(answered, (message) => message.attempts)) {
    const runAt = new Date(tx.now.getTime() + 5_000 * 3 ** (attempts - 1));
    await enqueueSms(
      tx,
      some.map(({ id }) => id),
      { runAt, canWait },
    );
  }
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
